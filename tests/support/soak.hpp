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

/// The same of a number of repetitions whose result does not depend on how many there are. An emulated machine (cmake/arch.cmake)
/// makes a twentieth of them: it is ten times as slow, and is asked about its layout, not about rare events.
inline std::uint64_t repetitions(std::uint64_t brief, std::uint64_t lengthy) {
#ifdef SEEN_EMULATED
  return scaled(brief / 20, lengthy / 20);
#else
  return scaled(brief, lengthy);
#endif
}

}  // namespace seen::testing
