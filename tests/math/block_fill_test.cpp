// The fill of blocks against simulated ones, and against what follows from the formulas by hand.
#include <seen/math/block_fill.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace seen::testing {
namespace {

constexpr math::lane_shape shapes[] = {{8, 64, 1}, {8, 32, 1}, {1, 512, 6}, {4, 32, 2}, {2, 8, 1}};

TEST(block_fill, keys_per_block_reads_the_mean_backwards) {
  for (const math::lane_shape& block : shapes) {
    for (const double load : {0.01, 1.0, 20.0, 60.0}) {
      const double clear = std::exp(-load * (1 - std::pow(1 - 1.0 / block.lane_bits, block.bits_per_lane)));
      EXPECT_NEAR(math::keys_per_block(block, 1 - clear) / load, 1, 1e-9);
    }
    EXPECT_EQ(math::keys_per_block(block, 0), 0);
    EXPECT_EQ(math::keys_per_block(block, 1), std::numeric_limits<double>::infinity());
  }
}

TEST(block_fill, the_distribution_has_the_mean_and_the_variance) {
  for (const math::lane_shape& block : shapes) {
    for (const double load : {0.01, 1.0, 20.0, 150.0}) {
      const auto chance = math::distribution_of_block(block, load);
      ASSERT_EQ(chance.size(), math::bits_of_block(block) + 1);
      double sum = 0, mean = 0, square = 0;
      for (std::size_t u = 0; u < chance.size(); ++u) {
        const auto set = static_cast<double>(u);
        sum += chance[u], mean += set * chance[u], square += set * set * chance[u];
      }
      EXPECT_NEAR(sum, 1, 1e-9);
      EXPECT_NEAR(math::keys_per_block(block, mean / math::bits_of_block(block)) / load, 1, 1e-4);
      EXPECT_NEAR(square - mean * mean, math::variance_of_block(block, load), 1e-6 * square + 1e-6);
    }
  }
}

TEST(block_fill, one_key_sets_a_bit_in_each_lane) {
  const math::lane_shape block{8, 64, 1};
  const auto chance = math::distribution_of_block(block, 1e-9);
  EXPECT_NEAR(chance[0], 1, 1e-8);
  EXPECT_NEAR(chance[8] / 1e-9, 1, 1e-6);
  EXPECT_EQ(chance[3], 0);
}

// 20,000 blocks; every column within six standard deviations of its number.
TEST(block_fill, the_distribution_is_that_of_simulated_blocks) {
  std::mt19937_64 random(7);
  for (const math::lane_shape& block : shapes) {
    const double load = 6, blocks = 20'000;
    std::vector<double> seen(math::bits_of_block(block) + std::size_t{1});
    std::poisson_distribution<int> keys(load);
    for (int b = 0; b < blocks; ++b) {
      std::vector<bool> bits(math::bits_of_block(block));
      const int here = keys(random);
      for (std::uint32_t lane = 0; lane < block.lanes; ++lane) {
        for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(here) * block.bits_per_lane; ++i) {
          bits[lane * block.lane_bits + random() % block.lane_bits] = true;
        }
      }
      ++seen[static_cast<std::size_t>(std::count(bits.begin(), bits.end(), true))];
    }
    const auto chance = math::distribution_of_block(block, load);
    for (std::size_t u = 0; u < seen.size(); ++u) {
      EXPECT_NEAR(seen[u], blocks * chance[u], 6 * std::sqrt(blocks * chance[u]) + 3) << u;
    }
  }
}

TEST(block_fill, a_load_without_end_has_no_distribution) {
  EXPECT_TRUE(math::distribution_of_block(shapes[0], std::numeric_limits<double>::infinity()).empty());
  EXPECT_NEAR(math::distribution_of_block(shapes[0], 2000).back(), 1, 1e-6);
}

}  // namespace
}  // namespace seen::testing
