// The ribbon body of this machine, asked for once, here: a header with such a variable would run an initialiser in every
// program that includes it. Whoever asks before it has run, in an initialiser of its own, gets the scalar body.
#include <seen/kernels/ribbon_vectors.hpp>

#include "base/processor.hpp"

namespace seen::inline v1::kernels {

ribbon_body best_ribbon_body() noexcept {
#ifdef SEEN_HAS_RIBBON_VECTORS
  const detail::processor& has = detail::this_processor();
  if (has.avx512vbmi2 && has.avx512vpopcntdq && has.avx512bw && has.avx512dq && has.avx512vl && has.gfni) {
    return ribbon_body::avx512;
  }
  if (has.avx2) return ribbon_body::avx2;
#endif
  return ribbon_body::scalar;
}

const ribbon_body machine_ribbon_body = best_ribbon_body();

}  // namespace seen::inline v1::kernels
