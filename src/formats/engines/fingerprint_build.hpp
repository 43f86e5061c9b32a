// FastFilter's filters from all their keys, made as its libraries make them: sizes, seeds and slots are theirs, so that the
// file is the same, byte for byte, wherever the library leaves nothing to chance.
//
//   keys ──distinct──► seed 0, 1, 2 …: a table of slots                    count  keys in the slot ×4, + which of their three
//                                      │                                          slots it is, xored
//                                      ▼                                   sum    their hashes, xored
//   a slot with one key gives it away: the key leaves its other two, of which one may then have one key, and so on, until
//   none is left. Then, last given first: its slot = its fingerprint ^ the other two. Slots that gave none away stay 0.
//
// Which of several such slots is next decides what the file looks like: of a binary fuse filter the one found last; of a
// xor filter too, in one block until that has no more, then in the next. The sum of a slot that gave its key away is that
// key's hash, so the order to go back in is a list of slots. 8 bytes per key and 13 per slot: 22.6 bytes per key of a large
// binary fuse filter, 24 of a xor filter. The keys make room for the fingerprints.
//
// A format says what its library offers (`fingerprint_offer`), which shape it tries when, and how the filter is written;
// `choose_fingerprints` and `plan_fingerprints` make of that what `build` of a format_row gives.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/build_options.hpp>
#include <seen/building/shard_build.hpp>
#include <seen/hash/fnv1a.hpp>
#include <seen/registry.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "formats/engines/fingerprint.hpp"

namespace seen::inline v1::foreign {

/// A kind as a library offers it.
struct fingerprint_offer {
  std::string_view kind;
  std::span<const std::uint32_t> widths;       ///< bytes of a fingerprint, ascending
  std::span<const std::string_view> variants;  ///< that hold the kind, the usual one first
};

/// The choice that was made of an offer.
struct fingerprint_choice {
  const fingerprint_offer* offer;
  std::uint32_t width;
  std::string_view variant;
  std::string_view hash;  ///< empty: keys are integers
};

/// The kind, width and variant that the options ask for: unless they say so, the first kind that has the variant, and the
/// fewest bits that keep the rate.
[[nodiscard]] result<fingerprint_choice> choose_fingerprints(const format_row& row,
                                                             std::span<const fingerprint_offer> offers,
                                                             const make_options& options);

/// The seed of a try, counted from 0: both libraries draw them from SplitMix64, whose state steps by 2^64 / golden ratio.
[[nodiscard]] constexpr std::uint64_t seed_of_try(std::uint64_t first_state, unsigned number) noexcept {
  return splitmix64(first_state + number * 0x9e37'79b9'7f4a'7c15);
}

/// A xor filter of so many slots at most, in three blocks: both libraries begin with the state 1.
[[nodiscard]] constexpr xor_shape xor_shape_of(std::uint64_t capacity, std::uint32_t width, unsigned number) noexcept {
  return {{.seed = seed_of_try(1, number), .width = width}, capacity / 3};
}

/// The segments that the libraries give so many keys; halved, where they are longer than 256 slots, until there are at
/// least `fewest`, the two at the end included.
[[nodiscard]] fuse_shape segments_for(std::uint64_t keys, std::uint64_t fewest = 3);

[[nodiscard]] inline bool same_segments(const fuse_shape& a, const fuse_shape& b) noexcept {
  return a.segment_length == b.segment_length && a.segments == b.segments;
}

/// The shape a library tries, by the number of keys and of the try; of as many slots every time.
template <class Shape>
using shape_of_try = std::function<result<Shape>(std::uint64_t keys, unsigned number)>;

/// The engine of all digests that were collected, which are the keys themselves.
template <class Shape>
[[nodiscard]] result<fingerprint_engine<Shape>> build_fingerprints(building::digest_collector digests,
                                                                   const build_options& how,
                                                                   const shape_of_try<Shape>& shape_of);

/// Says which of these is not an integer.
[[nodiscard]] result<void> check_integers(std::span<const bytes_view> keys);

/// The plan of a filter of this shape, which `wrap` makes an any_filter.
template <class Shape, class Wrap>
[[nodiscard]] result<build_plan> plan_fingerprints(const fingerprint_choice& choice, shape_of_try<Shape> shape_of,
                                                   Wrap wrap) {
  auto hash = integer_hash(choice.hash);
  if (!hash) return hash.error();
  build_plan plan;
  plan.accepts = form_of_integers(choice.hash);
  plan.shards = 1;
  plan.in_memory = true;
  if (plan.accepts == key_form::integer) plan.check = check_integers;
  plan.hash = [h = *hash](std::span<const bytes_view> keys, std::span<digest> integers) {
    for (std::size_t i = 0; i < keys.size(); ++i) integers[i] = digest(h(keys[i]).a);
  };
  plan.finish = [h = *hash, shape_of = std::move(shape_of), wrap = std::move(wrap), form = plan.accepts.form](
                    building::digest_collector digests, const build_options& how) -> result<any_filter> {
    auto engine = build_fingerprints<Shape>(std::move(digests), how, shape_of);
    if (!engine) return engine.error();
    return wrap(filter<fingerprint_engine<Shape>, foreign_hash<digest_pair>>(std::move(*engine), h), form);
  };
  return plan;
}

}  // namespace seen::inline v1::foreign
