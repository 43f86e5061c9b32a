// How many bits a key takes in a filter of small blocks: the same integers in every language.
//
// A size is part of a file, and math libraries differ in the last bit of exp and pow. So the Poisson mixture of
// mixture.hpp is summed here by IEEE additions, multiplications and divisions alone, and bits per key are searched on a
// grid of 1/32 bit. For other implementations, all of it; b = lane_bits, t = bits_per_lane (1 or 2), L = load:
//
//   u = v = total = sum = 0, w = 1
//   for i = 0, 1, … 64 + 2·floor(L):
//     f = u                     for one bit per lane: the share of a lane's bits that i keys have set
//         (u + (b−1)·v) / b     for two: both are set
//     f = f·f                   twice for 4 lanes, three times for 8
//     total = total + w         sum = sum + w·f          w = w·L / (i + 1)
//     t times:                  v = v + (u − v)·(2/b)    u = u + (1 − u)/b
//   rate = sum/total + L·2^-32
//
// u and v are the chances that one bit, and two different bits, are set; one throw more changes them by terms that are
// never negative, so nothing cancels. L is at most 512, so w stays below e^512 and the terms left out weigh less than
// 1e-30. The last term: a key's bits come from 32 bits of its digest, so each key of a block shows an absent key's
// pattern with probability 2^-32 (equal digests are among these).
//
//   bits per key = g/32, g the smallest of 32 … 4096 with rate(block_bits·32/g) ≤ fpr, found by bisection:
//     low = 32, high = 4097; while low < high: middle = floor((low + high)/2), then high = middle if the rate at middle
//     is at most fpr, low = middle + 1 otherwise.   4097: not with 128 bits per key.
//   blocks = ceil(n·g / (32·block_bits))
//
// Two implementations can differ only where a rate equals fpr to 15 digits (fused multiply-adds round differently). The
// Poisson form reads high for few blocks and low rates, and at most 0.3 % low for fpr ≥ 0.3 and one or two blocks, so a
// planned filter's true rate at capacity is within 1.003 of the one asked for, from one key up.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/math/sizing.hpp>

#include <cstdint>
#include <string_view>

#include "math/mixture.hpp"

namespace seen::inline v1::math {

/// Of two different keys in one block, the chance that they have the same pattern of bits.
inline constexpr double equal_pattern = 0x1p-32;

/// Bits per key are planned in units of 1/32 bit, from 1 to 128 bits.
inline constexpr std::uint64_t bits_per_key_unit = 32, least_per_key = 32, most_per_key = 4096;

/// The rate of many blocks with `load` ≤ 512 keys each on average, by + − · / in the order stated above; one or two
/// bits per lane, four or eight lanes.
[[nodiscard]] constexpr double planned_rate(const lane_shape& shape, double load) noexcept {
  const double bits = shape.lane_bits;
  double one = 0, two = 0, weight = 1, total = 0, sum = 0;
  const std::uint32_t last = 64 + 2 * static_cast<std::uint32_t>(load);
  for (std::uint32_t i = 0; i <= last; ++i) {
    double rate = shape.bits_per_lane == 1 ? one : (one + (bits - 1) * two) / bits;
    for (std::uint32_t lanes = shape.lanes; lanes > 1; lanes /= 2) rate = rate * rate;
    total = total + weight;
    sum = sum + weight * rate;
    weight = weight * load / (i + 1);
    for (std::uint32_t bit = 0; bit < shape.bits_per_lane; ++bit) {
      two = two + (one - two) * (2 / bits);
      one = one + (1 - one) / bits;
    }
  }
  return sum / total + load * equal_pattern;
}

/// The fewest 32nds of a bit per key at which blocks of this shape keep the rate; most_per_key + 1 where 128 bits do not.
[[nodiscard]] constexpr std::uint64_t fewest_per_key(const lane_shape& shape, double fpr) noexcept {
  const double unit_load = static_cast<double>(bits_of_block(shape)) * bits_per_key_unit;
  std::uint64_t low = least_per_key, high = most_per_key + 1;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (planned_rate(shape, unit_load / static_cast<double>(middle)) <= fpr) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// ceil(keys·per_key / (32·block_bits)): the blocks of a filter; 2^64 − 1 where that product is beyond 64 bits.
[[nodiscard]] constexpr std::uint64_t blocks_for(std::uint64_t keys, std::uint64_t per_key,
                                                 std::uint64_t block_bits) noexcept {
  if (mulhi(keys, per_key) != 0) return ~std::uint64_t{0};
  return ceil_div(keys * per_key, bits_per_key_unit * block_bits);
}

namespace detail {

// The error of a rate that a block cannot give: names the kind that can.
[[nodiscard]] error rate_out_of_reach(const target& t, std::string_view kind);

}  // namespace detail

}  // namespace seen::inline v1::math
