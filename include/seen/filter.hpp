// filter<Engine, Hash>: the class users hold, written once for every kind.
//
//   filter  =  a hash function (keys -> digests)  +  an engine (digests -> answers)
//
// The engine decides which operations exist: a kind that cannot remove has no remove() to call. Every operation takes a
// key (bytes, text or an integer; hash/key.hpp) or a digest; a batch takes a range of either, and hashes it in tiles so
// that the engine can overlap the cache misses of many keys.
//
//   seen::bloom visited({.capacity = 1'000'000, .fpr = 0.01});
//   visited.add("alice");
//   visited.may_contain("bob");        // false: certainly new
//
// The hash (id, seed, secret) is part of the filter: two filters that hash differently are never combined, and a file
// remembers it.
#pragma once

#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/base/threads.hpp>
#include <seen/concepts.hpp>
#include <seen/hash/hash.hpp>
#include <seen/hash/key.hpp>
#include <seen/health.hpp>
#include <seen/kernels/answers.hpp>
#include <seen/kernels/tiles.hpp>
#include <seen/math/estimate.hpp>
#include <seen/math/sizing.hpp>
#include <seen/storage/access.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace seen::inline v1 {

/// add always puts the key in (or throws std::bad_alloc or std::length_error, for a kind that grows).
template <class E>
concept adds_always = mutable_engine<E> && !fallible_engine<E>;

namespace detail {

/// The shape for a target: as the shape's type plans it, unless the rule of the engine sizes otherwise.
template <class Engine>
[[nodiscard]] result<typename Engine::shape_type> plan_for(const target& asked) {
  if constexpr (requires { Engine::rule_type::plan(asked); }) {
    return Engine::rule_type::plan(asked);
  } else {
    return Engine::shape_type::plan(asked);
  }
}

}  // namespace detail

/// The base of a filter: of a static engine the functions of filter::build (building/build_functions.hpp), of any other
/// nothing.
template <class Filter, class Engine, class Hash>
struct build_base {
  struct type {};
};
template <class Filter, class Engine, class Hash>
requires requires {
  typename Engine::template build_functions<Filter, Hash>;
}
struct build_base<Filter, Engine, Hash> {
  using type = typename Engine::template build_functions<Filter, Hash>;
};

/// Keys in front of an engine.
template <class Engine, class Hash>
class filter : public build_base<filter<Engine, Hash>, Engine, Hash>::type {
 public:
  using engine_type = Engine;                        ///< what answers
  using hash_type = Hash;                            ///< what hashes
  using digest_type = typename Engine::digest_type;  ///< what a key becomes
  using shape_type = typename Engine::shape_type;    ///< what describes its shape
  static constexpr kind_info kind = Engine::kind;    ///< its name and number
  /// Adding can neither fail nor throw.
  static constexpr bool add_is_noexcept = [] {
    if constexpr (mutable_engine<Engine>) return noexcept(std::declval<Engine&>().add(digest_type{}));
    return false;
  }();

  /// An empty filter for so many keys at such a rate. Throws std::invalid_argument, std::length_error or
  /// std::bad_alloc. (It and the next are templates for {1000, 0.01} alone, which either would take: what is no template comes
  /// first, and says that numbers have names.)
  template <class = void>
  explicit filter(const seen::target& asked, Hash hash = Hash()) requires mutable_engine<Engine>
      : filter(or_throw(make(asked, std::move(hash)))) {}
  /// An empty filter of a stated shape. Throws likewise.
  template <class = void>
  explicit filter(const shape_type& shape, Hash hash = Hash()) requires mutable_engine<Engine>
      : filter(or_throw(make(shape, std::move(hash)))) {}
  /// Puts a filter together from its parts, as a decoder does.
  filter(Engine engine, Hash hash, const seen::target& asked = {}) noexcept
      : engine_(std::move(engine)), hash_(std::move(hash)), target_(asked) {}

