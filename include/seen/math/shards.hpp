// How many shards a static filter has, and how full the fullest gets.
//
// A shard is what one thread builds at a time: 2^19 to 2^20 keys, so that its digests and tables stay in a shared cache.
// A lookup in one of several shards costs a fifth more than in a filter of one (4M keys: 8.3 against 6.9 ns), so a filter has
// one up to 2^23 keys: asking is for ever, building is once.
// All shards have the size of the fullest. Keys fall into shards as into urns: with λ = n/S keys on average the fullest of
// S has about λ + sqrt(2·λ·ln S) keys [Raab & Steger 1998], so +0.5 % at 2^19 keys per shard and S = 2^10.
#pragma once

#include <seen/base/bits.hpp>

#include <bit>
#include <cstdint>

namespace seen::inline v1::math {

/// How many keys there are and how they fall into shards.
struct shard_counts {
  std::uint64_t keys = 0;     ///< different digests, of all shards together
  std::uint64_t shards = 0;   ///< 0 where there are no keys
  std::uint64_t largest = 0;  ///< keys of the fullest shard

  friend bool operator==(const shard_counts&, const shard_counts&) = default;
};

/// The most shards a filter may have.
inline constexpr std::uint64_t max_shards = std::uint64_t{1} << 24;

/// Whether there may be so many: none, or a power of two.
[[nodiscard]] constexpr bool is_shard_count(std::uint64_t shards) noexcept {
  return shards <= max_shards && (shards & (shards - 1)) == 0;
}

/// Keys from which on a filter has several shards.
inline constexpr std::uint64_t sharded_keys = std::uint64_t{1} << 23;

/// Shards planned for `keys` keys: none for none, one below 2^23, then a power of two with 2^19 to 2^20 keys in each.
[[nodiscard]] constexpr std::uint64_t shards_for(std::uint64_t keys) noexcept {
  if (keys < sharded_keys) return keys == 0 ? 0 : 1;
  const std::uint64_t shards = std::bit_floor(keys >> 19);
  return shards < max_shards ? shards : max_shards;
}

/// Keys to expect in the fullest of `shards` shards.
[[nodiscard]] std::uint64_t expected_largest_shard(std::uint64_t keys, std::uint64_t shards) noexcept;

/// The counts to expect of `keys` keys in as many shards as are wished for (0: as planned).
[[nodiscard]] shard_counts expected_counts(std::uint64_t keys, std::uint64_t wished_shards) noexcept;

}  // namespace seen::inline v1::math
