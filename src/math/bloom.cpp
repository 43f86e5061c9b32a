// The classic Bloom filter: shape for a target, and its rates. The formulas are explained in math/bloom.hpp.
#include <seen/math/bloom.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/occupancy.hpp"

namespace seen::inline v1::math {

double bits_per_key(double p, std::uint32_t probes) noexcept {
  return std::ceil(-1024.0 * probes / std::log1p(-std::exp(std::log(p) / probes))) / 1024;
}

result<bloom_shape> bloom_shape_for(const target& t) {
  const auto fine = check(t);
  if (!fine && fine.error().code == errc::invalid_argument) return fine.error();
  const std::uint64_t q40 = bits_per_key_q40(t.fpr);
  double per_key = static_cast<double>(q40) * 0x1p-40;
  std::uint64_t bits = bits_for(t.capacity, q40);
  // Where a target is refused for its size and for equal digests, the size is the plainer reason.
  if (!fine && bits <= max_bits) return fine.error();
  // A size past the limit may be past 64 bits too; the message still wants the right k, and a key's share gives it.
  const std::uint64_t best = bits <= max_bits ? probes_for(bits, t.capacity) : probes_for(q40, std::uint64_t{1} << 40);
  const auto probes = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(best, 1, max_probes));
  if (probes != best) {
    per_key = bits_per_key(t.fpr, probes);
    bits = bits_for(t.capacity, static_cast<std::uint64_t>(std::min(per_key, 0x1p23) * 0x1p40));
  }
  if (bits > max_bits) return detail::too_many_bits(t, static_cast<double>(t.capacity) * per_key);
  return bloom_shape{bits, probes};
}

namespace detail {

double throws(std::uint32_t probes, std::uint64_t keys) noexcept {
  return static_cast<double>(probes) * static_cast<double>(keys);
}

}  // namespace detail

double bloom_fpr_approximate(std::uint64_t bits, std::uint32_t probes, std::uint64_t keys) noexcept {
  if (probes == 0) return 1;
  if (keys == 0) return 0;
  if (bits == 0) return 1;
  return std::pow(-std::expm1(-detail::throws(probes, keys) / static_cast<double>(bits)), probes);
}

double bloom_fpr_distinct(std::uint64_t bits, std::uint32_t probes, std::uint64_t keys) {
  return all_hit_distinct(bits, detail::throws(probes, keys), probes);
}

double bloom_fpr(std::uint64_t bits, std::uint32_t probes, std::uint64_t keys) {
  return std::min(1.0, all_hit_independent(bits, detail::throws(probes, keys), probes) + equal_digest_fpr(keys));
}

double bloom_fill(std::uint64_t bits, std::uint32_t probes, std::uint64_t keys) noexcept {
  const double throws = detail::throws(probes, keys);
  if (bits <= 1) return bits == 1 && throws > 0 ? 1 : 0;
  return -std::expm1(throws * std::log1p(-1 / static_cast<double>(bits)));
}

}  // namespace seen::inline v1::math