  /// The constructors' twins that return their error.
  static result<filter> make(const seen::target& asked, Hash hash = Hash()) requires mutable_engine<Engine> {
    return or_no_memory([&]() -> result<filter> {
      auto shape = detail::plan_for<Engine>(asked);
      if (!shape) return shape.error();
      auto engine = Engine::make(*shape);
      if (!engine) return math::about_target(asked, engine.error());
      return filter(std::move(*engine), std::move(hash), asked);
    });
  }
  static result<filter> make(const shape_type& shape, Hash hash = Hash()) requires mutable_engine<Engine> {
    return or_no_memory([&]() -> result<filter> {
      auto engine = Engine::make(shape);
      if (!engine) return engine.error();
      return filter(std::move(*engine), std::move(hash));
    });
  }
  /// A filter over the caller's words, which hold a filter of this shape (all zero: an empty one) and must outlive it.
  /// Calls that change the shape or swap the table (shrink_to_fpr, reset) leave the words to the caller as they were.
  static result<filter> over(std::span<std::uint64_t> words, const shape_type& shape, Hash hash = Hash()) {
    auto engine = Engine::over(shape, storage::borrow(std::as_writable_bytes(words)));
    if (!engine) return engine.error();
    return filter(std::move(*engine), std::move(hash));
  }

  // --- one key

  /// Adds a key.
  template <key_like Key>
  void add(const Key& key) noexcept(add_is_noexcept) requires adds_always<Engine> {
    engine_.add(digest_of(key));
  }
  void add(digest_type d) noexcept(add_is_noexcept) requires adds_always<Engine> { engine_.add(d); }
  /// Adds a key to a kind that can be full. False: there was no room, and nothing changed.
  template <key_like Key>
  [[nodiscard]] bool add(const Key& key) noexcept requires fallible_engine<Engine> {
    return engine_.add(digest_of(key));
  }
  [[nodiscard]] bool add(digest_type d) noexcept requires fallible_engine<Engine> { return engine_.add(d); }

  /// False: certainly never added. True: added, or a false positive.
  template <key_like Key>
  [[nodiscard, gnu::always_inline]] bool may_contain(const Key& key) const noexcept {
    return engine_.may_contain(digest_of(key));
  }
  [[nodiscard, gnu::always_inline]] bool may_contain(digest_type d) const noexcept { return engine_.may_contain(d); }

  /// The answer before, and the key is in afterwards. Of threads racing to add a new key at least one is told false.
  /// (Not for kinds that can be full, where the key might not be in: ask, then add.)
  template <key_like Key>
  bool test_and_add(const Key& key) noexcept(add_is_noexcept) requires adds_always<Engine> {
    return test_and_add(digest_of(key));
  }
  bool test_and_add(digest_type d) noexcept(add_is_noexcept) requires adds_always<Engine> {
    if constexpr (requires { engine_.test_and_add(d); }) {
      return engine_.test_and_add(d);
    } else {
      const bool before = engine_.may_contain(d);
      engine_.add(d);
      return before;
    }
  }

  /// As test_and_add, and of threads racing to add a new key exactly one is told false, if all of them call this.
  template <key_like Key>
  bool test_and_add_exclusive(const Key& key) requires adds_always<Engine> && shared_engine<Engine> {
    return test_and_add_exclusive(digest_of(key));
  }
  bool test_and_add_exclusive(digest_type d) requires adds_always<Engine> && shared_engine<Engine> {
    const detail::stripe_lock lock(d.value);
    return test_and_add(d);
  }

  /// The answer before; adds the key only if it was absent.
  template <key_like Key>
  bool test_or_add(const Key& key) noexcept(add_is_noexcept) requires adds_always<Engine> {
    return test_or_add(digest_of(key));
  }
  bool test_or_add(digest_type d) noexcept(add_is_noexcept) requires adds_always<Engine> {
    if (engine_.may_contain(d)) return true;
    engine_.add(d);
    return false;
  }

