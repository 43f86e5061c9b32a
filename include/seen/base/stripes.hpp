// A fixed set of locks shared by all filters, picked by a 64-bit value.
//
// Filters stay small and movable because none of them holds a mutex; two filters that meet on one stripe only wait a
// little longer. Used where a promise needs exclusion (test_and_add_exclusive, reset), never by add or may_contain. The
// locks live in the compiled library, so that all parts of a program share them.
#pragma once

#include <cstdint>
#include <mutex>

namespace seen::inline v1::detail {

/// Locks the stripe that `value` falls on.
[[nodiscard]] std::unique_lock<std::mutex> lock_stripe(std::uint64_t value);

}  // namespace seen::inline v1::detail
