// x mod m for one m and many x, without a division.   [Lemire, Kaser, Kurz 2019, "Faster Remainder by Direct
// Computation"]
//
// M = ceil(2^128 / m); then x mod m = ((M·x mod 2^128)·m) >> 128, exact for every 64-bit x and m. (The multiply-shift
// reduction mulhi is something else: it maps to the same range but is not a remainder.)
#pragma once

#include <seen/base/bits.hpp>

#include <cstdint>

namespace seen {
inline namespace v1 {
namespace detail {

/// Remainders by a fixed divisor.
class fastmod {
 public:
  fastmod() noexcept = default;
  explicit fastmod(std::uint64_t divisor) noexcept : divisor_(divisor) {
#ifdef __SIZEOF_INT128__
    magic_ = ~uint128{0} / divisor + 1;
#endif
  }

  [[nodiscard]] std::uint64_t divisor() const noexcept {
    return divisor_;
  }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const noexcept {
#ifdef __SIZEOF_INT128__
    const uint128 fraction = magic_ * x;
    const uint128 low = (static_cast<uint128>(static_cast<std::uint64_t>(fraction)) * divisor_) >> 64;
    const uint128 high = (fraction >> 64) * divisor_;
    return static_cast<std::uint64_t>((low + high) >> 64);
#else
    return divisor_ == 0 ? 0 : x % divisor_;
#endif
  }

 private:
  std::uint64_t divisor_ = 0;
#ifdef __SIZEOF_INT128__
  uint128 magic_ = 0;
#endif
};

}  // namespace detail
}  // namespace v1
}  // namespace seen
