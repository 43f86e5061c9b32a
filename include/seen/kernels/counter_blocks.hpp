// Probes of a blocked counting filter: all counters of a key in one 512-bit block, one cache line.
//
//   block, 8 probes,     lane 0      lane 1            lane 7
//   128 counters of 4    [..1.…....] [.1..…....]  …  [....…..1.]     a lane per probe, one counter in each:
//                         word 0      word 1            word 7       the probes of a key never coincide
//
//   pattern  a 64-bit word; lane i takes the bits after those of lane i-1, from the top: log2(counters in a lane) each
//   4 probes: a lane is two words; 16 probes: half a word
//
// One key is a load, a shift and a mask for each lane, and no branch. The shape is a pair of template parameters, so
// that every shift that can be a constant is one; it is chosen once per call or batch.
//
// Batches fetch the line of the key 32 places ahead while they work on this one ("rolling"), if the table is larger
// than the second-level cache: that is as many lines in flight as the machine takes (docs/performance.md).
#pragma once

#include <seen/base/bits.hpp>
#include <seen/kernels/counter_blocks_avx2.hpp>
#include <seen/kernels/counters.hpp>
#include <seen/kernels/prefetch.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::inline v1::kernels {

/// Bits and words of a block: one cache line.
inline constexpr std::uint32_t counter_block_bits = 512;
inline constexpr std::uint32_t counter_block_words = counter_block_bits / 64;

/// Where the counters of a key lie in its block.
template <std::uint32_t Probes, std::uint32_t Width>
struct counter_block_shape {
  static constexpr std::uint32_t probes = Probes;
  static constexpr std::uint32_t width = Width;
  static constexpr std::uint32_t lane_counters = counter_block_bits / Width / Probes;
  static constexpr std::uint32_t lane_digits = static_cast<std::uint32_t>(std::bit_width(lane_counters)) - 1;
  static_assert(lane_digits * Probes <= 64, "a pattern has 64 bits");

  /// How far right the digits of a lane are shifted, to be where they are times Width.
  [[nodiscard]] static constexpr std::uint32_t digits_down(std::uint32_t lane) noexcept {
    return 64 - lane_digits * (lane + 1) - static_cast<std::uint32_t>(std::bit_width(Width) - 1);
  }
  /// The bit of the block at which the counter of lane `lane` begins: one shift and one mask.
  [[nodiscard]] static constexpr std::uint32_t bit(std::uint64_t pattern, std::uint32_t lane) noexcept {
    const std::uint64_t times_width = pattern >> digits_down(lane);
    return lane * lane_counters * Width + (static_cast<std::uint32_t>(times_width) & (lane_counters - 1) * Width);
  }
};

/// Calls use.operator()<Shape>() for the shape of these numbers; false where there is no such shape.
template <class Use>
[[gnu::always_inline]] inline bool with_counter_block_shape(std::uint32_t probes, std::uint32_t width,
                                                            Use use) noexcept {
  if (width == 4) {
    if (probes == 8) return use.template operator()<counter_block_shape<8, 4>>(), true;
    if (probes == 4) return use.template operator()<counter_block_shape<4, 4>>(), true;
    if (probes == 16) return use.template operator()<counter_block_shape<16, 4>>(), true;
  } else if (width == 8) {
    if (probes == 8) return use.template operator()<counter_block_shape<8, 8>>(), true;
    if (probes == 4) return use.template operator()<counter_block_shape<4, 8>>(), true;
    if (probes == 16) return use.template operator()<counter_block_shape<16, 8>>(), true;
  }
  return false;
}

/// Whether no counter of the pattern is 0.
template <class Access, class Shape>
[[nodiscard, gnu::always_inline]] inline bool counter_block_lookup(const std::uint64_t* block,
                                                                   std::uint64_t pattern) noexcept {
#ifdef SEEN_HAS_AVX2_KERNELS
  if constexpr (Shape::probes == 8 && !Access::is_shared) {
#ifdef __AVX2__
    return counter_avx2::block_lookup<Shape>(block, pattern);
#else
    if (counter_avx2::available()) return counter_avx2::lookup_by_call<Shape>(block, pattern);
#endif
  }
#endif
  std::uint64_t borrow = 0;  // a counter of 0 borrows, and the borrow shows in the highest bit
#pragma GCC unroll 16
  for (std::uint32_t lane = 0; lane < Shape::probes; ++lane) {
    const std::uint32_t bit = Shape::bit(pattern, lane);
    const std::uint64_t word = little_endian(Access::load(block + bit / 64));
    borrow |= (word >> (bit & 63) & counter_maximum(Shape::width)) - 1;
  }
  return borrow >> 63 == 0;
}

