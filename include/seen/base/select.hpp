// Rank and select in one 64-bit word: how many bits are set, and where the k-th of them is.
//
//   popcount(w)          number of set bits
//   select_bit(w, k)     position of the set bit that has k set bits below it; 64 where there are not so many
//   select_two(w, k)     w with only that bit and the next one set, as far as there are so many; k at most 63
//
// With BMI2 select is two instructions (deposit one bit into w, count the zeros below it). Without it: sums of the
// bytes side by side in one word, the byte found by eight comparisons in one subtraction, the bit by a table
// [Vigna 2008, "Broadword Implementation of Rank/Select Queries"]. A plain x86-64 build has no popcount instruction
// either, and the compiler would call a function for it.
//
// Code that depends on the instruction set stands in a namespace named after it, so that two files compiled for
// different machines do not give one name two bodies.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace seen::inline v1::detail {

/// The lowest `count` bits set, for `count` from 0 to 64.
[[nodiscard]] constexpr std::uint64_t low_bits(std::uint64_t count) noexcept {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// The same for `count` from 0 to 63.
[[nodiscard]] constexpr std::uint64_t low_bits_below_64(std::uint64_t count) noexcept {
  return (std::uint64_t{1} << count) - 1;
}

namespace portable {

inline constexpr std::uint64_t ones = 0x0101'0101'0101'0101;  // 1 in every byte

/// The number of set bits of each byte, in that byte.
[[nodiscard]] constexpr std::uint64_t byte_counts(std::uint64_t w) noexcept {
  w -= w >> 1 & 0x5555'5555'5555'5555;
  w = (w & 0x3333'3333'3333'3333) + (w >> 2 & 0x3333'3333'3333'3333);
  return (w + (w >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
}

[[nodiscard]] constexpr unsigned popcount(std::uint64_t w) noexcept {
  return static_cast<unsigned>(byte_counts(w) * ones >> 56);
}

/// place[k][byte]: where the set bit of `byte` with k set bits below it is.
inline constexpr auto place = [] {
  std::array<std::array<std::uint8_t, 256>, 8> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned k = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) table[k++][byte] = static_cast<std::uint8_t>(bit);
    }
  }
  return table;
}();

[[nodiscard]] constexpr unsigned select_bit(std::uint64_t w, unsigned k) noexcept {
  const std::uint64_t up_to = byte_counts(w) * ones;  // byte i: set bits in bytes 0 to i
  if (up_to >> 56 <= k) return 64;
  // Bit 7 of byte i: that many are not enough. No byte borrows from the next: 64 is the largest sum.
  const std::uint64_t before = ((k * ones | 0x80 * ones) - up_to) >> 7 & ones;
  const unsigned shift = static_cast<unsigned>(before * ones >> 53) & 0x78;  // 8 times the bytes before
  const unsigned left = k - static_cast<unsigned>((up_to << 8) >> shift & 0xff);
  return shift + place[left & 7][w >> shift & 0xff];
}

[[nodiscard]] constexpr std::uint64_t select_two(std::uint64_t w, unsigned k) noexcept {
  const unsigned at = select_bit(w, k);
  if (at >= 64) return 0;
  const std::uint64_t from = w >> at << at, after = from & (from - 1);
  return from ^ (after & (after - 1));
}

}  // namespace portable

#ifdef __POPCNT__
namespace popcnt {
[[nodiscard]] inline unsigned popcount(std::uint64_t w) noexcept {
  return static_cast<unsigned>(std::popcount(w));
}
}  // namespace popcnt
using popcnt::popcount;
#else
using portable::popcount;
#endif

#if defined(__BMI2__) && defined(__x86_64__)
namespace bmi2 {
[[nodiscard]] inline unsigned select_bit(std::uint64_t w, unsigned k) noexcept {
  return static_cast<unsigned>(std::countr_zero(_pdep_u64(std::uint64_t{1} << k, w)));
}
[[nodiscard]] inline std::uint64_t select_two(std::uint64_t w, unsigned k) noexcept {
  return _pdep_u64(std::uint64_t{3} << k, w);
}
}  // namespace bmi2
using bmi2::select_bit;
using bmi2::select_two;
#else
using portable::select_bit;
using portable::select_two;
#endif

}  // namespace seen::inline v1::detail
