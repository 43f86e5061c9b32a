// Bounds for counts of random events, so that a statistical test is wrongly red once in 10^9 runs and not once a week.
//
//   EXPECT_LE(hits, seen::testing::binomial_upper(queries, fpr, 1e-9));
//   EXPECT_TRUE(seen::testing::within_six_sigma(hits, queries, fpr)) << seen::testing::six_sigma_message(…);
//
// Six standard deviations of a normal variable are passed with probability 2e-9; below 50 expected events (or
// non-events) the binomial is not normal enough and the exact one is used with 1e-9 on each side.
#pragma once

#include <seen/math/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>

namespace seen::testing {

/// The smallest count that more than it has probability at most `tail`: a bound from above.
inline std::uint64_t binomial_upper(std::uint64_t trials, double p, double tail) {
  std::uint64_t low = 0, high = trials;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (math::binomial_at_least(trials, middle + 1, p) <= tail) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// The largest count that less than it has probability at most `tail`: a bound from below.
inline std::uint64_t binomial_lower(std::uint64_t trials, double p, double tail) {
  std::uint64_t low = 0, high = trials;
  while (low < high) {
    const std::uint64_t middle = high - (high - low) / 2;
    if (math::binomial_at_most(trials, middle - 1, p) <= tail) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// The counts that `trials` trials of probability `p` give but for once in about 10^9 runs.
struct count_range {
  double lowest = 0;
  double highest = 0;
};

/// Np ± 6·√(Np(1−p)), or exact where Np or N(1−p) is below 50.
inline count_range six_sigma_range(std::uint64_t trials, double p) {
  const double n = static_cast<double>(trials), mean = n * p;
  if (std::min(mean, n - mean) < 50) {
    return {static_cast<double>(binomial_lower(trials, p, 1e-9)), static_cast<double>(binomial_upper(trials, p, 1e-9))};
  }
  const double six_sigma = 6 * std::sqrt(mean * (1 - p));
  return {mean - six_sigma, mean + six_sigma};
}

/// True unless `hits` of `trials` would surprise whoever believes in `p`.
inline bool within_six_sigma(std::uint64_t hits, std::uint64_t trials, double p) {
  const count_range range = six_sigma_range(trials, p);
  return static_cast<double>(hits) >= range.lowest && static_cast<double>(hits) <= range.highest;
}

/// What a failed within_six_sigma should print: "1203 hits in 100000, expected 1000 (810.1 to 1189.9) at p = 0.01".
inline std::string six_sigma_message(std::uint64_t hits, std::uint64_t trials, double p) {
  const count_range range = six_sigma_range(trials, p);
  std::ostringstream text;
  text << hits << " hits in " << trials << ", expected " << static_cast<double>(trials) * p << " (" << range.lowest
       << " to " << range.highest << ") at p = " << p << "; measured "
       << static_cast<double>(hits) / static_cast<double>(trials);
  return text.str();
}

}  // namespace seen::testing
