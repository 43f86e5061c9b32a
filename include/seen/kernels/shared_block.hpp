// Blocks that many threads test and set at once, read and written as wide as the machine allows.
//
//   test   the whole block in one or two vector loads: one test, no branch per word
//   set    nothing, if all bits are there; else two words in one step, and only pairs in which a bit is missing
//
//             p[0] p[1] │ p[2] p[3] │ p[4] p[5] │ p[6] p[7]
//   missing    ·    1   │  ·    ·   │  1    1   │  ·    ·      two steps, not eight
//
// Why one load of many words is right. std::atomic_ref has no loads wider than a word, and C++ calls a plain one a data
// race, so the load is an instruction in asm, of which the compiler knows no more than that it reads these words.
//
//   Torn blocks   The machine may read the words of a block one after the other, and other threads may write between.
//                 But bits only go from 0 to 1, and a lookup asks of every bit by itself whether it is set. So each bit
//                 that is read is its present state or an earlier one: "set" is true for good, and "not set" was true
//                 at a moment of this very call. That is what loads of single words say, in any order; it would hold
//                 even if a word were torn. Only clear and intersect take bits back, and what lookups say beside those
//                 is unspecified as it is (docs/concurrency.md).
//   Order         The contract is that a lookup sees every add that happens before it, and that nothing is ordered by
//                 the lookup itself: relaxed loads. The edge between two threads ends in an acquire operation of the
//                 reader (a lock, a join, a load of a flag), or both are one thread. On x86 no load is done before one
//                 that the program puts in front of it, and a locked instruction is in its place for all; so the
//                 vector load sees what the acquire operation made visible. The compiler keeps the order too: the asm
//                 is volatile and names the words as memory it reads, so that no acquire operation before it, no release
//                 operation after it and no change of these words is moved across it. It needs no barrier for all
//                 memory, which would make a loop of lookups load everything else anew.
//
// Why a pair of words is set by compare-and-swap. Locked instructions do not overlap, so an add takes as long as it has
// of them, and one for 16 bytes takes hardly longer than one for 8 (5.3 and 4.3 ns on Zen 5). The words that were read
// for the test are what the swap expects. If another thread has changed them meanwhile it fails, once, and what is still
// missing is ORed word by word. So an add is at most one swap and two ORs per pair, however many threads there are: it
// is wait-free. Every processor that has AVX2 has the swap; it wants a pair on a boundary of 16 bytes, and blocks that
// have none (bytes of the caller) are ORed.
//
// Of several threads that race to add a new key at least one is told "absent": a bit is only set by a thread that has
// seen it missing, and that thread says so.
//
// Everywhere else, and for the patterns without a body here, words are touched one by one (kernels/block.hpp): other
// machines, processors without AVX2, the atomics of tests/models, and programs that ThreadSanitizer watches, which
// cannot see into asm. tests/kernels holds both ways to the same bits, tests/concurrency runs both on threads.
#pragma once

#include <seen/kernels/block_patterns.hpp>
#include <seen/kernels/block_vectors.hpp>
#include <seen/storage/access.hpp>

#include <cstddef>
#include <cstdint>

namespace seen::inline v1::kernels {

/// Shared words that instructions without a name in C++ may touch.
template <class Access>
concept vector_shared = Access::is_shared && Access::allows_instructions;

}  // namespace seen::inline v1::kernels

#if defined(__x86_64__) && defined(__GNUC__)
namespace seen::inline v1::kernels {

/// Words as the memory operand of an instruction.
template <std::size_t Count>
[[nodiscard, gnu::always_inline]] inline const std::uint64_t (&as_memory(const std::uint64_t* words) noexcept)[Count] {
  return *reinterpret_cast<const std::uint64_t(*)[Count]>(words);
}
template <std::size_t Count>
[[nodiscard, gnu::always_inline]] inline std::uint64_t (&as_memory(std::uint64_t* words) noexcept)[Count] {
  return *reinterpret_cast<std::uint64_t(*)[Count]>(words);
}

// Compiled for AVX2 whatever the program is compiled for.
namespace avx2_bodies {

/// Reads half a block that other threads may write, in one instruction.
struct at_once {
  [[nodiscard, gnu::target("avx2"), gnu::always_inline]] static __m256i half(const std::uint64_t* block,
                                                                             int half) noexcept {
    __m256i value;
    asm volatile("{vmovdqu %1, %0|vmovdqu %0, %1}" : "=x"(value) : "m"(as_memory<4>(block + 4 * half)));
    return value;
  }
};

/// Half a block of the bits of x's pattern.
template <in_eight_words Pattern>
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i half_mask(Pattern pattern, std::uint32_t x,
                                                                                int half) noexcept {
  return mask(pattern, x, half);
}
[[nodiscard, gnu::target("avx2"), gnu::always_inline]] inline __m256i half_mask(split_block_pattern, std::uint32_t x,
                                                                                int) noexcept {
  return split_mask(x);
}

/// A block as it was a moment ago, and the bits to set in it.
template <class Pattern>
struct alignas(64) block_change {
  std::uint64_t before[Pattern::words];
  std::uint64_t masks[Pattern::words];
};

/// Sets the bits that are missing, pair by pair. Out of line: an add of a key that is there already does not come here,
/// and is shorter without.
template <class Pattern>
[[gnu::noinline]] void set_pairs(std::uint64_t* block, const block_change<Pattern>& change) noexcept {
  const bool in_pairs = reinterpret_cast<std::uintptr_t>(block) % 16 == 0;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Pattern::words; i += 2) {
    std::uint64_t low = change.before[i], high = change.before[i + 1];
    const std::uint64_t low_mask = change.masks[i], high_mask = change.masks[i + 1];
    if (((low_mask & ~low) | (high_mask & ~high)) == 0) continue;
    bool done = false;
    if (in_pairs) [[likely]] {
      asm volatile("lock cmpxchg16b %1"
                   : "=@ccz"(done), "+m"(as_memory<2>(block + i)), "+a"(low), "+d"(high)
                   : "b"(low | low_mask), "c"(high | high_mask));
    }
    if (done) [[likely]]
      continue;
    if ((low_mask & ~low) != 0) atomic_access::set_missing(block + i, low_mask);
    if ((high_mask & ~high) != 0) atomic_access::set_missing(block + i + 1, high_mask);
  }
}

/// Sets all bits of x's pattern; whether they were set before.
template <class Pattern>
requires requires(Pattern pattern) {
  half_mask(pattern, 0, 0);
}
[[gnu::target("avx2"), gnu::always_inline]] inline bool set_shared(Pattern pattern, std::uint64_t* block,
                                                                   std::uint32_t x) noexcept {
  constexpr int halves = Pattern::words / 4;
  __m256i words[halves], bits[halves];
  __m256i missing = _mm256_setzero_si256();
  for (int half = 0; half < halves; ++half) {
    words[half] = at_once::half(block, half);
    bits[half] = half_mask(pattern, x, half);
    missing = _mm256_or_si256(missing, _mm256_andnot_si256(words[half], bits[half]));
  }
  if (_mm256_testz_si256(missing, missing) != 0) return true;
  block_change<Pattern> change;
  for (int half = 0; half < halves; ++half) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(change.before) + half, words[half]);
    _mm256_store_si256(reinterpret_cast<__m256i*>(change.masks) + half, bits[half]);
  }
  set_pairs(block, change);
  return false;
}

}  // namespace avx2_bodies

