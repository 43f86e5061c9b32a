// Watches operator new in this executable: counts calls, measures the heap, and fails when a test asks for it. Link
// support/allocations.cpp (a folder's CMake line does).
#pragma once

#include <cstdint>

namespace seen::testing {

/// Calls of operator new so far, in all threads.
std::uint64_t allocations() noexcept;

/// Bytes on the heap now.
std::uint64_t heap_bytes() noexcept;

/// The most bytes that were on the heap at once while this object lived, beyond those there at its beginning.
class heap_watch {
 public:
  heap_watch() noexcept;
  [[nodiscard]] std::uint64_t peak() const noexcept;

 private:
  std::uint64_t at_begin_;
};

/// Makes operator new fail for as long as it lives: call number `countdown` (from 0), or every call from that one on.
class failing_allocations {
 public:
  enum class mode { once, from_then_on };
  failing_allocations(std::uint64_t countdown, mode how) noexcept;
  failing_allocations(const failing_allocations&) = delete;
  failing_allocations& operator=(const failing_allocations&) = delete;
  ~failing_allocations();

  /// True if a call has failed.
  [[nodiscard]] static bool happened() noexcept;
};

}  // namespace seen::testing
