// The ribbon query: r scalar products over GF(2) with 64 consecutive slots, and the code every machine can run.
//
//   block b      word 0: bit 0 of slots 64b … 64b+63     a query at slot s reads block s/64 and the one after it,
//                word 1: bit 1 of the same slots         shifts each pair of words together, and compares
//                  ⋮                                       parity(coefficient & (slots s … s+63 of word j))
//                word r−1                                 with bit j of the fingerprint, for all j
//
// Words of one result bit stand together ("interleaved" [Dillinger, Hübschle-Schneider, Sanders, Walzer 2022]), so that
// a query is one run of 16·r bytes: two adjacent cache lines at r = 8. The parities of eight words are taken at once:
// each step folds two registers into one, until eight bytes hold one word each, and a multiplication gathers their low
// bits. The other bodies (kernels/ribbon_vectors.hpp) give the same answers and are tested against this one.
//
// A last block of fewer than 64 slots, which only tables of one small layer have, keeps words of as many bits, one
// after another without a gap: 21 slots of 32 bits are 84 bytes. Keys that reach into it are asked four words at a time.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/math/ribbon.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace seen::inline v1::kernels {

/// Digests between the prefetch of a digest's blocks and its query.
inline constexpr std::size_t ribbon_ahead = 32;

/// One key's question to a layer.
struct ribbon_probe {
  const std::byte* block = nullptr;  ///< where the slot's block begins
  std::uint64_t slot = 0;            ///< only the low six bits count: the place within the block
  std::uint64_t coefficients = 0;    ///< of 64 slots; the first is 1
  std::uint64_t fingerprint = 0;     ///< r bits
};

