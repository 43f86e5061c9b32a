// The quotient filter: a sorted table of fingerprints that counts, removes, merges and doubles without the keys.
//
//   fingerprint = digest · F / 2^64        F = slots · 2^r of them, in the order of digests
//               = quotient · 2^r + remainder      the quotient says in which slot, the remainder of r bits is stored
//
//   add a key again   its fingerprint is stored again: a multiset; count(key) says how often, remove takes one out
//   merge             both lists are sorted: one pass gives the sorted union
//   expand            one bit moves from the remainder to the quotient: twice the slots, and the same F
//   fingerprints()    all of them, ascending, as their digests sort
//
// Space (r + 2.25)/load bits per key; rate n/F (math/quotient.hpp). Slots come in blocks of 64, as many as the keys need
// to fill at most 0.9 of them.
//
// A lookup reads one block of 64 slots, 18 + 8·r bytes, and rarely the next (engines/quotient_slots.hpp has the layout,
// engines/quotient_runs.hpp the algorithm): one cache line or two, the second beside the first. It is "full" when 21/22
// of the slots are taken, and in theory before: when a key would stand more than 65,535 slots from its place, or beyond
// the tail. Digests that come from a hash do not do that; one key added over and over does.
//
// The same keys give the same bytes, in whatever order they were added and others removed. One thread at a time.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/target.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/quotient_engine.hpp>
#include <seen/filter.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/math/quotient.hpp>
#include <seen/storage/storage.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace seen::inline v1 {

/// The shape of a quotient filter.
struct quotient_shape {
  std::uint64_t blocks = 0;          ///< 1 to 2^32, of 64 slots each
  std::uint32_t remainder_bits = 0;  ///< r, 1 to 56, with 64·blocks·2^r below 2^64

  /// The smallest shape that holds the target's keys at its rate.
  static result<quotient_shape> plan(const target& asked) { return plan(asked, quotient_shape{}); }
  /// The same with what `wishes` fixes: a field of it that is 0 is free.
  static result<quotient_shape> plan(const target& asked, const quotient_shape& wishes) {
    auto shape = math::quotient_shape_for(asked, {wishes.blocks, wishes.remainder_bits});
    if (!shape) return shape.error();
    return quotient_shape{.blocks = shape->blocks, .remainder_bits = shape->remainder_bits};
  }
  /// Wishes from named fields, as the command line gives them; plan() refuses those out of range.
  [[nodiscard]] static quotient_shape from_wishes(const std::array<std::uint64_t, 2>& fields) noexcept {
    return {.blocks = fields[0], .remainder_bits = clamp_to_u32(fields[1])};
  }
  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 2> field_names{"blocks", "remainder-bits"};
  [[nodiscard]] std::array<std::uint64_t, 2> fields() const noexcept { return {blocks, remainder_bits}; }
  static result<quotient_shape> from_fields(std::span<const std::uint64_t, 2> fields) {
    if (auto ok = math::check_quotient_shape(fields[0], fields[1]); !ok) return ok.error();
    return quotient_shape{.blocks = fields[0], .remainder_bits = static_cast<std::uint32_t>(fields[1])};
  }
  /// Bytes of memory the table takes.
  [[nodiscard]] std::size_t bytes() const noexcept {
    if (blocks == 0) return 0;
    return clamp_to_size(round_up(math::quotient_bytes(blocks, remainder_bits), storage::alignment));
  }
  /// Cache lines that a lookup of a present key touches; they are neighbours.
  [[nodiscard]] std::uint32_t lines() const noexcept { return 2; }
  /// The most keys it takes.
  [[nodiscard]] std::uint64_t capacity() const noexcept { return math::quotient_capacity(blocks); }
  /// The false-positive rate with this many keys in it.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    return math::quotient_fpr(blocks, remainder_bits, keys);
  }

  friend bool operator==(const quotient_shape&, const quotient_shape&) = default;
};

/// The native rule: of the high half of digest · 64·blocks·2^r the lowest r bits are the remainder, the others the
/// quotient.
struct quotient_rule {
  using shape_type = quotient_shape;

  static constexpr kind_info kind{.id = 10, .name = "quotient"};
  static constexpr std::uint16_t id = 18;
};

/// A filter that counts, removes, merges, doubles and lists its fingerprints; for one thread at a time.
using quotient = filter<engines::quotient_engine<quotient_rule>, default_hash>;

}  // namespace seen::inline v1
