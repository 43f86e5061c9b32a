// Bits per key for filters of blocks: the integers every language must reproduce, and the rate they give.
//
// Pinned integers: an independent implementation of the rule at the top of block_planning.hpp, in Python. Pinned rates:
// python3, mpmath.mp.dps = 60.
#include "math/block_planning.hpp"

#include <seen/math/blocked_bloom.hpp>
#include <seen/math/split_block.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

static_assert(fewest_per_key(split_block_shape, 0.01) == 337, "sizes are known at compile time");

TEST(block_planning, matches_pinned_integers) {
  struct {
    std::uint64_t keys;
    double fpr;
    std::uint64_t blocks;
    std::uint32_t probes;
    std::uint64_t split_blocks;  // 0: refused
  } const pinned[] = {
      {1, 0.5, 1, 4, 1},
      {1, 0.9999, 1, 4, 1},
      {20, 0.01, 1, 8, 1},
      {1000, 0.01, 20, 8, 42},
      {1'000'000, 0.01, 19776, 8, 41138},
      {1'000'000'000, 0.01, 19775391, 8, 41137696},
      {1'000'000, 0.05, 12391, 4, 28321},
      {1'000'000, 0.02, 16907, 4, 35279},
      {12345, 0.001, 380, 8, 816},
      {1'000'000, 1e-4, 44739, 16, 102906},
      {1'000'000, 1e-6, 76233, 16, 252686},
      {1'000'000, 1e-9, 243531, 16, 0},
      {1'000'000'000, 0.3, 5859375, 4, 16235352},
  };
  for (const auto& c : pinned) {
    EXPECT_EQ(blocked_shape_for({c.keys, c.fpr}).value(), (blocked_shape{c.blocks, c.probes}))
        << c.keys << ' ' << c.fpr;
    const auto split = split_blocks_for({c.keys, c.fpr});
    EXPECT_EQ(split ? *split : 0, c.split_blocks) << c.keys << ' ' << c.fpr;
  }
}

TEST(block_planning, the_planned_rate_is_the_poisson_mixture) {
  struct {
    double load, four, eight, sixteen, split;
  } const pinned[] = {
      {1, 5.4008139865483184e-8, 2.4425246469159581e-10, 2.3283222520205051e-10, 2.5204077675584865e-9},
      {4, 2.5598694256852235e-6, 7.6715104696209925e-9, 9.6682053131657675e-10, 1.0530290558523588e-6},
      {21.333333333333332, 0.00069196375153666042, 9.086552413613878e-5, 6.7262350249363793e-5, 0.0054196407675756345},
      {51.2, 0.012734398439369779, 0.010489837941674907, 0.036700771708457711, 0.17921173548285541},
      {64, 0.025307015215119453, 0.029310797993313036, 0.11259472219989756, 0.32576438140941873},
      {256, 0.56026201859478355, 0.86307027209076147, 0.99435019768780761, 0.99732040008929385},
      {512, 0.92878738159487867, 0.99731998565162736, 0.99999809484732306, 0.99999921892847643},
  };
  for (const auto& c : pinned) {
    EXPECT_TRUE(close(planned_rate(block_lanes(4), c.load), c.four, 1e-12)) << c.load;
    EXPECT_TRUE(close(planned_rate(block_lanes(8), c.load), c.eight, 1e-12)) << c.load;
    EXPECT_TRUE(close(planned_rate(block_lanes(16), c.load), c.sixteen, 1e-12)) << c.load;
    EXPECT_TRUE(close(planned_rate(split_block_shape, c.load), c.split, 1e-12)) << c.load;
  }
}

TEST(block_planning, bits_a_key_are_the_fewest_on_the_grid) {
  for (const double fpr : {0.5, 0.1, 0.01, 1e-4, 1e-7}) {
    for (const lane_shape& shape : {block_lanes(4), block_lanes(8), block_lanes(16), split_block_shape}) {
      const std::uint64_t per_key = fewest_per_key(shape, fpr);
      if (per_key > most_per_key) continue;
      const auto rate = [&](std::uint64_t at) {
        return planned_rate(shape, 32.0 * bits_of_block(shape) / static_cast<double>(at));
      };
      EXPECT_LE(rate(per_key), fpr);
      EXPECT_GT(rate(per_key - 1), fpr);
    }
  }
}

TEST(block_planning, the_number_of_blocks_rounds_up_and_saturates) {
  EXPECT_EQ(blocks_for(1, 32, 512), 1u);
  EXPECT_EQ(blocks_for(512, 32, 512), 1u);
  EXPECT_EQ(blocks_for(513, 32, 512), 2u);
  EXPECT_EQ(blocks_for(~std::uint64_t{0}, 1, 512), (std::uint64_t{1} << 50));
  EXPECT_EQ(blocks_for(~std::uint64_t{0}, 32, 512), ~std::uint64_t{0});
}

// The promise: the model at capacity is within 1.02 of the rate asked for, from one key to a thousand million.
TEST(block_planning, the_true_rate_at_capacity_is_the_one_asked_for) {
  double worst = 0;
  for (const double fpr : {0.9, 0.5, 0.2, 0.05, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    for (std::uint64_t n = 1; n <= 1'000'000'000; n += 1 + n / (n < 2000 ? 30 : 3)) {
      const auto shape = blocked_shape_for({n, fpr}).value();
      worst = std::max(worst, blocked_fpr(shape.blocks, shape.probes, n) / fpr);
      ASSERT_LE(blocked_fpr(shape.blocks, shape.probes, n), 1.003 * fpr) << n << ' ' << fpr;
      const auto split = split_blocks_for({n, fpr});
      ASSERT_TRUE(split || n > 250'000'000) << split.error().detail;
      ASSERT_LE(split ? split_block_fpr(*split, n) : 0, 1.01 * fpr) << n << ' ' << fpr;
    }
  }
  EXPECT_GT(worst, 0.99) << "and not much below it either";
}

}  // namespace
