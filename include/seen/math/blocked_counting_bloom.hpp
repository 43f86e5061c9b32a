// The blocked counting Bloom filter in numbers: 512-bit blocks of counters, k lanes per block, a counter of a key in each.
//
//   rate = Σ_i P(i keys in a block)·(1 − (1−1/L)^i)^k + n/2^64,   L = 512/w/k counters in a lane
//   [the mixture: Putze, Sanders, Singler 2007, "Cache-, Hash- and Space-Efficient Bloom Filters"]
//
//   w = 4, bits per key   classic     blocked      k          A block has few counters, so uneven blocks cost more than
//   5 %                     24.9        26.3       4          they do in a blocked filter of bits: within 1.2 times the
//   1 %                     38.3        45.7       8          classic space from 10 % to 0.8 %, 1.7 times at 1e-4. Below
//   0.1 %                   57.5        77.6       8          1e-4 take the classic one.
//   1e-4                    76.7       129.9       8
//
// Sizes must be the same in every language, and come from additions, multiplications and divisions of doubles in a stated
// order (no library function), rounded to 2^-12 keys per block. For other implementations:
//
//   rate(load)   t = 1, q = 1, sum = 0, weights = 0. For i = 0 … 191:
//                  sum += t·(1−q)^k  (k a power of two: squared log2 k times),  weights += t,
//                  t = t·load/(i+1),  q = q·(1 − 1/L)
//                The result is sum/weights: the mixture with Poisson weights, e^load times as large.
//   load(p, k)   the largest a/4096, a from 1 to 2^18 − 1, with rate(a/4096) ≤ p, by bisection: a has 18 binary digits, tried
//                from the highest
//   k            of 4, 8, 16 the one with the largest load; of equal ones the smallest; but the largest with rate(64) ≤ p,
//                where there is one (p from 0.85 or so)
//   blocks       ceil(4096·n / a)
//
// A fused multiply-add may differ in the last bit of a rate. That matters for one p in about 10^14.
//
// A key raises a given counter with probability k/m, and at most once: it holds Binomial(n, k/m) after n adds.
#pragma once

#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/math/lanes.hpp>
#include <seen/math/sizing.hpp>

#include <array>
#include <cstdint>

namespace seen::inline v1::math {

/// The most blocks: 2^40 bits of 512.
inline constexpr std::uint64_t max_counter_blocks = max_bits / 512;

/// The numbers of probes a blocked counting filter may have.
inline constexpr std::array<std::uint32_t, 3> counter_block_probes{4, 8, 16};

/// The lanes of a block of counters of `width` bits.
[[nodiscard]] constexpr lane_shape counter_lanes(std::uint32_t width, std::uint32_t probes) noexcept {
  return {.lanes = probes, .lane_bits = 512 / width / probes, .bits_per_lane = 1};
}

/// The rate of many blocks with `load` < 64 keys each on average; the same double in every language but for its last bit.
[[nodiscard]] constexpr double counter_block_mixture(std::uint32_t width, std::uint32_t probes, double load) noexcept {
  const double keep = 1 - 1.0 / (512 / width / probes);
  double sum = 0, weights = 0, t = 1, q = 1;
  for (int i = 0; i < 192; ++i) {
    double hit = 1 - q;
    for (std::uint32_t power = 1; power < probes; power *= 2) hit *= hit;
    sum += t * hit;
    weights += t;
    t = t * load / (i + 1);
    q *= keep;
  }
  return sum / weights;
}

/// The largest load at which the rate is at most `fpr`, in keys per block times 4096; 0 where there is none.
[[nodiscard]] constexpr std::uint64_t counter_block_load_q12(double fpr, std::uint32_t width,
                                                             std::uint32_t probes) noexcept {
  std::uint64_t load = 0;
  for (std::uint64_t digit = std::uint64_t{1} << 17; digit != 0; digit /= 2) {
    if (counter_block_mixture(width, probes, static_cast<double>(load + digit) / 4096) <= fpr) load += digit;
  }
  return load;
}

/// The rate of `blocks` blocks after `keys` adds; 1 without blocks, 0 without keys.
[[nodiscard]] double blocked_counting_fpr(std::uint64_t blocks, std::uint32_t width, std::uint32_t probes,
                                          std::uint64_t keys);

/// The probability that a given counter of a blocked filter is asked to pass its maximum.
[[nodiscard]] double blocked_counter_overflow(std::uint32_t width, std::uint64_t blocks, std::uint32_t probes,
                                              std::uint64_t keys);

/// Blocks and probes of a blocked counting filter.
struct counter_blocks {
  std::uint64_t blocks = 0;
  std::uint32_t probes = 0;

  friend bool operator==(const counter_blocks&, const counter_blocks&) = default;
};

/// The shape for a target, of counters of 4 or 8 bits; `probes` 4, 8 or 16, or 0 for the number that takes least space.
[[nodiscard]] result<counter_blocks> counter_blocks_for(const target& t, std::uint32_t width, std::uint32_t probes = 0);

}  // namespace seen::inline v1::math
