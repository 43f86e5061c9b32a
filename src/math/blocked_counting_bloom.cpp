// Blocked counting filters: rate, overflow, and shape for a target. The formulas are explained in math/blocked_counting_bloom.hpp.
#include <seen/math/binomial.hpp>
#include <seen/math/blocked_counting_bloom.hpp>

#include <algorithm>
#include <cstdint>

#include "math/mixture.hpp"

namespace seen::inline v1::math {

double blocked_counting_fpr(std::uint64_t blocks, std::uint32_t width, std::uint32_t probes, std::uint64_t keys) {
  if (keys == 0) return 0;
  if (blocks == 0) return 1;
  return std::min(1.0, lane_mixture(counter_lanes(width, probes), keys, blocks) + equal_digest_fpr(keys));
}

double blocked_counter_overflow(std::uint32_t width, std::uint64_t blocks, std::uint32_t probes, std::uint64_t keys) {
  if (blocks == 0) return 0;
  const double share = 1 / (static_cast<double>(blocks) * counter_lanes(width, probes).lane_bits);
  return binomial_at_least(keys, std::uint64_t{1} << width, share);
}

result<counter_blocks> counter_blocks_for(const target& t, std::uint32_t width, std::uint32_t probes) {
  if (auto fine = check(t); !fine) return fine.error();
  std::uint64_t load = 0;
  std::uint32_t best = 0;
  for (const std::uint32_t each : counter_block_probes) {
    if (probes != 0 && probes != each) continue;
    // The load is found by some twenty rates; whether it exceeds the best one so far, by one.
    if (counter_block_mixture(width, each, static_cast<double>(load + 1) / 4096) > t.fpr) continue;
    load = counter_block_load_q12(t.fpr, width, each);
    best = each;
  }
  if (load < 4096 / 16) {
    return {errc::too_large, detail::wish(t) + ": blocks of " + std::to_string(512 / width) +
                                 " counters would take more than 16 blocks per key; counting-bloom takes less"};
  }
  const double bits = static_cast<double>(t.capacity) * 4096 / static_cast<double>(load) * 512;
  if (bits > static_cast<double>(max_bits)) return detail::too_many_bits(t, bits);
  const std::uint64_t blocks = ceil_div(t.capacity * 4096, load);  // below 2^52: 2^40 bits are at most 2^37 keys
  if (blocks > max_counter_blocks) return detail::too_many_bits(t, static_cast<double>(blocks) * 512);
  return counter_blocks{blocks, best};
}

}  // namespace seen::inline v1::math
