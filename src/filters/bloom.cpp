// Checks the shape of a bloom filter. The layout is drawn in filters/bloom.hpp.
#include <seen/filters/bloom.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

namespace detail {

result<void> check_shape(std::uint64_t bits, std::uint64_t probes) {
  if (bits < 1 || bits > math::max_bits) {
    return {bits < 1 ? errc::invalid_argument : errc::too_large,
            "bits is " + std::to_string(bits) + "; it must be from 1 to 2^40"};
  }
  if (bits / 8 > std::numeric_limits<std::size_t>::max() / 2) {
    return {errc::too_large, "bits is " + std::to_string(bits) + ", more than this machine can address"};
  }
  if (probes < 1 || probes > math::max_probes) {
    return {errc::invalid_argument,
            "probes is " + std::to_string(probes) + "; it must be from 1 to " + std::to_string(math::max_probes)};
  }
  return {};
}

}  // namespace detail

}  // namespace seen::inline v1
