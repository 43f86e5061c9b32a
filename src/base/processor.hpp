// What the x86-64 processor and the system can do, asked of the processor itself (CPUID, XGETBV).
//
// Compilers have __builtin_cpu_supports for it, which reads a table in their run-time library. Not all of them bring the table: a program
// that zig links for an old C library has none. The bits are those of Intel's manual, volume 2A, "CPUID". A vector instruction counts only
// if the system saves its registers, too, which XCR0 tells (volume 1, 13.3).
#pragma once

namespace seen::inline v1::detail {

#if defined(__x86_64__)

/// The instructions that some body of the library is written for.
struct processor {
  bool sse42, popcnt;
  bool avx2, bmi, bmi2, fma;
  bool avx512f, avx512bw, avx512cd, avx512dq, avx512vl;
  bool avx512vbmi2, avx512vpopcntdq, gfni;
};

/// This one: asked once.
[[nodiscard]] const processor& this_processor() noexcept;

#endif

}  // namespace seen::inline v1::detail
