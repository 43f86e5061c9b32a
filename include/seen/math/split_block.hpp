// The split-block Bloom filter of Apache Parquet in numbers: 256-bit blocks of eight 32-bit lanes, one bit in each.
//
//   rate = Σ_i P(i keys in a block)·(1 − (31/32)^i)^8 + load/2^32
//   [Apache Parquet format, "BloomFilter"; the mixture: Putze, Sanders, Singler 2007]
//
// The last term: the block comes from the digest's high half and all eight positions from its low 32 bits, so two keys
// of one block show the same pattern with probability 2^-32, not 32^-8 = 2^-40. It matters below a rate of 1e-8 and
// contains the n/2^64 of equal digests.
//
// The high half has 2^32 values for B blocks: where B is no power of two some blocks get one value more than others,
// and with 2^32/B values each on average that is no longer nothing. The rate below counts both sorts of blocks. Planning
// stops at 2^27 blocks (4 GiB, where it costs at most 1 % of the rate); files may have up to 2^31, and a larger B, which would
// leave blocks with twice the keys of others, is refused. blocked-bloom has no such limit.
#pragma once

#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/math/block_planning.hpp>
#include <seen/math/mixture.hpp>
#include <seen/math/sizing.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace seen::inline v1::math {

/// Parquet's block: 8 lanes of 32 bits, one bit of a key in each.
inline constexpr lane_shape split_block_shape{.lanes = 8, .lane_bits = 32, .bits_per_lane = 1};

/// The bits of a split block: half a cache line.
inline constexpr std::uint32_t split_block_bits = bits_of_block(split_block_shape);

/// The most blocks there can be, and the most that are planned.
inline constexpr std::uint64_t max_split_blocks = std::uint64_t{1} << 31,
                               max_planned_split_blocks = std::uint64_t{1} << 27;

/// The rate of many split blocks with `load` keys a block on average (256 over the bits a key).
[[nodiscard]] inline double split_block_mixture(double load) {
  return std::min(1.0, lane_mixture(split_block_shape, load) + load * equal_pattern);
}

/// The rate of `blocks` ≤ 2^32 split blocks after `keys` adds; 1 without blocks, 0 without keys.
[[nodiscard]] inline double split_block_fpr(std::uint64_t blocks, std::uint64_t keys) {
  if (keys == 0) return 0;
  if (blocks == 0) return 1;
  constexpr std::uint64_t values = std::uint64_t{1} << 32;
  // `extra` blocks are met by fewer + 1 values of the high half, the others by `fewer`.
  const std::uint64_t fewer = values / blocks, extra = values % blocks;
  const auto rate_at = [keys](std::uint64_t met) {
    return lane_mixture_of_share(split_block_shape, keys, static_cast<double>(met) * 0x1p-32);
  };
  const double asked_extra = static_cast<double>(extra * (fewer + 1)) * 0x1p-32;  // share of the queries that go there
  const double lanes =
      extra == 0 ? rate_at(fewer) : (1 - asked_extra) * rate_at(fewer) + asked_extra * rate_at(fewer + 1);
  const double load = static_cast<double>(keys) / static_cast<double>(blocks);
  return std::min(1.0, lanes + load * equal_pattern);
}

/// The fewest split blocks for a target; the same in every language.
[[nodiscard]] inline result<std::uint64_t> split_blocks_for(const target& t) {
  if (auto fine = check(t); !fine) return fine.error();
  const std::uint64_t per_key = fewest_per_key(split_block_shape, t.fpr);
  if (per_key > most_per_key) return detail::rate_out_of_reach(t, "split-block");
  const std::uint64_t blocks = blocks_for(t.capacity, per_key, split_block_bits);
  if (blocks > max_planned_split_blocks) {
    const double bytes = static_cast<double>(t.capacity) * static_cast<double>(per_key) / bits_per_key_unit / 8;
    return {errc::too_large, detail::wish(t) + " need " + detail::size(bytes) +
                                 " in split blocks, which spread keys evenly up to 4 GiB; blocked-bloom goes further"};
  }
  return blocks;
}

}  // namespace seen::inline v1::math
