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
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

namespace seen::inline v1::math {

/// The largest filter: 2^40 bits, 128 GiB.
inline constexpr std::uint64_t max_bits = std::uint64_t{1} << 40;

/// The most probes a native filter makes: 30 give 1e-9, and each is a cache miss.
inline constexpr std::uint32_t max_probes = 30;

/// Sizes that are to be folded are multiples of this: it has 60 divisors, more than any smaller number.
inline constexpr std::uint64_t foldable_unit = 5040;

/// The chance that an absent key has the digest of one given key: 2^-64.
inline constexpr double equal_digest = 0x1p-64;

/// log2(1/p) in units of 2^-40, for 0 < p ≤ 1. The same integer in every language; see the top of this file.
[[nodiscard]] constexpr std::uint64_t log2_inverse_q40(double p) noexcept {
  const auto raw = std::bit_cast<std::uint64_t>(p);
  const std::uint64_t exponent = raw >> 52, fraction = raw & 0xf'ffff'ffff'ffff;
  const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const auto shift = static_cast<std::uint64_t>(std::countl_zero(mantissa));
  // p = mantissa·2^−unit, so −e = unit + shift − 63.
  const std::uint64_t unit = exponent == 0 ? 1074 : 1075 - exponent;
  std::uint64_t x = mantissa << shift, log = 0;
  for (int bit = 0; bit < 40; ++bit) {
    const std::uint64_t high = mulhi(x, x), low = x * x;
    log = log << 1 | high >> 63;
    x = high >> 63 != 0 ? high : high << 1 | low >> 63;
  }
  return ((unit + shift - 63) << 40) - log;
}

/// The bits a Bloom filter spends on a key, −ln p/(ln 2)², in units of 2^-40.
[[nodiscard]] constexpr std::uint64_t bits_per_key_q40(double p) noexcept {
  constexpr std::uint64_t inverse_ln2_q63 = 0xb8aa'3b29'5c17'f0bc;  // ceil(2^63 / ln 2)
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
[[nodiscard]] inline double lower_bound_bits(std::uint64_t keys, double fpr) noexcept {
  return keys == 0 ? 0 : static_cast<double>(keys) * -std::log2(fpr);
}

/// The share of the rate that no filter over 64-bit digests escapes: n·2^-64.
[[nodiscard]] inline double equal_digest_fpr(std::uint64_t keys) noexcept {
  return static_cast<double>(keys) * equal_digest;
}

/// True when equal digests make up more than 2 % of the rate asked for, which a plan should mention.
[[nodiscard]] inline bool digests_collide_noticeably(const target& t) noexcept {
  return equal_digest_fpr(t.capacity) > 0.02 * t.fpr;
}

namespace detail {

// The shortest decimal that reads back as x, in any locale: 0.01, 1e18, 1e-9 (not 1e+18, 1e-09).
[[nodiscard]] inline std::string number(double x, int digits = 0) {
  char buffer[32];
  const auto end = digits == 0 ? std::to_chars(buffer, buffer + sizeof buffer, x)
                               : std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, digits);
  std::string text(buffer, end.ptr);
  if (const auto e = text.find('e'); e != std::string::npos) {
    const std::size_t from = e + (text[e + 1] == '-' ? 2 : 1);
    text.erase(from, text.find_first_not_of("+0", from) - from);
  }
  return text;
}

// All digits, unless the shortest double says the same in fewer: 999999, 18446744073709551615, but 1e18.
[[nodiscard]] inline std::string number(std::uint64_t n) {
  const std::string digits = std::to_string(n), shortest = number(static_cast<double>(n));
  const bool same =
      n < std::uint64_t{1} << 53 || std::size_t(std::countr_zero(n)) + 53 >= std::size_t(std::bit_width(n));
  return same && shortest.size() < digits.size() ? shortest : digits;
}

// "1.14 MiB": three digits and a unit below a thousand of it.
[[nodiscard]] inline std::string size(double bytes) {
  constexpr const char* units[] = {" bytes", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB", " ZiB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit < std::size(units) - 1) bytes /= 1024, ++unit;
  return number(bytes, 3) + units[unit];
}

[[nodiscard]] inline std::string wish(const target& t) {
  return number(t.capacity) + (t.capacity == 1 ? " key" : " keys") + " at fpr " + number(t.fpr);
}

// The error of a size beyond max_bits.
[[nodiscard]] inline error too_many_bits(const target& t, double bits) {
  // Three digits do not tell a size just past the limit from the limit.
  const bool narrowly = bits < 1.01 * static_cast<double>(max_bits);
  const std::string need =
      narrowly ? std::to_string(static_cast<std::uint64_t>(std::ceil(bits))) + " bits" : size(bits / 8);
  return {errc::too_large, wish(t) + " need " + need + "; the limit is 128 GiB (2^40 bits)"};
}

}  // namespace detail

/// "need 112 GiB of memory; …" with whose need it is: "1e11 keys at fpr 0.01 need 112 GiB of memory; …".
[[nodiscard]] inline error about_target(const target& t, const error& e) {
  if (e.code != errc::no_memory || !e.detail.starts_with("need ")) return e;
  return e.prefixed(detail::wish(t) + " ");
}

/// Refuses a rate that is none.
inline result<void> check_fpr(double fpr) {
  if (fpr > 0 && fpr < 1) return {};
  return {errc::invalid_argument, "fpr " + detail::number(fpr) + " is not a probability strictly between 0 and 1"};
}

/// Refuses what no filter can give: no keys, a rate that is no probability, or one that equal digests alone exceed.
inline result<void> check(const target& t) {
  if (t.capacity == 0) return {errc::invalid_argument, "capacity 0 is not a number of keys from 1 up"};
  if (auto fine = check_fpr(t.fpr); !fine) return fine;
  if (const double collisions = equal_digest_fpr(t.capacity); collisions > t.fpr) {
    return {errc::too_large, detail::wish(t) + ": equal 64-bit digests alone give a rate of " +
                                 detail::number(collisions, 3) + ", above the " + detail::number(t.fpr) + " asked for"};
  }
  return {};
}

}  // namespace seen::inline v1::math
