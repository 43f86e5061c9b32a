// Counts calls of operator new in this executable. Link support/allocations.cpp (a folder's CMake line does).
#pragma once

#include <cstdint>

namespace seen::testing {

/// Calls of operator new so far, in all threads.
std::uint64_t allocations() noexcept;

}  // namespace seen::testing
