// The locks that all filters of a program share. A product with the golden ratio spreads neighbouring addresses over
// them.
#include <seen/base/stripes.hpp>

#include <array>
#include <cstddef>

namespace seen::inline v1::detail {

std::unique_lock<std::mutex> lock_stripe(std::uint64_t value) {
  static std::array<std::mutex, 256> stripes;  // far more than threads, so that chance meetings are rare
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  return std::unique_lock(stripes[static_cast<std::size_t>((value * golden) >> 56)]);
}

}  // namespace seen::inline v1::detail
