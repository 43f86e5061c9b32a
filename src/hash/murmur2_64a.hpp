// MurmurHash64A (Austin Appleby, public domain algorithm): MurmurHash2 for 64-bit machines, the hash of RedisBloom.
//
//   h = seed ^ length·M                                   M = 0xc6a4a7935bd1e995
//   every 8 bytes, a little-endian word w:                w = w·M;  w ^= w >> 47;  h = (h ^ w·M)·M
//   the last 1..7 bytes, zero-filled:                     h = (h ^ w)·M
//   h ^= h >> 47;  h = h·M;  h ^= h >> 47
//
// The seed has 64 bits: RedisBloom gives the first hash of a key as the seed of the second.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

/// MurmurHash64A of a key.
[[nodiscard]] inline std::uint64_t murmur2_64a(bytes_view key, std::uint64_t seed) noexcept {
  constexpr std::uint64_t m = 0xc6a4'a793'5bd1'e995;
  std::uint64_t h = seed ^ (key.size() * m);
  const std::byte* at = key.data();
  std::size_t left = key.size();
  for (; left >= 8; at += 8, left -= 8) {
    const std::uint64_t word = load_le<std::uint64_t>(at) * m;
    h = (h ^ ((word ^ (word >> 47)) * m)) * m;
  }
  if (left != 0) h = (h ^ load_tail(at, left)) * m;
  h = (h ^ (h >> 47)) * m;
  return h ^ (h >> 47);
}

}  // namespace seen::inline v1