  /// Takes out a key that was added. False: it is not in the filter, and nothing changed.
  template <key_like Key>
  bool remove(const Key& key) noexcept requires removable_engine<Engine> {
    return engine_.remove(digest_of(key));
  }
  bool remove(digest_type d) noexcept requires removable_engine<Engine> { return engine_.remove(d); }

  /// How often a key was added and not removed, at most: other keys may count for it.
  template <key_like Key>
  [[nodiscard]] std::uint64_t count(const Key& key) const noexcept requires countable_engine<Engine> {
    return engine_.count(digest_of(key));
  }
  [[nodiscard]] std::uint64_t count(digest_type d) const noexcept requires countable_engine<Engine> {
    return engine_.count(d);
  }

  // --- many keys

  /// Adds every key of a range.
  template <range_of_keys<digest_type> Range>
  void add_many(Range&& keys) requires adds_always<Engine> {
    if constexpr (engine_hashes<Range>) return engine_.add_keys(hash_, kernels::span_of(keys));
    kernels::for_each_tile(hash_, keys, [this](std::span<const digest_type> tile) {
      engine_.add_many(tile);
      return true;
    });
  }
  /// Adds the keys of a range in order until one finds no room; returns how many were added.
  template <range_of_keys<digest_type> Range>
  [[nodiscard]] std::size_t add_many(Range&& keys) requires fallible_engine<Engine> {
    if (const auto added = add_in_bulk(keys, 1)) return *added;
    std::size_t added = 0;
    kernels::for_each_tile(hash_, keys, [&](std::span<const digest_type> tile) {
      const std::size_t some = engine_.add_many(tile);
      added += some;
      return some == tile.size();
    });
    return added;
  }

  /// The same on several threads. Keys that lie side by side are hashed by all of them; how many add depends on the kind,
  /// never what is added: the filter is the same for any number, and so is what is returned.
  template <range_of_keys<digest_type> Range>
  auto add_many(Range&& keys, parallel how) requires mutable_engine<Engine> {
    if constexpr (fallible_engine<Engine>) {
      if (const auto all = add_in_bulk(keys, how.threads)) return *all;
    }
    std::size_t added = 0;
    kernels::for_each_window(hash_, keys, detail::threads_for(how.threads),
                             [&](std::span<const digest_type> window, unsigned threads) {
                               if constexpr (fallible_engine<Engine>) {
                                 const std::size_t some = add_window(window, threads);
                                 added += some;
                                 return some == window.size();
                               } else {
                                 add_window(window, threads);
                                 return true;
                               }
                             });
    if constexpr (fallible_engine<Engine>) return added;
  }

