// The sizing of the portable lab format. The arithmetic is explained in math/portable_bloom.hpp.
#include "math/portable_bloom.hpp"

#include <seen/base/text.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace seen::inline v1::math {
namespace {

/// mantissa·2^−scale
struct scaled {
  std::uint64_t mantissa;
  int scale;
};

constexpr int digits = 53;

// log2(1/(x·2^−(63 + whole))), for x ≥ 2^63.
scaled log2_inverse(std::uint64_t x, int whole) noexcept {
  return {(static_cast<std::uint64_t>(whole) << digits) - log2_digits(x, digits), digits};
}

// log2(1/p), 0 < p < 1.
scaled log2_inverse(double p) noexcept {
  int exponent = 0;
  if (p <= 0.5) {
    const double half_up = std::frexp(p, &exponent);  // p = half_up·2^exponent
    return log2_inverse(static_cast<std::uint64_t>(std::ldexp(half_up, 64)), 1 - exponent);
  }
  // d = d64·2^−(64 + zeros)
  auto d64 = static_cast<std::uint64_t>(std::ldexp(std::frexp(1 - p, &exponent), 64));
  int squarings = 0;
  for (int zeros = -exponent; zeros > 0; ++squarings) {
    const std::uint64_t half_d_less = 0 - (d64 >> (zeros + 1));  // 1 − d/2 in units of 2^-64
    const std::uint64_t high = mulhi(d64, half_d_less), low = d64 * half_d_less;
    const bool carried = high >> 63 != 0;
    d64 = carried ? high : high << 1 | low >> 63;
    zeros -= carried;
  }
  const std::uint64_t rest = 0 - d64;  // 1 − d, at most a half
  const int shift = std::countl_zero(rest);
  scaled log = log2_inverse(rest << shift, shift + 1);
  log.scale += squarings;
  return log;
}

// ceil(n·s) for 52 ≤ s.scale ≤ 127; 2^64 − 1 if it is more.
std::uint64_t ceil_times(std::uint64_t n, scaled s) noexcept {
  const std::uint64_t high = mulhi(n, s.mantissa), low = n * s.mantissa;
  if (s.scale >= 64) {
    const int right = s.scale - 64;
    const bool rest = low != 0 || (high & ((std::uint64_t{1} << right) - 1)) != 0;
    return (high >> right) + rest;
  }
  if (high >> s.scale != 0) return std::numeric_limits<std::uint64_t>::max();
  const int left = 64 - s.scale;
  return (high << left | low >> s.scale) + (low << left != 0);
}

std::uint64_t bits_of(const target& t) noexcept {
  scaled per_key = log2_inverse(t.fpr);
  const int shift = std::countl_zero(per_key.mantissa);
  per_key.mantissa = mulhi(per_key.mantissa << shift, inverse_ln2_q63);
  per_key.scale += shift - 1;
  return ceil_times(t.capacity, per_key);
}

}  // namespace

result<bloom_shape> portable_shape_for(const target& t) {
  if (auto fine = check(t); !fine && fine.error().code == errc::invalid_argument) return fine.error();
  const std::uint64_t bits = bits_of(t);
  if (bits > max_portable_bits) {
    return {errc::too_large,
            detail::wish(t) + " need " +
                (bits == ~std::uint64_t{0} ? "2 EiB or more" : readable_bytes(static_cast<double>(bits) / 8)) +
                "; the limit of the portable format is 512 MiB (2^32 bits): use the native format"};
  }
  const std::uint64_t probes = std::clamp<std::uint64_t>(probes_for(bits, t.capacity), 1, max_probes);
  return bloom_shape{bits, static_cast<std::uint32_t>(probes)};
}

}  // namespace seen::inline v1::math
