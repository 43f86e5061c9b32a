// Filters made of small blocks: a key lives in one block, and blocks hold unequal numbers of keys.
//
// With f(i) the rate of a block that holds i keys, a filter's rate is the mean of f over the blocks:
//
//   Σ_i P(i keys in a block)·f(i)     P = Binomial(n, 1/blocks), or its limit Poisson(load), load = n/blocks
//   [Putze, Sanders, Singler 2007, "Cache-, Hash- and Space-Efficient Bloom Filters"]
//
// The Poisson form is for planning, when only the bits per key are known; with less than about 100 blocks it reads
// high, and a single block holds exactly n.
//
// A block divided in lanes sets `bits_per_lane` bits in each lane for a key. Given i, the lanes are independent:
//   f(i) = E[(X/lane_bits)^bits_per_lane]^lanes, X the bits of a lane set by i·bits_per_lane independent throws
// (occupancy.hpp); for one bit per lane, (1 − (1−1/lane_bits)^i)^lanes.
#pragma once

#include <seen/math/binomial.hpp>
#include <seen/math/lanes.hpp>

#include <cstdint>

#include "math/occupancy.hpp"

namespace seen::inline v1::math {

/// Σ_i Poisson(i; load)·rate(i). `rate` is called with 0, 1, 2, … in turn and must be at most 1.
template <class Rate>
[[nodiscard]] double poisson_mixture(double load, Rate rate) {
  double sum = 0;
  for (std::uint64_t i = 0;; ++i) {
    const double weight = poisson_pmf(load, i), next = static_cast<double>(i + 1);
    sum += weight * rate(i);
    // Past the mean the weights fall at least by load/next, so the rest is below weight·next/(next − load).
    if (next > load && weight <= 1e-17 * sum * (1 - load / next)) return sum;
  }
}

/// Σ_i P(i of `keys` keys fall in a block that takes this share of them)·rate(i). `rate` as in poisson_mixture.
template <class Rate>
[[nodiscard]] double binomial_mixture_of_share(std::uint64_t keys, double share, Rate rate) {
  const double load = static_cast<double>(keys) * share;
  double sum = 0;
  for (std::uint64_t i = 0; i <= keys; ++i) {
    const double weight = binomial_pmf(keys, i, share), next = static_cast<double>(i + 1);
    sum += weight * rate(i);
    if (next > load && weight <= 1e-17 * sum * (1 - load / next)) break;
  }
  return sum;
}

/// Σ_i P(i of `keys` keys fall in one of `blocks` equal blocks)·rate(i).
template <class Rate>
[[nodiscard]] double binomial_mixture(std::uint64_t keys, std::uint64_t blocks, Rate rate) {
  return binomial_mixture_of_share(keys, 1 / static_cast<double>(blocks), rate);
}

/// The rate of a filter of many such blocks with `load` keys per block on average.
[[nodiscard]] double lane_mixture(const lane_shape& shape, double load);

/// The rate of a block that takes this share of `keys` keys.
[[nodiscard]] double lane_mixture_of_share(const lane_shape& shape, std::uint64_t keys, double share);

/// The rate of a filter of `blocks` > 0 such blocks with `keys` keys.
[[nodiscard]] double lane_mixture(const lane_shape& shape, std::uint64_t keys, std::uint64_t blocks);

}  // namespace seen::inline v1::math
