// The last few bytes of a key, as the hashes that work by 8-byte words want them: zero-filled to a word.
//
//   n = 4..7   two overlapping 4-byte loads; where they overlap they agree, so OR-ing them is harmless
//   n = 1..3   first, middle and last byte, which between them are all of them
//
// Copying the bytes into a zeroed buffer and loading that would be simpler; it costs 5 ns a key, because the load has
// to wait for several smaller stores.
#pragma once

#include <seen/base/bits.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

/// The little-endian word of the n < 8 bytes at `from`, its upper bytes zero. Reads nothing beyond them.
[[nodiscard]] inline std::uint64_t load_tail(const std::byte* from, std::size_t n) noexcept {
  assert(n < 8);
  if (n >= 4) {
    const std::uint64_t low = load_le<std::uint32_t>(from);
    const std::uint64_t high = load_le<std::uint32_t>(from + n - 4);
    return low | (high << (8 * (n - 4)));
  }
  if (n == 0) return 0;
  const auto byte = [from](std::size_t i) { return std::to_integer<std::uint64_t>(from[i]) << (8 * i); };
  return byte(0) | byte(n / 2) | byte(n - 1);
}

}  // namespace seen::inline v1
