// A benchmark that can be trusted on a noisy machine: contenders take turns round by round in one process, and what is
// reported is the median of a contender's rounds (of the time its thread ran) and, against its peer, the median and the
// spread of the ratios of rounds that ran next to each other.
//
// A contender is a type with:
//   explicit C(std::size_t n)                      empty, for n keys
//   void add(std::uint64_t)                        or add_batch(span), or both: the batch is measured
//   bool contains(std::uint64_t) const
//   contains_batch(span, bool*)                    if it has one
//   std::size_t bytes() const
//   static constexpr std::size_t key_words         if not 0, its keys are std::string_views of so many times eight bytes
//
// Rows: build (from nothing to filled, memory included); single, batch: lookups of absent, half-and-half and present keys,
// the queries streamed (a million different ones) or cached (4096, again and again, so that they and what they touch of the
// filter stay in the first two levels of the cache); dependent: each key can only be made when the last answer is there.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <time.h>
#include <vector>

#include "records.hpp"

namespace seen::bench {

inline std::uint64_t mix(std::uint64_t x) noexcept {  // SplitMix64's output function: distinct keys for distinct x
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The time this thread has run: on a shared machine, not what others ran meanwhile.
inline double running_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

/// Keeps the compiler from seeing through a value, so that loop iterations stay separate calls.
template <class T>
inline void opaque(T& x) {
  asm volatile("" : "+r"(x));
}
inline void opaque(std::string_view& x) {
  const char* data = x.data();
  std::size_t size = x.size();
  asm volatile("" : "+r"(data), "+r"(size));
  x = {data, size};
}

/// Keys: `added` go in; the queries are absent, half and half, or present.
template <class Key>
struct key_sets {
  std::vector<Key> added = {}, absent = {}, half = {}, present = {};
};

/// The same keys as text. An added key is a window of so many bytes into the row of added integers, eight bytes after the
/// last one, so that a hundred million of them need no more memory than their views; those of a row of queries lie side by
/// side, as the keys at hand of a program do.
class text_sets : public key_sets<std::string_view> {
 public:
  /// `words` eight-byte words per key.
  text_sets(const key_sets<std::uint64_t>& integers, std::size_t words);
  text_sets(const text_sets&) = delete;

  [[nodiscard]] std::size_t words() const noexcept { return words_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> added_words_, query_words_;
};

/// The keys of one size, integers.
struct workload : key_sets<std::uint64_t> {
  static constexpr std::size_t cached_queries = 4096;

  explicit workload(std::size_t n, std::size_t queries = 1'000'000);

  /// As text of so many times eight bytes. Sets of another length that were made before are gone.
  [[nodiscard]] const text_sets& as_text(std::size_t words) const;

 private:
  mutable std::unique_ptr<text_sets> text_;
};

/// So many bits per key, in units of `unit` bits, rounded up.
inline std::uint64_t units_for(std::size_t n, double bits_per_key, double unit) {
  return static_cast<std::uint64_t>(static_cast<double>(n) * bits_per_key / unit) + 1;
}

/// A key that no workload adds.
inline std::uint64_t absent_key(std::uint64_t i) noexcept {
  return mix(i + (std::uint64_t{1} << 40));
}

/// One measured quantity of one contender: a call that does `operations` and returns a checksum.
struct measurement {
  row_key row;
  std::size_t operations = 0;
  std::function<std::uint64_t()> run = {};
  std::vector<double> ns = {};
  std::uint64_t answer = 0;
};

/// A filter under test, erased.
struct entry {
  std::string name, peer;
  double bits_per_key = 0, fpr = 0;
  std::vector<measurement> rows = {};
};

/// How a contender gets into a run: by name, made when its family's turn comes.
struct contender {
  std::string name, peer;
  std::function<entry(const workload&)> enter;
};

/// Contenders that are compared with each other, at one rate.
struct family {
  std::string name;
  double limit_bits_per_key = 0;  ///< the size of the table whose random lines are the limit
  std::vector<contender> contenders = {};
};

/// The parts of a run.
struct run_options {
  std::vector<std::size_t> sizes = {};
  int rounds = 9;
  std::string only = {};                           ///< names of contenders or families, with commas; empty: all
  std::size_t queries = 1'000'000;                 ///< how many streamed ones
  std::string run = {};                            ///< the name of the run in its records
  std::function<bool(const row_key&)> rows = {};   ///< which rows; empty: all
  std::function<void(std::string)> progress = {};  ///< told what is being measured; may be empty
};

/// True if the list (with commas; empty: everything) names it.
bool is_wanted(const std::string& only, const std::string& name);

/// Runs the families at every size. Throws std::runtime_error if a contender loses a key: its times would mean nothing.
std::vector<record> run_families(const std::vector<family>& families, const run_options& options);

namespace detail {

template <class C>
concept of_text = requires {
  requires C::key_words != 0;
};
template <class C>
using key_of = std::conditional_t<of_text<C>, std::string_view, std::uint64_t>;

template <class C>
const key_sets<key_of<C>>& keys_of(const workload& work) {
  if constexpr (of_text<C>) {
    return work.as_text(C::key_words);
  } else {
    return work;
  }
}

template <class C>
concept has_batch = requires(const C& c, std::span<const key_of<C>> keys, bool* out) {
  c.contains_batch(keys, out);
};

template <class C>
void fill(C& c, const std::vector<key_of<C>>& keys) {
  if constexpr (requires { c.add_batch(std::span(keys)); }) {
    c.add_batch(std::span(keys));
  } else {
    for (const key_of<C> key : keys) c.add(key);
  }
}

template <class C>
[[gnu::noinline]] std::uint64_t ask_singly(const C& c, std::span<const key_of<C>> keys) {
  std::uint64_t found = 0;
  for (key_of<C> key : keys) {
    opaque(key);
    found += c.contains(key);
  }
  return found;
}

// The next key is changed by 0 or by a zero the compiler knows nothing of, as the answer says.
inline std::uint64_t moved(std::uint64_t key, std::uint64_t zero) {
  return key ^ zero;
}
inline std::string_view moved(std::string_view key, std::uint64_t zero) {
  return {key.data() + zero, key.size()};
}
template <class C>
[[gnu::noinline]] std::uint64_t ask_in_turn(const C& c, std::span<const key_of<C>> keys) {
  std::uint64_t found = 0, zero = 0, last = 0;
  opaque(zero);
  for (const key_of<C> key : keys) {
    key_of<C> asked = moved(key, last & zero);
    opaque(asked);
    last = std::uint64_t{0} - static_cast<std::uint64_t>(c.contains(asked));
    opaque(last);
    found -= last;
  }
  return found;
}

// Absent keys that no row uses: the rate a filter has, not the one it was made for.
template <class C>
double measured_fpr(const C& c) {
  constexpr std::size_t tile = 1 << 16, tiles = 64;
  const auto out = std::make_unique<bool[]>(tile);
  std::uint64_t found = 0;
  for (std::size_t t = 0; t < tiles; ++t) {
    key_sets<std::uint64_t> integers;
    for (std::size_t i = 0; i < tile; ++i)
      integers.added.push_back(absent_key((std::uint64_t{1} << 30) + t * tile + i));
    std::unique_ptr<text_sets> text;
    std::span<const key_of<C>> keys;
    if constexpr (of_text<C>) {
      text = std::make_unique<text_sets>(integers, C::key_words);
      keys = text->added;
    } else {
      keys = integers.added;
    }
    if constexpr (has_batch<C>) {
      found += c.contains_batch(keys, out.get());
    } else {
      found += ask_singly(c, keys);
    }
  }
  return static_cast<double>(found) / static_cast<double>(tile * tiles);
}

}  // namespace detail

/// Builds the contender once, by `make(n)`, which returns a std::unique_ptr<C>, and lists its rows.
template <class C, class Make>
entry enter(const std::string& name, const std::string& peer, const workload& work, Make make) {
  using span = std::span<const detail::key_of<C>>;
  const auto& sets = detail::keys_of<C>(work);
  const std::size_t n = work.added.size();
  auto built = std::make_shared<std::unique_ptr<C>>();
  // A small filter is built several times per round: half a million keys are half a millisecond and more.
  const std::size_t builds = std::max<std::size_t>(1, 500'000 / n);
  const auto build = [built, n, builds, make, &sets]() -> std::uint64_t {
    for (std::size_t i = 0; i < builds; ++i) {
      built->reset();
      *built = make(n);
      detail::fill(**built, sets.added);
    }
    return (*built)->bytes();
  };
  entry e{.name = name, .peer = peer};
  const auto add_row = [&e](const char* call, const char* mixed, const char* queries, std::size_t operations,
                            std::function<std::uint64_t()> run) {
    measurement m{.row = {call, mixed, queries, 1}, .operations = operations, .run = std::move(run)};
    e.rows.push_back(std::move(m));
  };
  add_row("build", "", "", n * builds, build);
  // Large builds are expensive: the first one, which the other rows need anyway, counts as a round.
  const double begin = running_ns();
  (void)build();
  if (n > 10'000'000) e.rows.back().ns.push_back((running_ns() - begin) / static_cast<double>(n));
  e.bits_per_key = 8.0 * static_cast<double>((*built)->bytes()) / static_cast<double>(n);
  e.fpr = detail::measured_fpr(**built);

  auto out = std::make_shared<std::unique_ptr<bool[]>>(std::make_unique<bool[]>(work.absent.size()));
  for (const char* queries : {"streamed", "cached"}) {
    const std::size_t all = work.absent.size();
    const std::size_t once = std::string(queries) == "cached" ? std::min(workload::cached_queries, all) : all;
    const std::size_t passes = all / once;
    struct {
      const char* label;
      const std::vector<detail::key_of<C>>* keys;
    } const mixes[] = {{"absent", &sets.absent}, {"half", &sets.half}, {"present", &sets.present}};
    for (const auto& mixed : mixes) {
      const span keys = span(*mixed.keys).first(once);
      add_row("single", mixed.label, queries, once * passes, [built, keys, passes] {
        std::uint64_t found = 0;
        for (std::size_t p = 0; p < passes; ++p) found += detail::ask_singly(**built, keys);
        return found;
      });
      if constexpr (detail::has_batch<C>) {
        add_row("batch", mixed.label, queries, once * passes, [built, keys, passes, out] {
          std::uint64_t found = 0;
          for (std::size_t p = 0; p < passes; ++p) found += (*built)->contains_batch(keys, out->get());
          return found;
        });
      }
      if (std::string(queries) == "streamed" && mixed.keys != &sets.half) {
        const span some = keys.first(std::max<std::size_t>(1, keys.size() / 4));
        add_row("dependent", mixed.label, queries, some.size(),
                [built, some] { return detail::ask_in_turn(**built, some); });
      }
    }
  }
  return e;
}

/// A contender of this type under this name.
template <class C>
contender contends(std::string name, std::string peer = "") {
  return {name, peer, [name, peer](const workload& work) {
            return enter<C>(name, peer, work, [](std::size_t n) { return std::make_unique<C>(n); });
          }};
}

}  // namespace seen::bench
