// How full the fullest shard gets. The formulas are explained in math/shards.hpp.
#include <seen/math/shards.hpp>

#include <cmath>
#include <cstdint>

namespace seen::inline v1::math {

std::uint64_t expected_largest_shard(std::uint64_t keys, std::uint64_t shards) noexcept {
  if (shards <= 1) return keys;
  const double mean = static_cast<double>(keys) / static_cast<double>(shards);
  return static_cast<std::uint64_t>(std::ceil(mean + std::sqrt(2 * mean * std::log(static_cast<double>(shards)))));
}

shard_counts expected_counts(std::uint64_t keys, std::uint64_t wished_shards) noexcept {
  const std::uint64_t shards = wished_shards != 0 ? wished_shards : shards_for(keys);
  return {keys, shards, expected_largest_shard(keys, shards)};
}

}  // namespace seen::inline v1::math