  /// Writes to out[i] whether key i may be present, and returns how many may. `out` needs a place for every key.
  template <range_of_keys<digest_type> Range>
  std::size_t may_contain_many(Range&& keys, std::span<bool> out) const {
    if constexpr (std::ranges::sized_range<Range>)
      kernels::check_room("may_contain_many", out.size(), std::ranges::size(keys));
    if constexpr (engine_hashes<Range>) return engine_.may_contain_keys(hash_, kernels::span_of(keys), out.data());
    std::size_t done = 0;
    std::size_t found = 0;
    kernels::for_each_tile(hash_, keys, [&](std::span<const digest_type> tile) {
      kernels::check_room("may_contain_many", out.size(), done + tile.size());
      found += engine_.may_contain_many(tile, out.data() + done);
      done += tile.size();
      return true;
    });
    return found;
  }
  /// The same answers as a bitmap: bit i % 64 of out[i / 64] is key i's, bits beyond the last key are 0. `out` needs a bit
  /// for every key.
  template <range_of_keys<digest_type> Range>
  std::size_t may_contain_bitmap(Range&& keys, std::span<std::uint64_t> out) const {
    if constexpr (std::ranges::sized_range<Range>) {
      kernels::check_room("may_contain_bitmap", out.size() * 64, std::ranges::size(keys));
    }
    return for_each_answer(keys, [&](const bool* answers, std::size_t n, std::size_t first) {
      kernels::check_room("may_contain_bitmap", out.size() * 64, first + n);
      kernels::pack_answers(answers, n, out.data() + first / 64);
    });
  }
  /// The same answers as a selection: writes the indices of the keys that may be present, ascending, and returns how many
  /// there are. `out` needs a place for every key.
  template <range_of_keys<digest_type> Range, std::unsigned_integral Index>
  std::size_t select(Range&& keys, std::span<Index> out) const {
    if constexpr (std::ranges::sized_range<Range>) kernels::check_room("select", out.size(), std::ranges::size(keys));
    std::size_t selected = 0;
    return for_each_answer(keys, [&](const bool* answers, std::size_t n, std::size_t first) {
      kernels::check_room("select", out.size(), first + n);
      if (first + n - 1 > std::numeric_limits<Index>::max()) {
        throw_error({errc::too_large, "select: more keys than indices"});
      }
      selected += kernels::select_answers(answers, n, first, out.data() + selected);
    });
  }
  /// select, of a container of indices.
  template <range_of_keys<digest_type> Range, std::ranges::contiguous_range Indices>
  std::size_t select(Range&& keys,
                     Indices& out) const requires std::unsigned_integral<std::ranges::range_value_t<Indices>> {
    return select(std::forward<Range>(keys), std::span<std::ranges::range_value_t<Indices>>(out));
  }

  // --- the whole filter

  /// Empties the filter. On a concurrent kind free of races, but what others are told meanwhile is unspecified.
  void clear() noexcept requires clearable_engine<Engine> { engine_.clear(); }

  /// Tells a kind that forgets what time it is: any unit, as long as it does not go back.
  void advance(std::uint64_t now) noexcept requires forgetting_engine<Engine> { engine_.advance(now); }

  /// Swaps in an empty filter and returns the old one. On a concurrent kind keep what is returned until no call that
  /// began before the reset can still be running.
  [[nodiscard]] filter reset() requires resettable_engine<Engine> ||(!shared_engine<Engine> && mutable_engine<Engine>) {
    if constexpr (resettable_engine<Engine>) {
      return filter(engine_.reset(), hash_, target_);
    } else {
      if (parts_of(engine_).empty()) return filter(Engine(), hash_, target_);  // moved from
      return filter(std::exchange(engine_, or_throw(Engine::make(engine_.shape()))), hash_, target_);
    }
  }

  /// Makes this the union of both. Refused, with nothing changed, unless hash and seed are the same and, but for chains,
  /// the shape; and where the kind can be full, unless all keys fit.
  result<void> merge(const filter& other) requires mergeable_engine<Engine> {
    return or_no_memory([&]() -> result<void> {
      if (auto same = check_same_hash("merge", other); !same) return same;
      return engine_.merge(other.engine_);
    });
  }
  /// Makes this claim what both claim: every common key, and some keys of one side by chance. estimated_intersection is the
  /// better measure of how many keys they share.
  result<void> intersect(const filter& other) requires intersectable_engine<Engine> {
    return or_no_memory([&]() -> result<void> {
      if (auto same = check_same_hash("intersect", other); !same) return same;
      return engine_.intersect(other.engine_);
    });
  }
  /// merge and intersect, leaving both as they were.
  [[nodiscard]] result<filter> united(const filter& other) const requires
      mergeable_engine<Engine> && std::copyable<Engine> {
    return or_no_memory([&]() -> result<filter> {
      filter both = *this;
      if (auto merged = both.merge(other); !merged) return merged.error();
      return both;
    });
  }
  [[nodiscard]] result<filter> intersected(const filter& other) const requires
      intersectable_engine<Engine> && std::copyable<Engine> {
    return or_no_memory([&]() -> result<filter> {
      filter both = *this;
      if (auto met = both.intersect(other); !met) return met.error();
      return both;
    });
  }

