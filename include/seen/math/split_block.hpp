// The split-block Bloom filter of Apache Parquet in numbers: 256-bit blocks of eight 32-bit lanes, one bit in each.
//
//   rate = Σ_i P(i keys in a block)·(1 − (31/32)^i)^8 + load/2^32
//   [Apache Parquet format, "BloomFilter"; the mixture: Putze, Sanders, Singler 2007]
//
// The last term: the block comes from the digest's high half and all eight positions from its low 32 bits, so two keys
// of one block show the same pattern with probability 2^-32, not 32^-8 = 2^-40. It matters below a rate of 1e-8 and
// contains the n/2^64 of equal digests.
//
// The high half has 2^32 values for B blocks: if B is not a power of two, some blocks get one value more than others,
// and with 2^32/B values each on average that is no longer nothing. The rate below counts both sorts of blocks. Planning
// stops at 2^27 blocks (4 GiB, where it costs at most 1 % of the rate); files may have up to 2^31, and a larger B, which would
// leave blocks with twice the keys of others, is refused. blocked-bloom has no such limit.
#pragma once

#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/math/lanes.hpp>
#include <seen/math/sizing.hpp>

#include <cstdint>

namespace seen::inline v1::math {

/// Parquet's block: 8 lanes of 32 bits, one bit of a key in each.
inline constexpr lane_shape split_block_shape{.lanes = 8, .lane_bits = 32, .bits_per_lane = 1};

/// The bits of a split block: half a cache line.
inline constexpr std::uint32_t split_block_bits = bits_of_block(split_block_shape);

/// The most blocks there can be, and the most that are planned.
inline constexpr std::uint64_t max_split_blocks = std::uint64_t{1} << 31,
                               max_planned_split_blocks = std::uint64_t{1} << 27;

/// The rate of many split blocks with `load` keys per block on average (256 over the bits per key).
[[nodiscard]] double split_block_mixture(double load);

/// The rate of `blocks` ≤ 2^32 split blocks after `keys` adds; 1 without blocks, 0 without keys.
[[nodiscard]] double split_block_fpr(std::uint64_t blocks, std::uint64_t keys);

/// The fewest split blocks for a target; the same in every language.
[[nodiscard]] result<std::uint64_t> split_blocks_for(const target& t);

}  // namespace seen::inline v1::math
