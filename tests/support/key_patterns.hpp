// Integers as programs have them: what an integer hash must spread, and what random keys cannot show.
//
// A pattern is a name and a function from i to key number i. Keys 0 to 2^20 − 1 of a pattern are different. Rate tests add
// the first of them and ask for the next, so that what is asked has the structure of what was added.
#pragma once

#include <seen/base/bits.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::testing {

/// A family of integer keys.
struct key_pattern {
  const char* name;
  std::uint64_t (*key)(std::uint64_t i);
};

namespace detail {

inline constexpr std::uint64_t golden = 0x9e37'79b9'7f4a'7c15;  // the multiplier of the default hash
inline constexpr std::uint64_t chained =
    0xf135'7aea'2e62'a9c5;  // the multiplier behind it, and of Bloom filters' chains

/// The number that an odd one must be multiplied by to give 1.
constexpr std::uint64_t inverse(std::uint64_t odd) noexcept {
  std::uint64_t x = odd;
  for (int step = 0; step < 6; ++step) x *= 2 - odd * x;
  return x;
}
static_assert(inverse(golden) * golden == 1 && inverse(chained) * chained == 1);

/// The first eight characters of a number, of at least `digits` in this base.
inline std::uint64_t text_of(std::uint64_t i, int base, std::size_t digits) {
  std::array<char, 24> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), i, base).ptr;
  const auto length = static_cast<std::size_t>(end - text.data());
  std::uint64_t key = 0;
  for (std::size_t at = length < digits ? digits - length : 0, n = 0; n < length && at < 8; ++at, ++n) {
    key |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[n])) << (8 * at);
  }
  for (std::size_t at = 0; length < digits && at < digits - length; ++at) key |= std::uint64_t{'0'} << (8 * at);
  return key;
}

constexpr std::uint64_t reversed(std::uint64_t i) noexcept {
  std::uint64_t from_the_other_end = 0;
  for (int bit = 0; bit < 64; ++bit) from_the_other_end |= (i >> bit & 1) << (63 - bit);
  return from_the_other_end;
}

constexpr std::uint64_t every_nth_bit(std::uint64_t i, int n) noexcept {
  std::uint64_t spread = 0;
  for (int bit = 0; bit * n < 64; ++bit) spread |= (i >> bit & 1) << (bit * n);
  return spread;
}

}  // namespace detail

inline constexpr key_pattern all_key_patterns[]{
    // counters
    {"i", [](std::uint64_t i) { return i; }},
    {"from the top down", [](std::uint64_t i) { return ~i; }},
    {"gray code", [](std::uint64_t i) { return i ^ i >> 1; }},
    {"bytes swapped", [](std::uint64_t i) { return byteswap(i); }},
    {"bits reversed", [](std::uint64_t i) { return detail::reversed(i); }},
    // strides
    {"3i", [](std::uint64_t i) { return 3 * i; }},
    {"64i", [](std::uint64_t i) { return 64 * i; }},
    {"1000i", [](std::uint64_t i) { return 1000 * i; }},
    {"4096i", [](std::uint64_t i) { return 4096 * i; }},
    {"2^20 i", [](std::uint64_t i) { return i << 20; }},
    {"2^32 i", [](std::uint64_t i) { return i << 32; }},
    {"2^43 i", [](std::uint64_t i) { return i << 43; }},
    {"(2^32 + 1)i", [](std::uint64_t i) { return i * 0x1'0000'0001; }},
    {"16-bit words alike", [](std::uint64_t i) { return i * 0x0001'0001'0001'0001; }},
    // multiples and inverses of the constants in the hash
    {"golden i", [](std::uint64_t i) { return i * detail::golden; }},
    {"i / golden", [](std::uint64_t i) { return i * detail::inverse(detail::golden); }},
    {"2^32 i / golden", [](std::uint64_t i) { return (i << 32) * detail::inverse(detail::golden); }},
    {"chained i", [](std::uint64_t i) { return i * detail::chained; }},
    {"i / chained", [](std::uint64_t i) { return i * detail::inverse(detail::chained); }},
    // bits in a few places
    {"every 3rd bit", [](std::uint64_t i) { return detail::every_nth_bit(i, 3); }},
    {"low and high bits", [](std::uint64_t i) { return (i & 0x3ff) | i >> 10 << 53; }},
    // pairs and grids
    {"pairs of 32 bits", [](std::uint64_t i) { return i % 1500 << 32 | i / 1500; }},
    {"pairs in one word", [](std::uint64_t i) { return i % 1500 << 16 | i / 1500; }},
    {"pairs, the first on top", [](std::uint64_t i) { return i % 1500 << 48 | i / 1500; }},
    {"a grid of three axes", [](std::uint64_t i) { return i % 128 << 42 | i / 128 % 128 << 21 | i / 16384; }},
    // addresses
    {"pointers to 16 bytes", [](std::uint64_t i) { return 0x7f3a'1240'0010 + 16 * i; }},
    {"pointers to 48 bytes", [](std::uint64_t i) { return 0x7f3a'1240'0010 + 48 * i; }},
    {"pointers of a kernel", [](std::uint64_t i) { return 0xffff'8000'1234'0000 + 64 * i; }},
    {"IPv4", [](std::uint64_t i) { return 0x0a00'0000 + i; }},
    {"IPv4, bytes swapped",
     [](std::uint64_t i) { return std::uint64_t{byteswap(static_cast<std::uint32_t>(0x0a00'0000 + i))}; }},
    {"IPv4 and port", [](std::uint64_t i) { return (0x0a00'0000 + i / 16) << 16 | (1024 + i % 16); }},
    // times and identifiers
    {"nanoseconds", [](std::uint64_t i) { return 1'700'000'000'000'000'000 + 1'000'000 * i; }},
    {"milliseconds", [](std::uint64_t i) { return 1'700'000'000'000 + i; }},
    {"time, machine, sequence", [](std::uint64_t i) { return (1'400'000'000'000 + i / 7) << 22 | 3 << 12 | i % 7; }},
    // floating point
    {"whole doubles", [](std::uint64_t i) { return std::bit_cast<std::uint64_t>(static_cast<double>(i)); }},
    {"sevenths", [](std::uint64_t i) { return std::bit_cast<std::uint64_t>(static_cast<double>(i) / 7); }},
    {"hundredths", [](std::uint64_t i) { return std::bit_cast<std::uint64_t>(static_cast<double>(i) / 100); }},
    // text of eight bytes, and shorter text padded with zeros
    {"decimal, 8 digits", [](std::uint64_t i) { return detail::text_of(i, 10, 8); }},
    {"decimal", [](std::uint64_t i) { return detail::text_of(i, 10, 1); }},
    {"hexadecimal", [](std::uint64_t i) { return detail::text_of(i, 16, 8); }},
    // polynomials
    {"squares", [](std::uint64_t i) { return i * i; }},
    {"triangles", [](std::uint64_t i) { return i * (i + 1) / 2; }},
};

}  // namespace seen::testing
