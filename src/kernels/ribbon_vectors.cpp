// The ribbon body of this machine, asked for once, here: a header with such a variable would run an initialiser in every
// program that includes it. Whoever asks before it has run, in an initialiser of its own, gets the scalar body.
#include <seen/kernels/ribbon_vectors.hpp>

namespace seen::inline v1::kernels {

ribbon_body best_ribbon_body() noexcept {
#ifdef SEEN_HAS_RIBBON_VECTORS
  if (__builtin_cpu_supports("avx512vbmi2") != 0 && __builtin_cpu_supports("avx512vpopcntdq") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("gfni") != 0) {
    return ribbon_body::avx512;
  }
  if (__builtin_cpu_supports("avx2") != 0) return ribbon_body::avx2;
#endif
  return ribbon_body::scalar;
}

const ribbon_body machine_ribbon_body = best_ribbon_body();

}  // namespace seen::inline v1::kernels
