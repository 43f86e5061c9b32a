// Binomial and Poisson probabilities that stay accurate for trillions of trials.
//
// C(n,x)·p^x·(1−p)^(n−x) through log-gamma loses all digits when n is large: three logarithms near 1e13 cancel to a
// number near 1. Stirling's formula taken out by hand leaves only small terms [Loader 2000, "Fast and Accurate
// Computation of Binomial Probabilities"]:
//
//   pmf = √(n/(2π·x·(n−x))) · exp(δ(n) − δ(x) − δ(n−x) − D(x, np) − D(n−x, nq))
//   δ(x) = ln x! − ln(√(2πx)·(x/e)^x)      D(x, M) = x·ln(x/M) + M − x ≥ 0
//
// Tails are sums of neighbouring terms from the threshold outwards, all positive; on the near side of the mean, one
// minus the other tail. Relative error below 1e-11 (1e-13 where the tail does not underflow the mean's precision).
#pragma once

#include <cstdint>

namespace seen::inline v1::math {

namespace detail {

// ln x! less Stirling's formula, for whole x > 0.
[[nodiscard]] double stirling_error(double x) noexcept;

// D(x, mean) = x·ln(x/mean) + mean − x, given also x − mean, which the caller may know to more digits.
[[nodiscard]] double deviance(double x, double mean, double difference) noexcept;

// first·(1 + ratio(0) + ratio(0)·ratio(1) + …) for a sequence that falls faster and faster.
template <class Ratio>
[[nodiscard]] double sum_outwards(double first, std::uint64_t terms, Ratio ratio) {
  double sum = 0, term = first;
  for (std::uint64_t i = 0; i < terms && term > sum * 1e-18; ++i) {
    sum += term;
    term *= ratio(static_cast<double>(i));
  }
  return sum;
}

}  // namespace detail

/// P(X = x) for X the number of successes in `trials` trials of probability `p`.
[[nodiscard]] double binomial_pmf(std::uint64_t trials, std::uint64_t x, double p) noexcept;

/// P(X ≥ x) for X the number of successes in `trials` trials of probability `p`.
[[nodiscard]] double binomial_at_least(std::uint64_t trials, std::uint64_t x, double p);

/// P(X ≤ x) for X the number of successes in `trials` trials of probability `p`.
[[nodiscard]] double binomial_at_most(std::uint64_t trials, std::uint64_t x, double p);

/// P(X = x) for a Poisson variable: the limit of many trials with few successes.
[[nodiscard]] double poisson_pmf(double mean, std::uint64_t x) noexcept;

/// P(X ≥ x) for a Poisson variable.
[[nodiscard]] double poisson_at_least(double mean, std::uint64_t x);

}  // namespace seen::inline v1::math
