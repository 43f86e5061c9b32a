// Static filters in numbers: each key answers with r fingerprint bits, and an absent key matches with probability 2^-r. The
// lower bound is r bits a key; what a kind takes above it is in its own header (binary_fuse, ribbon, xor_filter).
#pragma once

#include <seen/math/sizing.hpp>

#include <cstdint>

namespace seen::inline v1::math {

/// 2^-r, the rate of r fingerprint bits.
[[nodiscard]] double fingerprint_fpr(std::uint32_t bits) noexcept;

/// The rate with so many keys: a fingerprint, or a whole digest, that is equal by chance.
[[nodiscard]] double fingerprint_model_fpr(std::uint32_t bits, std::uint64_t keys) noexcept;

/// The fewest fingerprint bits with 2^-r ≤ fpr, for 0 < fpr; exact, without a logarithm.
[[nodiscard]] std::uint32_t fingerprint_bits(double fpr) noexcept;

}  // namespace seen::inline v1::math
