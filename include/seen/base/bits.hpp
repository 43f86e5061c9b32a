// Arithmetic on 64-bit words that everything above needs: multiply-high, little-endian loads and stores, bit masks.
//
// Files are little-endian with bit i at byte i/8, mask 1 << (i % 8). On a little-endian machine a 64-bit word loaded
// natively has bit i at 1 << i; on a big-endian one the *mask* is byte-swapped instead of the words, so that the same
// bytes are mapped, queried and written on both.
#pragma once

#include <seen/base/version.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

namespace seen::inline v1 {

/// The bytes of a key, a body or a file.
using bytes_view = std::span<const std::byte>;

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 uint128;
#endif

/// The high 64 bits of a 64 x 64 bit product: maps a uniform x to [0, range) without a division.
/// [Lemire 2019, "Fast Random Integer Generation in an Interval"]
[[nodiscard]] constexpr std::uint64_t mulhi(std::uint64_t x, std::uint64_t range) noexcept {
#ifdef __SIZEOF_INT128__
  return static_cast<std::uint64_t>((static_cast<uint128>(x) * range) >> 64);
#else  // 32-bit machines: four 32 x 32 bit products
  const std::uint64_t x0 = x & 0xffff'ffff, x1 = x >> 32, r0 = range & 0xffff'ffff, r1 = range >> 32;
  const std::uint64_t middle = x1 * r0 + ((x0 * r0) >> 32);
  return x1 * r1 + (middle >> 32) + ((x0 * r1 + (middle & 0xffff'ffff)) >> 32);
#endif
}

/// The low and the high half of a 64 x 64 bit product, xored. (As two products g++ 12 would make two multiplications.)
[[nodiscard]] constexpr std::uint64_t folded_product(std::uint64_t x, std::uint64_t y) noexcept {
#ifdef __SIZEOF_INT128__
  const uint128 product = static_cast<uint128>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
  return x * y ^ mulhi(x, y);
#endif
}

/// One step of SplitMix64 from the state x: a bijection in which every input bit reaches every output bit.
[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t x) noexcept {
  x += 0x9e37'79b9'7f4a'7c15;  // 2^64 / golden ratio
  x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
  return x ^ (x >> 31);
}

/// A number that may be anything, for a member of 32 bits: too large stays too large.
[[nodiscard]] constexpr std::uint32_t clamp_to_u32(std::uint64_t value) noexcept {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, 0xffff'ffff));
}

/// A number of bytes that may be anything, for memory: on a 32-bit machine too large stays too large, and is refused where memory is
/// asked for. A cast would ask for the rest of a division by 4 GiB.
[[nodiscard]] constexpr std::size_t clamp_to_size(std::uint64_t bytes) noexcept {
  return static_cast<std::size_t>(std::min<std::uint64_t>(bytes, std::numeric_limits<std::size_t>::max()));
}

[[nodiscard]] constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) noexcept {
  return a / b + (a % b != 0);
}

/// The smallest multiple of `unit` that is at least `n`.
[[nodiscard]] constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t unit) noexcept {
  return ceil_div(n, unit) * unit;
}

[[nodiscard]] constexpr std::uint32_t byteswap(std::uint32_t x) noexcept {
  return __builtin_bswap32(x);
}
[[nodiscard]] constexpr std::uint64_t byteswap(std::uint64_t x) noexcept {
  return __builtin_bswap64(x);
}

/// Converts between native order and little-endian; its own inverse, and nothing at all on x86 and ARM.
template <class UInt>
[[nodiscard]] constexpr UInt little_endian(UInt x) noexcept {
  if constexpr (std::endian::native == std::endian::little || sizeof(UInt) == 1) {
    return x;
  } else if constexpr (sizeof(UInt) == 2) {
    return static_cast<UInt>(__builtin_bswap16(x));
  } else {
    return byteswap(x);
  }
}

/// Reads a little-endian integer from any address.
template <class UInt>
[[nodiscard]] UInt load_le(const std::byte* from) noexcept {
  UInt x;
  std::memcpy(&x, from, sizeof x);
  return little_endian(x);
}

/// Writes a little-endian integer to any address.
template <class UInt>
void store_le(std::byte* to, UInt x) noexcept {
  x = little_endian(x);
  std::memcpy(to, &x, sizeof x);
}

/// The mask that selects bit `position % 64` in the word that holds it, for words kept in file order.
[[nodiscard]] constexpr std::uint64_t bit_mask(std::uint64_t position) noexcept {
  return little_endian(std::uint64_t{1} << (position & 63));
}

/// The little-endian word of the n < 8 bytes at `from`, its upper bytes zero. Reads nothing beyond them: the last few bytes
/// of a key, as hashes that work by 8-byte words want them.
///
///   n = 4..7   two overlapping 4-byte loads; where they overlap they agree, so OR-ing them is harmless
///   n = 1..3   first, middle and last byte, which between them are all of them
///
/// Copying the bytes into a zeroed buffer and loading that would be simpler; it costs 5 ns per key, because the load has
/// to wait for several smaller stores.
[[nodiscard]] inline std::uint64_t load_tail(const std::byte* from, std::size_t n) noexcept {
  assert(n < 8);
  if (n >= 4) {
    const std::uint64_t low = load_le<std::uint32_t>(from);
    const std::uint64_t high = load_le<std::uint32_t>(from + n - 4);
    return low | (high << (8 * (n - 4)));
  }
  if (n == 0) return 0;
  const auto byte = [from](std::size_t i) { return std::to_integer<std::uint64_t>(from[i]) << (8 * i); };
  return byte(0) | byte(n / 2) | byte(n - 1);
}

namespace detail {

// x mod m for one m and many x, without a division.   [Barrett 1986]
//
// With M = floor((2^64 - 1) / m), mulhi(x, M) is floor(x / m) or one less, for every 64-bit x and m; so x less so many
// times m is the remainder, or m more. Two multiplications and a subtraction that may be taken back, where an exact
// fraction of 128 bits [Lemire, Kaser, Kurz 2019] takes five. (mulhi(x, m) alone is something else: it maps to the same
// range but is not a remainder.)

/// Remainders by a fixed divisor. A default one has none: it is for shapes without positions.
class fastmod {
 public:
  fastmod() noexcept = default;
  explicit fastmod(std::uint64_t divisor) noexcept : divisor_(divisor), magic_(~std::uint64_t{0} / divisor) {}

  [[nodiscard]] std::uint64_t divisor() const noexcept { return divisor_; }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const noexcept {
    const std::uint64_t rest = x - mulhi(x, magic_) * divisor_;
    return rest >= divisor_ ? rest - divisor_ : rest;
  }

 private:
  std::uint64_t divisor_ = 0;
  std::uint64_t magic_ = 0;
};

}  // namespace detail

}  // namespace seen::inline v1