  /// Folds a filter built too large down to the smallest size that keeps its keys' rate at or below `fpr`.
  /// Afterwards target() is the number of keys it holds, at `fpr`.
  result<void> shrink_to_fpr(double fpr) requires foldable_engine<Engine> {
    return or_no_memory([&]() -> result<void> {
      if (auto shrunk = engine_.shrink_to_fpr(fpr); !shrunk) return shrunk;
      target_ = {.capacity = math::whole_keys(estimated_count()), .fpr = fpr};
      return {};
    });
  }

  /// What its size may be divided by a divisor of; 0: it does not fold.
  [[nodiscard]] std::uint64_t fold_unit() const noexcept requires foldable_engine<Engine> {
    return engine_.fold_unit();
  }
  /// Folds the filter to one `divisor`-th of its size, a divisor of fold_unit(): of several filters whose sizes differ, to
  /// one that they can be merged in. Its target has as many keys fewer.
  result<void> fold_by(std::uint64_t divisor) requires foldable_engine<Engine> {
    return or_no_memory([&]() -> result<void> {
      if (auto folded = engine_.fold_by(divisor); !folded) return folded;
      target_.capacity /= divisor;
      return {};
    });
  }

  /// Same shape, same hash, same bits.
  [[nodiscard]] friend bool operator==(const filter& a, const filter& b) noexcept {
    return a.identity() == b.identity() && a.engine_ == b.engine_;
  }

  // --- how full it is

  [[nodiscard]] std::uint64_t bits() const noexcept requires bit_engine<Engine> { return engine_.bits(); }
  [[nodiscard]] std::uint32_t probes() const noexcept requires bit_engine<Engine> { return engine_.probes(); }
  /// The bits as words in file order: on a little-endian machine bit i is word i/64, mask 1 << (i % 64).
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept requires bit_engine<Engine> {
    return {engine_.words(), engine_.word_count()};
  }
  /// Share of its bits, counters or slots in use.
  [[nodiscard]] double fill() const noexcept { return engine_.fill(); }
  /// How many different keys it holds: judged by its fill where it cannot know. Weak once saturated(); infinite when
  /// every bit is set.
  [[nodiscard]] double estimated_count() const noexcept { return engine_.estimated_count(); }
  /// Exactly how many keys it holds, where the kind can know.
  [[nodiscard]] std::uint64_t size() const noexcept requires sized_engine<Engine> { return engine_.size(); }
  /// The false-positive rate as the filter is now.
  [[nodiscard]] double estimated_fpr() const noexcept { return engine_.estimated_fpr(); }
  /// Fuller than any plan makes it: the rate is far above what was asked and the estimates are weak.
  [[nodiscard]] bool saturated() const noexcept { return engine_.saturated(); }
  /// Whether it is still what was asked for: saturated, past its capacity or above its rate (health.hpp). What a program's
  /// monitoring asks now and then.
  [[nodiscard]] filter_health health() const { return detail::health_of(engine_, target_); }

  // --- between threads

  /// A plain copy with every key whose add happened before this call. Throws std::bad_alloc.
  [[nodiscard]] auto snapshot() const requires snapshot_engine<Engine> {
    return with_engine(or_throw(engine_.snapshot()));
  }
  /// The same bytes as a filter for one thread, without a copy.
  [[nodiscard]] auto into_plain() && requires accessible_engine<Engine, plain_access> {
    return with_engine(std::move(engine_).template with_access<plain_access>());
  }
  /// The same bytes as a filter for many threads, without a copy.
  [[nodiscard]] auto into_concurrent() && requires accessible_engine<Engine, atomic_access> {
    return with_engine(std::move(engine_).template with_access<atomic_access>());
  }

  // --- its parts

  [[nodiscard]] shape_type shape() const noexcept { return engine_.shape(); }
  [[nodiscard]] const Hash& hash() const noexcept { return hash_; }
  [[nodiscard]] hash_identity identity() const noexcept { return identity_of(hash_); }
  /// The target it was made for; zero if only a shape was given.
  [[nodiscard]] const seen::target& target() const noexcept { return target_; }
  [[nodiscard]] const Engine& engine() const noexcept { return engine_; }
  [[nodiscard]] Engine& engine() noexcept { return engine_; }

