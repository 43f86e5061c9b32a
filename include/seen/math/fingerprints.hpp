// Static filters in numbers: each key answers with r fingerprint bits, and an absent key matches with probability 2^-r. The
// lower bound is r bits per key; what a kind takes above it is in its own header (binary_fuse, ribbon, xor_filter).
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/math/shards.hpp>
#include <seen/math/sizing.hpp>

#include <array>
#include <cstdint>

namespace seen::inline v1::math {

/// 2^-r, the rate of r fingerprint bits.
[[nodiscard]] double fingerprint_fpr(std::uint32_t bits) noexcept;

/// The rate with so many keys: a fingerprint, or a whole digest, that is equal by chance.
[[nodiscard]] double fingerprint_model_fpr(std::uint32_t bits, std::uint64_t keys) noexcept;

/// The fewest fingerprint bits with 2^-r ≤ fpr, for 0 < fpr; exact, without a logarithm.
[[nodiscard]] std::uint32_t fingerprint_bits(double fpr) noexcept;

// Tables of slots, which xor and binary fuse filters have in common: one table per shard, one fingerprint per slot.
//
//   table of a shard    slots · w/8 bytes, w = 8, 16 or 32
//   rate                2^-w, and n/2^64 for equal digests
//
// The shape of a table follows from the keys of the fullest shard; all shards have it.

/// The widths of a slot.
inline constexpr std::array<std::uint32_t, 3> slot_widths{8, 16, 32};

/// The most slots of one shard: their numbers are kept in 32 bits while it is built.
inline constexpr std::uint64_t max_shard_slots = 0xffff'ffff;

/// Whether slots may have so many bits.
[[nodiscard]] constexpr bool is_slot_width(std::uint64_t bits) noexcept {
  return bits == 8 || bits == 16 || bits == 32;
}

/// The fewest bits of a slot that keep the rate, or those wished for (0: none), which are a rate themselves.
[[nodiscard]] result<std::uint32_t> slot_width_for(const target& t, std::uint32_t wished);

/// Refuses what no filter of such tables can be: an unknown width, keys without shards, more keys than slots, too many
/// slots.
result<void> check_slot_tables(std::uint64_t keys, std::uint64_t width, std::uint64_t shards, std::uint64_t slots);

}  // namespace seen::inline v1::math
