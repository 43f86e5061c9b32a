// The classic Bloom filter in numbers: its shape for a target, its rate for a shape.
//
//   m = ceil(−n·ln p/(ln 2)²), k = round(m/n·ln 2), 1 ≤ k ≤ 30             [Bloom 1970; Broder & Mitzenmacher 2004]
//   1e6 keys at 1 %: 9,585,059 bits (1.14 MiB) and 7 probes.
//
// Three answers to "how often does it err?", from the textbook's to the true one:
//
//   bloom_fpr_approximate  (1−e^(−kn/m))^k                         low for small m: 4 % at 20 keys and 1 %
//   bloom_fpr_distinct     Σ_i (−1)^i·C(k,i)·(1−i/m)^(kn)          "exact", but for k *different* probes of the asked
//                                                                  key: 10 % low at 20 keys and 1 %
//   bloom_fpr              E[(X/m)^k] + n/2^64, X bits set          independent probes that may coincide, as ours do,
//                                                                  and keys whose digests are equal
//
// Tests and promises use the last. Rates hold for keys chosen independently of the hash. A filter without keys has
// rate 0; without bits or probes it says yes to everything and has rate 1.
#pragma once

#include <seen/math/sizing.hpp>

#include <cstdint>

namespace seen::inline v1::math {

/// The two numbers that make a classic Bloom filter.
struct bloom_shape {
  std::uint64_t bits = 0;
  std::uint32_t probes = 0;

  friend bool operator==(const bloom_shape&, const bloom_shape&) = default;
};

/// The fewest bits per key at which (1−e^(−kn/m))^k ≤ p with a given k: −k/ln(1−p^(1/k)), rounded up to a multiple of
/// 2^-10. Math libraries differ in the last bits of a double, about 2^-47 here, so two languages disagree on the
/// multiple for one p in about 2^37.
[[nodiscard]] double bits_per_key(double p, std::uint32_t probes) noexcept;

/// The shape of a Bloom filter for a target, the same in every language.
///
/// Where round(m/n·ln 2) is outside 1..30 (p below 2^-30.5 or above 2^-0.5) k is clamped, the formula for m no longer
/// gives the rate, and m grows to what (1−e^(−kn/m))^k ≤ p takes. Elsewhere a whole k costs up to 6 % of the rate asked
/// for at k = 1, 3 % at k = 2, less than 2 % from there on.
[[nodiscard]] result<bloom_shape> bloom_shape_for(const target& t);

namespace detail {

// k·n: exact up to 2^53, beyond which every filter is either huge or full.
[[nodiscard]] double throws(std::uint32_t probes, std::uint64_t keys) noexcept;

}  // namespace detail

/// The textbook rate (1−e^(−kn/m))^k. [Bloom 1970]
[[nodiscard]] double bloom_fpr_approximate(std::uint64_t bits, std::uint32_t probes, std::uint64_t keys) noexcept;

/// The chance that `probes` *different* bits are all set, without equal digests. With fewer bits than probes, that all
/// bits are. Relative error below 1e-9; above 64 probes only (fill)^k.
[[nodiscard]] double bloom_fpr_distinct(std::uint64_t bits, std::uint32_t probes, std::uint64_t keys);

/// The true rate: `probes` independent bits all set, or the digest of one of the keys met by chance.
/// Relative error below 1e-9; above 64 probes (no native filter) only (fill)^k, which reads low. [Bose et al. 2008]
[[nodiscard]] double bloom_fpr(std::uint64_t bits, std::uint32_t probes, std::uint64_t keys);

/// The expected share of set bits, 1−(1−1/m)^(kn); exact.
[[nodiscard]] double bloom_fill(std::uint64_t bits, std::uint32_t probes, std::uint64_t keys) noexcept;

}  // namespace seen::inline v1::math
