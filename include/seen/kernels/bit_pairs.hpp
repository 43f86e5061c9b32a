// Two bits of a table beyond the cache, tested in vector registers where the program is compiled for AVX2.
//
//   words a, b ──► two lanes ──► shifted by a mod 64, b mod 64 ──► both lowest bits set?
//
// A lookup of one key there takes as long as its misses, divided by how many keys are under way, and that is bounded by
// the integer registers that a key writes (kernels/spare_word.hpp has the figures). In integers two bits take seven of
// them, beside their addresses; here none. On Zen 5 a key of seven probes takes 34 instead of 42 ns absent and 54
// instead of 67 present in a table of 60 MB (half of each 49 instead of 61).
#pragma once

#include <seen/base/bits.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__AVX2__) && defined(__x86_64__)
#include <immintrin.h>
#endif

namespace seen::inline v1::kernels {

// The following is compiled differently for different targets, and has a name of its own in each.
#if defined(__AVX2__) && defined(__x86_64__)
inline namespace avx2 {

/// Whether both bits are set.
[[nodiscard, gnu::always_inline]] inline bool test_pair(const std::uint64_t* words, std::uint64_t a,
                                                        std::uint64_t b) noexcept {
  const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(words + a / 64));
  const __m128 both = _mm_loadh_pi(_mm_castsi128_ps(low), reinterpret_cast<const __m64*>(words + b / 64));
  __m128i ones;  // not as a constant: the compiler would spend an integer register on making it
  asm("vpcmpeqd %0, %0, %0" : "=x"(ones));
  const __m128i at = _mm_set_epi64x(static_cast<std::int64_t>(b), static_cast<std::int64_t>(a));
  const __m128i shifted = _mm_srlv_epi64(_mm_castps_si128(both), _mm_and_si128(at, _mm_srli_epi64(ones, 58)));
  return _mm_testc_si128(shifted, _mm_srli_epi64(ones, 63)) != 0;
}

}  // namespace avx2
#else
inline namespace portable {

/// Whether both bits are set.
[[nodiscard, gnu::always_inline]] inline bool test_pair(const std::uint64_t* words, std::uint64_t a,
                                                        std::uint64_t b) noexcept {
  return (little_endian(words[a / 64]) >> (a & 63) & little_endian(words[b / 64]) >> (b & 63) & 1) != 0;
}

}  // namespace portable
#endif

}  // namespace seen::inline v1::kernels