/// One more in every counter of the pattern: the portable body.
template <class Access, class Shape>
[[gnu::always_inline]] inline void counter_block_add_lanes(std::uint64_t* block, std::uint64_t pattern) noexcept {
#pragma GCC unroll 16
  for (std::uint32_t lane = 0; lane < Shape::probes; ++lane) {
    const std::uint32_t bit = Shape::bit(pattern, lane);
    Access::update(block + bit / 64, [&](std::uint64_t stored) {
      return little_endian(raised(little_endian(stored), bit & 63, counter_maximum(Shape::width)));
    });
  }
}

/// The same for one key, which the compiler makes no vectors of.
template <class Access, class Shape>
[[gnu::always_inline]] inline void counter_block_add(std::uint64_t* block, std::uint64_t pattern) noexcept {
#ifdef SEEN_HAS_AVX2_KERNELS
  if constexpr (Shape::probes == 8 && !Access::is_shared) {
#ifdef __AVX2__
    return counter_avx2::block_add<Shape>(block, pattern);
#else
    if (counter_avx2::available()) return counter_avx2::add_by_call<Shape>(block, pattern);
#endif
  }
#endif
  counter_block_add_lanes<Access, Shape>(block, pattern);
}

/// Calls work(i, block) for every digest, its line fetched before. A rule says word(digest), where a block begins.
template <class Word, class Rule, class Work>
[[gnu::always_inline]] inline void each_counter_block(Word* words, const Rule rule, std::size_t table_bytes,
                                                      std::span<const typename Rule::digest_type> digests,
                                                      Work work) noexcept {
  constexpr std::size_t ahead = counter_blocks_ahead;
  const std::size_t n = digests.size();
  std::size_t i = 0;
  if (table_bytes > cached_bytes) {
    for (std::size_t j = 0; j < std::min(ahead, n); ++j) prefetch(words + rule.word(digests[j]));
    for (; i + ahead < n; ++i) {
      prefetch(words + rule.word(digests[i + ahead]));
      work(i, words + rule.word(digests[i]));
    }
  }
  for (; i < n; ++i) work(i, words + rule.word(digests[i]));
}

/// One more in every counter of every digest.
template <class Access, class Shape, class Rule>
void counter_block_add_many(std::uint64_t* words, const Rule rule, std::size_t table_bytes,
                            std::span<const typename Rule::digest_type> digests) noexcept {
#if defined(SEEN_HAS_AVX2_KERNELS) && !defined(__AVX2__)
  if constexpr (!Access::is_shared) {
    if (counter_avx2::available()) {
      return counter_avx2::add_many<Shape>(
          words, rule, table_bytes > cached_bytes, digests,
          [](std::uint64_t* block, std::uint64_t pattern) { counter_block_add_lanes<Access, Shape>(block, pattern); });
    }
  }
#endif
  each_counter_block(words, rule, table_bytes, digests, [&](std::size_t i, std::uint64_t* block) {
#ifdef __AVX512F__
    counter_block_add_lanes<Access, Shape>(block, rule.pattern(digests[i]));  // a loop of it becomes one of whole lines
#else
    counter_block_add<Access, Shape>(block, rule.pattern(digests[i]));
#endif
  });
}

/// Writes whether each digest may be present; returns how many may.
template <class Access, class Shape, class Rule>
std::size_t counter_block_lookup_many(const std::uint64_t* words, const Rule rule, std::size_t table_bytes,
                                      std::span<const typename Rule::digest_type> digests, bool* out) noexcept {
#ifdef SEEN_HAS_AVX2_KERNELS
  if constexpr (Shape::probes == 8 && !Access::is_shared) {
    if (counter_avx2::available())
      return counter_avx2::lookup_many<Shape>(words, rule, table_bytes > cached_bytes, digests, out);
  }
#endif
  std::size_t found = 0;
  each_counter_block(words, rule, table_bytes, digests, [&](std::size_t i, const std::uint64_t* block) {
    found += out[i] = counter_block_lookup<Access, Shape>(block, rule.pattern(digests[i]));
  });
  return found;
}

/// The expected rate of the blocks as they are: the mean over blocks of the chance that a random pattern finds no 0.
template <class Access>
[[nodiscard]] double counter_block_rate(const std::uint64_t* words, std::uint64_t blocks, std::uint32_t probes,
                                        std::uint32_t width) noexcept {
  const std::uint32_t lane_bits = counter_block_bits / probes;
  const double lane_counters = lane_bits / width;
  const std::uint64_t lane_mask = lane_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lane_bits) - 1;
  double sum = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t* const block = words + b * counter_block_words;
    double product = 1;
    for (std::uint32_t lane = 0; lane < probes; ++lane) {
      int marked = 0;
      for (std::uint32_t bit = lane * lane_bits; bit < (lane + 1) * lane_bits; bit += std::min(lane_bits, 64u)) {
        const std::uint64_t word = little_endian(Access::load(block + bit / 64)) >> (bit & 63) & lane_mask;
        marked += std::popcount(packed_nonzero(word, width));
      }
      product *= marked / lane_counters;
    }
    sum += product;
  }
  return sum / static_cast<double>(blocks);
}

}  // namespace seen::inline v1::kernels
