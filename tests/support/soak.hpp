// Long forms. Every test has a short form that runs in `make test`; `make soak` sets SEEN_SOAK=1 and the same tests
// run with larger numbers.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace seen::testing {

/// True in `make soak`.
inline bool soak() {
  static const bool on = [] {
    const char* value = std::getenv("SEEN_SOAK");
    return value != nullptr && *value != '\0' && *value != '0';
  }();
  return on;
}

/// The number to use: `brief` in `make test`, `lengthy` in `make soak`.
inline std::uint64_t scaled(std::uint64_t brief, std::uint64_t lengthy) {
  return soak() ? lengthy : brief;
}

}  // namespace seen::testing
