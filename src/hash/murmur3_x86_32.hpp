// MurmurHash3 x86-32 (Austin Appleby, public domain algorithm) as Apache Spark computes it.
//
//   4 bytes ─► k (little-endian word)          h = seed
//   h ^= k·C1 rotl 15 ·C2;  h = rotl(h, 13)·5 + 0xe6546b64
//   the last 0..3 bytes   Spark: each of them, sign-extended to 32 bits, goes through a whole round like a word
//                         (the original gathers them in one word, and leaves out the rotation and what follows it)
//   h ^= length, and h is finalised
//
// So Spark's is the original for keys of whole words only, integers among them.
#pragma once

#include <seen/base/bits.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

/// Spark's MurmurHash3 x86-32, with its tail.
[[nodiscard]] inline std::uint32_t murmur3_x86_32_spark(bytes_view key, std::uint32_t seed) noexcept {
  std::uint32_t h = seed;
  const auto round = [&h](std::uint32_t k) {
    h ^= std::rotl(k * 0xcc9e'2d51, 15) * 0x1b87'3593;
    h = std::rotl(h, 13) * 5 + 0xe654'6b64;
  };
  const std::byte* at = key.data();
  std::size_t left = key.size();
  for (; left >= 4; at += 4, left -= 4) round(load_le<std::uint32_t>(at));
  for (; left != 0; ++at, --left) round(static_cast<std::uint32_t>(std::to_integer<std::int8_t>(*at)));

  h ^= static_cast<std::uint32_t>(key.size());
  h = (h ^ (h >> 16)) * 0x85eb'ca6b;
  h = (h ^ (h >> 13)) * 0xc2b2'ae35;
  return h ^ (h >> 16);
}

}  // namespace seen::inline v1
