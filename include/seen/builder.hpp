// builder<F>: a filter for keys whose number is not known beforehand.
//
//   seen::builder<seen::blocked_bloom> b({.at_most = 1'000'000'000, .fpr = 0.01});
//   for (…) b.add(key);
//   seen::blocked_bloom f = std::move(b).finish().value();      // as small as the keys that came
//
// It takes the memory of `at_most` keys while it is filled and folds it down at the end (shrink_to_fpr). A filter folds
// by divisors of its number of cells (bits of a bloom, blocks of the blocked kinds), so the builder rounds that number
// up to a multiple of 5040 = 2^4·3^2·5·7, which has 60 divisors, neighbours at most a factor of 2 apart and mostly 1.2:
// the result is at most that much larger than a filter planned for the very number of keys.
//
// It serves the kinds that can shrink: bloom, partitioned_bloom, blocked_bloom, split_block. Where memory for the
// largest case is too much to ask, a scalable kind grows instead, at a cost in space and in lookups.
//
// A static kind is built from all its keys at once, and its builder collects their digests until then: 8 bytes per key, in
// memory or, beyond a budget, on disk (base/build_options.hpp).
//
//   seen::builder<seen::ribbon> b({.fpr = 0.001, .memory = 2'000'000'000});
//   for (…) if (auto kept = b.add(key); !kept) …
//   seen::ribbon f = std::move(b).finish().value();
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/build_options.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/building/shard_build.hpp>
#include <seen/filter.hpp>
#include <seen/math/sizing.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <utility>

namespace seen::inline v1 {

/// All that is known beforehand: a bound on the number of keys, and the rate asked for.
struct unknown_size {
  std::uint64_t at_most = 0;  ///< keys, never bits
  double fpr = 0;             ///< probability in (0, 1)
};

/// The same shape with a size that has many divisors to fold by. The first of them is the number of cells, of which
/// a fold leaves a divisor, unless the kind knows better and has a foldable() of its own.
template <engine_shape Shape>
[[nodiscard]] result<Shape> foldable_shape(const Shape& planned) {
  if constexpr (requires { planned.foldable(); }) {
    return planned.foldable();
  } else {
    auto fields = planned.fields();
    fields[0] = round_up(fields[0], math::foldable_unit);
    return Shape::from_fields(fields);
  }
}

/// Takes keys without knowing how many there will be, and makes a filter of the size they need.
template <class F>
class builder;

/// The builder of a kind that folds.
template <class F>
requires foldable_engine<typename F::engine_type>
class builder<F> {
 public:
  /// Room for the largest case. Throws as the constructors of F do.
  explicit builder(const unknown_size& known, typename F::hash_type hash = typename F::hash_type())
      : builder(or_throw(make(known, std::move(hash)))) {}

  /// The constructor's twin that returns its error.
  static result<builder> make(const unknown_size& known, typename F::hash_type hash = typename F::hash_type()) {
    auto shape = F::shape_type::plan({.capacity = known.at_most, .fpr = known.fpr});
    if (!shape) return shape.error();
    auto rounded = foldable_shape(*shape);
    if (!rounded) return rounded.error();
    auto made = F::make(*rounded, std::move(hash));
    if (!made) return made.error();
    return builder(std::move(*made), known.fpr);
  }

  /// Adds a key, or a digest.
  template <class Key>
  void add(const Key& key) noexcept {
    filter_.add(key);
  }
  /// Adds every key of a range.
  template <class Range>
  void add_many(Range&& keys) {
    filter_.add_many(std::forward<Range>(keys));
  }

  /// The filter as it is so far, at its full size.
  [[nodiscard]] const F& so_far() const noexcept { return filter_; }

  /// The filter of the keys that were added, folded to the smallest size that keeps the rate: the full size where no
  /// smaller one does, the smallest there is where no key was added. The builder is empty afterwards.
  [[nodiscard]] result<F> finish() && {
    if (filter_.engine().census() == 0) return F::make({.capacity = 1, .fpr = fpr_}, filter_.hash());
    const auto shrunk = filter_.shrink_to_fpr(fpr_);
    if (!shrunk && shrunk.error().code != errc::unsupported) return shrunk.error();
    return std::move(filter_);  // unsupported: no smaller size keeps the rate
  }

 private:
  builder(F filter, double fpr) noexcept : filter_(std::move(filter)), fpr_(fpr) {}

  F filter_;
  double fpr_;
};

/// The builder of a static kind.
template <class F>
requires static_engine<typename F::engine_type>
class builder<F> {
 public:
  using hash_type = typename F::hash_type;
  using shape_type = typename F::shape_type;

  /// Nothing collected yet. Throws std::invalid_argument or std::runtime_error where the options cannot be kept.
  explicit builder(const build_options& options = {}, hash_type hash = hash_type())
      : builder(shape_type{}, options, std::move(hash)) {}
  /// The same with what `wishes` says of the shape.
  explicit builder(const shape_type& wishes, const build_options& options = {}, hash_type hash = hash_type())
      : builder(or_throw(make(wishes, options, std::move(hash)))) {}

  /// The constructors' twin that returns its error.
  static result<builder> make(const shape_type& wishes, const build_options& options = {},
                              hash_type hash = hash_type()) {
    return or_no_memory([&]() -> result<builder> {
      auto digests = building::digest_collector::make(F::options_for(wishes, options));
      if (!digests) return digests.error();
      return builder(std::move(*digests), wishes, options, std::move(hash));
    });
  }

  /// Keeps a key's digest, or a digest. An error is memory or disk that ran out: nothing can be built then.
  template <key_like Key>
  result<void> add(const Key& key) {
    return add(digest(hash_key(hash_, key)));
  }
  result<void> add(digest d) { return add_many(std::span(&d, 1)); }
  /// Keeps every key of a range.
  template <range_of_keys<digest> Range>
  result<void> add_many(Range&& keys) {
    return or_no_memory([&] { return F::collect(hash_, keys, digests_); });
  }

  /// How many keys were added, equal ones too.
  [[nodiscard]] std::uint64_t size() const noexcept { return digests_.size(); }

  /// The filter of the keys that were added. The builder is empty afterwards.
  [[nodiscard]] result<F> finish() && {
    return or_no_memory([&] { return F::build(std::move(digests_), wishes_, options_, std::move(hash_)); });
  }

 private:
  builder(building::digest_collector digests, const shape_type& wishes, const build_options& options, hash_type hash)
      : digests_(std::move(digests)), wishes_(wishes), options_(options), hash_(std::move(hash)) {}

  building::digest_collector digests_;
  shape_type wishes_;
  build_options options_;
  hash_type hash_;
};

}  // namespace seen::inline v1
