// The ribbon query with vectors, and which of the bodies a machine gets.
//
//   AVX-512   eight words in a register: one instruction shifts the pair together (VPSHRDVQ), one counts bits
//             (VPOPCNTQ), one gathers the lowest bits into a mask (VPTESTMQ), and a comparison of bytes is the answer
//   AVX2      two registers of four words, shifted by two instructions each; the first fold brings them into one, five
//             more leave the parities in the sign bits of its eight halves, in the order of the words 0 4 1 5 2 6 3 7
//   scalar    kernels/ribbon.hpp
//
// All give the same answer. Widths that are not a multiple of eight load the last words under a mask, which reads
// nothing beyond them. Sixteen bits are compared at a time, and only wider fingerprints have a branch in between: a
// branch that half of the keys take costs more than it spares.
//
// One key. A program compiled for AVX-512 or AVX2 has the body inlined. For others the library asks the processor once,
// when the program starts, and every key takes a branch, always the same one, to a body compiled for it. A batch chooses
// once.
#pragma once

#include <seen/base/instructions.hpp>
#include <seen/kernels/ribbon.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define SEEN_HAS_RIBBON_VECTORS 1
#include <immintrin.h>
#endif

#define SEEN_RIBBON_AVX512 "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,gfni,popcnt"
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && \
    defined(__AVX512VBMI2__) && defined(__AVX512VPOPCNTDQ__) && defined(__GFNI__)
#define SEEN_BUILT_FOR_AVX512 1
#endif

