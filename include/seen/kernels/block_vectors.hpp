// Patterns of one key tested and set with vectors.
//
//   SSE2 (every x86-64)   split-block: a lane's 1 << s has no instruction, but the float 2^s is made by shifting s into
//                         its exponent, and converting it to an integer gives 1 << s (2^31 overflows to just that bit)
//   AVX2                  shifts by a vector of counts: two instructions shift eight words, or make eight masks
//   AVX-512               the same with one
//
// A program compiled for AVX2 or AVX-512 has its body inlined. One compiled for any x86-64 looks up blocks of eight
// words by a call into AVX2 code where the machine has it. Every function here gives what the scalar loop of
// kernels/block.hpp gives, bit for bit. Blocks need no alignment beyond their words'. Blocks that other threads may write
// are the business of kernels/shared_block.hpp.
#pragma once

#include <seen/base/instructions.hpp>
#include <seen/kernels/block_patterns.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define SEEN_BLOCKS_FOR_AVX512 1
#endif

namespace seen::inline v1::kernels {

/// The salts, each in the lower half of a 64-bit lane: a product of 32-bit lanes is then alone in its lane, and a shift
/// away from being a count.
alignas(64) inline constexpr std::array<std::uint64_t, 8> spread_block_salts = [] {
  std::array<std::uint64_t, 8> lanes{};
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = block_salts[i];
  return lanes;
}();

/// The same for one bit in each pair of words: every salt twice.
alignas(64) inline constexpr std::array<std::uint64_t, 8> pair_block_salts = [] {
  std::array<std::uint64_t, 8> lanes{};
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = block_salts[i / 2];
  return lanes;
}();
/// What is taken from a place in a pair: it is then a place in the word, or 64 and more, and a shift by that leaves
/// nothing.
alignas(64) inline constexpr std::array<std::uint64_t, 8> pair_origins{0, 64, 0, 64, 0, 64, 0, 64};

/// Eight words, one or two bits in each.
template <class Pattern>
concept bits_in_each_word = std::same_as<Pattern, block_pattern_8> || std::same_as<Pattern, block_pattern_16>;
/// Eight words.
template <class Pattern>
concept in_eight_words = bits_in_each_word<Pattern> || std::same_as<Pattern, block_pattern_4>;

// Compiled for AVX2 whatever the program is compiled for.
namespace avx2_bodies {

[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i half_of(const std::uint64_t* block,
                                                                              int half) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block) + half);
}
[[gnu::target("avx2"), gnu::always_inline]] inline void set_half(std::uint64_t* block, int half,
                                                                 __m256i mask) noexcept {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(block) + half, _mm256_or_si256(half_of(block, half), mask));
}
/// x·salt_i for the words of one half, each in a lane of its own.
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i products(
    std::uint32_t x, int half, const std::array<std::uint64_t, 8>& salts = spread_block_salts) noexcept {
  return _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(x)), half_of(salts.data(), half));
}
/// The top six bits of a product, and the next six.
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i places(__m256i product) noexcept {
  return _mm256_srli_epi64(product, 26);
}
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i second_places(__m256i product) noexcept {
  return _mm256_and_si256(_mm256_srli_epi64(product, 20), _mm256_set1_epi64x(63));
}
/// The top seven bits.
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i pair_places(__m256i product) noexcept {
  return _mm256_srli_epi64(product, 25);
}
/// Whether the lowest bits of all lanes are set.
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline bool all_odd(__m256i lanes) noexcept {
  return _mm256_testc_si256(lanes, _mm256_set1_epi64x(1)) != 0;
}

