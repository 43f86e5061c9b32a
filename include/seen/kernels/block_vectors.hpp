// Patterns tested and set with vectors, where the target the user builds for has them.
//
//   SSE2 (every x86-64)   split-block: a lane's 1 << s has no instruction, but the float 2^s is made by shifting s into
//                         its exponent, and converting it to an integer gives 1 << s (2^31 overflows to just that bit)
//   AVX2                  shifts by a vector of counts: the eight words are shifted at once, or eight masks are made
//
// AVX-512 needs half of AVX2's instructions and measured no faster for one key (docs/performance.md). Every function here
// gives what the scalar loop of kernels/block.hpp gives, bit for bit. Blocks need no alignment beyond their words'. Only
// for words that no other thread writes.
#pragma once

#include <seen/kernels/block_patterns.hpp>

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>

namespace seen {
inline namespace v1 {
namespace kernels {

#if defined(__AVX2__)
inline namespace avx2 {

/// x·salt_i for the eight lanes.
[[nodiscard, gnu::always_inline]] inline __m256i lane_products(std::uint32_t x) noexcept {
  return _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(x)),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block_salts.data())));
}
[[nodiscard, gnu::always_inline]] inline __m256i low_lanes(__m256i lanes) noexcept {
  return _mm256_cvtepu32_epi64(_mm256_castsi256_si128(lanes));
}
[[nodiscard, gnu::always_inline]] inline __m256i high_lanes(__m256i lanes) noexcept {
  return _mm256_cvtepu32_epi64(_mm256_extracti128_si256(lanes, 1));
}
/// The next six bits below the top six of each product.
[[nodiscard, gnu::always_inline]] inline __m256i second_places(__m256i products) noexcept {
  return _mm256_srli_epi32(_mm256_slli_epi32(products, 6), 26);
}
[[nodiscard, gnu::always_inline]] inline __m256i half_of(const std::uint64_t* block, int half) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block) + half);
}
[[gnu::always_inline]] inline void set_half(std::uint64_t* block, int half, __m256i mask) noexcept {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(block) + half, _mm256_or_si256(half_of(block, half), mask));
}

[[nodiscard, gnu::always_inline]] inline bool vector_covers(block_pattern_8, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  const __m256i at = _mm256_srli_epi32(lane_products(x), 26);
  const __m256i low = _mm256_srlv_epi64(half_of(block, 0), low_lanes(at));
  const __m256i high = _mm256_srlv_epi64(half_of(block, 1), high_lanes(at));
  return _mm256_testc_si256(_mm256_and_si256(low, high), _mm256_set1_epi64x(1)) != 0;
}
[[gnu::always_inline]] inline void vector_set(block_pattern_8, std::uint64_t* block, std::uint32_t x) noexcept {
  const __m256i at = _mm256_srli_epi32(lane_products(x), 26), one = _mm256_set1_epi64x(1);
  set_half(block, 0, _mm256_sllv_epi64(one, low_lanes(at)));
  set_half(block, 1, _mm256_sllv_epi64(one, high_lanes(at)));
}

[[nodiscard, gnu::always_inline]] inline bool vector_covers(block_pattern_16, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  const __m256i products = lane_products(x);
  const __m256i first = _mm256_srli_epi32(products, 26), second = second_places(products);
  const __m256i low = half_of(block, 0), high = half_of(block, 1);
  const __m256i both_low =
      _mm256_and_si256(_mm256_srlv_epi64(low, low_lanes(first)), _mm256_srlv_epi64(low, low_lanes(second)));
  const __m256i both_high =
      _mm256_and_si256(_mm256_srlv_epi64(high, high_lanes(first)), _mm256_srlv_epi64(high, high_lanes(second)));
  return _mm256_testc_si256(_mm256_and_si256(both_low, both_high), _mm256_set1_epi64x(1)) != 0;
}
[[gnu::always_inline]] inline void vector_set(block_pattern_16, std::uint64_t* block, std::uint32_t x) noexcept {
  const __m256i products = lane_products(x), one = _mm256_set1_epi64x(1);
  const __m256i first = _mm256_srli_epi32(products, 26), second = second_places(products);
  set_half(block, 0,
           _mm256_or_si256(_mm256_sllv_epi64(one, low_lanes(first)), _mm256_sllv_epi64(one, low_lanes(second))));
  set_half(block, 1,
           _mm256_or_si256(_mm256_sllv_epi64(one, high_lanes(first)), _mm256_sllv_epi64(one, high_lanes(second))));
}

[[nodiscard, gnu::always_inline]] inline __m256i split_mask(std::uint32_t x) noexcept {
  return _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(lane_products(x), 27));
}
[[nodiscard, gnu::always_inline]] inline bool vector_covers(split_block_pattern, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  return _mm256_testc_si256(half_of(block, 0), split_mask(x)) != 0;
}
[[gnu::always_inline]] inline void vector_set(split_block_pattern, std::uint64_t* block, std::uint32_t x) noexcept {
  set_half(block, 0, split_mask(x));
}

}  // namespace avx2
#else
inline namespace sse2 {

/// 1 << (x·salt_i >> 27) for lanes 4·half … 4·half + 3.
[[nodiscard, gnu::always_inline]] inline __m128i split_mask(std::uint32_t x, std::size_t half) noexcept {
  const __m128i both = _mm_set1_epi32(static_cast<int>(x));
  const std::uint32_t* const salt = block_salts.data() + 4 * half;
  // A product of two 64-bit lanes takes the low half of each, so the salts go every other one.
  const __m128i first = _mm_mul_epu32(both, _mm_set_epi32(0, static_cast<int>(salt[1]), 0, static_cast<int>(salt[0])));
  const __m128i last = _mm_mul_epu32(both, _mm_set_epi32(0, static_cast<int>(salt[3]), 0, static_cast<int>(salt[2])));
  const __m128i products =
      _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(first), _mm_castsi128_ps(last), _MM_SHUFFLE(2, 0, 2, 0)));
  const __m128i exponent = _mm_add_epi32(_mm_slli_epi32(_mm_srli_epi32(products, 27), 23), _mm_set1_epi32(127 << 23));
  return _mm_cvttps_epi32(_mm_castsi128_ps(exponent));
}
[[nodiscard, gnu::always_inline]] inline bool vector_covers(split_block_pattern, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  const auto* const halves = reinterpret_cast<const __m128i*>(block);
  const __m128i missing = _mm_or_si128(_mm_andnot_si128(_mm_loadu_si128(halves), split_mask(x, 0)),
                                       _mm_andnot_si128(_mm_loadu_si128(halves + 1), split_mask(x, 1)));
  return _mm_movemask_epi8(_mm_cmpeq_epi32(missing, _mm_setzero_si128())) == 0xffff;
}
[[gnu::always_inline]] inline void vector_set(split_block_pattern, std::uint64_t* block, std::uint32_t x) noexcept {
  auto* const halves = reinterpret_cast<__m128i*>(block);
  _mm_storeu_si128(halves, _mm_or_si128(_mm_loadu_si128(halves), split_mask(x, 0)));
  _mm_storeu_si128(halves + 1, _mm_or_si128(_mm_loadu_si128(halves + 1), split_mask(x, 1)));
}

}  // namespace sse2
#endif

}  // namespace kernels
}  // namespace v1
}  // namespace seen
#endif
