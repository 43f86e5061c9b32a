// Blocked Bloom filters: rate, and shape for a target. The formulas are explained in math/blocked_bloom.hpp.
#include <seen/math/blocked_bloom.hpp>

#include <algorithm>
#include <cstdint>

#include "math/block_planning.hpp"
#include "math/mixture.hpp"

namespace seen::inline v1::math {

double blocked_fpr(std::uint64_t blocks, std::uint32_t probes, std::uint64_t keys) {
  const lane_shape shape = block_lanes(probes);
  if (shape.lanes == 0) return 1;
  if (keys == 0) return 0;
  if (blocks == 0) return 1;
  const double load = static_cast<double>(keys) / static_cast<double>(blocks);
  return std::min(1.0, lane_mixture(shape, keys, blocks) + load * equal_pattern);
}

result<blocked_shape> blocked_shape_for(const target& t, std::uint32_t probes) {
  if (auto fine = check(t); !fine) return fine.error();
  std::uint64_t fewest = most_per_key + 1;
  std::uint32_t best = 0;
  for (const std::uint32_t each : block_probes) {
    if (probes != 0 && probes != each) continue;
    const std::uint64_t per_key = fewest_per_key(block_lanes(each), t.fpr);
    if (per_key < fewest) fewest = per_key, best = each;
  }
  if (best == 0) return detail::rate_out_of_reach(t, "blocked-bloom");
  const std::uint64_t blocks = blocks_for(t.capacity, fewest, block_bits);
  if (blocks > max_blocks) {
    return detail::too_many_bits(t, static_cast<double>(t.capacity) * static_cast<double>(fewest) / bits_per_key_unit);
  }
  return blocked_shape{blocks, best};
}

std::uint32_t best_block_probes(std::uint64_t blocks, std::uint64_t keys) noexcept {
  const double load = std::min(512.0, static_cast<double>(keys) / static_cast<double>(blocks));
  std::uint32_t best = 0;
  double lowest = 2;
  for (const std::uint32_t each : block_probes) {
    const double rate = planned_rate(block_lanes(each), load);
    if (rate < lowest) lowest = rate, best = each;
  }
  return best;
}

}  // namespace seen::inline v1::math
