// Sizes of xor tables.
#include <seen/math/xor_filter.hpp>

#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

TEST(xor_size, is_1_23_slots_per_key_and_a_little) {
  EXPECT_EQ(xor_block_length(0), 0u);
  EXPECT_EQ(xor_block_length(1), 1u);
  EXPECT_EQ(xor_block_length(2), 3u);
  EXPECT_EQ(xor_block_length(1000), 422u);
  EXPECT_EQ(xor_block_length(1'000'000), 410'024u);
  for (std::uint64_t n = 1; n < 3000; ++n) EXPECT_LE(xor_block_length(n), xor_block_length(n + 1));
  EXPECT_TRUE(close(3.0 * static_cast<double>(xor_block_length(3'000'000'000)) / 3e9, 1.23, 1e-6));
  EXPECT_EQ(xor_block_length(1000, 1), 422u + 27);
  EXPECT_EQ(xor_block_length(1, 3), 4u);
}

}  // namespace
