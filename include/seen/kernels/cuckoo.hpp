// Buckets of packed fingerprints: four lanes of w bits side by side, compared all at once in a machine word.
//
//   bit 4w·i           bucket i: lanes 0 … 3 from the lowest bit up; buckets back to back; a lane of 0 is an empty slot
//   ┌────────┬────────┬────────┬────────┐
//   │ lane 0 │ lane 1 │ lane 2 │ lane 3 │      w ≤ 16: one group of four lanes, 4w ≤ 64 bits
//   └────────┴────────┴────────┴────────┘      w > 16: two groups of two lanes, 2w ≤ 64 bits each
//
// One unaligned load of 64 bits and a shift by 0 or 4 give a group: buckets of an even width begin on a byte, and those
// of an odd one in its middle, where a group is 58 bits or shorter (check the nine widths). At w = 16 a bucket is an
// aligned word. Shared words are loaded aligned instead, at most two per group, since there are no unaligned atomics.
//
// Comparing: x = group ^ (t in every lane) has a zero lane where t is. With `ones` the lowest and `highs` the highest
// bit of each lane, (x - ones) & ~x & highs is nonzero exactly if some lane is zero, and its lowest set bit belongs to
// the lowest zero lane; above that one a borrow may set more [Mycroft 1987]. Borrows only go up, so bits loaded beyond
// the group need no mask. Where every lane counts, the form without borrows is used: ~(((x & ~highs) + ~highs) | x) &
// highs. On x86-64 both buckets of the commoner widths are compared as vectors: lanes of 8, 16 and 32 bits as they are, of
// 12 and 24 after a shuffle.
//
// Adding takes the lower of the two buckets' first empty slots, so buckets fill evenly and keys seldom have to move.
// With z the lowest set bit of the test for zero lanes, t·(z >> (w − 1)) is t in its lane.
//
// A slot is named by its bit offset in the bucket (0, w, 2w, 3w): a shift, where a number would need a division.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/storage/access.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifdef __SSE4_1__
#include <smmintrin.h>
#elif defined __SSSE3__
#include <tmmintrin.h>
#endif

namespace seen::inline v1::kernels {

/// Slots of a bucket.
inline constexpr std::uint32_t cuckoo_slots = 4;

/// The masks of one fingerprint width, for a width known at run time.
struct lanes {
  std::uint32_t bits = 0;        ///< w, of one lane
  std::uint32_t groups = 0;      ///< of a bucket: 1 or 2
  std::uint32_t group_bits = 0;  ///< of all lanes of a group, at most 64
  std::uint64_t ones = 0;        ///< the lowest bit of every lane
  std::uint64_t highs = 0;       ///< the highest bit of every lane
  std::uint64_t mask = 0;        ///< all bits of a group

  [[nodiscard]] static constexpr lanes of(std::uint32_t bits) noexcept {
    lanes l;
    l.bits = bits;
    l.groups = bits > 16 ? 2 : 1;
    l.group_bits = cuckoo_slots / l.groups * bits;
    for (std::uint32_t at = 0; at < l.group_bits; at += bits) l.ones |= std::uint64_t{1} << at;
    l.highs = l.ones << (bits - 1);
    l.mask = l.highs | (l.highs - l.ones);
    return l;
  }
};

/// The same for a width known when compiling: the compiler folds what the run-time form computes.
template <std::uint32_t Bits>
struct fixed_lanes {
  static constexpr lanes value = lanes::of(Bits);
  static constexpr std::uint32_t bits = value.bits, groups = value.groups, group_bits = value.group_bits;
  static constexpr std::uint64_t ones = value.ones, highs = value.highs, mask = value.mask;
};

/// "Not a slot".
inline constexpr std::uint32_t no_slot = ~std::uint32_t{0};

/// `count` bits from bit `at` on, as the low bits of the result; above them anything. A shared word is read with
/// acquire and written with release, so that a reader that saw part of a change also sees that its stripe's version
/// moved.
template <class Access>
[[nodiscard, gnu::always_inline]] inline std::uint64_t load_bits(const std::uint64_t* words, std::uint64_t at,
                                                                 std::uint32_t count) noexcept {
  if constexpr (!Access::is_shared) {
    return load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(words) + at / 8) >> (at & 7);
  } else {
    const auto shift = static_cast<std::uint32_t>(at & 63);
    std::uint64_t x = little_endian(Access::load_acquire(words + at / 64)) >> shift;
    if (shift + count > 64) x |= little_endian(Access::load_acquire(words + at / 64 + 1)) << (64 - shift);
    return x;
  }
}

