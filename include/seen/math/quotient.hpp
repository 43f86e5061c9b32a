// The quotient filter in numbers.
//
// A table of b blocks has 64·b slots. A key is one of F = 64·b·2^r fingerprints: the quotient says which slot, the
// remainder of r bits is stored there. An absent key is found when its fingerprint equals one of the n stored ones:
//
//   rate = 1 − (1 − 1/F)^n ≤ n/F              [Bender et al. 2012, "Don't Thrash: How to Cache Your Hash on Flash"]
//   bits per key = (r + 2.25)/load            two bits and a quarter per slot beside the remainder (quotient_slots.hpp)
//
// Equal digests are equal fingerprints: the n·2^-64 of other kinds is in the formula already.
//
// A shape is found in whole numbers and correctly rounded quotients, so that every language finds the same one. For
// each r from 1 to 56 the fewest blocks are the larger of
//
//   ceil(n/57.6)              a load of at most 0.9, where an add moves some five remainders and a run is short
//   ceil(n/fpr / 2^(r+6))     the rate; n/fpr rounded to a double
//
// and the r with the fewest bytes is taken, of equal ones the smallest. A table filled beyond its plan says "full" at a
// load of 21/22 = 0.9545: an add moves some 250 remainders there, and twice as many at 0.97.
#pragma once

#include <seen/math/sizing.hpp>

#include <algorithm>
#include <cstdint>

namespace seen::inline v1::math {

/// Most blocks of 64 slots that have quotients of their own: what 2^40 bits hold.
inline constexpr std::uint64_t max_quotient_blocks = std::uint64_t{1} << 32;
/// Most remainder bits: one is read with a load of 64 bits that begins at a byte.
inline constexpr std::uint32_t max_remainder_bits = 56;

/// The blocks and the remainder bits of a quotient filter.
struct quotient_shape {
  std::uint64_t blocks = 0;
  std::uint32_t remainder_bits = 0;

  friend bool operator==(const quotient_shape&, const quotient_shape&) = default;
};

/// The most keys of a filter with so many blocks: 21/22 of its slots.
[[nodiscard]] constexpr std::uint64_t quotient_capacity(std::uint64_t blocks) noexcept {
  return 64 * blocks * 21 / 22;
}

/// Blocks in memory: those that have quotients of their own, and a tail of at most four.
[[nodiscard]] constexpr std::uint64_t quotient_blocks(std::uint64_t blocks) noexcept {
  return blocks + std::min<std::uint64_t>(blocks, 4);
}

/// How many different fingerprints there are. (For shapes that check_quotient_shape() lets pass: it is below 2^64.)
[[nodiscard]] constexpr std::uint64_t quotient_fingerprints(std::uint64_t blocks, std::uint32_t r) noexcept {
  return blocks << (6 + r);
}

/// Bytes of blocks and count, before they are rounded up to whole cache lines.
[[nodiscard]] constexpr std::uint64_t quotient_bytes(std::uint64_t blocks, std::uint32_t r) noexcept {
  return quotient_blocks(blocks) * (18 + 8 * std::uint64_t{r}) + 8;
}

/// The rate with n of these fingerprints stored: 1 − (1 − 1/F)^n.
[[nodiscard]] double quotient_fpr(std::uint64_t blocks, std::uint32_t r, std::uint64_t keys) noexcept;

/// Refuses blocks and r outside their ranges, alone or together.
result<void> check_quotient_shape(std::uint64_t blocks, std::uint64_t r);

/// The smallest shape for a target. A field of `wishes` that is not 0 is kept, and an error says when that cannot be.
result<quotient_shape> quotient_shape_for(const target& t, const quotient_shape& wishes = {});

}  // namespace seen::inline v1::math
