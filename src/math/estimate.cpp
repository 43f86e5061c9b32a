// From set bits to keys. The formulas are explained in math/estimate.hpp.
#include <seen/math/estimate.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace seen::inline v1::math {

double estimate_count(std::uint64_t set_bits, std::uint64_t bits, std::uint32_t probes) noexcept {
  if (set_bits == 0 || bits == 0) return 0;
  if (set_bits >= bits || probes == 0) return std::numeric_limits<double>::infinity();
  const auto m = static_cast<double>(bits);
  // Subtract where it is exact: in whole numbers when few bits are left empty.
  const double log_empty = set_bits <= bits / 2 ? std::log1p(-static_cast<double>(set_bits) / m)
                                                : std::log(static_cast<double>(bits - set_bits) / m);
  return -m / probes * log_empty;
}

double most_set_bits(std::uint64_t keys, std::uint64_t bits, double throws) noexcept {
  const auto m = static_cast<double>(bits);
  const double all = throws * static_cast<double>(keys), load = all / m;
  const double mean = bits > 1 ? -m * std::expm1(all * std::log1p(-1 / m)) : m;
  // e^−c − (1 + c)·e^−2c, without cancellation where c is small.
  const double variance = m * std::exp(-2 * load) * (std::expm1(load) - load);
  const double most = mean + 6 * std::sqrt(std::max(0.0, variance)) + 1;
  return most < m ? most : m;
}

double most_keys(std::uint64_t keys, std::uint64_t bits, double throws) noexcept {
  const auto m = static_cast<double>(bits);
  const double most = most_set_bits(keys, bits, throws);
  return most < m ? -m / throws * std::log1p(-most / m) : std::numeric_limits<double>::infinity();
}

double fpr_of_fill(double fill, std::uint32_t probes) noexcept {
  return std::pow(fill, probes);
}

std::uint64_t whole_keys(double estimate) noexcept {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min(std::round(estimate), 0x1p62)));
}

double bits_needed(double keys, double fpr, std::uint32_t probes) noexcept {
  const double fill_at_fpr = std::pow(fpr, 1.0 / probes);
  return -keys * probes / std::log1p(-fill_at_fpr);
}

double estimate_union(std::uint64_t set_in_union, std::uint64_t bits, std::uint32_t probes) noexcept {
  return estimate_count(set_in_union, bits, probes);
}

double estimate_intersection(std::uint64_t set_a, std::uint64_t set_b, std::uint64_t set_in_union, std::uint64_t bits,
                             std::uint32_t probes) noexcept {
  const double a = estimate_count(set_a, bits, probes), b = estimate_count(set_b, bits, probes);
  const double larger = std::max(a, b), smaller = std::min(a, b);
  if (std::isinf(larger)) return smaller;
  return std::clamp(a + b - estimate_union(set_in_union, bits, probes), 0.0, smaller);
}

double estimate_jaccard(std::uint64_t set_a, std::uint64_t set_b, std::uint64_t set_in_union, std::uint64_t bits,
                        std::uint32_t probes) noexcept {
  if (set_a == set_b && set_b == set_in_union) return 1;
  const double all = estimate_union(set_in_union, bits, probes);
  if (!(all > 0) || std::isinf(all)) return 0;
  return std::min(1.0, estimate_intersection(set_a, set_b, set_in_union, bits, probes) / all);
}

}  // namespace seen::inline v1::math
