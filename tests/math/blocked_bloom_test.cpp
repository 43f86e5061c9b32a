// The 512-bit block.
//
// Pinned values: python3, mpmath.mp.dps = 60, f(i) = (1 - (1 - mpf(1)/512)**(8*i))**8 mixed over Poisson(load) or
// Binomial(n, 1/B).
#include <seen/math/blocked_bloom.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

TEST(block_mixture, matches_pinned_values) {
  struct {
    double load, expected;
  } const pinned[] = {
      {0.001, 3.7677632887590551e-18}, {1, 1.0832612576284431e-11},   {10.666666666666666, 1.4944056931202207e-6},
      {16, 1.6125801459550224e-5},     {25.6, 2.4878959445376071e-4}, {32, 8.7281252567636118e-4},
      {64, 2.8422251794952417e-2},     {200, 6.9464733047650827e-1},
  };
  for (const auto& c : pinned) EXPECT_TRUE(close(block_mixture(8, c.load), c.expected, 1e-12)) << c.load;
}

TEST(blocked_fpr, matches_pinned_values_plus_equal_digests) {
  struct {
    std::uint64_t blocks, keys;
    double expected;
  } const pinned[] = {
      {1, 30, 3.8693692502080011e-4},     {2, 60, 4.9135420319950042e-4},         {7, 100, 7.1489806831501891e-6},
      {100, 2560, 2.4751610178983151e-4}, {4096, 100'000, 1.8956578040471699e-4},
  };
  for (const auto& c : pinned) {
    EXPECT_TRUE(close(blocked_fpr(c.blocks, 8, c.keys), c.expected + equal_digest_fpr(c.keys), 1e-12)) << c.blocks;
  }
}

TEST(blocked_fpr, of_many_blocks_is_poisson) {
  EXPECT_TRUE(close(blocked_fpr(10'000'000, 8, 512'000'000), block_mixture(8, 51.2), 1e-6));
}

// "1.15 to 1.3 times the classic rate" holds at 8 to 10 bits a key only.
TEST(blocked_fpr, costs_little_at_ten_bits_a_key_and_much_at_twenty_four) {
  const auto cost = [](double bits_per_key, std::uint32_t probes) {
    return block_mixture(probes, 512 / bits_per_key) / std::pow(-std::expm1(-1.0 * probes / bits_per_key), probes);
  };
  EXPECT_TRUE(close(cost(8, 6), 1.09, 0.02));
  EXPECT_TRUE(close(cost(10, 7), 1.17, 0.02));
  EXPECT_TRUE(close(cost(16, 11), 1.87, 0.02));
  EXPECT_TRUE(close(cost(24, 17), 6.9, 0.02));
}

// f_B knows the mean fill only; one 512-bit lane with all bits is the same block done exactly.
TEST(blocked_fpr, reads_a_little_low_against_the_exact_block) {
  const auto ratio = [](std::uint32_t probes, double bits_per_key) {
    return block_mixture(probes, 512 / bits_per_key) /
           lane_mixture({.lanes = 1, .lane_bits = 512, .bits_per_lane = probes}, 512 / bits_per_key);
  };
  EXPECT_TRUE(close(ratio(6, 8), 0.992, 0.002));
  EXPECT_TRUE(close(ratio(8, 24), 0.97, 0.015));
  EXPECT_TRUE(close(ratio(17, 24), 0.937, 0.002));
}

TEST(blocked_fpr, edges_are_defined) {
  EXPECT_EQ(block_mixture(8, 0), 0);
  EXPECT_EQ(block_mixture(8, 1e18), 1);
  EXPECT_EQ(blocked_fpr(10, 8, 0), 0);
  EXPECT_EQ(blocked_fpr(10, 0, 10), 1);
  EXPECT_EQ(blocked_fpr(0, 8, 10), 1);
  EXPECT_EQ(blocked_fpr(1, 8, ~std::uint64_t{0}), 1);
}

}  // namespace
