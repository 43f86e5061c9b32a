// Batches of digests on filters made of blocks: compiled for several instruction sets, of which the machine's is
// chosen.
//
// Patterns and answers are those of kernels/block.hpp, bit for bit. That header serves single keys, words that other
// threads write, and machines without a body of their own.
#pragma once

#include <seen/base/digest.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::inline v1::kernels {

/// The native block layouts: pattern and way from a digest to its block.
enum class block_layout : std::uint8_t {
  lanes_4,   ///< block_pattern_4, mulhi(digest, blocks)
  lanes_8,   ///< block_pattern_8, mulhi(digest, blocks)
  lanes_16,  ///< block_pattern_16, mulhi(digest, blocks)
  split,     ///< split_block_pattern, (digest >> 32)·blocks >> 32
};

/// Adds every digest.
void block_add_many(block_layout layout, std::uint64_t* words, std::uint64_t blocks,
                    std::span<const digest> digests) noexcept;

/// Writes whether each digest may be present; returns how many may.
std::size_t block_lookup_many(block_layout layout, const std::uint64_t* words, std::uint64_t blocks,
                              std::span<const digest> digests, bool* out) noexcept;

}  // namespace seen::inline v1::kernels
