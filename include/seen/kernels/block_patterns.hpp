// Which bits of a small block belong to a key: the patterns of the blocked kinds.
//
//   x, 32 bits of the digest ──► x·salt_i mod 2^32 ──► its top bits: a place in lane i
//
// A pattern is a type, so that every loop over its bits is unrolled and the words are known at compile time:
//
//   words, probes     64-bit words of a block; bits of a key
//   shape             the lanes, as the models want them (math/lanes.hpp)
//   bit_of<I>(x)      where bit I lies
//
// These are the specification. kernels/block.hpp lists the other places that know the patterns: they use the names
// below, in the plural where they work on vectors.
//
// A product's top bits depend on all bits of x, so lanes are as good as independent: rates measure as the model of
// independent bits says (tests/rates). All of this is part of the file format.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/math/blocked_bloom.hpp>
#include <seen/math/lanes.hpp>
#include <seen/math/split_block.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::kernels {

/// Eight odd 32-bit multipliers, one for each lane: those of Apache Parquet's split block, in its order.
inline constexpr std::array<std::uint32_t, 8> block_salts{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
                                                          0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};

/// The block of a digest where any number of blocks is possible: all 64 bits choose it.
[[nodiscard]] constexpr std::uint64_t block_by_product(digest d, std::uint64_t blocks) noexcept {
  return mulhi(d.value, blocks);
}
/// Parquet's: the high 32 bits choose it.
[[nodiscard]] constexpr std::uint64_t block_by_high_half(digest d, std::uint64_t blocks) noexcept {
  return ((d.value >> 32) * blocks) >> 32;
}

/// The number from which the place of a bit in lane `lane` is taken.
[[nodiscard]] constexpr std::uint32_t product(std::uint32_t x, std::uint32_t lane) noexcept {
  return x * block_salts[lane];
}
/// The place in a word: the top six bits of the product.
[[nodiscard]] constexpr std::uint32_t place(std::uint32_t product) noexcept {
  return product >> 26;
}
/// A second place in the same word: the next six bits.
[[nodiscard]] constexpr std::uint32_t second_place(std::uint32_t product) noexcept {
  return product >> 20 & 63;
}
/// The place in a pair of words: seven bits.
[[nodiscard]] constexpr std::uint32_t pair_place(std::uint32_t product) noexcept {
  return product >> 25;
}
/// The place in half a word: five bits.
[[nodiscard]] constexpr std::uint32_t half_place(std::uint32_t product) noexcept {
  return product >> 27;
}

/// Where a bit lies in its block.
struct block_bit {
  std::uint32_t word;
  std::uint32_t bit;  ///< below 64
};

/// 512 bits, one bit in each of the four pairs of words.
struct block_pattern_4 {
  static constexpr std::size_t words = 8;
  static constexpr std::uint32_t probes = 4;
  static constexpr math::lane_shape shape = math::block_lanes(probes);

  template <std::uint32_t I>
  static constexpr block_bit bit_of(std::uint32_t x) noexcept {
    const std::uint32_t at = pair_place(product(x, I));
    return {2 * I + at / 64, at % 64};
  }
};

/// 512 bits, one bit in each word.
struct block_pattern_8 {
  static constexpr std::size_t words = 8;
  static constexpr std::uint32_t probes = 8;
  static constexpr math::lane_shape shape = math::block_lanes(probes);

  template <std::uint32_t I>
  static constexpr block_bit bit_of(std::uint32_t x) noexcept {
    return {I, place(product(x, I))};
  }
};

/// 512 bits, two bits in each word: the top six bits of the product, and the next six.
struct block_pattern_16 {
  static constexpr std::size_t words = 8;
  static constexpr std::uint32_t probes = 16;
  static constexpr math::lane_shape shape = math::block_lanes(probes);

  template <std::uint32_t I>
  static constexpr block_bit bit_of(std::uint32_t x) noexcept {
    const std::uint32_t of_word = product(x, I / 2);
    return {I / 2, I % 2 == 0 ? place(of_word) : second_place(of_word)};
  }
};

/// Parquet's 256 bits: one bit in each half of each word.
struct split_block_pattern {
  static constexpr std::size_t words = 4;
  static constexpr std::uint32_t probes = 8;
  static constexpr math::lane_shape shape = math::split_block_shape;

  template <std::uint32_t I>
  static constexpr block_bit bit_of(std::uint32_t x) noexcept {
    return {I / 2, 32 * (I % 2) + half_place(product(x, I))};
  }
};

}  // namespace seen::inline v1::kernels
