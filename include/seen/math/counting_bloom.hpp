// The counting Bloom filter in numbers: how likely is a counter of w bits too small?
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
// The rate of a counting filter is bloom_fpr of its counters.
#pragma once

#include <seen/math/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace seen {
inline namespace v1 {
namespace math {

/// The probability that a given one of `counters` counters of `width` ≤ 32 bits is asked to pass its maximum.
[[nodiscard]] inline double counter_overflow(std::uint32_t width, std::uint64_t counters, std::uint32_t probes,
                                             std::uint64_t keys) {
  if (counters == 0) return 0;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t throws = probes != 0 && keys > most / probes ? most : keys * probes;
  return binomial_at_least(throws, std::uint64_t{1} << width, 1 / static_cast<double>(counters));
}

/// The same in the limit of many counters, `load` adds a counter.
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

}  // namespace math
}  // namespace v1
}  // namespace seen
