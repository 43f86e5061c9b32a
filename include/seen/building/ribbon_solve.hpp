// The linear system of a ribbon: one equation per key, solved a band at a time.
//
//   key d   start s = high half of d·(slots − 64)       slot      s            s+63
//           coefficients c, 64 bits, the first one 1    row     0 0 1 . . . . . . . 0 0  =  fingerprint
//
// Banding [Dillinger & Walzer 2021]: a row takes the slot of its first 1. If that slot is taken, the row there is added
// to it, and its first 1 moves on. A row that becomes 0 = 0 is there already; 0 = 1 cannot be kept. At the end each
// slot, from the last to the first, gets the value that its row asks for; slots without a row are 0.
//
// Bumping [Dillinger, Hübschle-Schneider, Sanders, Walzer 2022]. Slots are dealt out in buckets of 128. Keys come
// sorted, so buckets are filled from left to right, and each of them from its right end to its left: a failure is met
// at the left, where rows of the bucket before have moved in. Then all keys that begin in the bucket's first 32 slots
// are bumped: taken out again and left to the next layer. One bit per bucket says so. If keys further right fail, the
// bit before is set, which makes room just there, and the buckets from there on are filled again. Eight buckets back
// are tried.
//
// Keys that were bumped, and all keys where there is one layer, are given another digest: the low half of the product
// that their coefficients came from. It depends on the seed, so keys that crowd one place with one seed do not with the
// next.
//
// One bit for 128 slots, instead of BuRR's one byte for 256 (or two bits), makes 1.01 possible at r = 1. Some keys are
// bumped for nothing, which costs less than the bits it saves (math/ribbon.hpp has the figures).
#pragma once

#include <seen/building/shards.hpp>
#include <seen/building/workspace.hpp>
#include <seen/math/ribbon.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::inline v1::building {

/// The coefficients of a row, but for the first, which is 1. Either half alone would do for hashes; of the low half the
/// lower bits are the same where those of the digests are, and of the high one the upper bits.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t ribbon_coefficients(
    const shard_digest::halves& product) noexcept {
  return product.low ^ product.high;
}

/// Solves one shard of several: writes all of its solution and its bump bits, for its digests, which ascend and differ.
/// False: not with this seed. May throw std::bad_alloc.
[[nodiscard]] bool solve_ribbon(const math::ribbon_layers& layers, std::uint64_t shard, std::uint64_t shards,
                                std::span<const std::uint64_t> digests, std::uint8_t seed, std::byte* solution,
                                std::byte* bumps, workspace& memory);

}  // namespace seen::inline v1::building
