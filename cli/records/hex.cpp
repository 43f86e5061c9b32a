// A digit's value is found for 16 characters at once, or for 32 with AVX2, in vectors of the compiler, which every machine has in
// some form:
//
//   '0' … '9'             c & 15          pair of values as a number of 16 bits:
//   'a' … 'f', 'A' … 'F'  (c & 15) + 9    first * 16 + second is its byte
//
// The last vector of a key overlaps those before; a key shorter than one is filled up with zeros. Of the 40 digits of a SHA-1
// digit by digit takes 130 ns, a vector of 16 at a time 5, and of 32 at a time 2.
#include "records/hex.hpp"

#include <seen/base/instructions.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace seen::cli {
namespace {

constexpr std::size_t shortest = 16;  // of vectors

// As many characters as a vector has, and for each of them ones or zeros.
template <std::size_t Width>
struct vectors {
  using characters [[gnu::vector_size(Width)]] = std::uint8_t;
  using pairs [[gnu::vector_size(Width)]] = std::uint16_t;
  using bytes [[gnu::vector_size(Width / 2)]] = std::uint8_t;
};

// A vector of digits as half as many bytes; takes out of `good` those that are none. (By reference, since a function that returns
// a wide vector is called in another way where AVX is missing.)
template <std::size_t Width>
[[gnu::always_inline]] inline void decode_vector(const std::byte* digits, std::byte* to,
                                                 typename vectors<Width>::characters& good) noexcept {
  using characters = typename vectors<Width>::characters;
  using pairs = typename vectors<Width>::pairs;
  characters text;
  std::memcpy(&text, digits, sizeof text);
  const auto is_number = reinterpret_cast<characters>(text - '0' < 10);
  const auto is_letter = reinterpret_cast<characters>((text | 32) - 'a' < 6);
  const auto pair = reinterpret_cast<pairs>((text & 15) + (is_letter & 9));
  constexpr bool is_little = std::endian::native == std::endian::little;
  // Little-endian, first + 256 * second, times 4097: the upper byte of that is the sum that is wanted, the rest overflows.
  const pairs joined = is_little ? pair * 4097 >> 8 : (pair >> 4 | pair) & 255;
  const auto bytes = __builtin_convertvector(joined, typename vectors<Width>::bytes);
  std::memcpy(to, &bytes, sizeof bytes);
  good &= is_number | is_letter;
}

// All of it, which is as long as a vector at least.
template <std::size_t Width>
[[gnu::always_inline]] inline bool decode_long(bytes_view digits, std::byte* to) noexcept {
  const std::size_t last = digits.size() - Width;
  typename vectors<Width>::characters good = ~typename vectors<Width>::characters{};
  decode_vector<Width>(digits.data() + last, to + last / 2, good);
  for (std::size_t at = 0; at < last; at += Width) decode_vector<Width>(digits.data() + at, to + at / 2, good);
  std::array<std::uint64_t, Width / 8> all;
  std::memcpy(all.data(), &good, sizeof good);
  std::uint64_t both = ~std::uint64_t{0};
  for (const std::uint64_t each : all) both &= each;
  return both == ~std::uint64_t{0};
}

inline bool decode_short(bytes_view digits, std::byte* to) noexcept {
  std::array<std::byte, shortest> padded;
  std::array<std::byte, shortest / 2> bytes;
  padded.fill(std::byte{'0'});
  std::copy(digits.begin(), digits.end(), padded.begin());
  const bool good = decode_long<shortest>(padded, bytes.data());
  std::copy_n(bytes.begin(), digits.size() / 2, to);
  return good;
}

// Records that are a vector at least, as most lists have them alone, are taken in a loop of their own: the compiler keeps its
// constants in registers then.
template <std::size_t Width>
[[gnu::always_inline]] inline std::size_t decode_records(std::span<const bytes_view> records, std::byte* to,
                                                         bytes_view* keys) noexcept {
  const std::size_t count = records.size();
  std::size_t i = 0;
  const auto keep = [&](std::size_t digits) {
    keys[i++] = {to, digits / 2};
    to += digits / 2;
  };
  for (;;) {
    for (; i != count && records[i].size() >= Width; keep(records[i].size())) {
      if (records[i].size() % 2 != 0 || !decode_long<Width>(records[i], to)) return i;
    }
    if (i == count) return i;
    const bytes_view digits = records[i];
    const bool is_short = digits.size() < shortest;
    if (digits.size() % 2 != 0 || !(is_short ? decode_short(digits, to) : decode_long<shortest>(digits, to))) return i;
    keep(digits.size());
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] std::size_t decode_avx2(std::span<const bytes_view> records, std::byte* to,
                                                bytes_view* keys) noexcept {
  return decode_records<32>(records, to, keys);
}
#endif

}  // namespace

std::size_t decode_hex(std::span<const bytes_view> records, std::byte* to, bytes_view* keys) noexcept {
#if defined(__x86_64__)
  if (best_instructions() >= instruction_set::avx2) return decode_avx2(records, to, keys);
#endif
  return decode_records<shortest>(records, to, keys);
}

std::size_t find_no_digit(bytes_view text) noexcept {
  const auto is_digit = [](std::byte b) {
    const auto c = std::to_integer<unsigned>(b);
    return c - '0' < 10 || (c | 32) - 'a' < 6;
  };
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

}  // namespace seen::cli
