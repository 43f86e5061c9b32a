// The lookup of kernels/counter_blocks.hpp with AVX2, for the commonest shape: eight lanes, a 64-bit word each.
//
//   y, eight times ── shift right by the lane's constant, mask ──► places      two registers of four words
//   block's words  ── shift right by place, mask ──► counters ── any equal to 0? ──► "no"
//
// This takes fourteen instructions where the portable body, which is the specification, takes seventy. A program built
// for AVX2 has it inlined. One built for any x86-64 comes here by a call where the processor has the instructions, for
// one key or a batch, and its batches of adds are the portable body compiled once more. Vector loads of words that
// other threads write would be a data race in C++, so shared filters stay with the portable body.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define SEEN_HAS_AVX2_KERNELS 1

#include <seen/base/instructions.hpp>
#include <seen/kernels/counters.hpp>
#include <seen/kernels/prefetch.hpp>

#include <cstddef>
#include <cstdint>
#include <immintrin.h>
#include <span>

namespace seen::inline v1::kernels {
namespace counter_avx2 {

/// Whether to come here: on a processor that has the instructions.
[[nodiscard]] inline bool available() noexcept {
  return best_instructions() >= instruction_set::avx2;
}

/// counter_block_lookup of a shape of eight lanes.
template <class Shape>
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline bool block_lookup(const std::uint64_t* block,
                                                                                std::uint64_t pattern) noexcept {
  static_assert(Shape::probes == 8);
  constexpr auto down = [](std::uint32_t lane) { return static_cast<long long>(Shape::digits_down(lane)); };
  constexpr auto places = static_cast<long long>((Shape::lane_counters - 1) * Shape::width);
  constexpr auto maximum = static_cast<long long>(counter_maximum(Shape::width));
  const __m256i y = _mm256_set1_epi64x(static_cast<long long>(pattern));
  const __m256i low_at = _mm256_srlv_epi64(y, _mm256_setr_epi64x(down(0), down(1), down(2), down(3)));
  const __m256i high_at = _mm256_srlv_epi64(y, _mm256_setr_epi64x(down(4), down(5), down(6), down(7)));
  const __m256i place = _mm256_set1_epi64x(places), most = _mm256_set1_epi64x(maximum), zero = _mm256_setzero_si256();
  const auto* const words = reinterpret_cast<const __m256i*>(block);
  const __m256i low = _mm256_srlv_epi64(_mm256_loadu_si256(words), _mm256_and_si256(low_at, place));
  const __m256i high = _mm256_srlv_epi64(_mm256_loadu_si256(words + 1), _mm256_and_si256(high_at, place));
  const __m256i missing = _mm256_or_si256(_mm256_cmpeq_epi64(_mm256_and_si256(low, most), zero),
                                          _mm256_cmpeq_epi64(_mm256_and_si256(high, most), zero));
  return _mm256_testz_si256(missing, missing) != 0;
}

/// The same behind a call, for programs that are not built for AVX2.
template <class Shape>
[[nodiscard, gnu::target("avx2"), gnu::noinline]] bool lookup_by_call(const std::uint64_t* block,
                                                                      std::uint64_t pattern) noexcept {
  return block_lookup<Shape>(block, pattern);
}

/// Calls add(block, pattern) for every digest, compiled for AVX2; fetches lines ahead where `far`.
template <class Rule, class Add>
[[gnu::target("avx2")]] void add_many(std::uint64_t* words, const Rule rule, bool far,
                                      std::span<const typename Rule::digest_type> digests, Add add) noexcept {
  constexpr std::size_t ahead = counter_blocks_ahead;
  const auto* const keys = digests.data();
  const std::size_t n = digests.size();
  std::size_t i = 0;
  if (far) {
    for (; i < ahead && i < n; ++i) prefetch(words + rule.word(keys[i]));
    for (i = 0; i + ahead < n; ++i) {
      prefetch(words + rule.word(keys[i + ahead]));
      add(words + rule.word(keys[i]), rule.pattern(keys[i]));
    }
  }
  for (; i < n; ++i) add(words + rule.word(keys[i]), rule.pattern(keys[i]));
}

/// Writes whether each digest may be present, and returns how many may; fetches lines ahead where `far`.
template <class Shape, class Rule>
[[gnu::target("avx2")]] std::size_t lookup_many(const std::uint64_t* words, const Rule rule, bool far,
                                                std::span<const typename Rule::digest_type> digests,
                                                bool* out) noexcept {
  constexpr std::size_t ahead = counter_blocks_ahead;
  const auto* const keys = digests.data();
  const std::size_t n = digests.size();
  std::size_t i = 0, found = 0;
  if (far) {
    for (; i < ahead && i < n; ++i) prefetch(words + rule.word(keys[i]));
    for (i = 0; i + ahead < n; ++i) {
      prefetch(words + rule.word(keys[i + ahead]));
      found += out[i] = block_lookup<Shape>(words + rule.word(keys[i]), rule.pattern(keys[i]));
    }
  }
  for (; i < n; ++i) found += out[i] = block_lookup<Shape>(words + rule.word(keys[i]), rule.pattern(keys[i]));
  return found;
}

}  // namespace counter_avx2
}  // namespace seen::inline v1::kernels

#endif