[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i shifted(block_pattern_8, __m256i words,
                                                                              std::uint32_t x, int half) noexcept {
  return _mm256_srlv_epi64(words, places(products(x, half)));
}
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i mask(block_pattern_8, std::uint32_t x,
                                                                           int half) noexcept {
  return _mm256_sllv_epi64(_mm256_set1_epi64x(1), places(products(x, half)));
}
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i shifted(block_pattern_16, __m256i words,
                                                                              std::uint32_t x, int half) noexcept {
  const __m256i product = products(x, half);
  return _mm256_and_si256(_mm256_srlv_epi64(words, places(product)), _mm256_srlv_epi64(words, second_places(product)));
}
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i mask(block_pattern_16, std::uint32_t x,
                                                                           int half) noexcept {
  const __m256i product = products(x, half), one = _mm256_set1_epi64x(1);
  return _mm256_or_si256(_mm256_sllv_epi64(one, places(product)), _mm256_sllv_epi64(one, second_places(product)));
}

[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i mask(block_pattern_4, std::uint32_t x,
                                                                           int half) noexcept {
  const __m256i places = pair_places(products(x, half, pair_block_salts));
  return _mm256_sllv_epi64(_mm256_set1_epi64x(1), _mm256_sub_epi64(places, half_of(pair_origins.data(), half)));
}

/// Reads half a block: `whole` plainly. (at_once of kernels/shared_block.hpp reads words that other threads may write.)
struct whole {
  [[nodiscard, gnu::target("avx2"), gnu::always_inline]] static __m256i half(const std::uint64_t* block,
                                                                             int half) noexcept {
    return half_of(block, half);
  }
};

template <class Read = whole, bits_in_each_word Pattern>
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline bool covers(Pattern pattern, const std::uint64_t* block,
                                                                          std::uint32_t x) noexcept {
  return all_odd(
      _mm256_and_si256(shifted(pattern, Read::half(block, 0), x, 0), shifted(pattern, Read::half(block, 1), x, 1)));
}
template <class Read = whole>
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline bool covers(block_pattern_4 pattern,
                                                                          const std::uint64_t* block,
                                                                          std::uint32_t x) noexcept {
  const __m256i missing = _mm256_or_si256(_mm256_andnot_si256(Read::half(block, 0), mask(pattern, x, 0)),
                                          _mm256_andnot_si256(Read::half(block, 1), mask(pattern, x, 1)));
  return _mm256_testz_si256(missing, missing) != 0;
}
template <in_eight_words Pattern>
[[gnu::target("avx2"), gnu::always_inline]] inline void set(Pattern pattern, std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  set_half(block, 0, mask(pattern, x, 0));
  set_half(block, 1, mask(pattern, x, 1));
}

/// x·salt_i for the eight half words.
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i half_products(std::uint32_t x) noexcept {
  return _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(x)),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block_salts.data())));
}
/// The top five bits of a product.
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i half_places(__m256i product) noexcept {
  return _mm256_srli_epi32(product, 27);
}
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i split_mask(std::uint32_t x) noexcept {
  return _mm256_sllv_epi32(_mm256_set1_epi32(1), half_places(half_products(x)));
}
template <class Read = whole>
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline bool covers(split_block_pattern,
                                                                          const std::uint64_t* block,
                                                                          std::uint32_t x) noexcept {
  return _mm256_testc_si256(Read::half(block, 0), split_mask(x)) != 0;
}
[[gnu::target("avx2"), gnu::always_inline]] inline void set(split_block_pattern, std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  set_half(block, 0, split_mask(x));
}

}  // namespace avx2_bodies

