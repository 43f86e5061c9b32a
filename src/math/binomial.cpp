// Binomial and Poisson probabilities, term by term. The formulas are explained in math/binomial.hpp.
#include <seen/math/binomial.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace seen::inline v1::math {

namespace detail {

double stirling_error(double x) noexcept {
  if (x < 16) {
    double factorial = 1;
    for (double i = 2; i <= x; ++i) factorial *= i;
    return std::log(factorial) + x - (x + 0.5) * std::log(x) - 0.5 * std::log(2 * std::numbers::pi);
  }
  const double s = 1 / (x * x);
  return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188)))) / x;
}

double deviance(double x, double mean, double difference) noexcept {
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

}  // namespace detail

double binomial_pmf(std::uint64_t trials, std::uint64_t x, double p) noexcept {
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

double binomial_at_least(std::uint64_t trials, std::uint64_t x, double p) {
  if (x == 0) return 1;
  if (x > trials || p <= 0) return 0;
  if (p >= 1) return 1;
  const auto n = static_cast<double>(trials), from = static_cast<double>(x);
  if (from <= n * p) return 1 - binomial_at_most(trials, x - 1, p);
  return detail::sum_outwards(binomial_pmf(trials, x, p), trials - x + 1,
                              [=](double i) { return (n - from - i) / (from + i + 1) * (p / (1 - p)); });
}

double binomial_at_most(std::uint64_t trials, std::uint64_t x, double p) {
  if (x >= trials || p <= 0) return 1;
  if (p >= 1) return 0;
  const auto n = static_cast<double>(trials), from = static_cast<double>(x);
  if (from > n * p) return 1 - binomial_at_least(trials, x + 1, p);
  return detail::sum_outwards(binomial_pmf(trials, x, p), x + 1,
                              [=](double i) { return (from - i) / (n - from + i + 1) * ((1 - p) / p); });
}

double poisson_pmf(double mean, std::uint64_t x) noexcept {
  if (mean <= 0) return x == 0 ? 1 : 0;
  if (x == 0) return std::exp(-mean);
  const auto count = static_cast<double>(x);
  return std::exp(-detail::stirling_error(count) - detail::deviance(count, mean, count - mean)) /
         std::sqrt(2 * std::numbers::pi * count);
}

double poisson_at_least(double mean, std::uint64_t x) {
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
