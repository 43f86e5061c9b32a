// Filters made of small blocks: a key's bits all lie in one block, so a lookup is one cache miss and a few operations.
//
//   block   p[0]      p[1]            p[W-1]          W words of 64 bits, in file order
//           [......1.][...1....]  …  [.1......]
//               ▲         ▲                ▲           bit i of pattern x: from the top bits of x·salt_i mod 2^32
//
// A pattern (kernels/block_patterns.hpp) says which bits of a block belong to a 32-bit number x. It is spoken of in
// four dialects, since no single one is constant, inlined into any program, safe on shared words and as wide as the
// machine. All name the steps alike, and take them in this order: products, then places, second_places, pair_places,
// half_places.
//
//   dialect                    serves                                          because
//   block_patterns.hpp         rules, models, tests and the loops below: any   a constant expression: the specification
//                              machine, shared words one by one, test_and_set
//   block_vectors.hpp, AVX2    one key on x86-64 that has AVX2, inlined or     intrinsics are inlined into a program
//                              by a call                                       of any target
//   block_vectors.hpp,         one key where the program is compiled for       one register for eight words; SSE2 is
//   AVX-512 and SSE2           AVX-512; a split block on any x86-64            what every x86-64 has
//   src/kernels/block.cpp      batches, chosen once per call                   Highway: one body for AVX-512, AVX2,
//                                                                              SSE4 and NEON
//
// tests/kernels/block_pattern_test.cpp compares all of them with the first. Single keys are the exception to "chosen
// once per batch, never per key": a program compiled for any x86-64 asks best_instructions() for every key. That is a
// relaxed load and a branch that always goes the same way, while a lookup word by word takes two to four times as long.
//
// One key. With vectors all bits are tested at once. Word by word, four bits are tested without a branch and then the
// rest: 15 of 16 absent keys end there at half fill, and fewer instructions on the way of a key leave room for more
// keys, and so for more cache misses, in the processor's window (docs/performance.md has the figures).
//
// Batches. Beyond the second-level cache a key's block is prefetched as soon as its digest is there, and the digest waits in
// a ring until 128 later ones have been asked for, one for each that is tested: a steady stream keeps more misses in flight
// than bursts do. Keys are hashed in pieces of 1024, and the ring stays full from one piece to the next; integers by vectors
// where the machine has AVX-512, and in the loop that touches their blocks where it has not, since a pass over digests in
// memory would cost more there than it gives.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/instructions.hpp>
#include <seen/kernels/block_patterns.hpp>
#include <seen/kernels/block_vectors.hpp>
#include <seen/kernels/prefetch.hpp>
#include <seen/kernels/shared_block.hpp>
#include <seen/kernels/tiles.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace seen::inline v1 {

class xxh3_fold;

