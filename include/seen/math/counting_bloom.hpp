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

#include <seen/math/bloom.hpp>
#include <seen/math/sizing.hpp>

#include <cstdint>
#include <numbers>

namespace seen::inline v1::math {

/// The classic filter's shape for a target, where every bit is a counter of `width` bits and all are at most 2^40 bits.
[[nodiscard]] result<bloom_shape> counting_shape_for(const target& t, std::uint32_t width);

namespace detail {

[[nodiscard]] std::uint64_t counter_throws(std::uint32_t probes, std::uint64_t keys) noexcept;

}  // namespace detail

/// The probability that a given one of `counters` counters of `width` ≤ 32 bits is asked to pass its maximum.
[[nodiscard]] double counter_overflow(std::uint32_t width, std::uint64_t counters, std::uint32_t probes,
                                      std::uint64_t keys);

/// The probability that a given counter reaches its maximum, at which it can no longer be lowered.
[[nodiscard]] double counter_sticks(std::uint32_t width, std::uint64_t counters, std::uint32_t probes,
                                    std::uint64_t keys);

/// counter_overflow in the limit of many counters, `load` adds a counter.
[[nodiscard]] double counter_overflow_poisson(std::uint32_t width, double load = std::numbers::ln2);

/// The documents' approximation load^(2^w)/(2^w)!; only for loads well below 2^w.
[[nodiscard]] double counter_overflow_approximate(std::uint32_t width, double load = std::numbers::ln2) noexcept;

/// A bound on the probability that any counter at all is asked to pass its maximum. [Fan et al. 2000]
[[nodiscard]] double any_counter_overflow_bound(std::uint32_t width, std::uint64_t counters, std::uint32_t probes,
                                                std::uint64_t keys) noexcept;

}  // namespace seen::inline v1::math
