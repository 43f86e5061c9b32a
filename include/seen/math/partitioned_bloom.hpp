// The partitioned Bloom filter in numbers: k slices, probe i falls in slice i.
//
//   |<-- slice 0: s bits -->|<-- slice 1 -->| … |<-- slice k−1 -->|       s = ceil(m/k)
//
// Each key throws one ball into each slice, and the slices are independent, so a short formula is exact:
//   (1 − (1−1/s)^n)^k + n/2^64     [Kirsch & Mitzenmacher 2006, "Less Hashing, Same Performance"]
#pragma once

#include <seen/math/bloom.hpp>

#include <cstdint>

namespace seen::inline v1::math {

/// The two numbers that make a partitioned Bloom filter.
struct partitioned_shape {
  std::uint64_t slice_bits = 0;
  std::uint32_t probes = 0;

  /// All slices together.
  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return slice_bits * probes; }

  friend bool operator==(const partitioned_shape&, const partitioned_shape&) = default;
};

/// The shape for a target: the classic filter's m and k, m rounded up to a multiple of k.
[[nodiscard]] result<partitioned_shape> partitioned_shape_for(const target& t);

/// The true rate of `probes` slices of `slice_bits` bits after `keys` adds; 1 without bits or probes, 0 without keys.
[[nodiscard]] double partitioned_fpr(std::uint64_t slice_bits, std::uint32_t probes, std::uint64_t keys) noexcept;

}  // namespace seen::inline v1::math