namespace seen::inline v1::kernels {

/// The bodies there are, the best last.
enum class ribbon_body : std::uint8_t { scalar, avx2, avx512 };

/// The best body this processor can run.
[[nodiscard]] ribbon_body best_ribbon_body() noexcept;

/// best_ribbon_body, asked for once, by the library (src/kernels/ribbon_vectors.cpp).
extern const ribbon_body machine_ribbon_body;

namespace scalar {

/// Writes the answer to each probe, and returns how many are yes. `Probes` has size() and next(); Bits is how many bits
/// there are where that is known, or 0.
template <std::uint32_t Bits, class Probes>
std::size_t ribbon_match_many(Probes probes, std::uint32_t bits, bool* out) noexcept {
  std::size_t found = 0;
  for (std::size_t i = 0, n = probes.size(); i < n; ++i)
    found += out[i] = scalar::ribbon_match(probes.next(), Bits != 0 ? Bits : bits);
  return found;
}

}  // namespace scalar

#ifdef SEEN_HAS_RIBBON_VECTORS

/// The first layer of a ribbon of 8 bits, in one shard or several; numbers of bytes are from one shard to the next.
struct ribbon_first_layer {
  const std::byte* tables = nullptr;  ///< where the solutions begin
  std::uint64_t bumps_at = 0;         ///< bytes from there to the bump bits
  std::uint64_t all_starts = 0;       ///< slots at which a key may begin, of all shards
  std::uint64_t starts = 0;           ///< of one
  std::uint64_t solution_bytes = 0;
  std::uint64_t bump_bytes = 0;
};

namespace ribbon_avx512 {

/// One key of a ribbon of 8 bits that is `start` slots into all shards' and draws these halves of a product, with as
/// little as possible in integer registers (kernels/spare_word.hpp says why). `bumped` answers where its bucket is.
template <bool Several, class Bumped>
[[nodiscard, gnu::target(SEEN_RIBBON_AVX512), gnu::always_inline]] inline bool test_one(
    const ribbon_first_layer& layer, std::uint64_t shard, std::uint64_t start, std::uint64_t low, std::uint64_t high,
    const Bumped bumped) noexcept {
  const auto word = [](std::uint64_t x) __attribute__((target(SEEN_RIBBON_AVX512), always_inline)) {
    return _mm_cvtsi64_si128(static_cast<long long>(x));
  };
  __m128i slot = word(start), block = _mm_setzero_si128(), bump = word(layer.bumps_at);
  if constexpr (Several) {
    const __m128i s = word(shard);
    slot = _mm_sub_epi64(slot, _mm_mullo_epi64(s, word(layer.starts)));
    block = _mm_mullo_epi64(s, word(layer.solution_bytes));
    bump = _mm_add_epi64(bump, _mm_mullo_epi64(s, word(layer.bump_bytes)));
  }
  block = _mm_add_epi64(block, _mm_and_si128(slot, _mm_set1_epi64x(-64)));
  bump = _mm_add_epi64(bump, _mm_slli_epi64(_mm_srli_epi64(slot, 12), 2));
  // Its bit in the word of the bump bits is the lowest of `bit`; a bumped key has that set and slot mod 128 below 32.
  const __m128i bits = _mm_loadu_si32(layer.tables + _mm_cvtsi128_si64(bump));
  const __m128i bit = _mm_srlv_epi32(bits, _mm_and_si128(_mm_srli_epi64(slot, 7), word(31)));
  const __m128i kept = _mm_or_si128(_mm_andnot_si128(bit, word(1)), _mm_and_si128(slot, word(96)));
  if (_mm_testz_si128(kept, kept) != 0) [[unlikely]]
    return bumped();
  const std::byte* const words = layer.tables + _mm_cvtsi128_si64(block);
  const __m512i here = _mm512_loadu_si512(words), next = _mm512_loadu_si512(words + 64);
  const __m512i slots = _mm512_shrdv_epi64(here, next, _mm512_maskz_broadcastq_epi64(0xff, slot));
  const __m128i c = _mm_or_si128(_mm_xor_si128(word(low), word(high)), word(1));
  const __m512i x = _mm512_popcnt_epi64(_mm512_and_si512(slots, _mm512_maskz_broadcastq_epi64(0xff, c)));
  return _cvtmask8_u32(_mm512_test_epi64_mask(x, _mm512_set1_epi64(1))) == (high & 0xff);
}

/// Whether the slots answer with the fingerprint.
[[nodiscard, gnu::target(SEEN_RIBBON_AVX512), gnu::always_inline]] inline bool match(const ribbon_probe& p,
                                                                                     std::uint32_t bits) noexcept {
  const __m512i c = _mm512_set1_epi64(static_cast<long long>(p.coefficients));
  const __m512i down = _mm512_set1_epi64(static_cast<long long>(p.slot));  // the instruction takes it modulo 64
  const __m512i one = _mm512_set1_epi64(1);
  if (bits == 8) {
    const __m512i low = _mm512_loadu_si512(p.block), high = _mm512_loadu_si512(p.block + 64);
    const __m512i x = _mm512_popcnt_epi64(_mm512_and_si512(_mm512_shrdv_epi64(low, high, down), c));
    return _cvtmask8_u32(_mm512_test_epi64_mask(x, one)) == p.fingerprint;
  }
  for (std::uint32_t first = 0;; first += 16) {
    unsigned found = 0;
    for (std::uint32_t half = 0; half < 16; half += 8) {
      const std::uint32_t left = bits > first + half ? bits - first - half : 0;  // a mask of none reads nothing
      const std::byte* const here = p.block + std::size_t{8} * (first + half);
      const auto mask = static_cast<__mmask8>(left >= 8 ? 0xff : (1u << left) - 1);
      const __m512i low = _mm512_maskz_loadu_epi64(mask, here);
      const __m512i high = _mm512_maskz_loadu_epi64(mask, here + std::size_t{8} * bits);
      const __m512i x = _mm512_popcnt_epi64(_mm512_and_si512(_mm512_shrdv_epi64(low, high, down), c));
      found |= _cvtmask8_u32(_mm512_test_epi64_mask(x, one)) << half;
    }
    const bool same = found == (p.fingerprint >> first & 0xffff);
    if (bits - first <= 16) return same;  // without a branch on the answer, which nobody could predict
    if (!same) return false;
  }
}

[[nodiscard, gnu::target(SEEN_RIBBON_AVX512), gnu::noinline]] inline bool match_call(const std::byte* block,
                                                                                     std::uint64_t slot,
                                                                                     std::uint64_t coefficients,
                                                                                     std::uint64_t fingerprint,
                                                                                     std::uint32_t bits) noexcept {
  return match({block, slot, coefficients, fingerprint}, bits);
}

template <std::uint32_t Bits, class Probes>
[[gnu::target(SEEN_RIBBON_AVX512)]] std::size_t match_many(Probes probes, std::uint32_t bits, bool* out) noexcept {
  std::size_t found = 0;
  for (std::size_t i = 0, n = probes.size(); i < n; ++i)
    found += out[i] = match(probes.next(), Bits != 0 ? Bits : bits);
  return found;
}

}  // namespace ribbon_avx512

namespace ribbon_avx2 {

/// Words `first` … `first` + 3 of the window, of as many as there are.
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i window(const std::byte* here, std::uint32_t bits,
                                                                             std::uint32_t count, __m256i down,
                                                                             __m256i up) noexcept {
  const std::byte* const next = here + std::size_t{8} * bits;
  __m256i low, high;
  if (count >= 4) {
    low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(here));
    high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(next));
  } else {
    const __m256i mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
    low = _mm256_maskload_epi64(reinterpret_cast<const long long*>(here), mask);
    high = _mm256_maskload_epi64(reinterpret_cast<const long long*>(next), mask);
  }
  return _mm256_or_si256(_mm256_srlv_epi64(low, down), _mm256_sllv_epi64(high, up));  // a shift by 64 gives 0
}

