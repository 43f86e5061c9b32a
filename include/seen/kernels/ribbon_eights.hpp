// Batches of ribbon queries with AVX-512, eight digests at a time: tables of 8 bits and several layers.
//
//   eight digests ──► slots, coefficients, fingerprints, all in vectors ──► eight places in memory, lines asked for
//   eight places  ──► two blocks each, shifted together, masked, counted ──► a byte of parities each ──► eight answers
//
// The first half works in vectors, at an eighth of the cost per key. Its results go by way of memory, from which the
// second half broadcasts each key's numbers as operands. The 64-bit halves of a 64 x 64 bit product are put together
// from four products of 32 bits. A test of one word finds a key whose bucket was bumped, and the one body that knows
// the other layers corrects its place. The answers are those of kernels/ribbon.hpp.
#pragma once

#include <seen/base/digest.hpp>
#include <seen/kernels/prefetch.hpp>
#include <seen/kernels/ribbon_vectors.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::inline v1::kernels {

#ifdef SEEN_HAS_RIBBON_VECTORS

namespace ribbon_avx512 {

/// Eight questions, each number in a vector of its own.
struct eight_probes {
  alignas(64) std::array<const std::byte*, 8> block;
  alignas(64) std::array<std::uint64_t, 8> slot;
  alignas(64) std::array<std::uint64_t, 8> coefficients;
  std::array<std::uint8_t, 8> fingerprint;
};

// Under a mask that leaves nothing out: g++ 12 warns of what the plain ones begin with.
[[nodiscard, gnu::target(SEEN_RIBBON_AVX512), gnu::always_inline]] inline __m512i shift_down(__m512i x,
                                                                                             unsigned by) noexcept {
  return _mm512_maskz_srli_epi64(0xff, x, by);
}
[[nodiscard, gnu::target(SEEN_RIBBON_AVX512), gnu::always_inline]] inline __m512i shift_up(__m512i x,
                                                                                           unsigned by) noexcept {
  return _mm512_maskz_slli_epi64(0xff, x, by);
}
[[nodiscard, gnu::target(SEEN_RIBBON_AVX512), gnu::always_inline]] inline __m512i low_product(__m512i a,
                                                                                              __m512i b) noexcept {
  return _mm512_maskz_mul_epu32(0xff, a, b);
}

/// Both halves of eight products.
struct eight_products {
  __m512i low, high;
};
[[nodiscard, gnu::target(SEEN_RIBBON_AVX512), gnu::always_inline]] inline eight_products multiply(__m512i a,
                                                                                                  __m512i b) noexcept {
  const __m512i a_high = shift_down(a, 32), b_high = shift_down(b, 32);
  const __m512i low32 = _mm512_set1_epi64(0xffff'ffff);
  const __m512i low_low = low_product(a, b), high_low = low_product(a_high, b);
  const __m512i low_high = low_product(a, b_high), high_high = low_product(a_high, b_high);
  const __m512i upper = _mm512_add_epi64(high_low, shift_down(low_low, 32));
  const __m512i middle = _mm512_add_epi64(low_high, _mm512_and_si512(upper, low32));
  return {_mm512_mask_mov_epi32(shift_up(middle, 32), 0x5555, low_low),
          _mm512_add_epi64(_mm512_add_epi64(high_high, shift_down(upper, 32)), shift_down(middle, 32))};
}

/// Corrects the place of one of them, which is not in the first layer.
template <class Shards>
[[gnu::noinline]] void find_bumped(const Shards& shards, const digest* digests, std::size_t i,
                                   eight_probes& found) noexcept {
  const ribbon_probe p = shards.bumped(digests[i]);
  found.block[i] = p.block;
  found.slot[i] = p.slot;
  found.coefficients[i] = p.coefficients;
  found.fingerprint[i] = static_cast<std::uint8_t>(p.fingerprint);
}

/// Finds eight digests. `Shards` says the shard and the multiplier of each, and where a bumped one is to be looked for.
template <class Shards>
[[gnu::target(SEEN_RIBBON_AVX512), gnu::always_inline]] inline void find_eight(const ribbon_first_layer& layer,
                                                                               const Shards& shards,
                                                                               const digest* digests,
                                                                               eight_probes& found) noexcept {
  alignas(64) std::array<std::uint64_t, 8> bump_at, bump_bit;
  const __m512i d = _mm512_loadu_si512(digests);
  const __m512i all_starts = _mm512_set1_epi64(static_cast<long long>(layer.all_starts));
  __m512i slot;
  if (layer.all_starts >> 32 == 0) {  // mostly: then two products are enough
    const __m512i upper = low_product(shift_down(d, 32), all_starts);
    slot = shift_down(_mm512_add_epi64(upper, shift_down(low_product(d, all_starts), 32)), 32);
  } else {
    slot = multiply(d, all_starts).high;
  }
  __m512i block = _mm512_set1_epi64(reinterpret_cast<long long>(layer.tables));
  __m512i bump = _mm512_set1_epi64(static_cast<long long>(layer.bumps_at));
  __m512i multiplier;
  if constexpr (Shards::are_several) {
    const __m512i shard = shift_down(d, shards.shift);
    const auto times = [shard](std::uint64_t n) __attribute__((target(SEEN_RIBBON_AVX512), always_inline)) {
      return _mm512_mullo_epi64(shard, _mm512_set1_epi64(static_cast<long long>(n)));
    };
    slot = _mm512_sub_epi64(slot, times(layer.starts));
    block = _mm512_add_epi64(block, times(layer.solution_bytes));
    bump = _mm512_add_epi64(bump, times(layer.bump_bytes));
    multiplier = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), 0xff, shard, shards.multipliers, 8);
  } else {
    multiplier = _mm512_set1_epi64(static_cast<long long>(shards.multiplier));
    if constexpr (!Shards::is_first) {
      const auto times = [&shards](std::uint64_t n) __attribute__((target(SEEN_RIBBON_AVX512), always_inline)) {
        return _mm512_set1_epi64(static_cast<long long>(shards.shard * n));
      };
      slot = _mm512_sub_epi64(slot, times(layer.starts));
      block = _mm512_add_epi64(block, times(layer.solution_bytes));
      bump = _mm512_add_epi64(bump, times(layer.bump_bytes));
    }
  }
  const eight_products drawn = multiply(d, multiplier);
  const __m512i one = _mm512_set1_epi64(1);
  const __m512i c = _mm512_or_si512(_mm512_xor_si512(drawn.low, drawn.high), one);
  block = _mm512_add_epi64(block, _mm512_and_si512(slot, _mm512_set1_epi64(-64)));
  bump = _mm512_add_epi64(bump, shift_up(shift_down(slot, 12), 2));
  const __mmask8 first = _mm512_testn_epi64_mask(slot, _mm512_set1_epi64(96));
  const __m512i place = _mm512_and_si512(shift_down(slot, 7), _mm512_set1_epi64(31));
  _mm512_store_si512(found.block.data(), block);
  _mm512_store_si512(found.slot.data(), slot);
  _mm512_store_si512(found.coefficients.data(), c);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(found.fingerprint.data()), _mm512_maskz_cvtepi64_epi8(0xff, drawn.high));
  _mm512_store_si512(bump_at.data(), bump);
  _mm512_store_si512(bump_bit.data(), _mm512_maskz_sllv_epi64(first, one, place));
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i) {
    const auto bits = load_le<std::uint32_t>(layer.tables + bump_at[i]);
    if ((bits & static_cast<std::uint32_t>(bump_bit[i])) != 0) [[unlikely]] {
      find_bumped(shards, digests, i, found);
    }
  }
}

