// The instructions that the processor and the system have, asked once, and the limit on them.
#include <seen/base/instructions.hpp>

#include <algorithm>

#include "base/processor.hpp"

namespace seen::inline v1 {
namespace {

instruction_set best_of_machine() noexcept {
#if defined(__x86_64__)
  // Highway's AVX3 is what Skylake-X has; its AVX2 target counts on BMI2 and FMA.
  const detail::processor& has = detail::this_processor();
  const bool avx2 = has.avx2 && has.bmi && has.bmi2 && has.fma;
  if (avx2 && has.avx512f && has.avx512bw && has.avx512cd && has.avx512dq && has.avx512vl)
    return instruction_set::avx512;
  if (avx2) return instruction_set::avx2;
  return has.sse42 ? instruction_set::sse4 : instruction_set::plain;
#elif defined(__aarch64__)
  return instruction_set::neon;
#else
  return instruction_set::plain;
#endif
}

}  // namespace

namespace detail {
std::atomic<instruction_set> instructions_in_use{best_of_machine()};
}  // namespace detail

instruction_set limit_instructions(instruction_set most) noexcept {
  const instruction_set best = best_of_machine();
#if defined(__x86_64__)
  const instruction_set set = std::min(most, best);
#else
  const instruction_set set = most >= best ? best : instruction_set::plain;
#endif
  detail::instructions_in_use.store(set, std::memory_order_relaxed);
  return set;
}

std::string_view name_of(instruction_set set) noexcept {
  switch (set) {
    case instruction_set::sse4:
      return "sse4";
    case instruction_set::avx2:
      return "avx2";
    case instruction_set::avx512:
      return "avx512";
    case instruction_set::neon:
      return "neon";
    case instruction_set::plain:
      break;
  }
  return "plain";
}

}  // namespace seen::inline v1
