// Keys as they come in real life. Hashes and filters that look perfect on random keys have failed on each of these, so
// every rate test runs over all eight, with query keys of the same shape as the added ones.
//
//   shape       key number i                                        length      distinct for
//   le64        i, 8 bytes little-endian                            8           all i
//   be64        i, 8 bytes big-endian                               8           all i
//   le32        i, 4 bytes little-endian                            4           i < 2^32
//   decimal     "0", "1", … "12345"                                 1..20       all i
//   prefixed    "https://example.org/users/12345"                   27..46      all i
//   stride256   i·256, 8 bytes little-endian                        8           i < 2^56
//   shifted     i·2^32, 8 bytes little-endian (low half zero)       8           i < 2^32
//   random      16 bytes from a mixer (the first 8 a bijection)     16          all i
#pragma once

#include <seen/base/bits.hpp>

#include <array>
#include <cassert>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>

namespace seen::testing {

/// A small, fast, reproducible random generator (SplitMix64); also usable with <random>.
class rng {
 public:
  using result_type = std::uint64_t;

  constexpr explicit rng(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t operator()() noexcept { return mix(state_ += step); }

  /// Uniform in [0, range), but for a bias below range / 2^64.
  constexpr std::uint64_t below(std::uint64_t range) noexcept { return mulhi((*this)(), range); }

  static constexpr std::uint64_t min() noexcept { return 0; }
  static constexpr std::uint64_t max() noexcept { return std::numeric_limits<std::uint64_t>::max(); }

  /// The generator's output function, a bijection.
  static constexpr std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
    return x ^ (x >> 31);
  }

 private:
  static constexpr std::uint64_t step = 0x9e37'79b9'7f4a'7c15;
  std::uint64_t state_;
};

enum class key_shape : std::uint8_t { le64, be64, le32, decimal, prefixed, stride256, shifted, random };

inline constexpr std::array all_key_shapes{key_shape::le64,    key_shape::be64,     key_shape::le32,
                                           key_shape::decimal, key_shape::prefixed, key_shape::stride256,
                                           key_shape::shifted, key_shape::random};

[[nodiscard]] constexpr const char* name_of(key_shape shape) noexcept {
  constexpr std::array names{"le64", "be64", "le32", "decimal", "prefixed", "stride256", "shifted", "random"};
  return names[static_cast<std::size_t>(shape)];
}

/// For test messages and parameter names.
inline std::ostream& operator<<(std::ostream& out, key_shape shape) {
  return out << name_of(shape);
}

/// Makes keys without allocating: each call overwrites the key of the call before.
class key_buffer {
 public:
  /// Key number `index` of a shape; the view is valid until the next call.
  std::string_view operator()(key_shape shape, std::uint64_t index) noexcept {
    switch (shape) {
      case key_shape::le64:
        return word(index);
      case key_shape::be64:
        return word(byteswap(index));
      case key_shape::le32:
        assert(index >> 32 == 0);
        return word(index).substr(0, 4);
      case key_shape::decimal:
        return number_at(0, index);
      case key_shape::prefixed:
        std::memcpy(bytes_.data(), prefix.data(), prefix.size());
        return number_at(prefix.size(), index);
      case key_shape::stride256:
        assert(index >> 56 == 0);
        return word(index << 8);
      case key_shape::shifted:
        assert(index >> 32 == 0);
        return word(index << 32);
      case key_shape::random:
        word_at(0, rng::mix(index ^ 0x5851'f42d'4c95'7f2d));  // any constant: moves the mixer's fixed point 0 away
        word_at(8, rng::mix(~index));
        return {bytes_.data(), 16};
    }
    return {};
  }

 private:
  static constexpr std::string_view prefix = "https://example.org/users/";

  void word_at(std::size_t offset, std::uint64_t x) noexcept {
    x = little_endian(x);
    std::memcpy(bytes_.data() + offset, &x, sizeof x);
  }
  std::string_view word(std::uint64_t x) noexcept {
    word_at(0, x);
    return {bytes_.data(), 8};
  }
  std::string_view number_at(std::size_t offset, std::uint64_t x) noexcept {
    const char* end = std::to_chars(bytes_.data() + offset, bytes_.data() + bytes_.size(), x).ptr;
    return {bytes_.data(), static_cast<std::size_t>(end - bytes_.data())};
  }

  std::array<char, 48> bytes_;  // prefix and 20 digits
};

/// Key number `index` of a shape, as a string of its own.
[[nodiscard]] inline std::string make_key(key_shape shape, std::uint64_t index) {
  return std::string(key_buffer()(shape, index));
}

}  // namespace seen::testing
