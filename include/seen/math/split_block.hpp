// The split-block Bloom filter of Apache Parquet in numbers: 256-bit blocks of eight 32-bit lanes, one bit in each.
//
//   rate = Σ_i P(i keys in a block)·(1 − (31/32)^i)^8 + load/2^32
//   [Apache Parquet format, "BloomFilter"; the mixture: Putze, Sanders, Singler 2007]
//
// The last term: the block comes from the digest's high half and all eight positions from its low 32 bits, so two keys
// of one block show the same pattern with probability 2^-32, not 32^-8 = 2^-40. It matters below a rate of 1e-8 and
// contains the n/2^64 of equal digests.
#pragma once

#include <seen/math/mixture.hpp>

#include <algorithm>
#include <cstdint>

namespace seen {
inline namespace v1 {
namespace math {

/// Parquet's block: 8 lanes of 32 bits, one bit of a key in each.
inline constexpr lane_shape split_block_shape{.lanes = 8, .lane_bits = 32, .bits_per_lane = 1};

/// The rate of many split blocks with `load` keys a block on average (256 over the bits a key).
[[nodiscard]] inline double split_block_mixture(double load) {
  return std::min(1.0, lane_mixture(split_block_shape, load) + load * 0x1p-32);
}

/// The rate of `blocks` split blocks after `keys` adds; 1 without blocks, 0 without keys.
[[nodiscard]] inline double split_block_fpr(std::uint64_t blocks, std::uint64_t keys) {
  if (keys == 0) return 0;
  if (blocks == 0) return 1;
  const double load = static_cast<double>(keys) / static_cast<double>(blocks);
  return std::min(1.0, lane_mixture(split_block_shape, keys, blocks) + load * 0x1p-32);
}

}  // namespace math
}  // namespace v1
}  // namespace seen
