// Counters of a few bits, packed in 64-bit words: a counting filter has them in place of bits.
//
//   word, w = 4     c15 c14 … c2 c1 c0         counter j is bits w·j … w·j + w - 1 of the array, lowest bit first; with
//                   63..60        7..4 3..0    w a divisor of 64 none straddles two words
//
// Counters saturate: one that has reached its maximum 2^w - 1 no longer knows how many adds it stands for, so it is
// neither raised nor lowered again. It may cost false positives, but never a key.
//
// Functions named packed_… work on all counters of a word at once, without a loop ("SIMD within a register", after
// Lamport 1975, "Multiple Byte Processing with Full-Word Instructions"); their words are in native order. Everything
// that touches memory goes through little_endian(), so that the bytes are the same on every machine.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/kernels/prefetch.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace seen::inline v1::kernels {

/// Keys between the prefetch of a block of counters and its use (kernels/counter_blocks.hpp).
inline constexpr std::size_t counter_blocks_ahead = 32;

/// The largest value of a counter of `width` bits: the one that is stuck.
[[nodiscard]] constexpr std::uint64_t counter_maximum(std::uint32_t width) noexcept {
  return (std::uint64_t{1} << width) - 1;
}

/// A word with the lowest bit of every counter set: width 2, 4, 8 or 16.
[[nodiscard]] constexpr std::uint64_t packed_ones(std::uint32_t width) noexcept {
  return ~std::uint64_t{0} / counter_maximum(width);
}

/// The lowest bit of every counter that is not 0.
[[nodiscard]] constexpr std::uint64_t packed_nonzero(std::uint64_t word, std::uint32_t width) noexcept {
  // After the step of s bits the lowest bit of a counter is the OR of its 2·s lowest. Bits that come in from the
  // counter above stay in the upper half.
  for (std::uint32_t step = 1; step < width; step *= 2) word |= word >> step;
  return word & packed_ones(width);
}

/// The sum of two words counter by counter, each stopping at the maximum.
[[nodiscard]] constexpr std::uint64_t packed_sum(std::uint64_t a, std::uint64_t b, std::uint32_t width) noexcept {
  const std::uint64_t top = packed_ones(width) << (width - 1);
  // Add without the top bits, which then take the carries, so that no counter spills into the next.
  const std::uint64_t sum = ((a & ~top) + (b & ~top)) ^ ((a ^ b) & top);
  const std::uint64_t over = ((a & b) | ((a | b) & ~sum)) & top;
  return sum | ((over << 1) - (over >> (width - 1)));
}

/// One more in the counter at bit `shift` of a word, unless it is stuck.
[[nodiscard]] constexpr std::uint64_t raised(std::uint64_t word, std::uint32_t shift, std::uint64_t maximum) noexcept {
  return word + (std::uint64_t{(word >> shift & maximum) != maximum} << shift);
}

/// One less, unless it is 0 or stuck.
[[nodiscard]] constexpr std::uint64_t lowered(std::uint64_t word, std::uint32_t shift, std::uint64_t maximum) noexcept {
  const std::uint64_t count = word >> shift & maximum;
  return word - (std::uint64_t{count != 0 && count != maximum} << shift);
}

/// The width of counters that has code of its own.
using usual_width = std::integral_constant<std::uint32_t, 4>;

/// The bits of either counter of a byte.
inline constexpr std::array<std::uint64_t, 2> counters_of_a_byte{0x0f, 0xf0};

/// Counters as the cells of kernels/bloom.hpp; Word is const where they are only looked at. Width is a number, or one known
/// when compiling. Two counters to a byte are told apart by a mask from a table: a shift by a count that is not known
/// takes so long that the compiler's shorter code with a constant width was slower than that without (Zen 5: single
/// lookups of seven probes in the second-level cache 6.3 and 6.6 ns, with the table 5.0).
template <class Access, class Word = std::uint64_t, class Width = std::uint32_t>
class counter_cells {
 public:
  /// Over counters of 2, 4, 8 or 16 bits.
  counter_cells(Word* words, Width width) noexcept
      : words_(words),
        log_width_(static_cast<std::uint32_t>(std::countr_zero(std::uint32_t{width}))),
        maximum_(counter_maximum(width)) {}

  [[nodiscard]] std::uint64_t bits(std::uint64_t count) const noexcept { return count << log_width(); }
  [[nodiscard]] std::uint64_t maximum() const noexcept { return is_usual ? counter_maximum(usual_width()) : maximum_; }

  [[nodiscard]] std::uint64_t value(std::uint64_t at) const noexcept {
    return little_endian(Access::load(word(at))) >> shift(at) & maximum();
  }
  [[nodiscard]] bool test(std::uint64_t at) const noexcept { return marks(at) != 0; }
  /// Without a branch: a counter of 0 borrows, and the borrow shows in the highest bit.
  template <std::size_t N>
  [[nodiscard, gnu::always_inline]] bool test_all(const std::array<std::uint64_t, N>& at) const noexcept {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < N; ++i) borrow |= marks(at[i]) - 1;
    return borrow >> 63 == 0;
  }
  [[gnu::always_inline]] void fetch(std::uint64_t at) const noexcept { prefetch(word(at)); }

  /// One more in each.
  template <std::size_t N>
  [[gnu::always_inline]] void put_all(const std::array<std::uint64_t, N>& at) const noexcept {
    for (std::size_t i = 0; i < N; ++i) put(at[i]);
  }
  /// One more; returns the value before.
  std::uint64_t put(std::uint64_t at) const noexcept { return change(at, raised); }
  /// One less; returns the value before.
  std::uint64_t take(std::uint64_t at) const noexcept { return change(at, lowered); }

 private:
  static constexpr bool is_usual = std::same_as<Width, usual_width>;

  /// Bits of a counter, where they lie or shifted; none where it is 0.
  [[nodiscard]] std::uint64_t marks(std::uint64_t at) const noexcept {
    if constexpr (is_usual && !Access::is_shared) {
      return reinterpret_cast<const std::uint8_t*>(words_)[at / 2] & counters_of_a_byte[at % 2];
    } else {
      return value(at);
    }
  }
  [[nodiscard]] std::uint32_t log_width() const noexcept { return is_usual ? 2 : log_width_; }
  [[nodiscard]] Word* word(std::uint64_t at) const noexcept { return words_ + (at >> (6 - log_width())); }
  [[nodiscard]] std::uint32_t shift(std::uint64_t at) const noexcept {
    return static_cast<std::uint32_t>(at << log_width()) & 63;
  }

  template <class Step>
  std::uint64_t change(std::uint64_t at, Step step) const noexcept {
    const std::uint32_t place = shift(at);
    const std::uint64_t before = Access::update(
        word(at), [&](std::uint64_t stored) { return little_endian(step(little_endian(stored), place, maximum())); });
    return little_endian(before) >> place & maximum();
  }

  Word* words_;
  std::uint32_t log_width_;
  std::uint64_t maximum_;
};

}  // namespace seen::inline v1::kernels
