// Balls in bins: the recurrence and the integral. The formulas are explained in math/occupancy.hpp.
#include "math/occupancy.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>

namespace seen::inline v1::math {

namespace {

std::uint32_t top_of(std::uint64_t bins, std::uint32_t picks) noexcept {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(bins, picks));
}

}  // namespace

template <class Value>
double occupancy::integrate(double throws, Value value) const {
  assert(throws >= 512);
  // The trapezoid rule with N points on the circle adds the coefficients of z^(t±N), z^(t±2N), …: Poisson(t) masses
  // at N from the mean, for N = 12·√t below 1e-15 of the one wanted even times (1+N/t)^64. At the 18th point from
  // the top, θ = 9.4/√t, the bell is below e^(−43).
  constexpr int points_per_root = 12, points = 18;
  const double step = 2 * std::numbers::pi / points_per_root / std::sqrt(throws);
  const double load = throws / bins_, hit = -std::expm1(-load);
  double sum = value(std::complex<double>(1)).real();
  for (int i = 1; i <= points; ++i) {
    const double angle = i * step, square = angle * angle, half = std::sin(angle / 2);
    // sin θ − θ by its series (θ < 0.42): the difference of the two doubles would have no digits left.
    const double sine_excess =
        -angle * square / 6 *
        (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110 * (1 - square / 156)))));
    const double height = std::exp(-2 * throws * half * half), phase = throws * sine_excess;
    const double real = load * std::cos(angle), imaginary = load * std::sin(angle), sway = std::sin(imaginary / 2);
    const std::complex<double> p(2 * sway * sway - std::cos(imaginary) * std::expm1(-real),
                                 std::exp(-real) * std::sin(imaginary));
    sum += 2 * height * (std::polar(1.0, phase) * value(p / hit)).real();
  }
  // t!·e^t/t^t = √(2πt)·exp(1/12t − 1/360t³ + …); the next term is 1e-17 at t = 512.
  const double stirling = std::exp(1 / (12 * throws) - 1 / (360 * throws * throws * throws));
  return std::sqrt(2 * std::numbers::pi) / points_per_root * stirling * sum;
}

occupancy::occupancy(std::uint64_t bins, std::uint32_t picks) noexcept
    : bins_(static_cast<double>(bins)), picks_(picks), top_(top_of(bins, picks)) {
  assert(bins > 0 && picks <= max_picks);
  scaled_[0] = 1;
  stirling_[0] = 1;
  for (std::uint32_t row = 1; row <= picks; ++row) {
    for (std::uint32_t j = std::min(row, top_); j > 0; --j) stirling_[j] = stirling_[j] * j + stirling_[j - 1];
    stirling_[0] = 0;
  }
}

void occupancy::throw_ball() noexcept {
  for (std::uint32_t j = top_; j > 0; --j) scaled_[j] = (1 - j / bins_) * scaled_[j] + j * scaled_[j - 1];
}

double occupancy::distinct() const noexcept {
  return unscale(scaled_[top_], top_);
}

double occupancy::independent() const noexcept {
  double sum = 0, falling = 1;  // falling = (m)_j / m^j
  for (std::uint32_t j = 0; j <= top_; ++j) {
    sum += stirling_[j] * falling * scaled_[j];
    falling *= 1 - j / bins_;
  }
  return unscale(sum, picks_);
}

double occupancy::distinct_after(double throws) const {
  const double hit = -std::expm1(-throws / bins_);
  return std::pow(hit, top_) * integrate(throws, [this](std::complex<double> ratio) {
           std::complex<double> power = 1;
           for (std::uint32_t j = 0; j < top_; ++j) power *= ratio;
           return power;
         });
}

double occupancy::independent_after(double throws) const {
  const double hit = -std::expm1(-throws / bins_);
  // The polynomial Σ_j S(k,j)·(m)_j/m^k·hit^j·ratio^j, divided by its highest coefficient so that nothing underflows.
  std::array<double, max_picks + 1> weight{};
  weight[top_] = 1;
  double highest = stirling_[top_] * std::pow(bins_, static_cast<double>(top_) - picks_) * std::pow(hit, top_);
  for (std::uint32_t j = top_; j > 1; --j) {
    weight[j - 1] = weight[j] * (stirling_[j - 1] / stirling_[j]) / ((bins_ - (j - 1)) * hit);
    highest *= 1 - (j - 1) / bins_;
  }
  return highest * integrate(throws, [&](std::complex<double> ratio) {
           std::complex<double> sum = weight[top_];
           for (std::uint32_t j = top_; j > 0; --j) sum = sum * ratio + weight[j - 1];
           return sum;
         });
}

double occupancy::unscale(double x, std::uint32_t power) const noexcept {
  return x == 0 ? 0 : std::exp(std::log(x) - power * std::log(bins_));
}

namespace {

constexpr double few_throws = 512;

template <class Small, class Large>
double all_hit(std::uint64_t bins, double throws, std::uint32_t picks, Small small, Large large) {
  if (picks == 0) return 1;
  if (throws <= 0) return 0;
  if (bins == 0 || throws / static_cast<double>(bins) > detail::crowded) return 1;
  if (picks > max_picks) {  // mean field: reads low by about a factor exp(−k²/2·Var(X)/E(X)²)
    return std::pow(-std::expm1(throws * std::log1p(-1 / static_cast<double>(bins))), picks);
  }
  occupancy balls(bins, picks);
  if (throws >= few_throws) return std::min(1.0, large(balls));
  for (double thrown = 0; thrown < throws; ++thrown) balls.throw_ball();
  return std::min(1.0, small(balls));
}

}  // namespace

double all_hit_distinct(std::uint64_t bins, double throws, std::uint32_t picks) {
  return all_hit(
      bins, throws, picks, [](const occupancy& o) { return o.distinct(); },
      [&](const occupancy& o) { return o.distinct_after(throws); });
}

double all_hit_independent(std::uint64_t bins, double throws, std::uint32_t picks) {
  return all_hit(
      bins, throws, picks, [](const occupancy& o) { return o.independent(); },
      [&](const occupancy& o) { return o.independent_after(throws); });
}

}  // namespace seen::inline v1::math
