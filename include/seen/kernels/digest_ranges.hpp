// Picking the digests of a range out of many, for threads that share a table (kernels/range_adds.hpp).
#pragma once

#include <seen/base/digest.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::inline v1::kernels {

/// How many digests a call may be given.
inline constexpr std::size_t most_digests_at_once = 1024;

/// Writes the digests from `first` to `last`, both included, in their order; returns how many there are. `out` needs
/// room for all that are given.
std::size_t digests_between(std::span<const digest> digests, std::uint64_t first, std::uint64_t last,
                            digest* out) noexcept;

}  // namespace seen::inline v1::kernels
