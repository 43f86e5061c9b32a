// XXPH3: XXH3-64 as it was before it was finished, which RocksDB keeps for its filters.
//
//   length     way
//   0          RocksDB's own: a constant
//   1-3        three bytes and the length in one word
//   4-8        two overlapping halves in one word
//   9-16       two overlapping words, multiplied
//   17-128     pairs of words from both ends, the middle last
//   129-240    all pairs, the first eight mixed once in between
//   241-       eight lanes over stripes of 64 bytes, scrambled after every 16 stripes
//
// It has the secret, the primes and the structure of the released XXH3 (hash/xxh3.hpp) and gives another value for every
// key. No seed: RocksDB uses none.
#pragma once

#include <seen/hash/hash.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

namespace detail {

/// The pieces of XXPH3 over one key.
class xxh3_preview_key {
 public:
  explicit xxh3_preview_key(bytes_view key) noexcept : at_(key.data()), size_(key.size()) {}

  [[nodiscard]] std::uint64_t hash() const noexcept {
    if (size_ == 0) return fold(secret(0), p64_2);
    if (size_ <= 3) return of_bytes();
    if (size_ <= 8) return of_halves();
    if (size_ <= 16) return of_words();
    if (size_ <= 128) return of_pairs();
    if (size_ <= 240) return of_many_pairs();
    return of_stripes();
  }

 private:
  static constexpr std::uint64_t p32_1 = 0x9e37'79b1, p32_2 = 0x85eb'ca77, p32_3 = 0xc2b2'ae3d;
  static constexpr std::uint64_t p64_1 = 0x9e37'79b1'85eb'ca87, p64_2 = 0xc2b2'ae3d'27d4'eb4f,
                                 p64_3 = 0x1656'67b1'9e37'79f9, p64_4 = 0x85eb'ca77'c2b2'ae63,
                                 p64_5 = 0x27d4'eb2f'1656'67c5;
  // XXH3's default secret: 192 bytes, as little-endian words.
  static constexpr std::array<std::uint64_t, 24> secret_words{
      0xbe4b'a423'396c'feb8, 0x1cad'21f7'2c81'017c, 0xdb97'9083'e96d'd4de, 0x1f67'b3b7'a4a4'4072, 0x78e5'c0cc'4ee6'79cb,
      0x2172'ffcc'7dd0'5a82, 0x8e24'43f7'7446'08b8, 0x4c26'3a81'e690'35e0, 0xcb00'c391'bb52'283c, 0xa32e'531b'8b65'd088,
      0x4ef9'0da2'9748'6471, 0xd8ac'dea9'46ef'1938, 0x3f34'9ce3'3f76'faa8, 0x1d4f'0bc7'c7bb'dcf9, 0x3159'b4cd'4be0'518a,
      0x6473'78d9'c97e'9fc8, 0xc3eb'd334'83ac'c5ea, 0xeb63'13fa'ffa0'81c5, 0x49da'f0b7'51dd'0d17, 0x9e68'd429'2655'16d3,
      0xfca1'477d'58be'162b, 0xce31'd07a'd1b8'f88f, 0x2804'1695'8f3a'cb45, 0x7e40'4bbb'cafb'd7af,
  };

  // The word at any byte of the secret.
  static constexpr std::uint64_t secret(std::size_t byte) noexcept {
    const std::size_t i = byte / 8, shift = 8 * (byte % 8);
    return shift == 0 ? secret_words[i] : secret_words[i] >> shift | secret_words[i + 1] << (64 - shift);
  }
  static constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept { return a * b ^ mulhi(a, b); }
  static constexpr std::uint64_t avalanche(std::uint64_t x) noexcept {
    x = (x ^ x >> 37) * p64_3;
    return x ^ x >> 32;
  }