/// Puts `value` in place of `count` bits from bit `at` on, count ≤ 32. Of shared words only the owner of the stripe
/// may do so.
template <class Access>
inline void store_bits(std::uint64_t* words, std::uint64_t at, std::uint32_t count, std::uint64_t value) noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << count) - 1;
  if constexpr (!Access::is_shared) {
    std::byte* const from = reinterpret_cast<std::byte*>(words) + at / 8;
    const std::uint32_t shift = at & 7;
    store_le(from, (load_le<std::uint64_t>(from) & ~(mask << shift)) | value << shift);
  } else {
    const auto shift = static_cast<std::uint32_t>(at & 63);
    std::uint64_t* const word = words + at / 64;
    Access::store_release(
        word, little_endian((little_endian(Access::load_acquire(word)) & ~(mask << shift)) | value << shift));
    if (shift + count > 64) {
      const std::uint64_t rest = mask >> (64 - shift);
      Access::store_release(
          word + 1, little_endian((little_endian(Access::load_acquire(word + 1)) & ~rest) | value >> (64 - shift)));
    }
  }
}

/// The highest bit of every lane that is zero, and of no other.
template <class Lanes>
[[nodiscard]] constexpr std::uint64_t zero_lanes(const Lanes& l, std::uint64_t x) noexcept {
  const std::uint64_t low = l.mask ^ l.highs;
  return ~(((x & low) + low) | x) & l.highs;
}

/// The byte that a bucket of plain words begins in, and the bit of it. A constant even width needs no bits.
struct bucket_place {
  std::uint64_t byte;
  std::uint32_t bit;
};
template <class Lanes>
[[nodiscard, gnu::always_inline]] inline bucket_place place_of(const Lanes& l, std::uint64_t bucket) noexcept {
  if constexpr (requires { Lanes::value; }) {
    if constexpr (Lanes::bits % 2 == 0) return {bucket * (Lanes::bits / 2), 0};
  }
  const std::uint64_t half_bytes = bucket * l.bits;
  return {half_bytes / 2, static_cast<std::uint32_t>(half_bytes & 1) * 4};
}

/// A group of a bucket in its low bits; above them anything.
template <class Access, class Lanes>
[[nodiscard, gnu::always_inline]] inline std::uint64_t load_lanes(const Lanes& l, const std::uint64_t* words,
                                                                  std::uint64_t bucket, std::uint32_t group) noexcept {
  if constexpr (!Access::is_shared) {
    const bucket_place at = place_of(l, bucket);
    const std::uint32_t bit = at.bit + group * l.group_bits;
    return load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(words) + at.byte + bit / 8) >> (bit & 7);
  } else {
    return load_bits<Access>(words, bucket * (std::uint64_t{cuckoo_slots} * l.bits) + group * l.group_bits,
                             l.group_bits);
  }
}
template <class Access, class Lanes>
[[nodiscard, gnu::always_inline]] inline std::uint64_t load_group(const Lanes& l, const std::uint64_t* words,
                                                                  std::uint64_t bucket, std::uint32_t group) noexcept {
  return load_lanes<Access>(l, words, bucket, group) & l.mask;
}

/// Mycroft's test for a zero lane: its lowest set bit is the highest of the lowest such lane.
template <class Lanes>
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t first_zero_lane(const Lanes& l, std::uint64_t x) noexcept {
  return (x - l.ones) & ~x & l.highs;
}

#ifdef __SSE2__
/// Widths whose two buckets are compared as vectors. Those whose lanes are not whole bytes or words take a shuffle.
template <std::uint32_t Bits>
inline constexpr bool has_vectors = Bits == 8 || Bits == 16 || Bits == 32
#ifdef __SSSE3__
                                    || Bits == 12 || Bits == 24
#endif
    ;

