// lookup3, little-endian, 32 bits (Bob Jenkins, 2006, public domain): "Jenkins" in Hadoop.
//
//   a = b = c = 0xdeadbeef + length + seed
//   while more than 12 bytes are left: a, b, c += the next three words;  mix
//   the last 1..12 bytes, zero-filled to three words, are added too;     final        (no bytes: c as it began)
//
// mix and final are subtractions, rotations and xors of the three words, one after the other.
#pragma once

#include <seen/base/bits.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

/// hashlittle of lookup3: the word c.
[[nodiscard]] inline std::uint32_t lookup3(bytes_view key, std::uint32_t seed) noexcept {
  std::uint32_t a = 0xdead'beef + static_cast<std::uint32_t>(key.size()) + seed;
  std::uint32_t b = a, c = a;
  const std::byte* at = key.data();
  std::size_t left = key.size();
  if (left == 0) return c;

  const auto step = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int by) {
    x = (x - z) ^ std::rotl(z, by);
    z += y;
  };
  for (; left > 12; at += 12, left -= 12) {
    a += load_le<std::uint32_t>(at);
    b += load_le<std::uint32_t>(at + 4);
    c += load_le<std::uint32_t>(at + 8);
    step(a, b, c, 4), step(b, c, a, 6), step(c, a, b, 8);
    step(a, b, c, 16), step(b, c, a, 19), step(c, a, b, 4);
  }

  const auto word = [&](std::size_t from) {  // whole, partial or missing
    const std::size_t n = left > from ? std::min<std::size_t>(4, left - from) : 0;
    return n == 0 ? 0 : static_cast<std::uint32_t>(load_tail(at + from, n));
  };
  a += word(0);
  b += word(4);
  c += word(8);
  const auto last = [](std::uint32_t& x, std::uint32_t y, int by) { x = (x ^ y) - std::rotl(y, by); };
  last(c, b, 14), last(a, c, 11), last(b, a, 25);
  last(c, b, 16), last(a, c, 4), last(b, a, 14);
  last(c, b, 24);
  return c;
}

}  // namespace seen::inline v1
