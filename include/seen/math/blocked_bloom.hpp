// The blocked Bloom filter in numbers: all k bits of a key in one 512-bit block, one cache line.
//
//   k = 4     one bit in each of 4 lanes of 128 bits      the smallest for rates above 2 %
//   k = 8     one bit in each of 8 lanes of 64 bits       from 2 % down to about 2e-4
//   k = 16    two bits in each of 8 lanes of 64 bits      below
//
//   rate = Σ_i P(i keys in a block)·f(i) + load/2^32,   f(i) the lanes' rate of mixture.hpp, load = n/blocks
//   [Putze, Sanders, Singler 2007, "Cache-, Hash- and Space-Efficient Bloom Filters"]
//
// The lanes' rate is exact. (The same with f = (1 − (1−1/512)^(ki))^k, the mean fill of an undivided block, reads 1 %
// low at 8 bits per key and 4 to 6 % at 24.) The last term: a key's bits come from 32 bits of its digest, so each key of
// the block shows the pattern of an absent key with probability 2^-32; equal digests, n/2^64, are among these.
//
// Unequal blocks cost space: 1.5 times the lower bound at 1 %, 1.7 at 1e-4, 1.96 at 1e-6, where the classic filter's
// 1.44 is the better bargain unless the one cache miss matters more.
#pragma once

#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/math/lanes.hpp>
#include <seen/math/sizing.hpp>

#include <array>
#include <cstdint>

namespace seen::inline v1::math {

/// The bits of a block: one cache line.
inline constexpr std::uint32_t block_bits = 512;

/// The most blocks: 2^40 bits.
inline constexpr std::uint64_t max_blocks = max_bits / block_bits;

/// The numbers of probes a blocked filter may have.
inline constexpr std::array<std::uint32_t, 3> block_probes{4, 8, 16};

/// The lanes that k probes are spread over; no lanes where k is not 4, 8 or 16.
[[nodiscard]] constexpr lane_shape block_lanes(std::uint32_t probes) noexcept {
  switch (probes) {
    case 4:
      return {.lanes = 4, .lane_bits = 128, .bits_per_lane = 1};
    case 8:
      return {.lanes = 8, .lane_bits = 64, .bits_per_lane = 1};
    case 16:
      return {.lanes = 8, .lane_bits = 64, .bits_per_lane = 2};
    default:
      return {};
  }
}

/// The two numbers that make a blocked Bloom filter.
struct blocked_shape {
  std::uint64_t blocks = 0;
  std::uint32_t probes = 0;

  friend bool operator==(const blocked_shape&, const blocked_shape&) = default;
};

/// The rate of `blocks` 512-bit blocks after `keys` adds; 1 without blocks or probes, 0 without keys.
[[nodiscard]] double blocked_fpr(std::uint64_t blocks, std::uint32_t probes, std::uint64_t keys);

/// The smallest blocked filter for a target, of all three k (or of `probes` if that is not 0); the same in every
/// language. Of two k that take equally many bits per key, the smaller.
[[nodiscard]] result<blocked_shape> blocked_shape_for(const target& t, std::uint32_t probes = 0);

/// The k with the lowest rate when `keys` keys share `blocks` blocks; of equals the smaller.
[[nodiscard]] std::uint32_t best_block_probes(std::uint64_t blocks, std::uint64_t keys) noexcept;

}  // namespace seen::inline v1::math
