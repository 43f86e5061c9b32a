// Long forms. Every test has a short form that runs in `make test`; `make soak` sets SEEN_SOAK=1 and the same tests
// run with larger numbers. `make fuzz` sets SEEN_FUZZ_RUNS for the fuzzers alone.
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

/// How many mutated files a fuzzer opens.
inline std::uint64_t fuzz_runs(std::uint64_t brief, std::uint64_t lengthy) {
  const char* const value = std::getenv("SEEN_FUZZ_RUNS");
  return value != nullptr ? std::strtoull(value, nullptr, 10) : scaled(brief, lengthy);
}

}  // namespace seen::testing
