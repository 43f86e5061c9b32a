// The binary fuse filter: built once from all keys; three or four slots whose exclusive or is the key's fingerprint.
//                                                            [Graf & Lemire 2022, "Binary Fuse Filters"]
//
//   table of a shard   segments of L = 2^k slots of w bits
//                      [........][..a.....][.......b][.c......][........] …     t[a] ^ t[b] ^ t[c] == fingerprint
//
//   a = mulhi(d, C·L·S) − C·L·shard, C = segments − arity + 1
//   b = L + (a ^ y₁)     c = 2L + (a ^ y₂)     (fourth: 3L + (a ^ y₃))
//   of the shard's product: y₁ the top k bits of the low half, y₃ the next k; y₂ bits 32 − k to 31 of the high half,
//   and the fingerprint its low w. (Where w is 32, keys with the same slots have k bits of it in common: a share of 2^-k
//   of such pairs, which are one in L² of all.)
//
// A key has one slot in each of 3 (or 4) segments that follow one another. Both ends of the table are thinly used, and
// from there it is peeled like a zip. That takes fewer slots per key than an xor filter needs, and happens in a window
// that stays in the cache, since digests come sorted and a rises with them.
//
//   arity 3    1.125·w bits per key for large n (9.0 at 0.39 %)  three lines per lookup  the default
//   arity 4    1.075·w (8.6)                                     four lines              4-5 % smaller, 15-20 % slower
//
//   build   peeling (building/peeling.hpp): 10.75 bytes per key beside the digests, the filter of 8 bits included
#pragma once

#include <seen/base/result.hpp>
#include <seen/building/slot_rule.hpp>
#include <seen/engines/shard_engine.hpp>
#include <seen/filter.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/math/binary_fuse.hpp>
#include <seen/math/fingerprints.hpp>
#include <seen/math/shards.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

/// The shape of a binary fuse filter.
struct binary_fuse_shape {
  std::uint64_t keys = 0;              ///< different keys in it
  std::uint32_t fingerprint_bits = 0;  ///< 8, 16 or 32
  std::uint64_t shards = 0;            ///< equal parts that are built one by one; 0 where there are no keys
  std::uint32_t arity = 0;             ///< slots that a key reads, 3 or 4; as a wish, 0: 3
  std::uint64_t segment_length = 0;    ///< slots of a segment: a power of two from 2 to 2^18
  std::uint64_t segments = 0;          ///< of one shard

  /// The smallest shape that takes so many keys at such a rate.
  static result<binary_fuse_shape> plan(const target& asked) { return plan(asked, {}); }
  /// The same with the fingerprint bits, shards and arity that `wishes` says (0: free). The rest follows from the keys.
  static result<binary_fuse_shape> plan(const target& asked, const binary_fuse_shape& wishes) {
    if (wishes.keys != 0 || wishes.segment_length != 0 || wishes.segments != 0) {
      return {errc::invalid_argument,
              "keys, segment-length and segments follow from the capacity, and cannot be wished for"};
    }
    const auto width = math::slot_width_for(asked, wishes.fingerprint_bits);
    if (!width) return width.error();
    return fit({.fingerprint_bits = *width, .arity = wishes.arity},
               math::expected_counts(asked.capacity, wishes.shards), 0);
  }
  /// The shape for keys that are counted, with the fingerprint bits and the arity of `wishes`; each growth is a
  /// sixteenth more.
  static result<binary_fuse_shape> fit(const binary_fuse_shape& wishes, const math::shard_counts& counts,
                                       unsigned growth) {
    if (counts.largest > math::max_shard_slots) return math::check_slot_tables(1, 8, 1, counts.largest).error();
    const std::uint32_t arity = wishes.arity == 0 ? 3 : wishes.arity;
    if (arity != 3 && arity != 4) return not_an_arity(arity);
    const math::binary_fuse_shape shape = math::binary_fuse_shape_for(arity, counts.largest, growth);
    const binary_fuse_shape p{counts.keys, wishes.fingerprint_bits, counts.shards,
                              arity,       shape.segment_length,    shape.segments};
    if (auto fine = p.check(); !fine) return fine.error();
    return p;
  }
  /// Memory that building a shard of so many keys takes, beside its digests and the tables.
  [[nodiscard]] static std::uint64_t workspace_bytes(const binary_fuse_shape& wishes, std::uint64_t keys) noexcept {
    const math::binary_fuse_shape shape = math::binary_fuse_shape_for(wishes.arity == 4 ? 4 : 3, keys);
    return building::peel_bytes<building::fuse_positions>(shape.segment_length * shape.segments, keys,
                                                          wishes.fingerprint_bits);
  }

