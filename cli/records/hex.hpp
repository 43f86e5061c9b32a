// Hexadecimal digits to bytes. A digit's value is found for 16 characters at once, in vectors of the compiler, which every
// machine has in some form:
//
//   '0' … '9'             c & 15          pair of values as a number of 16 bits:
//   'a' … 'f', 'A' … 'F'  (c & 15) + 9    first * 16 + second is its byte
//
// The last sixteen characters of a key overlap those before; a key of fewer is filled up with zeros. 40 digits take 4 ns,
// digit by digit 130.
#pragma once

#include <seen/base/bits.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace seen::cli {

/// Sixteen characters, and for each of them ones or zeros.
using hex_vector = std::uint8_t __attribute__((vector_size(16)));

/// Sixteen digits as eight bytes; returns which of them are digits.
inline hex_vector decode_sixteen(const std::byte* digits, std::byte* to) noexcept {
  using pairs = std::uint16_t __attribute__((vector_size(16)));
  using eight = std::uint8_t __attribute__((vector_size(8)));
  hex_vector text;
  std::memcpy(&text, digits, sizeof text);
  const auto is_number = reinterpret_cast<hex_vector>(text - '0' < 10);
  const auto is_letter = reinterpret_cast<hex_vector>((text | 32) - 'a' < 6);
  const auto pair = reinterpret_cast<pairs>((text & 15) + (is_letter & 9));
  constexpr bool is_little = std::endian::native == std::endian::little;
  const pairs joined = (is_little ? pair << 4 | pair >> 8 : pair >> 4 | pair) & 255;
  const eight bytes = __builtin_convertvector(joined, eight);
  std::memcpy(to, &bytes, sizeof bytes);
  return is_number | is_letter;
}

inline bool is_hex_digit(std::byte b) noexcept {
  const auto c = std::to_integer<unsigned>(b);
  return c - '0' < 10 || (c | 32) - 'a' < 6;
}

/// Writes the bytes of an even number of digits and returns how many digits it read: all, or those before the first
/// character that is none.
inline std::size_t decode_hex(bytes_view digits, std::byte* to) noexcept {
  constexpr std::size_t at_once = sizeof(hex_vector);
  const std::size_t size = digits.size();
  hex_vector good;
  if (size < at_once) {
    std::array<std::byte, at_once> padded;
    std::array<std::byte, at_once / 2> bytes;
    padded.fill(std::byte{'0'});
    std::copy(digits.begin(), digits.end(), padded.begin());
    good = decode_sixteen(padded.data(), bytes.data());
    std::copy_n(bytes.begin(), size / 2, to);
  } else {
    const std::size_t last = size - at_once;
    good = decode_sixteen(digits.data() + last, to + last / 2);
    for (std::size_t at = 0; at < last; at += at_once) good &= decode_sixteen(digits.data() + at, to + at / 2);
  }
  std::array<std::uint64_t, 2> all;
  std::memcpy(all.data(), &good, sizeof good);
  if ((all[0] & all[1]) == ~std::uint64_t{0}) return size;
  return static_cast<std::size_t>(std::find_if_not(digits.begin(), digits.end(), is_hex_digit) - digits.begin());
}

}  // namespace seen::cli
