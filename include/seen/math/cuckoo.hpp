// The cuckoo filter in numbers.
//
// A key has a fingerprint of f bits in one of two buckets of b slots. An absent key meets at most 2b fingerprints and
// equals each with probability 2^-f:
//
//   rate ≤ 1 − (1 − 2^-f)^(2b) ≤ 2b/2^f,  bits per key = f/load       [Fan, Andersen, Kaminsky, Mitzenmacher 2014]
//   f = ceil(log2(2b/p)): 10 bits at 1 % (10.5 per key at a load of 95 %), 13 at 0.1 % (13.7)
//
// The true model of the native filter. 0 marks an empty slot, so the fingerprint 0 is taken for 1: the value 1 has
// probability 2·2^-f, each other 2^-f. An absent key whose fingerprint has probability q is claimed if one of the n keys
// has the same fingerprint and the same pair of buckets, one of B/2 pairs of such keys: 1 − (1 − 2q/B)^n, wherever they
// were moved. So, with q = 2^-f,
//
//   rate(n) = (1 − 2q)·(1 − (1 − 2q/B)^n) + 2q·(1 − (1 − 4q/B)^n)   ≈ 8·load·q·(1 + 2q)
//
// and the doubled value costs a factor of 1 + 2q: 0.8 % of the rate at 8 bits, nothing to speak of from 12 up.
//
// Planning. slots = ceil(20·n/19) + extra: a load of 95 % and a little. 500 buckets searched for a path fill a chunk of
// 2^17 slots to 97.0 % at least and 97.35 % on average before the first failure (measured); the number of keys in a chunk
// is binomial, σ = 0.26 % of its slots at 95 %: a chunk overflows eight σ out. Small tables fail earlier, and differ
// more: extra = 13 + (1000 − n)·19/1000 up to 1000 keys, 13 beyond, keeps the odds of a failure within capacity near
// 10^-6 or below (measured, with 8 and with 16 bits: 3 failures in 2·10^7 fillings at 10 sizes from 8 to 116 keys, at
// most 2 in 10^6 at any; 1 in 4.8·10^6 at 12 sizes from 150 to 2000). The smallest tables have few pairs of buckets, the fewer the
// nearer B is below a power of two (kernels/cuckoo_map.hpp): 22 to 30 buckets are made 32, and 50 to 62 are made 64. Sizes
// stay within 2 % of n/0.95 from 1000 keys up.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/math/sizing.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace seen::inline v1::math {

/// The textbook bound 2b/2^f, for a full table.
[[nodiscard]] double cuckoo_fpr_bound(std::uint32_t slots, std::uint32_t fingerprint_bits) noexcept;

/// The rate when a share `load` of the slots is taken: 1 − (1 − 2^-f)^(2b·load).
[[nodiscard]] double cuckoo_fpr(std::uint32_t slots, std::uint32_t fingerprint_bits, double load) noexcept;

/// The fewest fingerprint bits with 2b/2^f ≤ fpr, for 0 < fpr; exact, without a logarithm.
[[nodiscard]] std::uint32_t cuckoo_fingerprint_bits(double fpr, std::uint32_t slots) noexcept;

/// The bits per key at a load: f/load.
[[nodiscard]] double cuckoo_bits_per_key(std::uint32_t fingerprint_bits, double load) noexcept;

// --- the native filter: four slots per bucket, nine widths

/// The widths a native fingerprint may have: 4w bits fit a word or two of 2w, and steps are small where rates are common.
inline constexpr std::array<std::uint32_t, 9> cuckoo_widths{8, 10, 12, 13, 14, 16, 17, 24, 32};

/// A table of buckets of four slots, in chunks.
struct cuckoo_shape {
  std::uint64_t buckets = 0;           ///< of all chunks together
  std::uint32_t fingerprint_bits = 0;  ///< one of cuckoo_widths
  std::uint64_t chunks = 0;            ///< 0: not chosen yet

  friend bool operator==(const cuckoo_shape&, const cuckoo_shape&) = default;
};

/// Buckets of a planned chunk where there are several: 2^17 slots, 256 KiB of 16-bit fingerprints.
inline constexpr std::uint64_t cuckoo_chunk_buckets = 32768;

/// Buckets of the largest chunk on average, and the most chunks.
inline constexpr std::uint64_t cuckoo_most_chunk_buckets = std::uint64_t{1} << 24;
inline constexpr std::uint64_t cuckoo_most_chunks = std::uint64_t{1} << 26;

/// The rate of the true model (above) with `keys` keys in `buckets` buckets of four slots.
[[nodiscard]] double cuckoo_model_fpr(std::uint32_t fingerprint_bits, std::uint64_t buckets,
                                      std::uint64_t keys) noexcept;

/// An upper bound of the rate of these fingerprints at a load of `eighths`/8: eighths·q·(1 + 2q), q = 2^-f. One sum and
/// two products of doubles, from left to right; the true model is below it at any size.
[[nodiscard]] double cuckoo_rate_ceiling(std::uint32_t fingerprint_bits, double eighths) noexcept;

/// The smallest native width whose ceiling at a load of `eighths`/8 is at most `fpr`; 0 if none is.
[[nodiscard]] std::uint32_t cuckoo_width_for(double fpr, double eighths) noexcept;

/// Rounds the buckets up to an even number, and chooses the chunks where they are open (as many of 32768 buckets as
/// there are, or one). A chunk has 2^s buckets, the largest such number that is not above the mean; all there are room
/// for are made, and the last has what is left, too. `buckets` ≤ 2^62.
[[nodiscard]] constexpr cuckoo_shape cuckoo_whole_chunks(cuckoo_shape s) noexcept {
  s.buckets = round_up(s.buckets, 2);
  if (s.chunks == 0) s.chunks = std::max<std::uint64_t>(1, s.buckets / cuckoo_chunk_buckets);
  if (s.buckets == 0 || (s.chunks > s.buckets / 16 && s.chunks > 1)) return s;  // check() says why not
  s.chunks = s.buckets >> (std::bit_width(s.buckets / s.chunks) - 1);
  return s;
}

namespace detail {

[[nodiscard]] error not_a_width(std::uint64_t bits);

}  // namespace detail

/// Refuses an unknown width, zero buckets, more than 2^40 bits, and chunks that the buckets do not fill.
result<void> check(const cuckoo_shape& s);

/// The slots planned for `keys` keys: ceil(20·n/19), and some more for small tables. `keys` ≤ 2^58.
[[nodiscard]] constexpr std::uint64_t cuckoo_slots_for(std::uint64_t keys) noexcept {
  const std::uint64_t extra = 13 + (keys < 1000 ? (1000 - keys) * 19 / 1000 : 0);
  return ceil_div(20 * keys, 19) + extra;
}

/// The table for a target: fingerprints of `wished_bits`, or as few bits as keep the rate at a load of 95 %. Where 32
/// bits are not enough the table is made up to twice as large, which halves the rate: 9.4e-10 is the least.
[[nodiscard]] result<cuckoo_shape> cuckoo_shape_for(const target& t, std::uint32_t wished_bits = 0);

}  // namespace seen::inline v1::math