namespace kernels {

/// Calls use(bit) for bits First … Last-1 of x's pattern, unrolled.
template <class Pattern, std::uint32_t First, std::uint32_t Last, class Use>
[[gnu::always_inline]] inline void for_each_bit(std::uint32_t x, Use use) noexcept {
  [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
    (use(Pattern::template bit_of<First + I>(x)), ...);
  }
  (std::make_integer_sequence<std::uint32_t, Last - First>());
}

namespace scalar {

/// Whether a block has bits First … Last-1 of x's pattern. (Shifting the words, not masking them: one register for
/// all.)
template <class Access, class Pattern, std::uint32_t First, std::uint32_t Last>
[[nodiscard, gnu::always_inline]] inline bool covers(const std::uint64_t* block, std::uint32_t x) noexcept {
  std::uint64_t all = 1;
  for_each_bit<Pattern, First, Last>(
      x, [&](block_bit at) { all &= little_endian(Access::load(block + at.word)) >> at.bit; });
  return (all & 1) != 0;
}

}  // namespace scalar

// The following is compiled differently for different targets, and has a name of its own in each.
#if defined(SEEN_BLOCKS_FOR_AVX512)
inline namespace avx512 {
#elif defined(__AVX2__)
inline namespace avx2 {
#elif defined(__SSE2__)
inline namespace sse2 {
#else
inline namespace portable {
#endif

/// The bits of x's pattern as words, to be laid over a block whose words are touched one by one.
template <class Pattern>
[[nodiscard, gnu::always_inline]] inline std::array<std::uint64_t, Pattern::words> block_masks(
    std::uint32_t x) noexcept {
  std::array<std::uint64_t, Pattern::words> words{};
  for_each_bit<Pattern, 0, Pattern::probes>(x, [&](block_bit at) { words[at.word] |= bit_mask(at.bit); });
  return words;
}

/// Whether a block has all bits of the masks.
template <class Access, std::size_t Words>
[[nodiscard, gnu::always_inline]] inline bool masks_covered(const std::uint64_t* block,
                                                            const std::array<std::uint64_t, Words>& masks) noexcept {
  std::uint64_t missing = 0;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Words; ++i) missing |= masks[i] & ~Access::load(block + i);
  return missing == 0;
}

/// Whether a block has all bits of x's pattern.
template <class Access, class Pattern>
[[nodiscard, gnu::always_inline]] inline bool block_covers(const std::uint64_t* block, std::uint32_t x) noexcept {
  if constexpr (!Access::is_shared && requires { vector_covers(Pattern(), block, x); }) {
    return vector_covers(Pattern(), block, x);
  } else if constexpr (vector_shared<Access> && requires { shared_covers(Pattern(), block, x); }) {
    return shared_covers(Pattern(), block, x);
  } else {
    if constexpr (!Access::is_shared && requires { covers_by_call<Pattern>(block, x); }) {
      if (best_instructions() >= instruction_set::avx2) return covers_by_call<Pattern>(block, x);
    }
    if constexpr (vector_shared<Access> && requires { shared_covers_by_call<Pattern>(block, x); }) {
      if (best_instructions() >= instruction_set::avx2) return shared_covers_by_call<Pattern>(block, x);
    }
    constexpr std::uint32_t first = std::min(4u, Pattern::probes);
    return scalar::covers<Access, Pattern, 0, first>(block, x) &&
           scalar::covers<Access, Pattern, first, Pattern::probes>(block, x);
  }
}

/// Sets all bits of x's pattern in a block that other threads may write; whether they were set before.
template <class Access, class Pattern>
[[gnu::always_inline]] inline bool shared_block_set(std::uint64_t* block, std::uint32_t x) noexcept {
  if constexpr (vector_shared<Access> && requires { shared_set(Pattern(), block, x); }) {
    return shared_set(Pattern(), block, x);
  } else {
    if constexpr (vector_shared<Access> && requires { shared_set_by_call<Pattern>(block, x); }) {
      if (best_instructions() >= instruction_set::avx2) return shared_set_by_call<Pattern>(block, x);
    }
    const auto masks = block_masks<Pattern>(x);
    if (masks_covered<Access>(block, masks)) return true;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Pattern::words; ++i) Access::set(block + i, masks[i]);
    return false;
  }
}

/// Sets all bits of x's pattern.
template <class Access, class Pattern>
[[gnu::always_inline]] inline void block_set(std::uint64_t* block, std::uint32_t x) noexcept {
  if constexpr (Access::is_shared) {
    shared_block_set<Access, Pattern>(block, x);
  } else if constexpr (requires { vector_set(Pattern(), block, x); }) {
    vector_set(Pattern(), block, x);
  } else {
    if constexpr (requires { set_by_call<Pattern>(block, x); }) {
      if (best_instructions() >= instruction_set::avx2) return set_by_call<Pattern>(block, x);
    }
    const auto masks = block_masks<Pattern>(x);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Pattern::words; ++i) Access::set_missing(block + i, masks[i]);
  }
}

/// Sets all bits of x's pattern; whether they were set before.
template <class Access, class Pattern>
[[gnu::always_inline]] inline bool block_test_and_set(std::uint64_t* block, std::uint32_t x) noexcept {
  if constexpr (Access::is_shared) return shared_block_set<Access, Pattern>(block, x);
  bool present = true;
  for_each_bit<Pattern, 0, Pattern::probes>(x, [&](block_bit at) {
    const std::uint64_t mask = bit_mask(at.bit);
    if ((Access::load(block + at.word) & mask) == 0) {
      present = false;
      Access::set(block + at.word, mask);
    }
  });
  return present;
}

namespace rolling {

/// Digests between the prefetch of a block and its use. Their lines are 8 KiB, a sixth of the first-level cache of Zen 5;
/// with 64 or 256 ahead, or into the second level, batches are slower (docs/performance.md, "Dead ends").
inline constexpr std::size_t ahead = 128;

/// Calls use(i, pattern, block) of digest_of(i), for i from 0 to n - 1. With prefetching, patterns and blocks wait in a
/// ring until 128 later ones have been asked for.
template <std::size_t Words, class Word, class Rule, class DigestOf, class Use>
[[gnu::always_inline]] inline void for_each_block(Word* words, const Rule rule, std::size_t n, DigestOf digest_of,
                                                  Use use) {
  const auto block_of = [&](typename Rule::digest_type d) { return words + Words * rule.block_of(d); };
  std::size_t i = 0;
  if (rule.blocks() * Words * sizeof(Word) > cached_bytes) {
    std::array<std::uint32_t, ahead> patterns;
    std::array<Word*, ahead> blocks;
    const auto ask = [&](std::size_t key) {
      const auto d = digest_of(key);
      patterns[key % ahead] = Rule::pattern_of(d);
      blocks[key % ahead] = block_of(d);
      prefetch_near(blocks[key % ahead]);
    };
    for (std::size_t key = 0; key < std::min(ahead, n); ++key) ask(key);
    for (; i + ahead < n; ++i) {
      const std::uint32_t pattern = patterns[i % ahead];
      Word* const block = blocks[i % ahead];
      ask(i + ahead);
      use(i, pattern, block);
    }
  }
  for (; i < n; ++i) {
    const auto d = digest_of(i);
    use(i, Rule::pattern_of(d), block_of(d));
  }
}

}  // namespace rolling

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__AVX2__)
// Batches over shared words in a program for any x86-64: the loop is compiled for AVX2, not called for every key.
template <class Pattern, class Rule, class DigestOf>
requires requires(std::uint64_t* block) {
  avx2_bodies::set_shared(Pattern(), block, 0);
}
[[gnu::target("avx2"), gnu::noinline]] void shared_add_each_by_call(std::uint64_t* words, const Rule rule,
                                                                    std::size_t n, DigestOf digest_of) noexcept {
  rolling::for_each_block<Pattern::words>(
      words, rule, n, digest_of,
      [](std::size_t, std::uint32_t x, std::uint64_t * block)
          __attribute__((target("avx2"))) { avx2_bodies::set_shared(Pattern(), block, x); });
}
template <class Pattern, class Rule, class DigestOf>
requires requires(const std::uint64_t* block) {
  avx2_bodies::covers(Pattern(), block, 0);
}
[[gnu::target("avx2"), gnu::noinline]] std::size_t shared_lookup_each_by_call(const std::uint64_t* words,
                                                                              const Rule rule, std::size_t n,
                                                                              DigestOf digest_of, bool* out) noexcept {
  std::size_t found = 0;
  rolling::for_each_block<Pattern::words>(
      words, rule, n,
      digest_of, [&](std::size_t i, std::uint32_t x, const std::uint64_t* block) __attribute__((target("avx2"))) {
        out[i] = avx2_bodies::covers<avx2_bodies::at_once>(Pattern(), block, x);
        found += out[i];
      });
  return found;
}
#endif

/// Adds n digests.
template <class Access, class Pattern, class Rule, class DigestOf>
void block_add_each(std::uint64_t* words, const Rule rule, std::size_t n, DigestOf digest_of) noexcept {
  if constexpr (vector_shared<Access> && requires { shared_add_each_by_call<Pattern>(words, rule, n, digest_of); }) {
    if (best_instructions() >= instruction_set::avx2)
      return shared_add_each_by_call<Pattern>(words, rule, n, digest_of);
  }
  rolling::for_each_block<Pattern::words>(
      words, rule, n, digest_of,
      [](std::size_t, std::uint32_t x, std::uint64_t* block) { block_set<Access, Pattern>(block, x); });
}

/// Writes whether each of n digests may be present; returns how many may.
template <class Access, class Pattern, class Rule, class DigestOf>
std::size_t block_lookup_each(const std::uint64_t* words, const Rule rule, std::size_t n, DigestOf digest_of,
                              bool* out) noexcept {
  if constexpr (vector_shared<Access> &&
                requires { shared_lookup_each_by_call<Pattern>(words, rule, n, digest_of, out); }) {
    if (best_instructions() >= instruction_set::avx2) {
      return shared_lookup_each_by_call<Pattern>(words, rule, n, digest_of, out);
    }
  }
  std::size_t found = 0;
  rolling::for_each_block<Pattern::words>(words, rule, n, digest_of,
                                          [&](std::size_t i, std::uint32_t x, const std::uint64_t* block) {
                                            const bool covered = block_covers<Access, Pattern>(block, x);
                                            out[i] = covered;
                                            found += covered;
                                          });
  return found;
}

/// Adds every digest.
template <class Access, class Pattern, class Rule>
void block_add_many(std::uint64_t* words, const Rule rule,
                    std::span<const typename Rule::digest_type> digests) noexcept {
  block_add_each<Access, Pattern>(words, rule, digests.size(), [digests](std::size_t i) { return digests[i]; });
}

/// Writes whether each digest may be present; returns how many may.
template <class Access, class Pattern, class Rule>
std::size_t block_lookup_many(const std::uint64_t* words, const Rule rule,
                              std::span<const typename Rule::digest_type> digests, bool* out) noexcept {
  return block_lookup_each<Access, Pattern>(
      words, rule, digests.size(), [digests](std::size_t i) { return digests[i]; }, out);
}

}  // inline namespace of the target