#if defined(__AVX2__)
#if defined(SEEN_BLOCKS_FOR_AVX512)
inline namespace avx512 {

/// A block that other threads may write, in one instruction.
[[nodiscard, gnu::always_inline]] inline eight_words words_at_once(const std::uint64_t* block) noexcept {
  __m512i value;
  asm volatile("{vmovdqu64 %1, %0|vmovdqu64 %0, %1}" : "=v"(value) : "m"(as_memory<8>(block)));
  return reinterpret_cast<eight_words>(value);
}
[[nodiscard, gnu::always_inline]] inline bool shared_covers(block_pattern_8, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  return all_odd(words_at_once(block) >> places(products(x)));
}
[[nodiscard, gnu::always_inline]] inline bool shared_covers(block_pattern_16, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  const eight_words product = products(x), words = words_at_once(block);
  return all_odd((words >> places(product)) & (words >> second_places(product)));
}
[[nodiscard, gnu::always_inline]] inline bool shared_covers(block_pattern_4 pattern, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  return none_set(mask(pattern, x) & ~words_at_once(block));
}
[[nodiscard, gnu::always_inline]] inline bool shared_covers(split_block_pattern pattern, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  return avx2_bodies::covers<avx2_bodies::at_once>(pattern, block, x);
}
#else
inline namespace avx2 {

template <class Pattern>
requires requires(const std::uint64_t* block) {
  avx2_bodies::covers(Pattern(), block, 0);
}
[[nodiscard, gnu::always_inline]] inline bool shared_covers(Pattern pattern, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  return avx2_bodies::covers<avx2_bodies::at_once>(pattern, block, x);
}
#endif

template <class Pattern>
requires requires(std::uint64_t* block) {
  avx2_bodies::set_shared(Pattern(), block, 0);
}
[[gnu::always_inline]] inline bool shared_set(Pattern pattern, std::uint64_t* block, std::uint32_t x) noexcept {
  return avx2_bodies::set_shared(pattern, block, x);
}

}  // namespace avx512 or avx2
#else
inline namespace sse2 {

/// Half of a split block that other threads may write, in one instruction.
[[nodiscard, gnu::always_inline]] inline __m128i half_at_once(const std::uint64_t* block, int half) noexcept {
  __m128i value;
  asm volatile("{movdqu %1, %0|movdqu %0, %1}" : "=x"(value) : "m"(as_memory<2>(block + 2 * half)));
  return value;
}
[[nodiscard, gnu::always_inline]] inline bool shared_covers(split_block_pattern, const std::uint64_t* block,
                                                            std::uint32_t x) noexcept {
  const __m128i missing = _mm_or_si128(_mm_andnot_si128(half_at_once(block, 0), split_mask(x, 0)),
                                       _mm_andnot_si128(half_at_once(block, 1), split_mask(x, 1)));
  return _mm_movemask_epi8(_mm_cmpeq_epi32(missing, _mm_setzero_si128())) == 0xffff;
}

// AVX2 code behind a call, where the machine has it.
template <in_eight_words Pattern>
[[nodiscard, gnu::target("avx2"), gnu::noinline]] bool shared_covers_by_call(const std::uint64_t* block,
                                                                             std::uint32_t x) noexcept {
  return avx2_bodies::covers<avx2_bodies::at_once>(Pattern(), block, x);
}
template <class Pattern>
requires requires(std::uint64_t* block) {
  avx2_bodies::set_shared(Pattern(), block, 0);
}
[[gnu::target("avx2"), gnu::noinline]] bool shared_set_by_call(std::uint64_t* block, std::uint32_t x) noexcept {
  return avx2_bodies::set_shared(Pattern(), block, x);
}

}  // namespace sse2
#endif

}  // namespace seen::inline v1::kernels
#endif
