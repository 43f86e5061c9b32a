// Growing cuckoo filters: first width, width after growth, rate. The formulas are explained in math/growing_cuckoo.hpp.
#include <seen/base/text.hpp>
#include <seen/math/growing_cuckoo.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace seen::inline v1::math {

std::uint32_t growing_cuckoo_width(double fpr, std::uint32_t index) noexcept {
  const double rate = std::ldexp(fpr, -static_cast<int>(std::min(index, std::uint32_t{1000})) - 1);
  const std::uint32_t width = cuckoo_width_for(rate, 8);
  return width != 0 || index == 0 ? width : 32;
}

result<cuckoo_shape> growing_cuckoo_first(const target& t) {
  if (auto fine = check(t); !fine) return fine.error();
  const std::uint32_t width = growing_cuckoo_width(t.fpr, 0);
  if (width == 0) {
    return error{errc::invalid_argument, detail::wish(t) + ": a chain of 32-bit fingerprints gives no rate below " +
                                             readable(2 * cuckoo_rate_ceiling(32, 8), 3)};
  }
  if (t.capacity > max_bits / 8) return detail::too_many_bits(t, static_cast<double>(t.capacity) * width / 0.95);
  cuckoo_shape shape{.buckets = ceil_div(cuckoo_slots_for(std::max<std::uint64_t>(t.capacity, 1000)), 4),
                     .fingerprint_bits = width};
  shape.buckets = round_up(shape.buckets, 16);
  shape = cuckoo_whole_chunks(shape);
  const double bits = 4.0 * static_cast<double>(shape.buckets) * width;
  if (bits > static_cast<double>(max_bits)) return detail::too_many_bits(t, bits);
  return shape;
}

double growing_cuckoo_fpr(cuckoo_shape link, const target& t, std::uint64_t keys) noexcept {
  double pass = 1;
  double left = static_cast<double>(keys);
  double room = static_cast<double>(std::max<std::uint64_t>(t.capacity, 1000));
  for (std::uint32_t index = 0; left > 0 && index < 64; ++index) {
    const double held = std::min(left, room);
    pass *= 1 - cuckoo_model_fpr(growing_cuckoo_width(t.fpr, index), link.buckets, static_cast<std::uint64_t>(held));
    left -= held;
    room *= 2;
    link.buckets *= 2;
  }
  return 1 - pass;
}

}  // namespace seen::inline v1::math