  /// The digest of a key under this filter's hash: compute it once, ask many filters.
  template <key_like Key>
  [[nodiscard]] digest_type digest_of(const Key& key) const noexcept {
    return hash_key(hash_, key);
  }

  // --- what does not compile: the compiler shows these lines, which say why

  template <class N, class... More>
  requires std::is_arithmetic_v<N> && mutable_engine<Engine>
  explicit(sizeof...(More) == 0)
      filter(N, More...) = delete;  // numbers have names here: ({.capacity = 1'000'000, .fpr = 0.01})

  // clang-format off
  template <class N, class... More>
  requires std::is_arithmetic_v<N> && static_engine<Engine>
  explicit filter(N, More...) = delete;  // a static filter is built from all its keys: build(keys, {.fpr = 0.01})
  template <class = void>
  explicit filter(const seen::target&, Hash = Hash()) requires static_engine<Engine> = delete;  // a static filter is built from all its keys: build(keys, {.fpr = 0.01})
  template <std::ranges::input_range Keys>
  explicit filter(const Keys&) requires static_engine<Engine> = delete;  // a static filter is built from all its keys: build(keys, {.fpr = 0.01})
  template <class Key>
  void add(const Key&) requires static_engine<Engine> = delete;  // a static filter is built from all its keys: build(keys, {.fpr = 0.01})

  template <detail::no_key<digest_type> Thing>
  void add(const Thing&) requires mutable_engine<Engine> = delete;  // a key is text, bytes or an integer; of an enum, a path or your own type say what identifies it: seen_key
  template <detail::no_key<digest_type> Thing>
  void may_contain(const Thing&) const = delete;  // a key is text, bytes or an integer; of an enum, a path or your own type say what identifies it: seen_key
  template <class Thing>
  requires(!range_of_keys<Thing, digest_type>)
  void add_many(Thing&&, parallel = {}) = delete;  // many keys are a range of text, bytes or integers; bytes side by side are one key: add

  template <class Key>
  void remove(const Key&) requires(!removable_engine<Engine>) = delete;  // this kind cannot remove: cuckoo, quotient and counting kinds can
  // clang-format on

 private:
  // Whether the engine takes the keys of such a range as they are.
  template <class Range>
  static constexpr bool engine_hashes = [] {
    if constexpr (kernels::side_by_side<Range>) {
      return hashes_in_place<Engine, Hash, std::remove_reference_t<std::ranges::range_reference_t<Range>>>;
    }
    return false;
  }();

  // Asks for all keys, and calls use(answers, how many keys, index of the first) for each lot, which but for the last is a
  // multiple of 64; returns how many may be present.
  template <class Range, class Use>
  std::size_t for_each_answer(Range& keys, Use use) const {
    if constexpr (engine_hashes<Range>) {
      const auto all = kernels::span_of(keys);
      return kernels::for_each_answer(
          all.size(),
          [&](std::size_t first, std::size_t n, bool* out) {
            return engine_.may_contain_keys(hash_, all.subspan(first, n), out);
          },
          use);
    }
    std::size_t done = 0, found = 0;
    kernels::for_each_tile(hash_, keys, [&](std::span<const digest_type> digests) {
      found += kernels::for_each_answer(
          digests.size(),
          [&](std::size_t first, std::size_t n, bool* out) {
            return engine_.may_contain_many(digests.subspan(first, n), out);
          },
          [&](const bool* answers, std::size_t n, std::size_t first) { use(answers, n, done + first); });
      done += digests.size();
      return true;
    });
    return found;
  }

