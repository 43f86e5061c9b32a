// The windowed Bloom filter in numbers: a ring of S + 1 equal Bloom filters, of which the oldest is emptied and filled
// anew when the newest is full.
//
//   a slice holds c = ceil(W/S) keys at rate fpr/(S + 1); an absent key must pass none of S + 1:
//   1 − (1 − fpr/(S+1))^(S+1) ≤ fpr                                                    [Bernoulli's inequality]
//
//   memory over that of one Bloom filter for W keys: (1 + 1/S)·log2((S+1)/fpr)/log2(1/fpr)
//     at 1 %:   S = 1: 2.30   3: 1.73   7: 1.66   15: 1.71   31: 1.81            oldest answer W·(1 + 1/S) old
//
// Slices are counted whole, so W and c are integers the same in every language; fpr/(S+1) is one IEEE division. A slice of
// fewer than 20 keys is sized for 20.
#pragma once

#include <seen/math/bloom.hpp>
#include <seen/math/sizing.hpp>

#include <bit>
#include <cstdint>

namespace seen::inline v1::math {

/// The most slices a window is cut into: with the one being filled they are the bits of a word.
inline constexpr std::uint64_t max_slices = 63;

/// Keys, or units of time, that one slice takes: ceil(window/slices).
[[nodiscard]] constexpr std::uint64_t slice_length(std::uint64_t window, std::uint64_t slices) noexcept {
  return slices == 0 ? 0 : ceil_div(window, slices);
}

/// Bits of a cell, which has one for each of `slices` + 1 slices: the next power of two, so that no cell straddles a word.
[[nodiscard]] constexpr std::uint32_t cell_bits(std::uint64_t slices) noexcept {
  return static_cast<std::uint32_t>(std::bit_ceil(slices + 1));
}

/// Keys a slice is sized for at least: the formula for m reads low for fewer (4 % at 20 keys, twice at one).
inline constexpr std::uint64_t least_slice_keys = 20;

/// The shape of one slice: for its share of the window at its share of the rate. `slices` from 1 to 63.
[[nodiscard]] result<bloom_shape> slice_shape_for(const target& window, std::uint64_t slices);

/// The rate of a ring in which `full` slices hold `keys` keys each and one more holds `rest`.
[[nodiscard]] double ring_fpr(const bloom_shape& slice, std::uint64_t full, std::uint64_t keys, std::uint64_t rest);

}  // namespace seen::inline v1::math
