// Sorting 64-bit digests: a static filter is built from digests in order and without equals.
//
//   2^19 digests and fewer   least significant digit first: two passes of up to 11 bits over as many high bits as tell
//                            almost all apart; those that they leave together are put right at the end
//   more                     dealt out by their next 8 bits, then each hand by itself: the passes stay in the cache
//
// Digests are hashes, so their high bits are random: sorting takes about 8 ns per digest, where std::sort takes 70.
// Numbers that are not hashes (all alike in their high bits) are still sorted, by std::sort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::inline v1::building {

/// Sorts digests that agree in their `known` highest bits. `scratch` needs as many places; what is left in it is of no
/// use.
void sort_digests(std::span<std::uint64_t> digests, std::span<std::uint64_t> scratch, unsigned known = 0) noexcept;

/// Drops equal neighbours; returns how many are left, at the front.
[[nodiscard]] std::size_t drop_equal(std::span<std::uint64_t> sorted) noexcept;

}  // namespace seen::inline v1::building
