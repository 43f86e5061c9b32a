// Partitioned Bloom filters: shape for a target, and rate. The formulas are explained in math/partitioned_bloom.hpp.
#include <seen/math/partitioned_bloom.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace seen::inline v1::math {

result<partitioned_shape> partitioned_shape_for(const target& t) {
  const auto classic = bloom_shape_for(t);
  if (!classic) return classic.error();
  const partitioned_shape shape{ceil_div(classic->bits, classic->probes), classic->probes};
  if (shape.bits() > max_bits) return detail::too_many_bits(t, static_cast<double>(shape.bits()));
  return shape;
}

double partitioned_fpr(std::uint64_t slice_bits, std::uint32_t probes, std::uint64_t keys) noexcept {
  if (probes == 0) return 1;
  if (keys == 0) return 0;
  if (slice_bits == 0) return 1;
  return std::min(1.0, std::pow(bloom_fill(slice_bits, 1, keys), probes) + equal_digest_fpr(keys));
}

}  // namespace seen::inline v1::math
