// Static filters in numbers: each key answers with r fingerprint bits, an absent key matches with probability 2^-r,
// and the structure stores `overhead`·r bits a key. The lower bound is r: the overhead is all there is to compare.
#pragma once

#include <cmath>
#include <cstdint>

namespace seen {
inline namespace v1 {
namespace math {

/// Xor filter. [Graf & Lemire 2020, "Xor Filters"] Plus 32 slots, which show below some thousand keys.
inline constexpr double xor_overhead = 1.23;
/// Binary fuse filter, 3-wise, for large n. [Graf & Lemire 2022, "Binary Fuse Filters"] 1.28 at 1e4, 1.19 at 1e5.
inline constexpr double binary_fuse_3_overhead = 1.125;
/// Binary fuse filter, 4-wise, for large n. [Graf & Lemire 2022]
inline constexpr double binary_fuse_4_overhead = 1.075;
/// Ribbon filter built for space: the most we allow. [Dillinger, Hübschle-Schneider, Sanders, Walzer 2022, "Fast
/// Succinct Retrieval and Approximate Membership Using Ribbon"] reaches 1.005 and less.
inline constexpr double ribbon_compact_overhead = 1.01;
/// Ribbon filter built for speed: the most we allow. [Dillinger & Walzer 2021, "Ribbon filter"]
inline constexpr double ribbon_fast_overhead = 1.06;

/// 2^-r, the rate of r fingerprint bits.
[[nodiscard]] inline double fingerprint_fpr(std::uint32_t bits) noexcept {
  return std::ldexp(1.0, -static_cast<int>(bits));
}

/// The fewest fingerprint bits with 2^-r ≤ fpr, for 0 < fpr; exact, without a logarithm.
[[nodiscard]] inline std::uint32_t fingerprint_bits(double fpr) noexcept {
  int bits = 0;
  while (std::ldexp(fpr, bits) < 1) ++bits;
  return static_cast<std::uint32_t>(bits);
}

}  // namespace math
}  // namespace v1
}  // namespace seen
