// Whole arrays of words, touched as an access policy touches one: counting, comparing, combining, copying.
//
// Operations of engines over bits on all their words at once, whatever a bit means to them.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/select.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::detail {

/// Number of set bits, counted by the widest instructions there are (src/base/bit_words.cpp).
[[nodiscard]] std::uint64_t count_bits(const std::uint64_t* words, std::size_t count) noexcept;

/// Number of bits set in word(i) for every i from `first` on, `last` excluded. The words are gathered in pieces that stay in the
/// first-level cache.
template <class Word>
[[nodiscard]] std::uint64_t count_bits_of(Word word, std::size_t first, std::size_t last) noexcept {
  std::array<std::uint64_t, 512> piece;
  std::uint64_t set = 0;
  while (first < last) {
    const std::size_t count = std::min(piece.size(), last - first);
    for (std::size_t i = 0; i < count; ++i) piece[i] = word(first + i);
    set += count_bits(piece.data(), count);
    first += count;
  }
  return set;
}

/// Number of set bits.
template <class Access>
[[nodiscard]] std::uint64_t count_bits(const std::uint64_t* words, std::size_t count) noexcept {
  if constexpr (Access::is_shared) {
    return count_bits_of([&](std::size_t i) { return Access::load(words + i); }, 0, count);
  } else {
    return count_bits(words, count);
  }
}

/// Number of bits set in either of two arrays.
template <class Access>
[[nodiscard]] std::uint64_t count_bits_of_union(const std::uint64_t* a, const std::uint64_t* b,
                                                std::size_t count) noexcept {
  return count_bits_of([&](std::size_t i) { return Access::load(a + i) | Access::load(b + i); }, 0, count);
}

/// Whether two arrays are the same.
template <class Access>
[[nodiscard]] bool equal_words(const std::uint64_t* a, const std::uint64_t* b, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (Access::load(a + i) != Access::load(b + i)) return false;
  }
  return true;
}

/// Whether nothing but zeros follows the first `bits` bits.
template <class Access>
[[nodiscard]] bool zero_beyond(const std::uint64_t* words, std::size_t count, std::uint64_t bits) noexcept {
  for (auto i = static_cast<std::size_t>(bits / 64); i < count; ++i) {
    const std::uint64_t used = i == bits / 64 ? (std::uint64_t{1} << (bits % 64)) - 1 : 0;
    if ((Access::load(words + i) & ~little_endian(used)) != 0) return false;
  }
  return true;
}

/// Whether every word is 0.
template <class Access>
[[nodiscard]] bool all_zero(const std::uint64_t* words, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (Access::load(words + i) != 0) return false;
  }
  return true;
}

/// Reads each word once, into memory nobody else touches.
template <class Access>
void copy_words(std::uint64_t* to, const std::uint64_t* from, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) to[i] = Access::load(from + i);
}

}  // namespace seen::inline v1::detail