  /// Wishes from named fields, as the command line gives them; plan() refuses those out of range.
  [[nodiscard]] static binary_fuse_shape from_wishes(std::span<const std::uint64_t, 6> fields) noexcept {
    return {fields[0], clamp_to_u32(fields[1]), fields[2], clamp_to_u32(fields[3]), fields[4], fields[5]};
  }

  /// Choices with a name, the usual one first.
  static constexpr std::array<kind_variant, 2> variants{{{"3-wise", "arity", 3}, {"4-wise", "arity", 4}}};

  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 6> field_names{"keys",  "fingerprint-bits", "shards",
                                                               "arity", "segment-length",   "segments"};
  [[nodiscard]] std::array<std::uint64_t, 6> fields() const noexcept {
    return {keys, fingerprint_bits, shards, arity, segment_length, segments};
  }
  static result<binary_fuse_shape> from_fields(std::span<const std::uint64_t, 6> fields) {
    const binary_fuse_shape p = from_wishes(fields);
    if (auto fine = p.check(); !fine) return fine.error();
    return p;
  }

  /// Bytes of memory that the tables and seeds take.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return clamp_to_size(building::shard_body_bytes(slots() * (fingerprint_bits / 8) * shards, shards));
  }
  /// Cache lines that a lookup touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return arity; }
  /// The false-positive rate with this many keys in it.
  [[nodiscard]] double expected_fpr(std::uint64_t count) const noexcept {
    return math::fingerprint_model_fpr(fingerprint_bits, count);
  }
  /// Keys per slot.
  [[nodiscard]] double fill() const noexcept {
    return keys == 0 ? 0 : static_cast<double>(keys) / static_cast<double>(slots() * shards);
  }
  /// Slots of one shard.
  [[nodiscard]] std::uint64_t slots() const noexcept { return segment_length * segments; }
  /// Rejects numbers that do not describe a filter.
  [[nodiscard]] result<void> check() const {
    if (arity != 3 && arity != 4) return not_an_arity(arity);
    if (segment_length == 0 && segments == 0) return math::check_slot_tables(keys, fingerprint_bits, shards, 0);
    if (!std::has_single_bit(segment_length) || segment_length < math::min_segment_length ||
        segment_length > math::max_segment_length) {
      return {errc::invalid_argument,
              "segment-length is " + std::to_string(segment_length) + "; it must be a power of two from 2 to 2^18"};
    }
    if (segments < arity || segments > math::max_shard_slots) {
      return {errc::invalid_argument, "segments is " + std::to_string(segments) + "; it must be from " +
                                          std::to_string(arity) + " to 2^32 - 1"};
    }
    return math::check_slot_tables(keys, fingerprint_bits, shards, slots());
  }

  friend bool operator==(const binary_fuse_shape&, const binary_fuse_shape&) = default;

 private:
  static error not_an_arity(std::uint32_t arity) {
    return {errc::invalid_argument, "arity is " + std::to_string(arity) + "; it must be 3 or 4"};
  }
};

/// The native rule: see the top of this file.
class binary_fuse_rule : public building::slot_rule<binary_fuse_shape, building::fuse_positions, 4> {
 public:
  static constexpr kind_info kind{.id = 14, .name = "binary-fuse"};
  static constexpr std::uint16_t id = 14;

  binary_fuse_rule() noexcept = default;
  static result<binary_fuse_rule> make(const binary_fuse_shape& p) {
    if (auto fine = p.check(); !fine) return fine.error();
    return binary_fuse_rule(p);
  }

 private:
  explicit binary_fuse_rule(const binary_fuse_shape& p) noexcept
      : slot_rule(p, p.keys == 0 ? building::fuse_positions()
                                 : building::fuse_positions((p.segments - p.arity + 1) * p.segment_length,
                                                            p.segment_length, p.shards)) {}
};

/// A binary fuse filter, hashing with the default hash.
using binary_fuse = filter<engines::shard_engine<binary_fuse_rule>, default_hash>;

}  // namespace seen::inline v1
