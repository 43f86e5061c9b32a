// Cuckoo filters: rate, width, and shape for a target. The formulas are explained in math/cuckoo.hpp.
#include <seen/base/text.hpp>
#include <seen/math/cuckoo.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace seen::inline v1::math {

double cuckoo_fpr_bound(std::uint32_t slots, std::uint32_t fingerprint_bits) noexcept {
  return std::ldexp(2.0 * slots, -static_cast<int>(fingerprint_bits));
}

double cuckoo_fpr(std::uint32_t slots, std::uint32_t fingerprint_bits, double load) noexcept {
  if (load <= 0) return 0;
  return -std::expm1(2.0 * slots * load * std::log1p(-std::ldexp(1.0, -static_cast<int>(fingerprint_bits))));
}

std::uint32_t cuckoo_fingerprint_bits(double fpr, std::uint32_t slots) noexcept {
  int bits = 0;
  while (std::ldexp(fpr, bits) < 2.0 * slots) ++bits;
  return static_cast<std::uint32_t>(bits);
}

double cuckoo_bits_per_key(std::uint32_t fingerprint_bits, double load) noexcept {
  return fingerprint_bits / load;
}

double cuckoo_model_fpr(std::uint32_t fingerprint_bits, std::uint64_t buckets, std::uint64_t keys) noexcept {
  if (buckets == 0 || keys == 0) return 0;
  const double n = static_cast<double>(keys), pair = 2.0 / static_cast<double>(buckets);
  const double q = std::ldexp(1.0, -static_cast<int>(fingerprint_bits));
  const double common = -std::expm1(n * std::log1p(-q * pair));
  const double doubled = -std::expm1(n * std::log1p(-2 * q * pair));
  return (1 - 2 * q) * common + 2 * q * doubled;
}

double cuckoo_rate_ceiling(std::uint32_t fingerprint_bits, double eighths) noexcept {
  const double q = std::ldexp(1.0, -static_cast<int>(fingerprint_bits));
  return eighths * q * (1 + 2 * q);
}

std::uint32_t cuckoo_width_for(double fpr, double eighths) noexcept {
  for (const std::uint32_t width : cuckoo_widths) {
    if (cuckoo_rate_ceiling(width, eighths) <= fpr) return width;
  }
  return 0;
}

namespace detail {

error not_a_width(std::uint64_t bits) {
  return {errc::invalid_argument,
          "fingerprint-bits is " + std::to_string(bits) + "; it must be 8, 10, 12, 13, 14, 16, 17, 24 or 32"};
}

}  // namespace detail

result<void> check(const cuckoo_shape& s) {
  if (std::find(cuckoo_widths.begin(), cuckoo_widths.end(), s.fingerprint_bits) == cuckoo_widths.end()) {
    return detail::not_a_width(s.fingerprint_bits);
  }
  const std::uint64_t most = max_bits / (4 * s.fingerprint_bits);
  if (s.buckets == 0 || s.buckets > most) {
    return {errc::invalid_argument, "buckets is " + std::to_string(s.buckets) + "; it must be from 1 to " +
                                        std::to_string(most) + " (2^40 bits)"};
  }
  if (s.buckets * s.fingerprint_bits / 2 > std::numeric_limits<std::size_t>::max() / 2) {
    return {errc::too_large, "buckets is " + std::to_string(s.buckets) + ", more than this machine can address"};
  }
  if (s.chunks == 0) return {};
  if (s.chunks > 1 && s.buckets / 16 < s.chunks) {
    return {errc::invalid_argument, "chunks is " + std::to_string(s.chunks) + "; " + std::to_string(s.buckets) +
                                        " buckets are enough for " + std::to_string(s.buckets / 16)};
  }
  if (s.buckets / s.chunks > cuckoo_most_chunk_buckets) {
    return {errc::invalid_argument, "chunks is " + std::to_string(s.chunks) + "; a chunk has at most 2^24 of the " +
                                        std::to_string(s.buckets) + " buckets"};
  }
  if (s.chunks > cuckoo_most_chunks) {
    return {errc::invalid_argument, "chunks is " + std::to_string(s.chunks) + "; it must be at most 2^26"};
  }
  return {};
}

result<cuckoo_shape> cuckoo_shape_for(const target& t, std::uint32_t wished_bits) {
  if (auto fine = check(t); !fine) return fine.error();
  if (wished_bits != 0 && std::find(cuckoo_widths.begin(), cuckoo_widths.end(), wished_bits) == cuckoo_widths.end()) {
    return detail::not_a_width(wished_bits);
  }
  const std::uint32_t least = cuckoo_width_for(t.fpr, 7.6);
  cuckoo_shape shape{.fingerprint_bits = wished_bits != 0 ? wished_bits : least != 0 ? least : 32};
  if (t.capacity > max_bits / 8) {
    return detail::too_many_bits(t, static_cast<double>(t.capacity) * shape.fingerprint_bits / 0.95);
  }
  std::uint64_t slots = cuckoo_slots_for(t.capacity);
  if (least == 0 || shape.fingerprint_bits < least) {
    const double eighths = t.fpr / cuckoo_rate_ceiling(shape.fingerprint_bits, 1);  // the load that keeps the rate
    if (!(eighths >= 4)) {
      return error{errc::invalid_argument, detail::wish(t) + ": fingerprints of " +
                                               std::to_string(shape.fingerprint_bits) + " bits give no rate below " +
                                               readable(cuckoo_rate_ceiling(shape.fingerprint_bits, 4), 3)};
    }
    slots = std::max(slots, static_cast<std::uint64_t>(std::ceil(8 * static_cast<double>(t.capacity) / eighths)));
  }
  shape.buckets = ceil_div(slots, 4);
  if (shape.buckets > 20 && shape.buckets < 32) shape.buckets = 32;
  if (shape.buckets > 48 && shape.buckets < 64) shape.buckets = 64;
  shape = cuckoo_whole_chunks(shape);
  const double bits = 4.0 * static_cast<double>(shape.buckets) * shape.fingerprint_bits;
  if (bits > static_cast<double>(max_bits)) return detail::too_many_bits(t, bits);
  return shape;
}

}  // namespace seen::inline v1::math
