// How a small block is divided into lanes, on which its kernels, engines and models must agree.
//
//   block   [ lane 0 ][ lane 1 ] … [ lane L-1 ]     every lane has lane_bits bits, and bits_per_lane of them are of a key
#pragma once

#include <cstdint>

namespace seen::inline v1::math {

/// A block of equal lanes, each with its own bits of every key.
struct lane_shape {
  std::uint32_t lanes = 0;
  std::uint32_t lane_bits = 0;
  std::uint32_t bits_per_lane = 0;
};

/// The number k for which n keys leave a share e^(−kn/m) of all m bits clear, blocks holding unequal numbers of them:
/// the bits a key throws, less a little where two of them fall into one lane and may meet.
[[nodiscard]] constexpr double throws_per_key(const lane_shape& shape) noexcept {
  double miss = 1;
  for (std::uint32_t bit = 0; bit < shape.bits_per_lane; ++bit) miss *= 1 - 1.0 / shape.lane_bits;
  return shape.lanes * shape.lane_bits * (1 - miss);
}

/// The bits of a block of this shape.
[[nodiscard]] constexpr std::uint32_t bits_of_block(const lane_shape& shape) noexcept {
  return shape.lanes * shape.lane_bits;
}

}  // namespace seen::inline v1::math
