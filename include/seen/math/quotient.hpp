// The quotient filter in numbers.
//
// A key is a fingerprint of F = q + r bits: the quotient says where, the remainder is stored. An absent key is found
// when its fingerprint equals one of the n stored ones:
//
//   rate = 1 − (1 − 2^-F)^n ≤ n·2^-F          [Bender et al. 2012, "Don't Thrash: How to Cache Your Hash on Flash"]
//   bits per key = (r + 2.25)/load            two bits and a quarter per slot beside the remainder (quotient_slots.hpp)
//
// Equal digests are equal fingerprints: the n·2^-64 of other kinds is in the formula already.
//
// A shape is found in whole numbers and exact powers of two, so that every language finds the same one:
//
//   q   the smallest from 6 up with capacity ≤ floor(21·2^q/22): 0.9545 of the slots
//   r   the smallest from 1 up with n·2^-(q+r) ≤ fpr, n rounded to a double; beyond 56, q grows instead
//
// Slots are a power of two, so the load of a filter that holds its capacity lies between 0.477 and 0.9545, and the bits a
// key vary by a factor of two with it. The unused half is not lost: q + r is what makes the rate, and r is smaller then.
#pragma once

#include <seen/math/sizing.hpp>

#include <algorithm>
#include <cstdint>

namespace seen::inline v1::math {

/// Fewest and most quotient bits: one block of 64 slots, and what 2^40 bits hold.
inline constexpr std::uint32_t min_quotient_bits = 6;
inline constexpr std::uint32_t max_quotient_bits = 38;
/// Most remainder bits: one is read with a load of 64 bits that begins at a byte.
inline constexpr std::uint32_t max_remainder_bits = 56;

/// The q and r of a quotient filter.
struct quotient_shape {
  std::uint32_t quotient_bits = 0;
  std::uint32_t remainder_bits = 0;

  friend bool operator==(const quotient_shape&, const quotient_shape&) = default;
};

/// The most keys of a filter with 2^q slots: 21/22 of them, so that a million fit into 2^20. Near it an add moves some
/// 250 remainders, and twice as many at 0.97.
[[nodiscard]] constexpr std::uint64_t quotient_capacity(std::uint32_t q) noexcept {
  return (std::uint64_t{21} << q) / 22;
}

/// Blocks of 64 slots: one for every 64 quotients, and a tail of at most four.
[[nodiscard]] constexpr std::uint64_t quotient_blocks(std::uint32_t q) noexcept {
  const std::uint64_t home = std::uint64_t{1} << (q - 6);
  return home + std::min<std::uint64_t>(home, 4);
}

/// Bytes of blocks and count, before they are rounded up to whole cache lines.
[[nodiscard]] constexpr std::uint64_t quotient_bytes(std::uint32_t q, std::uint32_t r) noexcept {
  return quotient_blocks(q) * (18 + 8 * std::uint64_t{r}) + 8;
}

/// The rate with n fingerprints of q + r bits stored: 1 − (1 − 2^-(q+r))^n.
[[nodiscard]] double quotient_fpr(std::uint32_t q, std::uint32_t r, std::uint64_t keys) noexcept;

/// The bound n·2^-(q+r), which decides a shape: exact but for the rounding of n.
[[nodiscard]] double quotient_fpr_bound(std::uint32_t q, std::uint32_t r, std::uint64_t keys) noexcept;

/// Refuses q and r outside their ranges, alone or together.
result<void> check_quotient_shape(std::uint64_t q, std::uint64_t r);

/// The smallest shape for a target. A field of `wishes` that is not 0 is kept, and an error says when that cannot be.
result<quotient_shape> quotient_shape_for(const target& t, const quotient_shape& wishes = {});

}  // namespace seen::inline v1::math
