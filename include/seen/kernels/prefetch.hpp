// Asking for a line of memory before it is needed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seen::inline v1::kernels {

/// Tables up to this size are taken to be in the second-level cache, and not prefetched. Common caches have 1 or 2 MiB.
/// Asking for the true size at run time would gain nothing: just around it both ways take the same time.
inline constexpr std::size_t cached_bytes = std::size_t{1} << 20;
/// The same in bits.
inline constexpr std::uint64_t cached_bits = 8 * std::uint64_t{cached_bytes};

/// Asks for a line. (Always inlined: g++ 12 takes a function that only prefetches for one without effect, and drops the
/// calls that it has not inlined by then.)
[[gnu::always_inline]] inline void prefetch(const void* address) noexcept {
  __builtin_prefetch(address, 0, 2);
}

/// Asks for a line in the first-level cache: where few are waited for at a time, and each is used once.
[[gnu::always_inline]] inline void prefetch_near(const void* address) noexcept {
  __builtin_prefetch(address, 0, 3);
}

}  // namespace seen::inline v1::kernels
