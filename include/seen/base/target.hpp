// target: what a user asks of a filter, before any filter exists.
#pragma once

#include <seen/base/version.hpp>

#include <cstdint>

namespace seen::inline v1 {

/// How many keys a filter must hold, and how often it may say "maybe" to a key it does not hold.
struct target {
  std::uint64_t capacity = 0;  ///< keys, never bits
  double fpr = 0;              ///< probability in (0, 1)

  friend bool operator==(const target&, const target&) = default;
};

}  // namespace seen::inline v1
