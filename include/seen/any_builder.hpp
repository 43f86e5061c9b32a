// any_builder: a filter of any static kind or format in the making.
//
//   options ──make──► build_plan (a format's own) ──add──► digests ──finish──► any_filter
//
// The plan is what a format makes of options that it found sound, so that what it refuses is refused before keys are read.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/bits.hpp>
#include <seen/base/build_options.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/key_form.hpp>
#include <seen/base/result.hpp>
#include <seen/building/shard_build.hpp>
#include <seen/hash/key.hpp>
#include <seen/options.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace seen::inline v1 {

/// How filters are built of all their keys at once: what a format's `build` (registry.hpp) makes of options that it found
/// sound, before there are keys.
struct build_plan {
  accepted_keys accepts = {};  ///< which bytes are a key
  std::uint64_t shards = 0;    ///< of the filter; 0: chosen by the number of keys
  bool in_memory = false;      ///< without shards that could be solved by threads, or wait on disk
  /// Returns an error that says why one of these is not a key of the format. Empty if any bytes are a key.
  std::function<result<void>(std::span<const bytes_view>)> check = {};
  /// Digests of keys that passed.
  std::function<void(std::span<const bytes_view>, std::span<digest>)> hash;
  /// The filter of all digests.
  std::function<result<any_filter>(building::digest_collector, const build_options&)> finish;
};

/// A filter of any static kind or format in the making: keys first, then the filter.
class any_builder {
 public:
  /// Of options.target only the rate counts: the keys are counted as they come. errc::unsupported for a kind or format that
  /// is not static (any_filter::make and add are for those).
  static result<any_builder> make(const make_options& options, const build_options& how = {});

  /// Keeps the digest of a key. Returns errc::invalid_argument, keeping nothing, if the format takes integers and this key
  /// is not one. Any other error means that memory or disk ran out, and that nothing can be built.
  template <key_like Key>
  result<void> add(const Key& key) {
    return with_key_bytes(key, [this](bytes_view bytes) { return add_many(std::span(&bytes, 1)); });
  }
  /// The same of many.
  result<void> add_many(std::span<const bytes_view> keys);
  /// The digests that keys have here. Several threads may call it at once. `out` needs a place for every key.
  result<void> digests_of(std::span<const bytes_view> keys, std::span<digest> out) const;
  /// add_many, by digest.
  result<void> add_many(std::span<const digest> digests);
  /// How many keys were added, equal ones too.
  [[nodiscard]] std::uint64_t size() const noexcept { return digests_.size(); }

  /// The filter of the keys that were added. The builder is empty afterwards.
  [[nodiscard]] result<any_filter> finish() &&;

 private:
  [[nodiscard]] result<void> check_budget(std::size_t more) const;
  any_builder(build_plan plan, building::digest_collector digests, build_options how);

  build_plan plan_;
  building::digest_collector digests_;
  build_options how_;
};

}  // namespace seen::inline v1
