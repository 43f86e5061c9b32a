// A fixed set of locks shared by all filters, picked by a 64-bit value.
//
// Filters stay small and movable because none of them holds a mutex; two filters that meet on one stripe only wait a
// little longer. Used where a promise needs exclusion (test_and_add_exclusive, reset), never by add or may_contain.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace seen {
inline namespace v1 {
namespace detail {

/// Locks the stripe that `value` falls on.
inline std::unique_lock<std::mutex> lock_stripe(std::uint64_t value) {
  static std::array<std::mutex, 256> stripes;  // far more than threads, so that chance meetings are rare
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  return std::unique_lock(stripes[static_cast<std::size_t>((value * golden) >> 56)]);
}

}  // namespace detail
}  // namespace v1
}  // namespace seen