#if defined(__AVX2__)
#if defined(SEEN_BLOCKS_FOR_AVX512)
inline namespace avx512 {

using eight_words [[gnu::vector_size(64)]] =
    unsigned long long;  // shifts by operators: g++ 12 warns of its own intrinsics

/// x·salt_i for the eight words, each in a lane of its own.
[[nodiscard, gnu::always_inline]] inline eight_words products(
    std::uint32_t x, const std::array<std::uint64_t, 8>& salts = spread_block_salts) noexcept {
  return reinterpret_cast<eight_words>(
      _mm512_mullo_epi32(_mm512_set1_epi32(static_cast<int>(x)), _mm512_load_si512(salts.data())));
}
/// The top six bits of a product, and the next six.
[[nodiscard, gnu::always_inline]] inline eight_words places(eight_words product) noexcept {
  return product >> 26;
}
[[nodiscard, gnu::always_inline]] inline eight_words second_places(eight_words product) noexcept {
  return product >> 20 & 63;
}
/// The top seven bits.
[[nodiscard, gnu::always_inline]] inline eight_words pair_places(eight_words product) noexcept {
  return product >> 25;
}
[[nodiscard, gnu::always_inline]] inline eight_words mask(block_pattern_4, std::uint32_t x) noexcept {
  const eight_words counts = pair_places(products(x, pair_block_salts)) -
                             reinterpret_cast<eight_words>(_mm512_load_si512(pair_origins.data()));
  // Not the operator, for which a shift by 64 and more is undefined. (The form with a mask: see above.)
  return reinterpret_cast<eight_words>(
      _mm512_maskz_sllv_epi64(0xff, _mm512_set1_epi64(1), reinterpret_cast<__m512i>(counts)));
}
[[nodiscard, gnu::always_inline]] inline eight_words words_of(const std::uint64_t* block) noexcept {
  return reinterpret_cast<eight_words>(_mm512_loadu_si512(block));
}
/// (By a test of the mask register: moving it to a general one takes a fifth of a lookup on Zen 5.)
[[nodiscard, gnu::always_inline]] inline bool all_odd(eight_words lanes) noexcept {
  const __mmask8 odd = _mm512_test_epi64_mask(reinterpret_cast<__m512i>(lanes), _mm512_set1_epi64(1));
  return _kortestc_mask8_u8(odd, odd) != 0;
}

[[nodiscard, gnu::always_inline]] inline bool none_set(eight_words lanes) noexcept {
  const __mmask8 some = _mm512_test_epi64_mask(reinterpret_cast<__m512i>(lanes), _mm512_set1_epi64(-1));
  return _kortestz_mask8_u8(some, some) != 0;
}

[[nodiscard, gnu::always_inline]] inline bool vector_covers(block_pattern_8, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  return all_odd(words_of(block) >> places(products(x)));
}
[[nodiscard, gnu::always_inline]] inline bool vector_covers(block_pattern_16, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  const eight_words product = products(x), words = words_of(block);
  return all_odd((words >> places(product)) & (words >> second_places(product)));
}
[[nodiscard, gnu::always_inline]] inline bool vector_covers(block_pattern_4 pattern, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  return none_set(mask(pattern, x) & ~words_of(block));
}
[[nodiscard, gnu::always_inline]] inline bool vector_covers(split_block_pattern pattern, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  return avx2_bodies::covers(pattern, block, x);
}
#else
inline namespace avx2 {

template <class Pattern>
requires requires(const std::uint64_t* block) {
  avx2_bodies::covers(Pattern(), block, 0);
}
[[nodiscard, gnu::always_inline]] inline bool vector_covers(Pattern pattern, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  return avx2_bodies::covers(pattern, block, x);
}
#endif

// (With AVX-512 in halves as well: single adds load the filter's members again after each store, and after one of 64
// bytes they wait longer.)
template <class Pattern>
requires requires(std::uint64_t* block) {
  avx2_bodies::set(Pattern(), block, 0);
}
[[gnu::always_inline]] inline void vector_set(Pattern pattern, std::uint64_t* block, std::uint32_t x) noexcept {
  avx2_bodies::set(pattern, block, x);
}

}  // namespace avx512 or avx2
#else
inline namespace sse2 {

/// x·salt_i for half words 4·half … 4·half + 3.
[[nodiscard, gnu::always_inline]] inline __m128i half_products(std::uint32_t x, std::size_t half) noexcept {
  const __m128i both = _mm_set1_epi32(static_cast<int>(x));
  const std::uint32_t* const salt = block_salts.data() + 4 * half;
  // A product of two 64-bit lanes takes the low half of each, so the salts go every other one.
  const __m128i first = _mm_mul_epu32(both, _mm_set_epi32(0, static_cast<int>(salt[1]), 0, static_cast<int>(salt[0])));
  const __m128i last = _mm_mul_epu32(both, _mm_set_epi32(0, static_cast<int>(salt[3]), 0, static_cast<int>(salt[2])));
  return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(first), _mm_castsi128_ps(last), _MM_SHUFFLE(2, 0, 2, 0)));
}
/// The top five bits of a product.
[[nodiscard, gnu::always_inline]] inline __m128i half_places(__m128i product) noexcept {
  return _mm_srli_epi32(product, 27);
}
/// 1 << place for half words 4·half … 4·half + 3.
[[nodiscard, gnu::always_inline]] inline __m128i split_mask(std::uint32_t x, std::size_t half) noexcept {
  const __m128i places = half_places(half_products(x, half));
  const __m128i exponent = _mm_add_epi32(_mm_slli_epi32(places, 23), _mm_set1_epi32(127 << 23));
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

// AVX2 code behind a call, where the machine has it.
template <in_eight_words Pattern>
[[nodiscard, gnu::target("avx2"), gnu::noinline]] bool covers_by_call(const std::uint64_t* block,
                                                                      std::uint32_t x) noexcept {
  return avx2_bodies::covers(Pattern(), block, x);
}
template <in_eight_words Pattern>
[[gnu::target("avx2"), gnu::noinline]] void set_by_call(std::uint64_t* block, std::uint32_t x) noexcept {
  avx2_bodies::set(Pattern(), block, x);
}

}  // namespace sse2
#endif

}  // namespace seen::inline v1::kernels
#endif