// Batches for the native layouts, compiled for several sets of instructions, of which the machine's is chosen
// (src/kernels/block.cpp). Patterns and answers are those above, bit for bit.

/// The native block layouts: pattern and way from a digest to its block.
enum class block_layout : std::uint8_t {
  lanes_4,   ///< block_pattern_4, mulhi(digest, blocks)
  lanes_8,   ///< block_pattern_8, mulhi(digest, blocks)
  lanes_16,  ///< block_pattern_16, mulhi(digest, blocks)
  split,     ///< split_block_pattern, (digest >> 32)·blocks >> 32
};

/// Adds every digest.
void block_add_many(block_layout layout, std::uint64_t* words, std::uint64_t blocks,
                    const digest_source& digests) noexcept;

/// Writes whether each digest may be present; returns how many may.
std::size_t block_lookup_many(block_layout layout, const std::uint64_t* words, std::uint64_t blocks,
                              const digest_source& digests, bool* out) noexcept;

// The same for integer keys with the default hash, whose few operations are compiled into the loops.

/// Adds every key.
void block_add_keys(block_layout layout, std::uint64_t* words, std::uint64_t blocks, const xxh3_fold& hash,
                    std::span<const std::uint64_t> keys) noexcept;

/// Writes whether each key may be present; returns how many may.
std::size_t block_lookup_keys(block_layout layout, const std::uint64_t* words, std::uint64_t blocks,
                              const xxh3_fold& hash, std::span<const std::uint64_t> keys, bool* out) noexcept;

}  // namespace kernels
}  // namespace seen::inline v1