  // For a kind that would rather have all digests of a large batch than one window after the other: how many were added.
  template <class Range>
  std::optional<std::size_t> add_in_bulk(Range& keys, unsigned threads) {
    if constexpr (kernels::side_by_side<Range> && requires { engine_.is_bulk(0); }) {
      const auto all = std::span(std::ranges::data(keys), std::ranges::size(keys));
      if (!engine_.is_bulk(all.size())) return {};
      if constexpr (std::same_as<std::ranges::range_value_t<Range>, digest_type>) {
        return engine_.add_many(all, threads);
      } else {
        return engine_.add_read(
            all.size(),
            [&](std::uint64_t first, std::span<digest_type> to) {
              kernels::hash_some(hash_, all, static_cast<std::size_t>(first), to);
            },
            threads);
      }
    }
    return {};
  }

  auto add_window(std::span<const digest_type> window, unsigned threads) {
    if constexpr (requires { engine_.add_many(window, threads); }) {
      if (threads > 1) return engine_.add_many(window, threads);
    }
    return engine_.add_many(window);
  }

  template <class Other>
  filter<Other, Hash> with_engine(Other engine) const {
    return filter<Other, Hash>(std::move(engine), hash_, target_);
  }

  [[nodiscard]] result<void> check_same_hash(const char* what, const filter& other) const {
    if (identity() == other.identity()) return {};
    std::string here = describe(identity()), there = describe(other.identity());
    if (here == there) {  // a secret, a second seed, or what is made of a key before it is hashed
      here += " with check value " + std::to_string(identity().check);
      there += " with check value " + std::to_string(other.identity().check);
    }
    return {errc::incompatible, std::string(what) + ": hashes differ: " + here + " here, " + there + " there"};
  }

  Engine engine_;
  Hash hash_;
  seen::target target_;
};

/// The shape a filter of kind F takes for a target: arithmetic, no allocation. Throws as the constructor would.
template <class F>
[[nodiscard]] typename F::shape_type plan(const seen::target& asked) {
  return or_throw(detail::plan_for<typename F::engine_type>(asked));
}

namespace detail {

template <class F>
void require_same_shape(const F& a, const F& b) {
  if (a.identity() == b.identity() && a.shape() == b.shape()) return;
  throw_error({errc::invalid_argument, "estimates need two filters of one shape and hash: " + std::to_string(a.bits()) +
                                           " bits, " + describe(a.identity()) + " here; " + std::to_string(b.bits()) +
                                           " bits, " + describe(b.identity()) + " there"});
}

/// The estimates of math/estimate.hpp take a key to set probes() bits; some kinds' keys set a little less.
template <class F>
double keys_per_estimate(const F& f) {
  if constexpr (requires { f.engine().throws_per_key(); }) {
    return f.probes() / f.engine().throws_per_key();
  } else {
    return 1;
  }
}

}  // namespace detail

/// How many different keys two filters hold together. Throws std::invalid_argument unless shape and hash are the same.
template <class F>
[[nodiscard]] double estimated_union(const F& a, const F& b) {
  detail::require_same_shape(a, b);
  return detail::keys_per_estimate(a) *
         math::estimate_count(a.engine().set_bits_of_union(b.engine()), a.bits(), a.probes());
}

/// How many keys two filters have in common. Throws likewise.
template <class F>
[[nodiscard]] double estimated_intersection(const F& a, const F& b) {
  detail::require_same_shape(a, b);
  return detail::keys_per_estimate(a) * math::estimate_intersection(a.engine().set_bits(), b.engine().set_bits(),
                                                                    a.engine().set_bits_of_union(b.engine()), a.bits(),
                                                                    a.probes());
}

/// Keys in common over keys together, from 0 to 1. Throws likewise.
template <class F>
[[nodiscard]] double estimated_jaccard(const F& a, const F& b) {
  detail::require_same_shape(a, b);
  return math::estimate_jaccard(a.engine().set_bits(), b.engine().set_bits(), a.engine().set_bits_of_union(b.engine()),
                                a.bits(), a.probes());
}

}  // namespace seen::inline v1
