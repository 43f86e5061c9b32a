// Choosing one of the bodies that Highway compiled. Highway's headers alone are used, none of its library: a program
// that links seen needs nothing of it at run time, and code with intrinsics of its own shares the same choice.
//
// A file of kernels (src/kernels/block.cpp is the model):
//
//   #define HWY_TARGET_INCLUDE "kernels/block.cpp"
//   #include "base/dispatch.hpp"                      once for each target, with HWY_NAMESPACE naming it
//   #if SEEN_KERNEL_TARGET
//   HWY_BEFORE_NAMESPACE(); … the body, in namespace HWY_NAMESPACE … HWY_AFTER_NAMESPACE();
//   #endif
//   #if HWY_ONCE
//   … entry(args) { SEEN_RETURN_BEST(body, (args)); plain code … }
//   #endif
#if defined(SEEN_WITH_HIGHWAY)

#ifndef SEEN_RETURN_BEST
#define HWY_DISABLE_PCLMUL_AES  // not used here, so not asked of the processor either
#define HWY_DISABLE_F16C
#define HWY_IS_DEBUG_BUILD 0  // its assertions would need its library
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif

#include <seen/base/instructions.hpp>

// clang-format off: before highway.h
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#undef SEEN_KERNEL_TARGET
#define SEEN_KERNEL_TARGET (HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR)

#ifndef SEEN_RETURN_BEST
#define SEEN_NO_BODY(body, arguments)
#define SEEN_RETURN_IF(set, target, body, arguments) \
  if (best_instructions() >= instruction_set::set) return target::body arguments
#if HWY_TARGETS & HWY_AVX3
#define SEEN_RETURN_AVX512(body, arguments) SEEN_RETURN_IF(avx512, N_AVX3, body, arguments)
#else
#define SEEN_RETURN_AVX512 SEEN_NO_BODY
#endif
#if HWY_TARGETS & HWY_AVX2
#define SEEN_RETURN_AVX2(body, arguments) SEEN_RETURN_IF(avx2, N_AVX2, body, arguments)
#else
#define SEEN_RETURN_AVX2 SEEN_NO_BODY
#endif
#if HWY_TARGETS & HWY_SSE4
#define SEEN_RETURN_SSE4(body, arguments) SEEN_RETURN_IF(sse4, N_SSE4, body, arguments)
#else
#define SEEN_RETURN_SSE4 SEEN_NO_BODY
#endif
#if HWY_TARGETS & HWY_NEON
#define SEEN_RETURN_NEON(body, arguments) SEEN_RETURN_IF(neon, N_NEON, body, arguments)
#else
#define SEEN_RETURN_NEON SEEN_NO_BODY
#endif
/// Returns what the best body returns, if there is one.
#define SEEN_RETURN_BEST(body, arguments) \
  SEEN_RETURN_NEON(body, arguments);      \
  SEEN_RETURN_AVX512(body, arguments);    \
  SEEN_RETURN_AVX2(body, arguments);      \
  SEEN_RETURN_SSE4(body, arguments)
#endif

#else

#define HWY_ONCE 1
#define SEEN_KERNEL_TARGET 0
#define SEEN_RETURN_BEST(body, arguments) (void)0
#define SEEN_RETURN_AVX2(body, arguments) (void)0
#define SEEN_RETURN_NEON(body, arguments) (void)0

#endif
