// A fixed set of locks shared by all filters, picked by a 64-bit value.
//
// Filters stay small and movable because none of them holds a mutex; two filters that meet on one stripe only wait a
// little longer. Used where a promise needs exclusion (test_and_add_exclusive, reset), never by add or may_contain. The
// locks live in the compiled library, so that all parts of a program share them.
#pragma once

#include <cstdint>

namespace seen::inline v1::detail {

/// Holds the stripe that a value falls on, as long as it lives.
class [[nodiscard]] stripe_lock {
 public:
  explicit stripe_lock(std::uint64_t value);
  ~stripe_lock();
  stripe_lock(const stripe_lock&) = delete;
  stripe_lock& operator=(const stripe_lock&) = delete;

 private:
  void* mutex_;  // a std::mutex, whose header is not for everyone to compile
};

}  // namespace seen::inline v1::detail
