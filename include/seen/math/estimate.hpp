// Reading a filter backwards: from the number of set bits X to the number of keys.
//
//   n ≈ −(m/k)·ln(1 − X/m)          [Swamidass & Baldi 2007, "Mathematical Correction for Fingerprint Similarity
//                                    Measures to Improve Chemical Retrieval"]
//
// The OR of two filters is the filter of the union, so |A ∪ B| is the same formula on the united bits and
// |A ∩ B| ≈ n(A) + n(B) − n(A ∪ B), |A ∩ B|/|A ∪ B| is Jaccard's similarity. The AND of two filters is *not* the filter
// of the intersection and plays no part here.
//
// The estimate's error grows as the empty bits run out: beyond a fill of 0.7 it is weak, and at 1 there is none
// (infinity). Differences of estimates carry the errors of all three, so they are clamped to what is possible.
#pragma once

#include <cstdint>

namespace seen::inline v1::math {

/// The estimated number of different keys behind `set_bits` of `bits` bits: infinity when all are set, 0 when there
/// are none to set.
[[nodiscard]] double estimate_count(std::uint64_t set_bits, std::uint64_t bits, std::uint32_t probes) noexcept;

/// The set bits of a filter of so many keys at most, `throws` of them per key: six standard deviations and a bit above the mean,
/// passed once in 10^9 filters.
///
///   mean m·(1 − (1 − 1/m)^T), variance m·(e^−c − (1 + c)·e^−2c), T throws in all, c = T/m      [Kolchin et al. 1978]
///
/// More set bits than the mean are fewer coincidences than expected, whose number has a thinner tail than a normal variable. So
/// it holds for few keys too. Bits in blocks vary no more (tests/any_filter/health_test.cpp).
[[nodiscard]] double most_set_bits(std::uint64_t keys, std::uint64_t bits, double throws) noexcept;

/// What estimate_count gives of so many different keys at most; infinite where all bits are within that.
[[nodiscard]] double most_keys(std::uint64_t keys, std::uint64_t bits, double throws) noexcept;

/// True when a filter is so full that estimate_count deserves a warning.
[[nodiscard]] constexpr bool count_is_weak(double fill) noexcept {
  return fill > 0.7;
}

/// The rate of a filter with this share of its bits set, fill^k: what the bits say, whatever was added.
[[nodiscard]] double fpr_of_fill(double fill, std::uint32_t probes) noexcept;

/// What the number of set bits tells of a filter, without another look at them.
struct fill_estimates {
  double fill = 0;         ///< share of the bits that are set
  double keys = 0;         ///< how many it holds; infinite when every bit is set
  double fpr = 0;          ///< at this fill
  bool saturated = false;  ///< so full that the number of keys is weak
};

/// An estimated number of keys as a whole one: at least 1, at most 2^62.
[[nodiscard]] std::uint64_t whole_keys(double estimate) noexcept;

/// The bits in which so many keys have the rate `fpr`: the fill at which k probes all hit, read backwards.
[[nodiscard]] double bits_needed(double keys, double fpr, std::uint32_t probes) noexcept;

/// The estimated size of the union of two key sets, from the set bits of their filters' OR.
[[nodiscard]] double estimate_union(std::uint64_t set_in_union, std::uint64_t bits, std::uint32_t probes) noexcept;

/// The estimated number of keys common to two filters: between 0 and the smaller filter's estimate, never NaN.
/// Where only the union is full it is 0, where one filter is full the other's estimate.
[[nodiscard]] double estimate_intersection(std::uint64_t set_a, std::uint64_t set_b, std::uint64_t set_in_union,
                                           std::uint64_t bits, std::uint32_t probes) noexcept;

/// The estimated share of common keys among all keys of two filters, in [0, 1]; 1 for equal bits, even empty or full.
[[nodiscard]] double estimate_jaccard(std::uint64_t set_a, std::uint64_t set_b, std::uint64_t set_in_union,
                                      std::uint64_t bits, std::uint32_t probes) noexcept;

}  // namespace seen::inline v1::math