/// The parities of eight words, as the bits of a byte.
[[nodiscard, gnu::always_inline]] inline std::uint64_t parities(const std::array<std::uint64_t, 8>& x) noexcept {
  constexpr std::uint64_t low32 = 0xffff'ffff, low16 = 0x0000'ffff'0000'ffff, low8 = 0x00ff'00ff'00ff'00ff;
  std::array<std::uint64_t, 4> y;
  std::array<std::uint64_t, 2> z;
  for (std::size_t i = 0; i < 4; ++i) {  // word i to the low half, word i + 4 to the high half
    y[i] = ((x[i] ^ x[i] >> 32) & low32) | ((x[i + 4] ^ x[i + 4] << 32) & ~low32);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    z[i] = ((y[i] ^ y[i] >> 16) & low16) | ((y[i + 2] ^ y[i + 2] << 16) & ~low16);
  }
  std::uint64_t bytes = ((z[0] ^ z[0] >> 8) & low8) | ((z[1] ^ z[1] << 8) & ~low8);
  bytes ^= bytes >> 4;  // a byte for each word, in the order 0 … 7
  bytes ^= bytes >> 2;
  bytes ^= bytes >> 1;
  return ((bytes & 0x0101'0101'0101'0101) * 0x0102'0408'1020'4080) >> 56;
}

namespace scalar {

/// Whether the slots answer with the fingerprint, in a layer of whole blocks.
[[nodiscard, gnu::always_inline]] inline bool ribbon_match(const ribbon_probe& p, std::uint32_t bits) noexcept {
  const std::uint64_t down = p.slot & 63, up = 63 - down;
  bool same = true;
  for (std::uint32_t first = 0; first < bits; first += 8) {
    std::array<std::uint64_t, 8> x{};
    const std::byte* const here = p.block + std::size_t{8} * first;
    const std::uint32_t count = std::min<std::uint32_t>(8, bits - first);
    for (std::uint32_t j = 0; j < count; ++j) {
      const auto low = load_le<std::uint64_t>(here + std::size_t{8} * j);
      const auto high = load_le<std::uint64_t>(here + std::size_t{8} * (bits + j));
      x[j] = (low >> down | (high << 1) << up) & p.coefficients;
    }
    same &= parities(x) == (p.fingerprint >> first & 0xff);
    if (first % 16 != 0 && !same) return false;
  }
  return same;
}

}  // namespace scalar

/// A layer of any number of slots, whose last block may be short, as the solver writes it and small tables are asked.
class ribbon_bits {
 public:
  ribbon_bits(std::uint64_t slots, std::uint32_t bits) noexcept
      : whole_(slots / 64), rest_(static_cast<std::uint32_t>(slots % 64)), bits_(bits) {}

  /// Bytes of the layer.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return math::ribbon_layer_bytes(whole_ * 64 + rest_, bits_); }

  /// Writes the words of a block, the last one only with as many bits as there are slots; the last bytes must be 0
  /// before.
  void write(std::byte* layer, std::uint64_t block, const std::uint64_t* words) const noexcept {
    for (std::uint32_t j = 0; j < bits_; ++j) {
      if (block < whole_) {
        store_le(layer + 8 * (block * bits_ + j), words[j]);
        continue;
      }
      for (std::uint32_t i = 0; i < rest_; ++i) {
        const std::uint64_t at = whole_ * 64 * bits_ + std::uint64_t{j} * rest_ + i;
        layer[at / 8] |= static_cast<std::byte>((words[j] >> i & 1) << (at % 8));
      }
    }
  }

  /// Whether the 64 slots from `slot` on lie in whole blocks, as ribbon_match reads them.
  [[nodiscard]] bool is_whole_at(std::uint64_t slot) const noexcept { return slot / 64 + 1 < whole_; }

  /// Whether the slots from `slot` on answer with the fingerprint.
  [[nodiscard]] bool match(const std::byte* layer, std::uint64_t slot, std::uint64_t coefficients,
                           std::uint64_t fingerprint) const noexcept {
    const std::uint64_t block = slot / 64, down = slot % 64, up = 63 - down;
    if (block == whole_)
      return answer([&](std::uint32_t j) { return last(layer, j) >> down & coefficients; }, fingerprint);
    const std::byte* const here = layer + 8 * block * bits_;
    const auto low = [&](std::uint32_t j) { return load_le<std::uint64_t>(here + std::size_t{8} * j) >> down; };
    if (block + 1 < whole_) {
      const auto high = [&](std::uint32_t j) { return load_le<std::uint64_t>(here + std::size_t{8} * (bits_ + j)); };
      return answer([&](std::uint32_t j) { return (low(j) | (high(j) << 1) << up) & coefficients; }, fingerprint);
    }
    return answer([&](std::uint32_t j) { return (low(j) | (last(layer, j) << 1) << up) & coefficients; }, fingerprint);
  }

 private:
  /// Word j of the last block, which has `rest_` slots.
  [[nodiscard, gnu::always_inline]] std::uint64_t last(const std::byte* layer, std::uint32_t j) const noexcept {
    const std::uint64_t at = whole_ * 64 * bits_ + std::uint64_t{j} * rest_;
    const std::byte* from = layer + at / 8;
    const std::uint64_t left = bytes() - at / 8;
    std::array<std::byte, 16> near{};
    if (left < 9) [[unlikely]] {  // a copy of unknown length is a call, which takes longer than all the rest
      std::memcpy(near.data(), from, static_cast<std::size_t>(left));
      from = near.data();
    }
    const auto low = load_le<std::uint64_t>(from), high = std::to_integer<std::uint64_t>(from[8]);
    return (low >> at % 8 | (high << 1) << (63 - at % 8)) & ((std::uint64_t{1} << rest_) - 1);
  }

  /// Whether the parities of all words are the fingerprint. Four are compared without a branch: 15 of 16 absent keys end
  /// there, and a branch for each would be mispredicted by every one of them.
  template <class Word>
  [[nodiscard, gnu::always_inline]] bool answer(Word word, std::uint64_t fingerprint) const noexcept {
    const auto differs = [&](std::uint32_t j) {
      return static_cast<std::uint64_t>(__builtin_parityll(word(j))) ^ (fingerprint >> j & 1);
    };
    std::uint32_t j = 0;
    for (; j + 4 <= bits_; j += 4) {
      if ((differs(j) | differs(j + 1) | differs(j + 2) | differs(j + 3)) != 0) return false;
    }
    for (; j < bits_; ++j) {
      if (differs(j) != 0) return false;
    }
    return true;
  }

  std::uint64_t whole_;
  std::uint32_t rest_;
  std::uint32_t bits_;
};

}  // namespace seen::inline v1::kernels
