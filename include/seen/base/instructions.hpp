// Which instructions code chosen at run time uses.
//
//   program for any x86-64 ──► batch ──► best_instructions() ──► the body for AVX-512, AVX2, SSE4, or plain C++
//
// Batches are compiled several times and choose once, by what the processor and the system can do. Single keys are
// inline and use what the program itself is compiled for, with one exception: blocks and ribbons of a program for any
// x86-64 choose for every key (kernels/block.hpp says why). Every body gives the same answers and the same bytes, so a
// limit changes nothing but the time; tests and benchmarks set one.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace seen::inline v1 {

/// Sets of instructions there are bodies for, on x86-64 each with all before it. `plain` is whatever the program was
/// compiled for.
enum class instruction_set : std::uint8_t { plain, sse4, avx2, avx512, neon };

/// "plain", "sse4", "avx2", "avx512", "neon".
[[nodiscard]] std::string_view name_of(instruction_set set) noexcept;

namespace detail {
/// The set that batches take: found at the start of the program, and set by limit_instructions.
extern std::atomic<instruction_set> instructions_in_use;
}  // namespace detail

/// The best set that this processor and the limit allow.
[[nodiscard]] inline instruction_set best_instructions() noexcept {
  return detail::instructions_in_use.load(std::memory_order_relaxed);
}

/// Takes no better set than `most` from now on, in the whole program; returns what is taken then.
instruction_set limit_instructions(instruction_set most) noexcept;

}  // namespace seen::inline v1