  [[nodiscard]] std::uint64_t word(std::size_t i) const noexcept { return load_le<std::uint64_t>(at_ + i); }
  [[nodiscard]] std::uint64_t half(std::size_t i) const noexcept { return load_le<std::uint32_t>(at_ + i); }
  [[nodiscard]] std::uint64_t byte(std::size_t i) const noexcept { return std::to_integer<std::uint64_t>(at_[i]); }
  [[nodiscard]] std::uint64_t mix16(std::size_t i, std::size_t s) const noexcept {
    return fold(word(i) ^ secret(s), word(i + 8) ^ secret(s + 8));
  }

  [[nodiscard]] std::uint64_t of_bytes() const noexcept {
    const std::uint64_t all = byte(0) | byte(size_ / 2) << 8 | byte(size_ - 1) << 16 | std::uint64_t{size_} << 24;
    return avalanche((all ^ (secret(0) & 0xffff'ffff)) * p64_1);
  }
  [[nodiscard]] std::uint64_t of_halves() const noexcept {
    const std::uint64_t all = (half(0) | half(size_ - 4) << 32) ^ secret(0);
    const std::uint64_t x = size_ + (all ^ all >> 51) * p32_1;
    return avalanche((x ^ x >> 47) * p64_2);
  }
  [[nodiscard]] std::uint64_t of_words() const noexcept {
    const std::uint64_t low = word(0) ^ secret(0), high = word(size_ - 8) ^ secret(8);
    return avalanche(size_ + low + high + fold(low, high));
  }
  [[nodiscard]] std::uint64_t of_pairs() const noexcept {
    std::uint64_t sum = size_ * p64_1;
    for (std::size_t i = 0; 32 * i < size_; ++i)
      sum += mix16(16 * i, 32 * i) + mix16(size_ - 16 * (i + 1), 32 * i + 16);
    return avalanche(sum);
  }
  [[nodiscard]] std::uint64_t of_many_pairs() const noexcept {
    std::uint64_t sum = size_ * p64_1;
    for (std::size_t i = 0; i < 8; ++i) sum += mix16(16 * i, 16 * i);
    sum = avalanche(sum);
    for (std::size_t i = 8; i < size_ / 16; ++i) sum += mix16(16 * i, 16 * (i - 8) + 3);
    return avalanche(sum + mix16(size_ - 16, 119));
  }

  using lanes = std::array<std::uint64_t, 8>;
  void stripe(lanes& lane, std::size_t i, std::size_t s) const noexcept {
    for (std::size_t j = 0; j < lane.size(); ++j) {
      const std::uint64_t v = word(i + 8 * j), keyed = v ^ secret(s + 8 * j);
      lane[j] += v + (keyed & 0xffff'ffff) * (keyed >> 32);
    }
  }
  [[nodiscard]] std::uint64_t of_stripes() const noexcept {
    lanes lane{p32_3, p64_1, p64_2, p64_3, p64_4, p32_2, p64_5, p32_1};
    const std::size_t stripes = size_ / 64;
    for (std::size_t n = 0; n < stripes; ++n) {
      stripe(lane, 64 * n, 8 * (n % 16));
      if (n % 16 != 15) continue;
      for (std::size_t j = 0; j < lane.size(); ++j) {
        lane[j] = (lane[j] ^ lane[j] >> 47 ^ secret(128 + 8 * j)) * p32_1;
      }
    }
    if (size_ % 64 != 0) stripe(lane, size_ - 64, 121);
    std::uint64_t sum = size_ * p64_1;
    for (std::size_t j = 0; j < 4; ++j) {
      sum += fold(lane[2 * j] ^ secret(11 + 16 * j), lane[2 * j + 1] ^ secret(19 + 16 * j));
    }
    return avalanche(sum);
  }

  const std::byte* at_;
  std::size_t size_;
};

}  // namespace detail

/// RocksDB's 64-bit hash of filter keys.
[[nodiscard]] inline std::uint64_t xxh3_preview(bytes_view key) noexcept {
  return detail::xxh3_preview_key(key).hash();
}

}  // namespace seen::inline v1
