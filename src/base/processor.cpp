// The questions of base/processor.hpp.
#include "base/processor.hpp"

#if defined(__x86_64__)

#include <cpuid.h>
#include <cstdint>

namespace seen::inline v1::detail {
namespace {

struct registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

// What the processor says of this leaf; zeros if it knows none of that number.
registers leaf(unsigned number) noexcept {
  registers r;
  __get_cpuid_count(number, 0, &r.a, &r.b, &r.c, &r.d);
  return r;
}

// Whose registers the system saves, as bits of XCR0. There is no question to ask unless the system has switched it on.
std::uint64_t saved_registers(bool can_be_asked) noexcept {
  if (!can_be_asked) return 0;
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

processor ask() noexcept {
  const registers first = leaf(1);
  const registers seventh = leaf(7);
  const auto has = [](unsigned bits, int bit) { return (bits >> bit & 1U) != 0; };

  constexpr std::uint64_t ymm = 0x06;         // SSE and AVX
  constexpr std::uint64_t zmm = ymm | 0xe0U;  // and masks, the upper halves, the upper sixteen
  const std::uint64_t saved = saved_registers(has(first.c, 27));
  const bool avx = (saved & ymm) == ymm && has(first.c, 28);
  const bool avx512 = avx && (saved & zmm) == zmm && has(seventh.b, 16);
  return {.sse42 = has(first.c, 20),
          .popcnt = has(first.c, 23),
          .avx2 = avx && has(seventh.b, 5),
          .bmi = has(seventh.b, 3),
          .bmi2 = has(seventh.b, 8),
          .fma = avx && has(first.c, 12),
          .avx512f = avx512,
          .avx512bw = avx512 && has(seventh.b, 30),
          .avx512cd = avx512 && has(seventh.b, 28),
          .avx512dq = avx512 && has(seventh.b, 17),
          .avx512vl = avx512 && has(seventh.b, 31),
          .avx512vbmi2 = avx512 && has(seventh.c, 6),
          .avx512vpopcntdq = avx512 && has(seventh.c, 14),
          .gfni = has(seventh.c, 8)};
}

}  // namespace

const processor& this_processor() noexcept {
  static const processor asked = ask();
  return asked;
}

}  // namespace seen::inline v1::detail

#endif
