// Where the fingerprint of a digest may lie in a cuckoo table: the arithmetic of index rules 16 and 17.
//
//   digest d ──► x = d + d·2^32, so that the high half of x has something of both halves of d
//
//   x·N / 2^64 ─┬─ whole part ───────────► bucket g, one of the N of the table    ┐ of one product
//               └─ fraction, top w bits ─► fingerprint t; 0 marks an empty slot,   │
//                                          so 0 is taken for 1                     ┘
//
//   buckets  0        S        2S       …        L         N      S = 2^s; all chunks but the last have S buckets,
//            [ chunk  | chunk  |  …     |  last chunk   ]         the last has what is left, less than 2S
//
//   other bucket of t in bucket i of a chunk of B:  (h(t) − i) mod B,
//   h(t) = the top s bits of u ^ rotr(u, 13), u = t·G mod 2^32, and its lowest bit set
//
// Bucket and fingerprint are neighbouring bits of one number, the highest that a digest has: they are independent as
// long as N·2^w is at most 2^64. The chunk is the bucket shifted, where equal chunks of any size would take a division.
//
// h(t) is below S, so one comparison is the whole modulus, and the rule is its own inverse for ANY number of buckets,
// where the usual exclusive-or needs a power of two. N is even and h(t) odd, so the sum of the two buckets is odd: they
// are never the same one, and every key has eight slots. The exclusive-or is there for short fingerprints. With t·G
// alone, h(s) − h(t) depends only on s − t: paths meet the same few buckets again and again, and a table of 8-bit
// fingerprints is full at 96 % instead of 97 %. Nothing is lost by sums that lie below S: i is uniform, and so is the
// other bucket.
//
// A link of growing_cuckoo is 2^c such tables side by side, its copies of the first link; the low c bits of
// x ^ floor(x / 2^35) say which. A key has the same two buckets in its copy in every link.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::kernels {

/// Digests to places. Its constants are part of the file format.
struct cuckoo_map {
  /// G: 2^32 divided by the golden ratio, odd [Knuth 1973, 6.4].
  static constexpr std::uint32_t mirror_multiplier = 0x9e3779b1;
  /// How far the product of h is turned before it is laid over itself.
  static constexpr int mirror_rotation = 13;
  /// For the copy, x is mixed with itself shifted by so much.
  static constexpr std::uint32_t copy_shift = 35;
  /// From so many chunks on, few enough buckets lie in the last one for a branch on it to be predicted.
  static constexpr std::uint64_t many_chunks = 16;

  std::uint64_t buckets = 0;             ///< N, of one copy
  std::uint64_t last = 0;                ///< L, the first bucket of the last chunk; 0 if there is only one
  std::array<std::uint64_t, 2> sizes{};  ///< buckets of a chunk, 2^s, and of the last
  std::uint32_t sum_shift = 0;           ///< 32 − s
  std::uint32_t dropped = 0;             ///< bits of a fingerprint that h does not look at, the lowest (growing_cuckoo)
  std::uint64_t copies = 1;              ///< a power of two; 1 but in growing_cuckoo
  std::uint64_t in_chunk = 0;            ///< the bits of a bucket's number in its chunk, 2^s - 1
  std::uint64_t split = 0;               ///< L where chunks are many; else 0

  /// N buckets in so many chunks, of which the last may be larger; both of all copies together.
  [[nodiscard]] static constexpr cuckoo_map of(std::uint64_t buckets, std::uint64_t chunks, std::uint64_t copies = 1,
                                               std::uint32_t dropped = 0) noexcept {
    const auto bits = static_cast<std::uint32_t>(std::bit_width(buckets / chunks)) - 1;
    const std::uint64_t each = buckets / copies, last = (chunks / copies - 1) << bits;
    const std::uint64_t size = std::uint64_t{1} << bits, split = last / size >= many_chunks ? last : 0;
    return {each, last, {size, each - last}, 32 - bits, dropped, copies, size - 1, split};
  }
  /// s: chunks have 2^s buckets.
  [[nodiscard]] std::uint32_t chunk_bits() const noexcept { return 32 - sum_shift; }

