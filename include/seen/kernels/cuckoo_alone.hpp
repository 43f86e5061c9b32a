// One key in a cuckoo table, looked up by vector registers, where the program is compiled for AVX2.
//
//   digest ─ x·N ─┬─ bucket, an integer ───────────────────► address of the first bucket  ┐
//                 └─ fraction ──► t ──► h(t) − bucket … ───► address of the second        ├─ compared at once
//                                 └─ in every lane ────────────────────────────────────── ┘
//
// Beyond the cache a lookup takes as long as its misses, divided by how many keys are under way, and that is bounded by
// the integer registers that a key writes (kernels/spare_word.hpp has the figures). The arithmetic of
// kernels/cuckoo_map.hpp writes thirty; here twelve are left: the hash, the product, and the second bucket on its way
// to an address. On Zen 5 a key of 16 bits takes 5.9 instead of 8.0 ns with 4 million keys and, since vector
// instructions go to other units, 1.93 instead of 2.10 with 100,000.
//
// Answers are those of cuckoo_map and either_holds, which are what happens elsewhere.
#pragma once

#include <seen/base/digest.hpp>
#include <seen/kernels/cuckoo.hpp>
#include <seen/kernels/cuckoo_map.hpp>

#include <cstddef>
#include <cstdint>

#if defined(__AVX2__) && defined(__x86_64__)
#include <immintrin.h>
#endif

namespace seen::inline v1::kernels {

/// How many chunks a table has.
enum class cuckoo_chunks { one, several };

// The following is compiled differently for different targets, and has a name of its own in each.
#if defined(__AVX2__) && defined(__x86_64__)
inline namespace avx2 {

/// Whether the program is compiled for what is below.
inline constexpr bool has_lone_lookup = true;

/// b where the sign of `by` is set, else a; 64 bits.
[[nodiscard, gnu::always_inline]] inline __m128i pick(__m128i a, __m128i b, __m128i by) noexcept {
  return _mm_castpd_si128(_mm_blendv_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), _mm_castsi128_pd(by)));
}
/// A number below `size`, 2^63 at most, plus size if it is below 0.
[[nodiscard, gnu::always_inline]] inline __m128i wrapped(__m128i x, __m128i size) noexcept {
#ifdef __AVX512VL__
  return _mm_min_epu64(x, _mm_add_epi64(x, size));
#else
  return pick(x, _mm_add_epi64(x, size), x);
#endif
}

/// The other bucket of a digest whose first one is `bucket`, in a table of this many chunks.
template <cuckoo_chunks Chunks>
[[nodiscard, gnu::always_inline]] inline std::uint64_t other_bucket(const cuckoo_map& map, std::uint64_t bucket,
                                                                    __m128i t) noexcept {
  const auto word = [](const std::uint64_t& x) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&x)); };
  constexpr int turn = cuckoo_map::mirror_rotation;
  const __m128i product = _mm_mullo_epi32(t, _mm_setr_epi32(static_cast<int>(cuckoo_map::mirror_multiplier), 0, 0, 0));
#ifdef __AVX512VL__
  const __m128i turned = _mm_ror_epi32(product, turn);
#else
  const __m128i turned = _mm_or_si128(_mm_srli_epi32(product, turn), _mm_slli_epi32(product, 32 - turn));
#endif
  const __m128i mixed = _mm_xor_si128(product, turned), shift = _mm_cvtsi32_si128(static_cast<int>(map.sum_shift));
  const __m128i sum = _mm_or_si128(_mm_srl_epi32(mixed, shift), _mm_setr_epi32(1, 0, 0, 0));
  const __m128i first = _mm_cvtsi64_si128(static_cast<std::int64_t>(bucket));
  const __m128i apart = _mm_sub_epi64(sum, first);
  __m128i second;
  if constexpr (Chunks == cuckoo_chunks::one) {
    second = wrapped(apart, word(map.buckets));
  } else if (bucket < map.split) [[likely]] {
    const __m128i in_chunk = word(map.in_chunk);
    second = _mm_xor_si128(first, _mm_and_si128(_mm_xor_si128(first, apart), in_chunk));
  } else {  // no branch: nobody could predict it where chunks are few
    const __m128i last = word(map.last), is_before = _mm_cmpgt_epi64(last, first);
    const __m128i start = pick(last, _mm_andnot_si128(word(map.in_chunk), first), is_before);
    const __m128i size = pick(word(map.sizes[1]), word(map.sizes[0]), is_before);
    second = _mm_add_epi64(start, wrapped(_mm_add_epi64(apart, start), size));
  }
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(second));
}

/// Whether a table of one copy, whose buckets of 12 or 16 bits begin at `bytes`, may contain the digest.
template <std::uint32_t Bits, cuckoo_chunks Chunks>
[[nodiscard, gnu::always_inline]] inline bool lone_lookup(const cuckoo_map& map, const std::byte* bytes,
                                                          digest d) noexcept {
  const auto [bucket, fraction] = map.spot_of(d);
  const __m128i top = _mm_srli_epi64(_mm_cvtsi64_si128(static_cast<std::int64_t>(fraction)), 64 - Bits);
  const __m128i t = _mm_max_epu32(top, _mm_setr_epi32(1, 0, 0, 0));
  const std::uint64_t other = other_bucket<Chunks>(map, bucket, t);
  const __m128i both = load_two(bytes + bucket * (Bits / 2), bytes + other * (Bits / 2));
  static_assert(Bits == 16 || Bits == 12);
  if constexpr (Bits == 16) {
    return any_lane(_mm_cmpeq_epi16(both, _mm_broadcastw_epi16(t)));
  } else {
    const __m128i lanes = _mm_shuffle_epi8(both, twelve_lanes());
    const __m128i pattern = _mm_broadcastd_epi32(_mm_or_si128(t, _mm_slli_epi32(t, 20)));
#if defined(__AVX512VL__) && defined(__AVX512BW__)
    return _mm_testn_epi16_mask(_mm_xor_si128(lanes, pattern), twelve_mask()) != 0;
#else
    return any_lane(_mm_cmpeq_epi16(_mm_and_si128(lanes, twelve_mask()), pattern));
#endif
  }
}

}  // namespace avx2
#else
inline namespace portable {
inline constexpr bool has_lone_lookup = false;
template <std::uint32_t Bits, cuckoo_chunks Chunks>
bool lone_lookup(const cuckoo_map& map, const std::byte* bytes, digest d) noexcept;  // there is none
}  // namespace portable
#endif

}  // namespace seen::inline v1::kernels
