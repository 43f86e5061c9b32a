// MetroHash64, variant 1 (J. Andrew Rogers, Apache-2.0 / MIT algorithm): the hash of seiflotfy/cuckoofilter.
//
//   h = (seed + K2)·K0
//   from 32 bytes up   four lanes of 8 bytes each, which begin with h and take from each other; h += what they end with
//   the rest           16 bytes as two lanes; then 8, 4, 2 and 1 bytes, as far as they are there
//   h ^= h ror 28;  h = h·K0;  h ^= h ror 29
//
// Words are little-endian, shorter ones zero-filled. The length is not hashed: it only decides which steps are taken.
#pragma once

#include <seen/base/bits.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

/// MetroHash64 of a key, variant 1.
[[nodiscard]] inline std::uint64_t metro64(bytes_view key, std::uint64_t seed) noexcept {
  constexpr std::array<std::uint64_t, 4> k{0xd6d0'18f5, 0xa2aa'033b, 0x6299'2fc1, 0x30bc'5b29};
  std::uint64_t h = (seed + k[2]) * k[0];
  const std::byte* at = key.data();
  std::size_t left = key.size();
  const auto next = [&]<class Word>(Word) {
    const std::uint64_t word = load_le<Word>(at);
    at += sizeof(Word);
    left -= sizeof(Word);
    return word;
  };

  if (left >= 32) {
    std::array<std::uint64_t, 4> v{h, h, h, h};
    while (left >= 32) {
      for (std::size_t j = 0; j < 4; ++j) {
        v[j] += next(std::uint64_t{}) * k[j];
        v[j] = std::rotr(v[j], 29) + v[(j + 2) % 4];
      }
    }
    v[2] ^= std::rotr((v[0] + v[3]) * k[0] + v[1], 37) * k[1];
    v[3] ^= std::rotr((v[1] + v[2]) * k[1] + v[0], 37) * k[0];
    v[0] ^= std::rotr((v[0] + v[2]) * k[0] + v[3], 37) * k[1];
    v[1] ^= std::rotr((v[1] + v[3]) * k[1] + v[2], 37) * k[0];
    h += v[0] ^ v[1];
  }
  if (left >= 16) {
    std::uint64_t a = std::rotr(h + next(std::uint64_t{}) * k[2], 29) * k[3];
    std::uint64_t b = std::rotr(h + next(std::uint64_t{}) * k[2], 29) * k[3];
    a ^= std::rotr(a * k[0], 21) + b;
    b ^= std::rotr(b * k[3], 21) + a;
    h += b;
  }
  const auto mix = [&](std::uint64_t word, int by) {
    h += word * k[3];
    h ^= std::rotr(h, by) * k[1];
  };
  if (left >= 8) mix(next(std::uint64_t{}), 55);
  if (left >= 4) mix(next(std::uint32_t{}), 26);
  if (left >= 2) mix(next(std::uint16_t{}), 48);
  if (left >= 1) mix(next(std::uint8_t{}), 37);
  h ^= std::rotr(h, 28);
  h *= k[0];
  return h ^ std::rotr(h, 29);
}

}  // namespace seen::inline v1