  /// x: the digest, with the low half added to the high half.
  [[nodiscard, gnu::always_inline]] static constexpr std::uint64_t spread(digest d) noexcept {
    return d.value + (d.value << 32);
  }
  /// A bucket in its copy, and the fraction that the product leaves.
  struct spot {
    std::uint64_t bucket;
    std::uint64_t fraction;
  };
  /// Where the product x·N puts a digest.
  [[nodiscard, gnu::always_inline]] spot spot_of(digest d) const noexcept {
    const std::uint64_t x = spread(d);
#ifdef __SIZEOF_INT128__
    const uint128 product = static_cast<uint128>(x) * buckets;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#else
    return {mulhi(x, buckets), x * buckets};
#endif
  }
  /// The fingerprint, of so many bits, that begins the fraction; 0 is taken for 1.
  [[nodiscard, gnu::always_inline]] static std::uint64_t fingerprint(std::uint64_t fraction,
                                                                     std::uint32_t bits) noexcept {
    const std::uint64_t top = fraction >> (64 - bits);
    return top == 0 ? 1 : top;
  }
  /// The first bucket of the copy a digest lies in.
  [[nodiscard, gnu::always_inline]] std::uint64_t copy_of(digest d) const noexcept {
    const std::uint64_t x = spread(d);
    return ((x ^ x >> copy_shift) & (copies - 1)) * buckets;
  }

  /// The buckets of a chunk: the first, and how many there are.
  struct extent {
    std::uint64_t start;
    std::uint64_t size;
  };
  /// The chunk of a bucket of the first copy, or of the only one.
  [[nodiscard, gnu::always_inline]] extent chunk_of(std::uint64_t bucket) const noexcept {
    return {std::min(bucket & (0 - sizes[0]), last), sizes[bucket >= last]};  // no branch: nobody could predict it
  }

  /// h(t), below 2^s.
  [[nodiscard, gnu::always_inline]] std::uint64_t sum_of(std::uint64_t t) const noexcept {
    const std::uint32_t product = static_cast<std::uint32_t>(t) * mirror_multiplier;
    return ((product ^ std::rotr(product, mirror_rotation)) >> sum_shift) | 1;
  }
  /// The same of a fingerprint without its lowest bits, those that are dropped.
  [[nodiscard, gnu::always_inline]] std::uint64_t nested_sum_of(std::uint64_t t) const noexcept {
    const std::uint64_t kept = t >> dropped;
    return sum_of(kept == 0 ? 1 : kept);
  }
  /// The other bucket of a pair with this sum, in the chunk.
  [[nodiscard, gnu::always_inline]] static std::uint64_t other(const extent& chunk, std::uint64_t bucket,
                                                               std::uint64_t sum) noexcept {
    const std::uint64_t from_start = bucket - chunk.start;
    const std::uint64_t other = sum - from_start;  // below 0, that is huge, where it has to wrap
    return chunk.start + std::min(other, other + chunk.size);
  }
  /// The same for a bucket of the first copy, whose chunk is not known yet.
  [[nodiscard, gnu::always_inline]] std::uint64_t other(std::uint64_t bucket, std::uint64_t sum) const noexcept {
    // A branch, and well predicted: tables of one chunk are small, and their instructions count.
    if (last == 0) [[likely]]
      return other({0, buckets}, bucket, sum);
    return other(chunk_of(bucket), bucket, sum);
  }
};

// The places of many digests at once.
//
//   32 digests ──► first buckets, second buckets, fingerprints     three arrays, computed eight, four or two digests
//                                                                  at a time, as the vectors are
//
// Finding where a digest lies takes a dozen shifts and some products, more than looking there. They need no memory,
// so one body per instruction set, chosen at run time, serves lookups and adds, plain and shared tables, all widths.

/// Where some digests lie.
struct cuckoo_block {
  static constexpr std::size_t size = 32;
  std::array<std::uint64_t, size> first, second, fingerprint;
};

/// Fills `to` for the cuckoo_block::size digests at `digests`, as the functions of cuckoo_map do for one.
void cuckoo_locate(const cuckoo_map& map, std::uint32_t bits, const digest* digests, cuckoo_block& to) noexcept;

}  // namespace seen::inline v1::kernels