/// Whether the slots answer with the fingerprint.
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline bool match(const ribbon_probe& p,
                                                                         std::uint32_t bits) noexcept {
  const std::uint64_t place = p.slot & 63;
  const __m256i c = _mm256_set1_epi64x(static_cast<long long>(p.coefficients));
  const __m256i down = _mm256_set1_epi64x(static_cast<long long>(place));
  const __m256i up = _mm256_set1_epi64x(static_cast<long long>(64 - place));
  const __m256i to_sign = _mm256_setr_epi32(31, 27, 30, 26, 29, 25, 28, 24);
  bool same = true;
  for (std::uint32_t first = 0;; first += 8) {
    const std::byte* const here = p.block + std::size_t{8} * first;
    const std::uint32_t count = bits - first;
    const __m256i x = _mm256_and_si256(c, window(here, bits, count, down, up));
    __m256i z = _mm256_xor_si256(x, _mm256_srli_epi64(x, 32));
    if (count > 4) {
      const __m256i y = _mm256_and_si256(c, window(here + 32, bits, count - 4, down, up));
      z = _mm256_blend_epi32(z, _mm256_xor_si256(y, _mm256_slli_epi64(y, 32)), 0xaa);
    } else {
      z = _mm256_blend_epi32(z, _mm256_setzero_si256(), 0xaa);
    }
    z = _mm256_xor_si256(z, _mm256_slli_epi32(z, 16));
    z = _mm256_xor_si256(z, _mm256_slli_epi32(z, 8));
    z = _mm256_xor_si256(z, _mm256_slli_epi32(z, 4));
    z = _mm256_xor_si256(z, _mm256_slli_epi32(z, 2));
    z = _mm256_xor_si256(z, _mm256_slli_epi32(z, 1));
    const __m256i wanted = _mm256_sllv_epi32(_mm256_set1_epi32(static_cast<int>(p.fingerprint >> first)), to_sign);
    same &= _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_xor_si256(z, wanted))) == 0;
    if (count <= 8) return same;
    if (first % 16 != 0 && !same) return false;
  }
}

[[nodiscard, gnu::target("avx2"), gnu::noinline]] inline bool match_call(const std::byte* block, std::uint64_t slot,
                                                                         std::uint64_t coefficients,
                                                                         std::uint64_t fingerprint,
                                                                         std::uint32_t bits) noexcept {
  return match({block, slot, coefficients, fingerprint}, bits);
}

template <std::uint32_t Bits, class Probes>
[[gnu::target("avx2")]] std::size_t match_many(Probes probes, std::uint32_t bits, bool* out) noexcept {
  std::size_t found = 0;
  for (std::size_t i = 0, n = probes.size(); i < n; ++i)
    found += out[i] = match(probes.next(), Bits != 0 ? Bits : bits);
  return found;
}

}  // namespace ribbon_avx2

#endif

/// The body that single keys of a program for any x86-64 and all batches get: within limit_instructions.
[[nodiscard, gnu::always_inline]] inline ribbon_body chosen_ribbon_body() noexcept {
  const instruction_set set = best_instructions();
  if (set >= instruction_set::avx512) return machine_ribbon_body;
  return set >= instruction_set::avx2 ? std::min(machine_ribbon_body, ribbon_body::avx2) : ribbon_body::scalar;
}

// The following is compiled differently for different targets, and has a name of its own in each.
#if defined(SEEN_HAS_RIBBON_VECTORS) && defined(SEEN_BUILT_FOR_AVX512)
inline namespace avx512 {
#elif defined(SEEN_HAS_RIBBON_VECTORS) && defined(__AVX2__)
inline namespace avx2 {
#elif defined(SEEN_HAS_RIBBON_VECTORS)
inline namespace sse2 {
#else
inline namespace portable {
#endif

/// Whether the slots answer with the fingerprint, by the best body that the program or the processor has.
[[nodiscard, gnu::always_inline]] inline bool ribbon_match(const ribbon_probe& p, std::uint32_t bits) noexcept {
#if defined(SEEN_HAS_RIBBON_VECTORS) && defined(SEEN_BUILT_FOR_AVX512)
  return ribbon_avx512::match(p, bits);
#elif defined(SEEN_HAS_RIBBON_VECTORS) && defined(__AVX2__)
  return ribbon_avx2::match(p, bits);
#elif defined(SEEN_HAS_RIBBON_VECTORS)
  const ribbon_body body = chosen_ribbon_body();
  if (body == ribbon_body::avx512)
    return ribbon_avx512::match_call(p.block, p.slot, p.coefficients, p.fingerprint, bits);
  if (body == ribbon_body::avx2) return ribbon_avx2::match_call(p.block, p.slot, p.coefficients, p.fingerprint, bits);
  return scalar::ribbon_match(p, bits);
#else
  return scalar::ribbon_match(p, bits);
#endif
}

}  // namespace avx512, avx2, sse2 or portable

/// Writes the answer to each probe, and returns how many are yes; of eight bits, and of any other number.
template <std::uint32_t Bits, class Probes>
std::size_t ribbon_match_many(const Probes& probes, std::uint32_t bits, bool* out, ribbon_body body) noexcept {
#ifdef SEEN_HAS_RIBBON_VECTORS
  if (body == ribbon_body::avx512) return ribbon_avx512::match_many<Bits>(probes, bits, out);
  if (body == ribbon_body::avx2) return ribbon_avx2::match_many<Bits>(probes, bits, out);
#endif
  (void)body;
  return scalar::ribbon_match_many<Bits>(probes, bits, out);
}

}  // namespace seen::inline v1::kernels
