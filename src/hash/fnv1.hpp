// FNV-1, 64 and 32 bits: the elder of FNV-1a, with multiplication and xor the other way round.
//
//   h = offset basis;  for each byte b:  h = (h · prime) ^ b                    [Fowler, Noll, Vo 1991]
//
// The last byte is not multiplied at all: keys that differ only there differ in the lowest eight bits alone, and the
// high half of the 64 is the same. It is what Go calls fnv.New64, and what BoomFilters and DCSO's filters hash with.
#pragma once

#include <seen/hash/fnv1a.hpp>

#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

/// FNV-1 of 64 bits.
[[nodiscard]] constexpr std::uint64_t fnv1_64(bytes_view key) noexcept {
  std::uint64_t h = fnv1a_64_offset_basis;
  for (const std::byte b : key) h = (h * 0x0000'0100'0000'01b3) ^ std::to_integer<std::uint64_t>(b);
  return h;
}

/// FNV-1 of 32 bits.
[[nodiscard]] constexpr std::uint32_t fnv1_32(bytes_view key) noexcept {
  std::uint32_t h = 0x811c'9dc5;
  for (const std::byte b : key) h = (h * 0x0100'0193) ^ std::to_integer<std::uint32_t>(b);
  return h;
}

}  // namespace seen::inline v1
