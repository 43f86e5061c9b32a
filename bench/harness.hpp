// A benchmark that can be trusted on a noisy machine: contenders take turns round by round in one process, and what is
// reported is the median of a contender's rounds (of the time its thread ran) and, against the baseline, the median and
// the spread of the ratios of rounds that ran next to each other.
//
// A contender is a type with:
//   static constexpr const char* name
//   explicit C(std::size_t n)                      for n keys at 1 %
//   void add(std::uint64_t), bool contains(std::uint64_t) const
//   add_batch(span), contains_batch(span, bool*)   if it has them
//   std::size_t bytes() const
#pragma once

#include <seen/base/bits.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <time.h>
#include <vector>

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
void opaque(T& x) {
  asm volatile("" : "+r"(x));
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/// The keys of one size: `added` go in; the queries are absent, half and half, or present.
struct workload {
  explicit workload(std::size_t n, std::size_t queries) : added(n) {
    for (std::size_t i = 0; i < n; ++i) added[i] = mix(i + 1);
    for (std::size_t i = 0; i < queries; ++i) {
      const std::uint64_t is_in = added[mix(i) % n];
      const std::uint64_t is_not = mix(i + (std::uint64_t{1} << 40));
      absent.push_back(is_not);
      half.push_back(mix(i) >> 63 ? is_in : is_not);
      present.push_back(is_in);
    }
  }
  std::vector<std::uint64_t> added, absent, half, present;
};

/// One measured quantity of one contender: a call that does `keys` operations and returns a checksum.
struct measurement {
  std::string label;
  std::size_t keys;
  std::function<std::uint64_t()> run;
  std::vector<double> ns = {};
  std::uint64_t answer = 0;
};

/// A filter under test, erased: its rows in a fixed order, so that equal rows of contenders can be compared.
struct entry {
  std::string name;
  double bits_per_key = 0;
  std::vector<measurement> rows;
};

template <class C>
entry enter(const workload& work) {
  auto built = std::make_shared<std::unique_ptr<C>>();
  entry e;
  e.name = C::name;
  const auto build = [built, &work]() -> std::uint64_t {
    built->reset();
    *built = std::make_unique<C>(work.added.size());
    if constexpr (requires(C & c) { c.add_batch(std::span(work.added)); }) {
      (*built)->add_batch(std::span(work.added));
    } else {
      for (const std::uint64_t key : work.added) (*built)->add(key);
    }
    return (*built)->bytes();
  };
  (void)build();
  e.bits_per_key = 8.0 * static_cast<double>((*built)->bytes()) / static_cast<double>(work.added.size());
  e.rows.push_back({"build", work.added.size(), build});
  struct {
    const char* label;
    const std::vector<std::uint64_t>* keys;
  } const mixes[] = {{"absent", &work.absent}, {"half", &work.half}, {"present", &work.present}};
  for (const auto& mixed : mixes) {
    const auto* keys = mixed.keys;
    e.rows.push_back({std::string("single ") + mixed.label, keys->size(), [built, keys] {
                        std::uint64_t found = 0;
                        const C& c = **built;
                        for (std::uint64_t key : *keys) {
                          opaque(key);
                          found += c.contains(key);
                        }
                        return found;
                      }});
  }
  for (const auto& mixed : mixes) {
    const auto* keys = mixed.keys;
    if constexpr (requires(const C& c, bool* out) { c.contains_batch(std::span(*keys), out); }) {
      auto out = std::make_shared<std::unique_ptr<bool[]>>(std::make_unique<bool[]>(keys->size()));
      e.rows.push_back({std::string("batch ") + mixed.label, keys->size(), [built, keys, out]() -> std::uint64_t {
                          return (*built)->contains_batch(std::span(*keys), out->get());
                        }});
    }
  }
  return e;
}

/// The machine's own time for what a one-line filter cannot do without: reading a random 64-byte line of a table as large
/// as the filter's. `single` reads with independent loads, at addresses that are there already and at addresses hashed
/// from the keys, as a filter must; `batch` prefetches 32 lines ahead. One word of each line is taken.
template <class Table, class Hash>
entry random_lines(const char* name, std::shared_ptr<const Table> table, std::size_t lines, Hash hash,
                   const workload& work) {
  entry e;
  e.name = name;
  e.bits_per_key = 512.0 * static_cast<double>(lines) / static_cast<double>(work.added.size());
  const auto* keys = &work.absent;
  const auto line = [table, lines](std::uint64_t x) { return table->data() + 64 * mulhi(x, lines); };
  const auto word = [](const std::byte* at) {
    std::uint64_t x;
    std::memcpy(&x, at, sizeof x);
    return x;
  };
  e.rows.push_back({"line, known address", keys->size(), [=] {
                      std::uint64_t sum = 0;
                      for (std::uint64_t key : *keys) {
                        opaque(key);
                        sum ^= word(line(key));
                      }
                      return sum;
                    }});
  e.rows.push_back({"line, hashed key", keys->size(), [=] {
                      std::uint64_t sum = 0;
                      for (std::uint64_t key : *keys) {
                        opaque(key);
                        sum ^= word(line(hash(key)));
                      }
                      return sum;
                    }});
  e.rows.push_back({"line, prefetched", keys->size(), [=] {
                      constexpr std::size_t ahead = 32;
                      std::uint64_t sum = 0;
                      for (std::size_t i = 0; i + ahead < keys->size(); ++i) {
                        __builtin_prefetch(line((*keys)[i + ahead]), 0, 2);
                        sum ^= word(line((*keys)[i]));
                      }
                      return sum;
                    }});
  return e;
}

inline void measure(measurement& m, bool counts) {
  const double begin = running_ns();
  m.answer = m.run();
  const double spent = running_ns() - begin;
  if (counts) m.ns.push_back(spent / static_cast<double>(m.keys));
}

/// Runs every row of every contender once a round, in turns, and the machine's own rows with each round of lookups.
inline void run_rounds(std::vector<entry>& contenders, entry& machine, int rounds, int build_rounds) {
  std::size_t rows = 0;
  for (const entry& e : contenders) rows = std::max(rows, e.rows.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const int times = row == 0 ? build_rounds : rounds;
    for (int round = 0; round <= times; ++round) {
      const bool counts = round != 0;  // the first round warms up
      for (entry& e : contenders) {
        if (row < e.rows.size()) measure(e.rows[row], counts);
      }
      for (measurement& m : machine.rows) {
        if (row != 0) measure(m, counts);
      }
    }
  }
}

}  // namespace seen::bench
