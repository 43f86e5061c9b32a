// The blocked Bloom filter in numbers: all k bits of a key in one 512-bit block, one cache line.
//
//   rate = Σ_i P(i keys in a block)·f(i) + n/2^64,   f(i) = (1 − (1−1/B)^(ki))^k,   B = 512
//   [Putze, Sanders, Singler 2007, "Cache-, Hash- and Space-Efficient Bloom Filters"]
//
// Unequal blocks cost rate: 1.1 to 1.2 times the classic filter's at 8 to 10 bits a key, 1.9 at 16, 7 at 24.
// Limits: f knows only the mean fill of a block, not that fills differ; it reads 1 % low at 8 bits a key, 3 to 7 %
// at 24. Where the layout is settled (so many lanes, so many bits in each), lane_mixture (mixture.hpp) is exact.
// Neither knows that positions drawn from few digest bits coincide more often: 32 bits for a pattern add load/2^32.
#pragma once

#include <seen/math/mixture.hpp>
#include <seen/math/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace seen {
inline namespace v1 {
namespace math {

/// The bits of a block: one cache line.
inline constexpr std::uint32_t block_bits = 512;

namespace detail {

[[nodiscard]] inline auto block_rate(std::uint32_t probes) noexcept {
  return [probes, log_miss = std::log1p(-1.0 / block_bits)](std::uint64_t keys) {
    return std::pow(-std::expm1(static_cast<double>(keys) * probes * log_miss), probes);
  };
}

}  // namespace detail

/// The rate of many 512-bit blocks with `load` keys a block on average (512 over the bits a key), without n/2^64.
[[nodiscard]] inline double block_mixture(std::uint32_t probes, double load) {
  if (load * probes / block_bits > detail::crowded) return 1;
  return poisson_mixture(load, detail::block_rate(probes));
}

/// The rate of `blocks` 512-bit blocks after `keys` adds; 1 without blocks or probes, 0 without keys.
[[nodiscard]] inline double blocked_fpr(std::uint64_t blocks, std::uint32_t probes, std::uint64_t keys) {
  if (probes == 0) return 1;
  if (keys == 0) return 0;
  if (blocks == 0) return 1;
  const double load = static_cast<double>(keys) / static_cast<double>(blocks);
  if (load * probes / block_bits > detail::crowded) return 1;
  return std::min(1.0, binomial_mixture(keys, blocks, detail::block_rate(probes)) + equal_digest_fpr(keys));
}

}  // namespace math
}  // namespace v1
}  // namespace seen
