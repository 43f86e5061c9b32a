// Parquet's split block.
//
// Pinned values: python3, mpmath.mp.dps = 60, f(i) = (1 - (mpf(31)/32)**i)**8 mixed over Poisson(load) or
// Binomial(n, 1/B). Simulated in mixture_test.cpp.
#include <seen/math/split_block.hpp>

#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

TEST(split_block_mixture, is_the_lanes_rate_plus_equal_patterns) {
  EXPECT_TRUE(close(split_block_mixture(1), 2.2875771239046169e-9 + 0x1p-32, 1e-12));
  EXPECT_TRUE(close(split_block_mixture(25.6), 1.2648451535639108e-2 + 25.6 * 0x1p-32, 1e-12));
  EXPECT_TRUE(close(split_block_mixture(32), 3.3211863708753066e-2 + 0x1p-27, 1e-12));
}

TEST(split_block_fpr, matches_pinned_values_plus_equal_patterns) {
  struct {
    std::uint64_t blocks, keys;
    double expected;
  } const pinned[] = {
      {1, 30, 2.0255014335211439e-2},    {2, 60, 2.2820081410910481e-2},         {7, 100, 6.6536111989590601e-4},
      {100, 2560, 1.261308174398385e-2}, {4096, 100'000, 1.0191018470670983e-2},
  };
  for (const auto& c : pinned) {
    const double load = static_cast<double>(c.keys) / static_cast<double>(c.blocks);
    EXPECT_TRUE(close(split_block_fpr(c.blocks, c.keys), c.expected + load * 0x1p-32, 1e-12)) << c.blocks;
  }
}

// 2^32 values of the block hash for B blocks: from 2^28 on it shows that some blocks get one more than others.
TEST(split_block_fpr, counts_the_uneven_blocks_of_a_very_large_filter) {
  const auto skew = [](std::uint64_t blocks, double load) {
    return split_block_fpr(blocks, static_cast<std::uint64_t>(load * static_cast<double>(blocks))) /
           split_block_mixture(load);
  };
  EXPECT_TRUE(close(skew(std::uint64_t{1} << 28, 20), 1, 1e-6)) << "a power of two: even";
  EXPECT_TRUE(close(skew(260'000'000, 20), 1.012, 0.002));
  EXPECT_GT(skew(1'700'000'000, 20), 1.3) << "two or three values a block";
  EXPECT_TRUE(close(skew(1'000'003, 20), 1, 1e-4));
}

TEST(split_blocks, stop_where_they_no_longer_spread_keys_evenly) {
  EXPECT_TRUE(seen::math::split_blocks_for({3'200'000'000, 0.01}));
  const auto refused = seen::math::split_blocks_for({3'300'000'000, 0.01});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, seen::errc::too_large);
  EXPECT_EQ(refused.error().detail,
            "3.3e9 keys at fpr 0.01 need 4.05 GiB in split blocks, which spread keys evenly up to 4 GiB; blocked-bloom "
            "goes further");
  EXPECT_EQ(seen::math::split_blocks_for({1000, 1e-9}).error().detail,
            "1000 keys at fpr 1e-9: split-block would take more than 128 bits per key; bloom takes 43.1");
}

TEST(split_block_fpr, edges_are_defined) {
  EXPECT_EQ(split_block_fpr(10, 0), 0);
  EXPECT_EQ(split_block_fpr(0, 10), 1);
  EXPECT_EQ(split_block_fpr(1, ~std::uint64_t{0}), 1);
  EXPECT_TRUE(close(split_block_fpr(1, 1), 0x1p-40 + 0x1p-32, 1e-14)) << "one key: its own pattern, or its lanes";
}

}  // namespace
