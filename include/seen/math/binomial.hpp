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

#include <cmath>
#include <cstdint>
#include <numbers>

namespace seen::inline v1::math {

namespace detail {

// ln x! less Stirling's formula, for whole x > 0.
[[nodiscard]] inline double stirling_error(double x) noexcept {
  if (x < 16) {
    double factorial = 1;
    for (double i = 2; i <= x; ++i) factorial *= i;
    return std::log(factorial) + x - (x + 0.5) * std::log(x) - 0.5 * std::log(2 * std::numbers::pi);
  }
  const double s = 1 / (x * x);
  return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188)))) / x;
}

// D(x, mean) = x·ln(x/mean) + mean − x, given also x − mean, which the caller may know to more digits.
[[nodiscard]] inline double deviance(double x, double mean, double difference) noexcept {
  const double d = difference / (x + mean);
  if (std::abs(d) > 0.1) return x * std::log(x / mean) - difference;
  // x/mean = (1+d)/(1−d), so ln(x/mean) = 2·artanh(d) = 2(d + d³/3 + d⁵/5 + …).
  double power = 2 * x * d, sum = difference * d;
  for (int odd = 3; odd <= 19; odd += 2) {
    power *= d * d;
    sum += power / odd;
  }
  return sum;
}

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
[[nodiscard]] inline double binomial_pmf(std::uint64_t trials, std::uint64_t x, double p) noexcept {
  if (x > trials) return 0;
  if (p <= 0) return x == 0 ? 1 : 0;
  if (p >= 1) return x == trials ? 1 : 0;
  const auto n = static_cast<double>(trials), hits = static_cast<double>(x), misses = static_cast<double>(trials - x);
  if (x == 0) return std::exp(n * std::log1p(-p));
  if (x == trials) return std::exp(n * std::log(p));
  const double excess = hits - n * p;
  return std::sqrt(n / (2 * std::numbers::pi * hits * misses)) *
         std::exp(detail::stirling_error(n) - detail::stirling_error(hits) - detail::stirling_error(misses) -
                  detail::deviance(hits, n * p, excess) - detail::deviance(misses, n * (1 - p), -excess));
}

[[nodiscard]] inline double binomial_at_most(std::uint64_t trials, std::uint64_t x, double p);

/// P(X ≥ x) for X the number of successes in `trials` trials of probability `p`.
[[nodiscard]] inline double binomial_at_least(std::uint64_t trials, std::uint64_t x, double p) {
  if (x == 0) return 1;
  if (x > trials || p <= 0) return 0;
  if (p >= 1) return 1;
  const auto n = static_cast<double>(trials), from = static_cast<double>(x);
  if (from <= n * p) return 1 - binomial_at_most(trials, x - 1, p);
  return detail::sum_outwards(binomial_pmf(trials, x, p), trials - x + 1,
                              [=](double i) { return (n - from - i) / (from + i + 1) * (p / (1 - p)); });
}

/// P(X ≤ x) for X the number of successes in `trials` trials of probability `p`.
[[nodiscard]] inline double binomial_at_most(std::uint64_t trials, std::uint64_t x, double p) {
  if (x >= trials || p <= 0) return 1;
  if (p >= 1) return 0;
  const auto n = static_cast<double>(trials), from = static_cast<double>(x);
  if (from > n * p) return 1 - binomial_at_least(trials, x + 1, p);
  return detail::sum_outwards(binomial_pmf(trials, x, p), x + 1,
                              [=](double i) { return (from - i) / (n - from + i + 1) * ((1 - p) / p); });
}

/// P(X = x) for a Poisson variable: the limit of many trials with few successes.
[[nodiscard]] inline double poisson_pmf(double mean, std::uint64_t x) noexcept {
  if (mean <= 0) return x == 0 ? 1 : 0;
  if (x == 0) return std::exp(-mean);
  const auto count = static_cast<double>(x);
  return std::exp(-detail::stirling_error(count) - detail::deviance(count, mean, count - mean)) /
         std::sqrt(2 * std::numbers::pi * count);
}

/// P(X ≥ x) for a Poisson variable.
[[nodiscard]] inline double poisson_at_least(double mean, std::uint64_t x) {
  if (x == 0) return 1;
  if (mean <= 0) return 0;
  const auto from = static_cast<double>(x);
  if (from > mean) {
    return detail::sum_outwards(poisson_pmf(mean, x), ~std::uint64_t{0},
                                [=](double i) { return mean / (from + i + 1); });
  }
  return 1 - detail::sum_outwards(poisson_pmf(mean, x - 1), x, [=](double i) { return (from - 1 - i) / mean; });
}

}  // namespace seen::inline v1::math
