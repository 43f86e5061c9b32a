// Sizes and rates of blocks of counters.
#include <seen/math/blocked_counting_bloom.hpp>
#include <seen/math/counting_bloom.hpp>

#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::target;
using seen::testing::close;

// Two ways to the same sum: this one without a library function, for planning.
TEST(counter_blocks, the_planning_rate_is_the_poisson_mixture) {
  for (const std::uint32_t width : {4u, 8u}) {
    for (const std::uint32_t probes : counter_block_probes) {
      for (const double load : {0.001, 0.1, 1.0, 4.0, 11.2, 30.0, 63.9}) {
        EXPECT_TRUE(
            close(counter_block_mixture(width, probes, load), lane_mixture(counter_lanes(width, probes), load), 1e-11))
            << width << " " << probes << " " << load;
      }
    }
  }
}

// Computed by a second implementation of the rules at the top of the header, in Python.
TEST(counter_blocks, shapes_are_pinned) {
  const auto shape = [](std::uint64_t n, double p, std::uint32_t width = 4) {
    return counter_blocks_for({.capacity = n, .fpr = p}, width).value();
  };
  EXPECT_EQ(shape(1'000'000, 0.01), (counter_blocks{89'300, 8}));
  EXPECT_EQ(shape(1'000'000, 0.01, 8), (counter_blocks{200'814, 4}));
  EXPECT_EQ(shape(1'000'000, 0.05), (counter_blocks{51'440, 4}));
  EXPECT_EQ(shape(1'000'000, 0.001), (counter_blocks{151'541, 8}));
  EXPECT_EQ(shape(1'000'000, 1e-6), (counter_blocks{663'750, 16}));
  EXPECT_EQ(shape(1, 0.5), (counter_blocks{1, 4}));
  EXPECT_EQ(shape(1000, 0.01), (counter_blocks{90, 8}));
  EXPECT_EQ(shape(1'000'000'000, 0.02), (counter_blocks{71'600'882, 4}));
  EXPECT_EQ(shape(20, 1e-9), (counter_blocks{56, 16}));
  EXPECT_EQ(counter_block_load_q12(0.01, 4, 8), 45'868u);
}

TEST(counter_blocks, a_plan_keeps_its_rate_and_wastes_nothing) {
  for (const std::uint64_t n : {1u, 20u, 1000u, 1'000'000u}) {
    for (const double p : {0.9, 0.1, 0.02, 0.01, 0.001, 1e-5, 1e-9}) {
      for (const std::uint32_t width : {4u, 8u}) {
        if (width == 8 && p == 1e-9) continue;  // beyond 16 blocks per key
        const auto shape = counter_blocks_for({.capacity = n, .fpr = p}, width).value();
        EXPECT_LE(blocked_counting_fpr(shape.blocks, width, shape.probes, n), p * (1 + 1e-9)) << n << " " << p;
        if (n < 1000 || p > 0.5) continue;
        const double less = 0.99 * static_cast<double>(shape.blocks);
        EXPECT_GT(blocked_counting_fpr(static_cast<std::uint64_t>(less), width, shape.probes, n), p) << n << " " << p;
      }
    }
  }
}

TEST(counter_blocks, every_number_of_probes_wins_somewhere) {
  EXPECT_EQ(counter_blocks_for({.capacity = 100, .fpr = 0.02}, 4)->probes, 4u);
  EXPECT_EQ(counter_blocks_for({.capacity = 100, .fpr = 0.01}, 4)->probes, 8u);
  EXPECT_EQ(counter_blocks_for({.capacity = 100, .fpr = 1e-6}, 4)->probes, 16u);
  EXPECT_EQ(counter_blocks_for({.capacity = 100, .fpr = 0.01}, 4, 4)->probes, 4u) << "as asked";
}

TEST(counter_blocks, what_is_not_to_be_had_is_refused) {
  const auto refusal = [](std::uint64_t n, double p) { return counter_blocks_for({n, p}, 4).error(); };
  EXPECT_EQ(refusal(0, 0.01).code, seen::errc::invalid_argument);
  EXPECT_EQ(refusal(10, 2).code, seen::errc::invalid_argument);
  for (const double p : {1e-12, 1e-18}) {
    EXPECT_EQ(refusal(10, p).code, seen::errc::too_large);
    EXPECT_NE(refusal(10, p).detail.find(
                  ": blocks of 128 counters would take more than 16 blocks per key; counting-bloom takes less"),
              std::string::npos);
  }
  EXPECT_EQ(refusal(1'000'000'000'000, 0.01).detail,
            "1e12 keys at fpr 0.01 need 5.2 TiB; the limit is 128 GiB (2^40 bits)");
  EXPECT_EQ(refusal(~std::uint64_t{0}, 0.5).code, seen::errc::too_large);
  EXPECT_LE(counter_blocks_for({.capacity = 24'000'000'000, .fpr = 0.01}, 4)->blocks, max_counter_blocks);
}

// Binomial(10^6, 8/(89300·128)) from 16 up: no more likely than in the classic filter, whose load is 0.73.
TEST(counter_blocks, a_counter_rarely_overflows) {
  const double load = 1e6 / (89'300 * 16.0);
  EXPECT_TRUE(close(blocked_counter_overflow(4, 89'300, 8, 1'000'000), counter_overflow_poisson(4, load), 1e-3));
  EXPECT_LT(blocked_counter_overflow(4, 89'300, 8, 1'000'000), counter_overflow(4, 9'585'059, 7, 1'000'000));
  EXPECT_TRUE(close(blocked_counter_overflow(4, 89'300, 8, 1'000'000), 8.2e-17, 0.02));
  EXPECT_EQ(blocked_counter_overflow(4, 0, 8, 10), 0);
  EXPECT_EQ(blocked_counting_fpr(0, 4, 8, 10), 1);
  EXPECT_EQ(blocked_counting_fpr(10, 4, 8, 0), 0);
}

}  // namespace
