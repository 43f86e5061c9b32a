// MurmurHash3 x64-128 as Apache Cassandra computes it: the tail is another.
//
//   the last 1..15 bytes   each is a signed byte, made 64 bits wide, shifted to its place and xored into its word;
//                          so the sign bits of a byte from 0x80 up flip all bytes above it
//
// Whole blocks of 16 bytes are hashed as everywhere, and so is every key whose tail is ASCII. Cassandra calls the result a
// token and cannot repair it.
#pragma once

#include <seen/hash/murmur3.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

/// The two words of Cassandra's MurmurHash3 x64-128.
[[nodiscard]] inline std::array<std::uint64_t, 2> murmur3_x64_128_cassandra_words(bytes_view key,
                                                                                  std::uint64_t seed = 0) noexcept {
  return detail::murmur3_x64_128_with(key, seed, [](const std::byte* from, std::size_t n) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t wide = std::to_integer<std::int8_t>(from[i]);
      word ^= static_cast<std::uint64_t>(wide) << (8 * i);
    }
    return word;
  });
}

}  // namespace seen::inline v1