/// The two buckets that begin at these bytes, 8 bytes of each.
[[nodiscard, gnu::always_inline]] inline __m128i load_two(const std::byte* first, const std::byte* second) noexcept {
  const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(first));
  return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(low), reinterpret_cast<const __m64*>(second)));
}
/// Whether a lane is set in what a comparison found.
[[nodiscard, gnu::always_inline]] inline bool any_lane(__m128i found) noexcept {
#ifdef __SSE4_1__
  return _mm_testz_si128(found, found) == 0;
#else
  return _mm_movemask_epi8(found) != 0;
#endif
}
/// Of two buckets of 12 bits, the two bytes that each lane lies in: of each two lanes the first is the low 12 bits of
/// them, the second the high 12.
[[nodiscard, gnu::always_inline]] inline __m128i twelve_lanes() noexcept {
  return _mm_setr_epi8(0, 1, 1, 2, 3, 4, 4, 5, 8, 9, 9, 10, 11, 12, 12, 13);
}
[[nodiscard, gnu::always_inline]] inline __m128i twelve_mask() noexcept {
  return _mm_set1_epi32(static_cast<int>(0xfff00fff));
}

/// Whether a slot of either bucket holds `t`, which is not 0.
template <std::uint32_t Bits>
[[nodiscard, gnu::always_inline]] inline bool vectors_hold(const std::byte* bytes, std::uint64_t first,
                                                           std::uint64_t second, std::uint64_t t) noexcept {
  const std::byte* const a = bytes + first * (Bits / 2);
  const std::byte* const b = bytes + second * (Bits / 2);
  const auto whole = [](const std::byte* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); };
  const __m128i words = _mm_set1_epi32(static_cast<int>(t));
  __m128i found;
  if constexpr (Bits == 8) {  // lanes that were not loaded are 0
    const auto bucket = [](const std::byte* at) {
      return _mm_cvtsi32_si128(static_cast<int>(load_le<std::uint32_t>(at)));
    };
    found = _mm_cmpeq_epi8(_mm_unpacklo_epi32(bucket(a), bucket(b)), _mm_set1_epi8(static_cast<char>(t)));
  } else if constexpr (Bits == 16) {
    found = _mm_cmpeq_epi16(load_two(a, b), _mm_set1_epi16(static_cast<short>(t)));
  } else if constexpr (Bits == 32) {
    found = _mm_or_si128(_mm_cmpeq_epi32(whole(a), words), _mm_cmpeq_epi32(whole(b), words));
#ifdef __SSSE3__
  } else if constexpr (Bits == 12) {
    const __m128i both = _mm_and_si128(_mm_shuffle_epi8(load_two(a, b), twelve_lanes()), twelve_mask());
    found = _mm_cmpeq_epi16(both, _mm_set1_epi32(static_cast<int>(t | t << 20)));
  } else {  // 24
    const __m128i bytes_of = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    found = _mm_or_si128(_mm_cmpeq_epi32(_mm_shuffle_epi8(whole(a), bytes_of), words),
                         _mm_cmpeq_epi32(_mm_shuffle_epi8(whole(b), bytes_of), words));
#endif
  }
  return any_lane(found);
}
#endif

/// Whether a slot of either bucket holds `t`.
template <class Access, class Lanes>
[[nodiscard, gnu::always_inline]] inline bool either_holds(const Lanes& l, const std::uint64_t* words,
                                                           std::uint64_t first, std::uint64_t second,
                                                           std::uint64_t t) noexcept {
#ifdef __SSE2__
  if constexpr (!Access::is_shared && requires { Lanes::value; }) {
    if constexpr (has_vectors<Lanes::bits>) {
      return vectors_hold<Lanes::bits>(reinterpret_cast<const std::byte*>(words), first, second, t);
    }
  }
#endif
  const std::uint64_t pattern = t * l.ones;
  const auto in_group = [&](std::uint32_t group) {
    const std::uint64_t x = load_lanes<Access>(l, words, first, group) ^ pattern;
    const std::uint64_t y = load_lanes<Access>(l, words, second, group) ^ pattern;
    return ((x - l.ones) & ~x) | ((y - l.ones) & ~y);
  };
  std::uint64_t found = in_group(0);
  if (l.groups == 2) found |= in_group(1);
  return (found & l.highs) != 0;
}

