// Windowed filters: the shape of a slice, and the rate of the ring. The formulas are explained in math/windowed_bloom.hpp.
#include <seen/math/windowed_bloom.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace seen::inline v1::math {

result<bloom_shape> slice_shape_for(const target& window, std::uint64_t slices) {
  if (auto fine = check(window); !fine) return fine.error();
  const target one{std::max(slice_length(window.capacity, slices), least_slice_keys),
                   window.fpr / static_cast<double>(slices + 1)};
  auto shape = bloom_shape_for(one);
  if (!shape) return shape;
  if (shape->bits > max_bits / cell_bits(slices)) {
    return detail::too_many_bits(window, static_cast<double>(shape->bits) * cell_bits(slices));
  }
  return shape;
}

double ring_fpr(const bloom_shape& slice, std::uint64_t full, std::uint64_t keys, std::uint64_t rest) {
  const auto pass = [&](std::uint64_t n) { return std::log1p(-bloom_fpr(slice.bits, slice.probes, n)); };
  const double log_pass = (full == 0 ? 0 : static_cast<double>(full) * pass(keys)) + (rest == 0 ? 0 : pass(rest));
  return std::min(1.0, -std::expm1(log_pass));
}

}  // namespace seen::inline v1::math