/// Writes the eight answers, and returns how many are yes.
[[nodiscard, gnu::target(SEEN_RIBBON_AVX512), gnu::always_inline]] inline std::size_t answer_eight(
    const eight_probes& p, bool* out) noexcept {
  const __m512i one = _mm512_set1_epi64(1);
  __m512i parities = _mm512_setzero_si512();  // word j: bit i is that of key i and fingerprint bit j
  for (std::size_t i = 8; i-- != 0;) {
    const __m512i low = _mm512_loadu_si512(p.block[i]), high = _mm512_loadu_si512(p.block[i] + 64);
    const __m512i slots = _mm512_shrdv_epi64(low, high, _mm512_set1_epi64(static_cast<long long>(p.slot[i])));
    const __m512i asked = _mm512_and_si512(slots, _mm512_set1_epi64(static_cast<long long>(p.coefficients[i])));
    parities = _mm512_ternarylogic_epi64(_mm512_add_epi64(parities, parities), _mm512_popcnt_epi64(asked), one, 0xf8);
  }
  // To a byte per key: a product with the identity over GF(2), whose rows are taken from the last, transposes.
  const __m128i rows =
      _mm_shuffle_epi8(_mm512_maskz_cvtepi64_epi8(0xff, parities), _mm_cvtsi64_si128(0x0001'0203'0405'0607));
  const __m128i bytes =
      _mm_gf2p8affine_epi64_epi8(_mm_set1_epi64x(static_cast<long long>(0x8040'2010'0804'0201)), rows, 0);
  const __m128i same = _mm_cmpeq_epi8(bytes, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p.fingerprint.data())));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_and_si128(same, _mm_set1_epi8(1)));
  return static_cast<std::size_t>(_mm_popcnt_u32(static_cast<unsigned>(_mm_movemask_epi8(same)) & 0xff));
}

/// Writes the answers to a multiple of eight digests, and returns how many are yes. Far: lines are asked for 32 digests
/// before they are read.
template <bool Far, class Shards>
[[gnu::target(SEEN_RIBBON_AVX512)]] std::size_t test_eights(const ribbon_first_layer layer, const Shards shards,
                                                            std::span<const digest> digests, bool* out) noexcept {
  constexpr std::size_t ahead = ribbon_ahead / 8;
  const std::size_t eights = digests.size() / 8;
  std::array<eight_probes, ahead> coming;
  std::size_t found = 0;
  for (std::size_t i = 0; i < eights + ahead; ++i) {
    eight_probes& p = coming[i % ahead];
    if (i >= ahead) found += answer_eight(p, out + 8 * (i - ahead));
    if (i < eights) {
      find_eight(layer, shards, digests.data() + 8 * i, p);
      if constexpr (Far) {
        for (const std::byte* const block : p.block) {
          prefetch(block);
          prefetch(block + 64);
        }
      }
    }
  }
  return found;
}

}  // namespace ribbon_avx512

#endif

}  // namespace seen::inline v1::kernels