/// How many slots of the bucket hold `t`; of 0, how many are empty.
template <class Access, class Lanes>
[[nodiscard]] inline std::uint32_t count_of(const Lanes& l, const std::uint64_t* words, std::uint64_t bucket,
                                            std::uint64_t t) noexcept {
  std::uint32_t count = 0;
  for (std::uint32_t group = 0; group < l.groups; ++group) {
    count += static_cast<std::uint32_t>(
        std::popcount(zero_lanes(l, load_group<Access>(l, words, bucket, group) ^ t * l.ones)));
  }
  return count;
}

/// The first slot of the bucket that holds `t` (0: that is empty), or no_slot.
template <class Access, class Lanes>
[[nodiscard]] inline std::uint32_t find_slot(const Lanes& l, const std::uint64_t* words, std::uint64_t bucket,
                                             std::uint64_t t) noexcept {
  for (std::uint32_t group = 0; group < l.groups; ++group) {
    const std::uint64_t x = load_lanes<Access>(l, words, bucket, group) ^ t * l.ones;
    if (const std::uint64_t found = first_zero_lane(l, x); found != 0) {
      return group * l.group_bits + static_cast<std::uint32_t>(std::countr_zero(found)) + 1 - l.bits;
    }
  }
  return no_slot;
}

/// Whether a slot of the bucket is empty.
template <class Access, class Lanes>
[[nodiscard, gnu::always_inline]] inline bool has_empty(const Lanes& l, const std::uint64_t* words,
                                                        std::uint64_t bucket) noexcept {
  std::uint64_t found = first_zero_lane(l, load_lanes<Access>(l, words, bucket, 0));
  if (l.groups == 2) found |= first_zero_lane(l, load_lanes<Access>(l, words, bucket, 1));
  return found != 0;
}

/// The fingerprint in a slot.
template <class Access, class Lanes>
[[nodiscard]] inline std::uint64_t load_slot(const Lanes& l, const std::uint64_t* words, std::uint64_t bucket,
                                             std::uint32_t slot) noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << l.bits) - 1;
  return load_bits<Access>(words, bucket * (std::uint64_t{cuckoo_slots} * l.bits) + slot, l.bits) & mask;
}

template <class Access, class Lanes>
inline void store_slot(const Lanes& l, std::uint64_t* words, std::uint64_t bucket, std::uint32_t slot,
                       std::uint64_t t) noexcept {
  store_bits<Access>(words, bucket * (std::uint64_t{cuckoo_slots} * l.bits) + slot, l.bits, t);
}

/// Puts `t` into the first empty slot of one of the buckets: the one with the lower number, of equal ones the first
/// bucket's. False: both are full. Of shared words only the owner of the stripes may do so.
template <class Access, class Lanes>
[[nodiscard, gnu::always_inline]] inline bool put_in_either(const Lanes& l, std::uint64_t* words, std::uint64_t first,
                                                            std::uint64_t second, std::uint64_t t) noexcept {
  if constexpr (!Access::is_shared) {
    if (l.groups == 1) {  // by masks, not branches, which nobody could predict
      std::byte* const bytes = reinterpret_cast<std::byte*>(words);
      const bucket_place a = place_of(l, first), b = place_of(l, second);
      std::uint64_t free_a = first_zero_lane(l, load_le<std::uint64_t>(bytes + a.byte) >> a.bit);
      std::uint64_t free_b = first_zero_lane(l, load_le<std::uint64_t>(bytes + b.byte) >> b.bit);
      free_a &= 0 - free_a;
      free_b &= 0 - free_b;
      const std::uint64_t is_b = 0 - std::uint64_t{free_b - 1 < free_a - 1};  // none at all is the largest
      const std::uint64_t free = free_a ^ ((free_a ^ free_b) & is_b);
      if (free == 0) return false;
      const std::uint64_t byte = a.byte ^ ((a.byte ^ b.byte) & is_b);
      const std::uint64_t lane = t * (free >> (l.bits - 1));
      store_le(bytes + byte, load_le<std::uint64_t>(bytes + byte) | lane << (is_b != 0 ? b.bit : a.bit));
      return true;
    }
  }
  const std::uint32_t in_first = find_slot<Access>(l, words, first, 0);
  const std::uint32_t in_second = find_slot<Access>(l, words, second, 0);
  if ((in_first & in_second) == no_slot) return false;
  const bool is_first = in_first <= in_second;
  store_slot<Access>(l, words, is_first ? first : second, is_first ? in_first : in_second, t);
  return true;
}

}  // namespace seen::inline v1::kernels
