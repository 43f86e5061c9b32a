// From {capacity, fpr} to whole numbers: limits, checks, and bits per key in fixed point.
//
// A filter's size is part of its file, so every language must arrive at the same integers. No two math libraries
// promise the same last bit of log, hence no logarithm from a library here: bits per key is a Q40 number (an integer
// counting 2^-40ths) made by integer operations alone. For other implementations, all of it:
//
//   log2_inverse_q40(p)   p = x·2^(e−63) with 2^63 ≤ x < 2^64 (the double's mantissa, shifted up; denormals too).
//                         Forty times: square x as a 128-bit product hi:lo.
//                           hi ≥ 2^63:  next bit of f is 1,  x = hi
//                           else        next bit of f is 0,  x = 2·hi + (lo ≥ 2^63)
//                         f is the truncated fraction of log2(x/2^63) [logarithms by squaring: Knuth, "The Art of
//                         Computer Programming" 1, 1.2.2]; the result is −e·2^40 − f. It is never below
//                         log2(1/p)·2^40, above it by 1 at most, and exact for powers of two.
//   bits_per_key_q40(p)   ceil(log2_inverse_q40(p)·0xb8aa3b295c17f0bc / 2^63), the constant being ceil(2^63/ln 2):
//                         −ln p/(ln 2)² = log2(1/p)/ln 2 [Broder & Mitzenmacher 2004, "Network Applications of Bloom
//                         Filters: A Survey"].
//   bits_for(n, q40)      m = ceil(n·q40 / 2^40), from a 128-bit product.
//   probes_for(m, n)      k = round(m/n·ln 2), a half up: h = floor(m·0xb17217f7d1cf79ab / 2^63) is floor(2·m·ln 2),
//                         and k = floor((floor(h/n) + 1)/2).
//
// m is never below the real-valued formula's, and above its ceiling by one bit at most up to n = 2^38.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>

#include <bit>
#include <cstdint>
#include <string>

namespace seen::inline v1::math {

/// The largest filter: 2^40 bits, 128 GiB.
inline constexpr std::uint64_t max_bits = std::uint64_t{1} << 40;

/// The most bits of a portable filter that is made: its first probe is a 32-bit number.
inline constexpr std::uint64_t max_portable_bits = std::uint64_t{1} << 32;

/// The most probes a native filter makes: 30 give 1e-9, and each is a cache miss.
inline constexpr std::uint32_t max_probes = 30;

/// Sizes that are to be folded are multiples of this: it has 60 divisors, more than any smaller number.
inline constexpr std::uint64_t foldable_unit = 5040;

/// The chance that an absent key has the digest of one given key: 2^-64.
inline constexpr double equal_digest = 0x1p-64;

/// The first `count` binary digits of log2(x/2^63) after the point, for x ≥ 2^63 and up to 61 digits.
[[nodiscard]] constexpr std::uint64_t log2_digits(std::uint64_t x, int count) noexcept {
  std::uint64_t log = 0;
  for (int digit = 0; digit < count; ++digit) {
    const std::uint64_t high = mulhi(x, x), low = x * x;
    log = log << 1 | high >> 63;
    x = high >> 63 != 0 ? high : high << 1 | low >> 63;
  }
  return log;
}

/// log2(1/p) in units of 2^-40, for 0 < p ≤ 1. The same integer in every language; see the top of this file.
[[nodiscard]] constexpr std::uint64_t log2_inverse_q40(double p) noexcept {
  const auto raw = std::bit_cast<std::uint64_t>(p);
  const std::uint64_t exponent = raw >> 52, fraction = raw & 0xf'ffff'ffff'ffff;
  const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const auto shift = static_cast<std::uint64_t>(std::countl_zero(mantissa));
  // p = mantissa·2^−unit, so −e = unit + shift − 63.
  const std::uint64_t unit = exponent == 0 ? 1074 : 1075 - exponent;
  return ((unit + shift - 63) << 40) - log2_digits(mantissa << shift, 40);
}

/// 1/ln 2 in units of 2^-63, rounded up.
inline constexpr std::uint64_t inverse_ln2_q63 = 0xb8aa'3b29'5c17'f0bc;

/// The bits a Bloom filter spends on a key, −ln p/(ln 2)², in units of 2^-40.
[[nodiscard]] constexpr std::uint64_t bits_per_key_q40(double p) noexcept {
  const std::uint64_t log = log2_inverse_q40(p), high = mulhi(log, inverse_ln2_q63), low = log * inverse_ln2_q63;
  return (high << 1 | low >> 63) + (low << 1 != 0);
}

/// `keys` times `q40` units of 2^-40, rounded up to a whole number; 2^64 − 1 where that product is 2^63 or more.
[[nodiscard]] constexpr std::uint64_t bits_for(std::uint64_t keys, std::uint64_t q40) noexcept {
  const std::uint64_t high = mulhi(keys, q40), low = keys * q40;
  if (high >> 39 != 0) return ~std::uint64_t{0};
  return (high << 24 | low >> 40) + (low << 24 != 0);
}

/// round(bits/keys·ln 2), the number of probes with the lowest rate; `bits` < 2^63, `keys` > 0. Not clamped.
[[nodiscard]] constexpr std::uint64_t probes_for(std::uint64_t bits, std::uint64_t keys) noexcept {
  constexpr std::uint64_t ln2_q64 = 0xb172'17f7'd1cf'79ab;  // floor(2^64·ln 2)
  const std::uint64_t twice = mulhi(bits, ln2_q64) << 1 | (bits * ln2_q64) >> 63;
  return (twice / keys + 1) / 2;
}

/// n·log2(1/p): no structure that errs with probability p on absent keys only can use fewer bits.
/// [Carter, Floyd, Gill, Markowsky, Wegman 1978, "Exact and Approximate Membership Testers"]
[[nodiscard]] double lower_bound_bits(std::uint64_t keys, double fpr) noexcept;

/// The share of the rate that no filter over 64-bit digests escapes: n·2^-64.
[[nodiscard]] double equal_digest_fpr(std::uint64_t keys) noexcept;

/// True when equal digests make up more than 2 % of the rate asked for, which a plan should mention.
[[nodiscard]] bool digests_collide_noticeably(const target& t) noexcept;

namespace detail {

// "1000000 keys at fpr 0.01"
[[nodiscard]] std::string wish(const target& t);

// The error of a size beyond max_bits.
[[nodiscard]] error too_many_bits(const target& t, double bits);

}  // namespace detail

/// Says whose need it is when storage refuses ("need 112 GiB of memory; …"): "1e11 keys at fpr 0.01 need 112 GiB of memory;
/// …".
[[nodiscard]] error about_target(const target& t, const error& e);

/// Refuses a rate outside (0, 1).
result<void> check_fpr(double fpr);

/// The same of a rate that may have been left out, and is 0 then. A shape that is given does not excuse a wrong one: a file would
/// keep it.
result<void> check_given_fpr(double fpr);

/// Refuses what no filter can give: no keys, a rate outside (0, 1), or one that equal digests alone exceed.
result<void> check(const target& t);

}  // namespace seen::inline v1::math
