// x mod m for one m and many x, without a division.   [Barrett 1986]
//
// With M = floor((2^64 - 1) / m), mulhi(x, M) is floor(x / m) or one less, for every 64-bit x and m; so x less so many
// times m is the remainder, or m more. Two multiplications and a subtraction that may be taken back, where an exact
// fraction of 128 bits [Lemire, Kaser, Kurz 2019] takes five. (mulhi(x, m) alone is something else: it maps to the same
// range but is not a remainder.)
#pragma once

#include <seen/base/bits.hpp>

#include <cstdint>

namespace seen::inline v1::detail {

/// Remainders by a fixed divisor. A default one has none: it is for shapes without positions.
class fastmod {
 public:
  fastmod() noexcept = default;
  explicit fastmod(std::uint64_t divisor) noexcept : divisor_(divisor), magic_(~std::uint64_t{0} / divisor) {}

  [[nodiscard]] std::uint64_t divisor() const noexcept { return divisor_; }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const noexcept {
    const std::uint64_t rest = x - mulhi(x, magic_) * divisor_;
    return rest >= divisor_ ? rest - divisor_ : rest;
  }

 private:
  std::uint64_t divisor_ = 0;
  std::uint64_t magic_ = 0;
};

}  // namespace seen::inline v1::detail
