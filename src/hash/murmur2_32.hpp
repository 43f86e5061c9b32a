// MurmurHash2, 32 bits (Austin Appleby, public domain algorithm): the hash of libbloom and of old RedisBloom files, and Hadoop's with another tail.
//
//   4 bytes ─► k (little-endian word)          h = seed ^ length
//   k = k·M;  k ^= k >> 24;  h = h·M ^ k·M
//   the last 1..3 bytes t0 t1 t2 are a word:   h = (h ^ t)·M
//     the original   t = t0 | t1 << 8 | t2 << 16
//     Hadoop         the other way round (t2 lowest), and each byte is sign-extended and xored
//   h ^= h >> 13;  h = h·M;  h ^= h >> 15
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {
namespace detail {

/// MurmurHash2 with a given idea of what word the last n = 1..3 bytes make: tail_word(from, n).
template <class TailWord>
[[nodiscard]] inline std::uint32_t murmur2_32_with(bytes_view key, std::uint32_t seed, TailWord tail_word) noexcept {
  constexpr std::uint32_t m = 0x5bd1'e995;
  std::uint32_t h = seed ^ static_cast<std::uint32_t>(key.size());
  const std::byte* at = key.data();
  std::size_t left = key.size();
  for (; left >= 4; at += 4, left -= 4) {
    const std::uint32_t k = load_le<std::uint32_t>(at) * m;
    h = (h * m) ^ ((k ^ (k >> 24)) * m);
  }
  if (left != 0) h = (h ^ tail_word(at, left)) * m;
  h = (h ^ (h >> 13)) * m;
  return h ^ (h >> 15);
}

}  // namespace detail

/// MurmurHash2.
[[nodiscard]] inline std::uint32_t murmur2_32(bytes_view key, std::uint32_t seed) noexcept {
  return detail::murmur2_32_with(key, seed, [](const std::byte* from, std::size_t n) noexcept {
    return static_cast<std::uint32_t>(load_tail(from, n));
  });
}

/// Hadoop's MurmurHash.
[[nodiscard]] inline std::uint32_t murmur2_32_hadoop(bytes_view key, std::uint32_t seed) noexcept {
  return detail::murmur2_32_with(key, seed, [](const std::byte* from, std::size_t n) noexcept {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::int32_t wide = std::to_integer<std::int8_t>(from[i]);
      word ^= static_cast<std::uint32_t>(wide) << (8 * (n - 1 - i));
    }
    return word;
  });
}

}  // namespace seen::inline v1
