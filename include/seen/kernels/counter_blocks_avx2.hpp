// The lookup and the add of kernels/counter_blocks.hpp with AVX2, for the commonest shape: eight lanes, a 64-bit word
// each.
//
//   y, eight times ── shift right by the lane's constant, mask ──► places      two registers of four words
//   block's words  ── mask, shifted to the place ──► counters ── any equal to 0? ──► "no"
//                                                          └──── at the maximum? 0 : 1 << place, added to the words
//
// A lookup takes fourteen instructions where the portable body, which is the specification, takes seventy, and an add
// two stores of half a line instead of eight reads and writes of a word. A program built for AVX2 has them inlined. One
// built for any x86-64 comes here by a call where the processor has the instructions, for one key or a batch; its
// batches of adds with other than eight lanes are the portable body compiled once more. Vector loads of words that other
// threads write would be a data race in C++, so shared filters stay with the portable body.
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

/// Where the counters of a key begin in the words of a block, lane by lane, for a shape of eight lanes.
template <class Shape>
struct lanes {
  static_assert(Shape::probes == 8);

  [[gnu::target("avx2"), gnu::always_inline]] inline explicit lanes(std::uint64_t pattern) noexcept {
    constexpr auto down = [](std::uint32_t lane) { return static_cast<long long>(Shape::digits_down(lane)); };
    const __m256i y = _mm256_set1_epi64x(static_cast<long long>(pattern));
    const __m256i digits = _mm256_set1_epi64x(static_cast<long long>((Shape::lane_counters - 1) * Shape::width));
    const __m256i first = _mm256_setr_epi64x(down(0), down(1), down(2), down(3));
    const __m256i second = _mm256_setr_epi64x(down(4), down(5), down(6), down(7));
    low = _mm256_and_si256(_mm256_srlv_epi64(y, first), digits);
    high = _mm256_and_si256(_mm256_srlv_epi64(y, second), digits);
  }

  __m256i low, high;
};

/// counter_block_lookup of a shape of eight lanes.
template <class Shape>
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline bool block_lookup(const std::uint64_t* block,
                                                                                std::uint64_t pattern) noexcept {
  const lanes<Shape> at(pattern);
  const __m256i most = _mm256_set1_epi64x(static_cast<long long>(counter_maximum(Shape::width)));
  const __m256i zero = _mm256_setzero_si256();
  const auto* const words = reinterpret_cast<const __m256i*>(block);
  // The counters' bits are shifted to the words, not the words to them: these are then read by the instruction that needs them.
  const __m256i low = _mm256_and_si256(_mm256_loadu_si256(words), _mm256_sllv_epi64(most, at.low));
  const __m256i high = _mm256_and_si256(_mm256_loadu_si256(words + 1), _mm256_sllv_epi64(most, at.high));
  const __m256i missing = _mm256_or_si256(_mm256_cmpeq_epi64(low, zero), _mm256_cmpeq_epi64(high, zero));
  return _mm256_testz_si256(missing, missing) != 0;
}

/// One more in the counter at `place` of each of four words, unless it is stuck.
template <class Shape>
[[gnu::target("avx2"), gnu::always_inline]] inline void raise(__m256i* words, __m256i place) noexcept {
  const __m256i most = _mm256_set1_epi64x(static_cast<long long>(counter_maximum(Shape::width)));
  const __m256i before = _mm256_loadu_si256(words);
  const __m256i stuck = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_srlv_epi64(before, place), most), most);
  const __m256i more = _mm256_andnot_si256(stuck, _mm256_set1_epi64x(1));
  _mm256_storeu_si256(words, _mm256_add_epi64(before, _mm256_sllv_epi64(more, place)));
}

/// counter_block_add of a shape of eight lanes.
template <class Shape>
[[gnu::target("avx2"), gnu::always_inline]] inline void block_add(std::uint64_t* block,
                                                                  std::uint64_t pattern) noexcept {
  const lanes<Shape> at(pattern);
  auto* const words = reinterpret_cast<__m256i*>(block);
  raise<Shape>(words, at.low);
  raise<Shape>(words + 1, at.high);
}

/// The same two behind a call, for programs that are not built for AVX2.
template <class Shape>
[[nodiscard, gnu::target("avx2"), gnu::noinline]] bool lookup_by_call(const std::uint64_t* block,
                                                                      std::uint64_t pattern) noexcept {
  return block_lookup<Shape>(block, pattern);
}
template <class Shape>
[[gnu::target("avx2"), gnu::noinline]] void add_by_call(std::uint64_t* block, std::uint64_t pattern) noexcept {
  block_add<Shape>(block, pattern);
}

/// One key: by block_add for eight lanes, else by add(block, pattern).
template <class Shape, class Add>
[[gnu::target("avx2"), gnu::always_inline]] inline void add_one(std::uint64_t* block, std::uint64_t pattern,
                                                                Add add) noexcept {
  if constexpr (Shape::probes == 8) {
    block_add<Shape>(block, pattern);
  } else {
    add(block, pattern);
  }
}

/// Adds every digest, by add(block, pattern) compiled for AVX2 where the shape has other than eight lanes; fetches lines
/// ahead where `far`.
template <class Shape, class Rule, class Add>
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
      add_one<Shape>(words + rule.word(keys[i]), rule.pattern(keys[i]), add);
    }
  }
  for (; i < n; ++i) add_one<Shape>(words + rule.word(keys[i]), rule.pattern(keys[i]), add);
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
