// The xor filter in numbers.
//
// A table of three blocks of B slots. Three slots per key, one in each block at random, can be peeled up to 0.818 keys per
// slot for large n [Molloy 2005], that is from 1.222 slots per key; the filter is planned with 1.23 [Graf & Lemire 2020, "Xor
// Filters"]. Near the threshold small sets vary by about their square root, and two keys of a few may be in each other's
// way: some slots more, 3.5 for each bit of n.
//
//   B = ceil((floor(123·n/100) + floor(7·b/2)) / 3),  b = bits of n; n = 1: B = 1         growth g: + g·ceil(B/16)
#pragma once

#include <seen/base/bits.hpp>

#include <bit>
#include <cstdint>

namespace seen::inline v1::math {

/// Slots of one of the three blocks for `keys` < 2^32 keys, enlarged `growth` times by a sixteenth.
[[nodiscard]] constexpr std::uint64_t xor_block_length(std::uint64_t keys, unsigned growth = 0) noexcept {
  if (keys == 0) return 0;
  const std::uint64_t extra = keys == 1 ? 0 : 7 * static_cast<std::uint64_t>(std::bit_width(keys)) / 2;
  const std::uint64_t block = ceil_div(keys * 123 / 100 + extra, 3);
  return block + growth * ceil_div(block, 16);
}

}  // namespace seen::inline v1::math
