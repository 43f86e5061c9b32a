// Whole arrays of words, touched as an access policy touches one: counting, comparing, combining, copying.
//
// Operations of engines over bits on all their words at once, whatever a bit means to them.
#pragma once

#include <seen/base/bits.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::detail {

/// Number of set bits.
template <class Access>
[[nodiscard]] std::uint64_t count_bits(const std::uint64_t* words, std::size_t count) noexcept {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < count; ++i) set += static_cast<std::uint64_t>(std::popcount(Access::load(words + i)));
  return set;
}

/// Number of bits set in either of two arrays.
template <class Access>
[[nodiscard]] std::uint64_t count_bits_of_union(const std::uint64_t* a, const std::uint64_t* b,
                                                std::size_t count) noexcept {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < count; ++i) {
    set += static_cast<std::uint64_t>(std::popcount(Access::load(a + i) | Access::load(b + i)));
  }
  return set;
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
