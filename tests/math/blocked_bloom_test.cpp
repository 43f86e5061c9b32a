// The 512-bit block.
//
// Pinned values: python3, mpmath.mp.dps = 60, f(i) of lanes of 128 and 64 bits with one bit of a key, and of 64 bits with
// two (mixture_test.cpp), mixed over Binomial(n, 1/B).
#include <seen/math/blocked_bloom.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::errc;
using seen::testing::close;

TEST(blocked_fpr, matches_pinned_values_plus_equal_patterns) {
  struct {
    std::uint64_t blocks, keys;
    double four, eight, sixteen;
  } const pinned[] = {
      {1, 30, 0.001932341086700128, 0.00040399325507464123, 0.00039229137058457923},
      {2, 60, 0.0020705788871918972, 0.00051249461760646594, 0.00067103732113896884},
      {7, 100, 0.00016661230704544105, 7.4942910152339619e-6, 1.4851013215556466e-6},
      {100, 2560, 0.001289536707090281, 0.00025831598501015936, 0.00029704381565509238},
      {4096, 100'000, 0.0010984846546669399, 0.00019791612288076972, 0.00020467914545410891},
  };
  for (const auto& c : pinned) {
    const double same_pattern = static_cast<double>(c.keys) / static_cast<double>(c.blocks) * 0x1p-32;
    EXPECT_TRUE(close(blocked_fpr(c.blocks, 4, c.keys), c.four + same_pattern, 1e-12)) << c.blocks;
    EXPECT_TRUE(close(blocked_fpr(c.blocks, 8, c.keys), c.eight + same_pattern, 1e-12)) << c.blocks;
    EXPECT_TRUE(close(blocked_fpr(c.blocks, 16, c.keys), c.sixteen + same_pattern, 1e-12)) << c.blocks;
  }
}

TEST(blocked_fpr, of_many_blocks_is_the_planned_rate) {
  for (const std::uint32_t probes : block_probes) {
    EXPECT_TRUE(close(blocked_fpr(10'000'000, probes, 512'000'000), planned_rate(block_lanes(probes), 51.2), 1e-6));
  }
}

// "1.15 to 1.3 times the classic rate" holds at 8 to 10 bits per key only.
TEST(blocked_fpr, costs_little_at_ten_bits_a_key_and_much_at_twenty_four) {
  const auto cost = [](double bits_per_key, std::uint32_t probes, double classic_probes) {
    return planned_rate(block_lanes(probes), 512 / bits_per_key) /
           std::pow(-std::expm1(-classic_probes / bits_per_key), classic_probes);
  };
  EXPECT_TRUE(close(cost(8, 8, 6), 1.35, 0.02));
  EXPECT_TRUE(close(cost(10, 8, 7), 1.28, 0.02));
  EXPECT_TRUE(close(cost(16, 8, 11), 2.01, 0.02));
  EXPECT_TRUE(close(cost(24, 16, 17), 6.84, 0.02));
}

TEST(blocked_fpr, edges_are_defined) {
  EXPECT_EQ(blocked_fpr(10, 8, 0), 0);
  EXPECT_EQ(blocked_fpr(10, 0, 10), 1);
  EXPECT_EQ(blocked_fpr(10, 5, 10), 1) << "no such k";
  EXPECT_EQ(blocked_fpr(0, 8, 10), 1);
  EXPECT_EQ(blocked_fpr(1, 8, ~std::uint64_t{0}), 1);
  EXPECT_TRUE(close(blocked_fpr(1, 8, 1), 0x1p-48 + 0x1p-32, 1e-14)) << "one key: its own pattern, or its lanes";
}

// What the documents promise: space over the lower bound n·log2(1/p).
TEST(blocked_shape, takes_the_promised_space) {
  const auto over_lower_bound = [](double fpr) {
    const auto shape = blocked_shape_for({10'000'000, fpr}).value();
    return 512 * static_cast<double>(shape.blocks) / lower_bound_bits(10'000'000, fpr);
  };
  EXPECT_TRUE(close(over_lower_bound(0.01), 1.52, 0.01));
  EXPECT_TRUE(close(over_lower_bound(1e-4), 1.72, 0.01));
  EXPECT_TRUE(close(over_lower_bound(1e-6), 1.96, 0.01));
}

TEST(blocked_shape, k_follows_the_rate) {
  EXPECT_EQ(blocked_shape_for({1'000'000, 0.1})->probes, 4u);
  EXPECT_EQ(blocked_shape_for({1'000'000, 0.02})->probes, 4u);
  EXPECT_EQ(blocked_shape_for({1'000'000, 0.015})->probes, 8u);
  EXPECT_EQ(blocked_shape_for({1'000'000, 0.01})->probes, 8u);
  EXPECT_EQ(blocked_shape_for({1'000'000, 3e-4})->probes, 8u);
  EXPECT_EQ(blocked_shape_for({1'000'000, 1e-4})->probes, 16u);
  EXPECT_EQ(blocked_shape_for({1'000'000, 1e-9})->probes, 16u);
}

TEST(blocked_shape, one_k_can_be_asked_for) {
  EXPECT_EQ(blocked_shape_for({1'000'000, 0.01}, 4).value(), (blocked_shape{21119, 4}));
  EXPECT_EQ(blocked_shape_for({1'000'000, 0.01}, 16).value(), (blocked_shape{24231, 16}));
  EXPECT_EQ(best_block_probes(1000, 100'000), 4u);
  EXPECT_EQ(best_block_probes(1000, 50'000), 8u);
  EXPECT_EQ(best_block_probes(1000, 20'000), 16u);
}

TEST(blocked_shape, what_it_cannot_give_is_refused_and_bloom_named) {
  const auto rare = blocked_shape_for({1000, 1e-10});
  ASSERT_FALSE(rare);
  EXPECT_EQ(rare.error().code, errc::too_large);
  EXPECT_EQ(rare.error().detail,
            "1000 keys at fpr 1e-10: blocked-bloom would take more than 128 bits per key; bloom takes 47.9");
  const auto large = blocked_shape_for({std::uint64_t{1} << 40, 0.01});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, errc::too_large);
  EXPECT_EQ(large.error().detail, "1099511627776 keys at fpr 0.01 need 1.27 TiB; the limit is 128 GiB (2^40 bits)");
  EXPECT_EQ(blocked_shape_for({~std::uint64_t{0}, 0.99}).error().code, errc::too_large);
  EXPECT_EQ(blocked_shape_for({0, 0.01}).error().code, errc::invalid_argument);
  EXPECT_EQ(blocked_shape_for({10, std::nan("")}).error().code, errc::invalid_argument);
}

}  // namespace
