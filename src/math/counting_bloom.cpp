// Counting filters: shape for a target, and how likely a counter overflows. The formulas are explained in math/counting_bloom.hpp.
#include <seen/math/binomial.hpp>
#include <seen/math/counting_bloom.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace seen::inline v1::math {

result<bloom_shape> counting_shape_for(const target& t, std::uint32_t width) {
  auto shape = bloom_shape_for(t);
  if (!shape && shape.error().code == errc::invalid_argument) return shape.error();
  const std::uint64_t most = max_bits / width, q40 = bits_per_key_q40(t.fpr);
  if (shape ? shape->bits > most : bits_for(t.capacity, q40) > most) {
    const double counters =
        shape ? static_cast<double>(shape->bits) : static_cast<double>(t.capacity) * static_cast<double>(q40) * 0x1p-40;
    return detail::too_many_bits(t, counters * width);
  }
  return shape;
}

namespace detail {

std::uint64_t counter_throws(std::uint32_t probes, std::uint64_t keys) noexcept {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return probes != 0 && keys > most / probes ? most : keys * probes;
}

}  // namespace detail

double counter_overflow(std::uint32_t width, std::uint64_t counters, std::uint32_t probes, std::uint64_t keys) {
  if (counters == 0) return 0;
  return binomial_at_least(detail::counter_throws(probes, keys), std::uint64_t{1} << width,
                           1 / static_cast<double>(counters));
}

double counter_sticks(std::uint32_t width, std::uint64_t counters, std::uint32_t probes, std::uint64_t keys) {
  if (counters == 0) return 0;
  return binomial_at_least(detail::counter_throws(probes, keys), (std::uint64_t{1} << width) - 1,
                           1 / static_cast<double>(counters));
}

double counter_overflow_poisson(std::uint32_t width, double load) {
  return poisson_at_least(load, std::uint64_t{1} << width);
}

double counter_overflow_approximate(std::uint32_t width, double load) noexcept {
  return poisson_pmf(load, std::uint64_t{1} << width) * std::exp(load);
}

double any_counter_overflow_bound(std::uint32_t width, std::uint64_t counters, std::uint32_t probes,
                                  std::uint64_t keys) noexcept {
  if (counters == 0) return 0;
  const auto m = static_cast<double>(counters);
  const double reach = std::ldexp(1.0, static_cast<int>(width));
  const double load = static_cast<double>(probes) * static_cast<double>(keys) / m;
  return std::min(1.0, m * std::pow(std::numbers::e * load / reach, reach));
}

}  // namespace seen::inline v1::math
