// What the processor says of itself is what the compiler's table says.
#include "base/processor.hpp"

#include <gtest/gtest.h>

#if defined(__x86_64__)

namespace {

TEST(processor, has_what_the_table_of_the_compiler_has) {
  const seen::detail::processor& has = seen::detail::this_processor();
  EXPECT_EQ(has.sse42, __builtin_cpu_supports("sse4.2") != 0);
  EXPECT_EQ(has.popcnt, __builtin_cpu_supports("popcnt") != 0);
  EXPECT_EQ(has.avx2, __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(has.bmi, __builtin_cpu_supports("bmi") != 0);
  EXPECT_EQ(has.bmi2, __builtin_cpu_supports("bmi2") != 0);
  EXPECT_EQ(has.fma, __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ(has.avx512f, __builtin_cpu_supports("avx512f") != 0);
  EXPECT_EQ(has.avx512bw, __builtin_cpu_supports("avx512bw") != 0);
  EXPECT_EQ(has.avx512cd, __builtin_cpu_supports("avx512cd") != 0);
  EXPECT_EQ(has.avx512dq, __builtin_cpu_supports("avx512dq") != 0);
  EXPECT_EQ(has.avx512vl, __builtin_cpu_supports("avx512vl") != 0);
  EXPECT_EQ(has.avx512vbmi2, __builtin_cpu_supports("avx512vbmi2") != 0);
  EXPECT_EQ(has.avx512vpopcntdq, __builtin_cpu_supports("avx512vpopcntdq") != 0);
  EXPECT_EQ(has.gfni, __builtin_cpu_supports("gfni") != 0);
}

}  // namespace

#endif
