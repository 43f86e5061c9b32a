// Where the fingerprint of a digest may lie in a cuckoo table: the arithmetic of index rules 8 and 9.
//
//   digest x ─┬─ high half · chunks >> 32 ──► chunk
//             ├─ low half · B >> 32 ────────► bucket i, one of the B of the chunk
//             └─ x·C, top w bits ───────────► fingerprint t; 0 marks an empty slot, so 0 is taken for 1
//
//   other bucket of t in bucket i:  (h(t) − i) mod B,  h(t) = ((t²·G mod 2^32) >> s) | 1,  2^(32 − s) ≤ B < 2^(33 − s)
//
// h(t) is below B, so one comparison is the whole modulus, and the rule is its own inverse for ANY number of buckets,
// where the usual exclusive-or needs a power of two. B is even and h(t) odd, so the sum of the two buckets is odd: they
// are never the same one, and every key has eight slots. The square is there for short fingerprints. With t·G alone,
// h(s) − h(t) depends only on s − t: paths meet the same few buckets again and again, and a table of 8-bit fingerprints
// is full at 96 % instead of 97 %. Nothing is lost by sums that lie below a power of two: i is uniform, and so is the
// other bucket.
//
// Every product is one of 32 by 32 bits (or keeps 64): vectors have those, four or eight at a time
// (src/kernels/cuckoo.cpp). 32 bits choose a chunk and 32 others a bucket in it, so both are limited (math/cuckoo.hpp).
#pragma once

#include <seen/base/digest.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::kernels {

/// Digests to places. Its constants are part of the file format.
struct cuckoo_map {
  /// C: the multiplier of the classic filter's chain [Steele & Vigna 2022].
  static constexpr std::uint64_t fingerprint_multiplier = 0xf1357aea2e62a9c5;
  /// G: 2^32 divided by the golden ratio, odd [Knuth 1973, 6.4].
  static constexpr std::uint32_t mirror_multiplier = 0x9e3779b1;

  std::uint64_t chunks = 0;
  std::uint64_t buckets = 0;    ///< B, of one chunk
  std::uint32_t sum_shift = 0;  ///< s
  std::uint32_t dropped = 0;    ///< bits of a fingerprint that h does not look at, the lowest (growing_cuckoo)

  [[nodiscard]] static constexpr cuckoo_map of(std::uint64_t chunks, std::uint64_t buckets,
                                               std::uint32_t dropped = 0) noexcept {
    return {chunks, buckets, 33 - static_cast<std::uint32_t>(std::bit_width(buckets)), dropped};
  }

  [[nodiscard, gnu::always_inline]] std::uint64_t chunk_of(digest d) const noexcept {
    return (d.value >> 32) * chunks >> 32;
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t first_of(digest d) const noexcept {
    return (d.value & 0xffff'ffff) * buckets >> 32;
  }
  [[nodiscard, gnu::always_inline]] static std::uint64_t fingerprint(digest d, std::uint32_t bits) noexcept {
    const std::uint64_t top = (d.value * fingerprint_multiplier) >> (64 - bits);
    return top + (top == 0);
  }
  /// The other bucket, if no bits are dropped. Below buckets whatever t is.
  [[nodiscard, gnu::always_inline]] std::uint64_t mirror(std::uint64_t bucket, std::uint64_t t) const noexcept {
    const auto low = static_cast<std::uint32_t>(t);
    const std::uint64_t sum = (low * low * mirror_multiplier >> sum_shift) | 1;
    const std::uint64_t difference = sum - bucket;  // below 0, that is huge, where it has to wrap
    return std::min(difference, difference + buckets);
  }
  /// The other bucket.
  [[nodiscard, gnu::always_inline]] std::uint64_t other(std::uint64_t bucket, std::uint64_t t) const noexcept {
    const std::uint64_t kept = t >> dropped;
    return mirror(bucket, kept + (kept == 0));
  }
};

// The places of many digests at once.
//
//   32 digests ──► chunks, first buckets, second buckets, fingerprints     four arrays, computed eight, four or two
//                                                                          digests at a time, as the vectors are
//
// Finding where a digest lies takes a dozen multiplications and shifts, more than looking there. They need no memory,
// so one body per instruction set, chosen at run time, serves lookups and adds, plain and shared tables, all widths.

/// Where some digests lie. Buckets are counted over all chunks.
struct cuckoo_block {
  static constexpr std::size_t size = 32;
  std::array<std::uint64_t, size> chunk, first, second, fingerprint;
};

/// Fills `to` for the cuckoo_block::size digests at `digests`, as cuckoo_map::chunk_of, first_of, fingerprint and other
/// do for one.
void cuckoo_locate(const cuckoo_map& map, std::uint32_t bits, const digest* digests, cuckoo_block& to) noexcept;

}  // namespace seen::inline v1::kernels
