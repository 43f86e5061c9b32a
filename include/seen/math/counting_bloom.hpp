// The counting Bloom filters in numbers: how large, how often wrong, and how likely is a counter of w bits too small?
//
// Counters take the place of bits, so the shape is the classic filter's and the rate is bloom_fpr of the counters.
//
// After n adds a counter holds Binomial(kn, 1/m), about Poisson(kn/m) with kn/m = ln 2 at the best k. It is asked to
// pass its maximum 2^w − 1 when that reaches 2^w.
//
//   exact                  P(Binomial(kn, 1/m) ≥ 2^w)
//   Poisson                P(Poisson(load) ≥ 2^w)
//   the documents'         load^(2^w)/(2^w)!, the first Poisson term without its e^(−load): twice the tail at ln 2
//   any of m counters      at most m·(e·load/2^w)^(2^w)     [Fan, Cao, Almeida, Broder 2000, "Summary Cache"]
//
// w = 4 at ln 2: 7e-17 a counter. w = 2: 0.6 %. An overflow loses no key: the counter sticks at its maximum.
// A counter that sticks reaches 2^w − 1 at least: that is counter_sticks, 2e-15 for w = 4 and 3 % for w = 2 at ln 2.
#pragma once

#include <seen/math/binomial.hpp>
#include <seen/math/bloom.hpp>
#include <seen/math/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace seen::inline v1::math {

/// The classic filter's shape for a target, where every bit is a counter of `width` bits and all are at most 2^40 bits.
[[nodiscard]] inline result<bloom_shape> counting_shape_for(const target& t, std::uint32_t width) {
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

[[nodiscard]] inline std::uint64_t counter_throws(std::uint32_t probes, std::uint64_t keys) noexcept {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return probes != 0 && keys > most / probes ? most : keys * probes;
}

}  // namespace detail

/// The probability that a given one of `counters` counters of `width` ≤ 32 bits is asked to pass its maximum.
[[nodiscard]] inline double counter_overflow(std::uint32_t width, std::uint64_t counters, std::uint32_t probes,
                                             std::uint64_t keys) {
  if (counters == 0) return 0;
  return binomial_at_least(detail::counter_throws(probes, keys), std::uint64_t{1} << width,
                           1 / static_cast<double>(counters));
}

/// The probability that a given counter reaches its maximum, at which it can no longer be lowered.
[[nodiscard]] inline double counter_sticks(std::uint32_t width, std::uint64_t counters, std::uint32_t probes,
                                           std::uint64_t keys) {
  if (counters == 0) return 0;
  return binomial_at_least(detail::counter_throws(probes, keys), (std::uint64_t{1} << width) - 1,
                           1 / static_cast<double>(counters));
}

/// counter_overflow in the limit of many counters, `load` adds a counter.
[[nodiscard]] inline double counter_overflow_poisson(std::uint32_t width, double load = std::numbers::ln2) {
  return poisson_at_least(load, std::uint64_t{1} << width);
}

/// The documents' approximation load^(2^w)/(2^w)!; only for loads well below 2^w.
[[nodiscard]] inline double counter_overflow_approximate(std::uint32_t width,
                                                         double load = std::numbers::ln2) noexcept {
  return poisson_pmf(load, std::uint64_t{1} << width) * std::exp(load);
}

/// A bound on the probability that any counter at all is asked to pass its maximum. [Fan et al. 2000]
[[nodiscard]] inline double any_counter_overflow_bound(std::uint32_t width, std::uint64_t counters,
                                                       std::uint32_t probes, std::uint64_t keys) noexcept {
  if (counters == 0) return 0;
  const auto m = static_cast<double>(counters);
  const double reach = std::ldexp(1.0, static_cast<int>(width));
  const double load = static_cast<double>(probes) * static_cast<double>(keys) / m;
  return std::min(1.0, m * std::pow(std::numbers::e * load / reach, reach));
}

}  // namespace seen::inline v1::math
