// Numbers in the registers that lookups have to spare: vector registers, where the program is compiled for AVX2.
//
//   misses under way = keys under way × lines per key        keys under way ≤ integer registers / those a key writes
//
// A single lookup in a table beyond the first caches takes as long as its misses, divided by how many of them overlap.
// The processor runs ahead of a miss until something it has only so many of is spent, and the first of these are the
// registers behind the names of integers: every instruction that writes one holds it until all before it are done.
// Measured on Zen 5 with three lines per key in 112 MB: an instruction more that writes an integer register costs 0.95 ns
// per key, whatever it does; one that writes none, or a vector register, costs nothing. So a lookup computes addresses in
// vector registers as far as it can, and adds slots up there: 22 ns instead of 32.
//
//   spare_word       64 bits with the few operations that positions are made of
//   slot_sum<Slot>   the exclusive or of slots
//
// Elsewhere both are plain integers. All give the same answers.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>

#if defined(__AVX2__) && defined(__x86_64__)
#include <immintrin.h>
#endif

namespace seen::inline v1::kernels {

// The following is compiled differently for different targets, and has a name of its own in each.
#if defined(__AVX2__) && defined(__x86_64__)
inline namespace avx2 {

/// 64 bits of a vector register.
class spare_word {
 public:
  [[gnu::always_inline]] explicit spare_word(std::uint64_t value) noexcept
      : spare_word(_mm_cvtsi64_si128(static_cast<long long>(value))) {}

  [[nodiscard, gnu::always_inline]] explicit operator std::uint64_t() const noexcept {
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(bits_));
  }
  [[nodiscard, gnu::always_inline]] friend spare_word operator+(spare_word a, spare_word b) noexcept {
    return spare_word(_mm_add_epi64(a.bits_, b.bits_));
  }
  [[nodiscard, gnu::always_inline]] friend spare_word operator^(spare_word a, spare_word b) noexcept {
    return spare_word(_mm_xor_si128(a.bits_, b.bits_));
  }
  /// Of numbers below 2^32.
  [[nodiscard, gnu::always_inline]] friend spare_word operator*(spare_word a, spare_word b) noexcept {
    return spare_word(_mm_mul_epu32(a.bits_, b.bits_));
  }
  [[nodiscard, gnu::always_inline]] friend spare_word operator>>(spare_word a, std::uint32_t n) noexcept {
    return spare_word(_mm_srl_epi64(a.bits_, _mm_cvtsi32_si128(static_cast<int>(n))));
  }
  [[nodiscard, gnu::always_inline]] friend spare_word operator<<(spare_word a, std::uint32_t n) noexcept {
    return spare_word(_mm_sll_epi64(a.bits_, _mm_cvtsi32_si128(static_cast<int>(n))));
  }

 private:
  template <class Slot>
  friend class slot_sum;
  [[gnu::always_inline]] explicit spare_word(__m128i bits) noexcept : bits_(bits) {}

  __m128i bits_;
};

/// The exclusive or of slots of 8, 16 or 32 bits.
template <class Slot>
class slot_sum {
 public:
  /// Begins with the lowest bits of a number.
  [[gnu::always_inline]] explicit slot_sum(spare_word first) noexcept : bits_(first.bits_) {}

  [[gnu::always_inline]] void add(const std::byte* slot) noexcept {
    bits_ = _mm_xor_si128(bits_, spread(load_le<Slot>(slot)));
  }
  [[nodiscard, gnu::always_inline]] bool is_zero() const noexcept {
    return _mm_testz_si128(bits_, _mm_cvtsi64_si128(static_cast<Slot>(~Slot{0}))) != 0;
  }

 private:
  // Loads of one slot go to a vector register if they are copied to all of it.
  [[nodiscard, gnu::always_inline]] static __m128i spread(Slot slot) noexcept {
    if constexpr (sizeof(Slot) == 1) return _mm_set1_epi8(static_cast<char>(slot));
    if constexpr (sizeof(Slot) == 2) return _mm_set1_epi16(static_cast<short>(slot));
    return _mm_set1_epi32(static_cast<int>(slot));
  }

  __m128i bits_;
};

}  // namespace avx2
#else
inline namespace portable {

/// 64 bits.
using spare_word = std::uint64_t;

/// The exclusive or of slots of 8, 16 or 32 bits.
template <class Slot>
class slot_sum {
 public:
  /// Begins with the lowest bits of a number.
  [[gnu::always_inline]] explicit slot_sum(spare_word first) noexcept : sum_(static_cast<Slot>(first)) {}

  [[gnu::always_inline]] void add(const std::byte* slot) noexcept {
    sum_ = static_cast<Slot>(sum_ ^ load_le<Slot>(slot));
  }
  [[nodiscard, gnu::always_inline]] bool is_zero() const noexcept { return sum_ == 0; }

 private:
  Slot sum_;
};

}  // namespace portable
#endif

}  // namespace seen::inline v1::kernels
