// Blocks with unequal numbers of keys, in general.
//
// Pinned values: python3, mpmath.mp.dps = 60:
//   mix = lambda load, f: sum(exp(-load) * load**i / factorial(i) * f(i) for i in range(int(3*load) + 200))
#include "math/mixture.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "../support/soak.hpp"
#include "close.hpp"
#include "math/block_planning.hpp"
#include "simulation.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

constexpr lane_shape split{.lanes = 8, .lane_bits = 32, .bits_per_lane = 1};

// One bit in each of eight 32-bit lanes, f(i) = (1 - (mpf(31)/32)**i)**8; two independent bits in each of eight 64-bit
// lanes, f(i) = ((1 - 2*(63/64)**(2i) + (62/64)**(2i))*63/64 + (1 - (63/64)**(2i))/64)**8.
TEST(lane_mixture, matches_pinned_values) {
  struct {
    double load, one_bit, two_bits;
  } const pinned[] = {
      {0.001, 1.0118923704995989e-15, 2.3627777009976002e-26},
      {1, 2.2875771239046169e-9, 1.5815481808836718e-15},
      {10.666666666666666, 1.6269388014037382e-4, 1.5951553805235516e-7},
      {16, 1.3155734028506452e-3, 5.7117585539177491e-6},
      {25.6, 1.2648451535639108e-2, 3.0019669151954689e-4},
      {32, 3.3211863708753066e-2, 1.6850524618513276e-3},
      {64, 3.2576436650825753e-1, 1.1259470729873637e-1},
      {200, 9.846825033653579e-1, 9.6839744950680737e-1},
  };
  EXPECT_TRUE(close(lane_mixture(split, 400.0), 9.9997018734931554e-1, 1e-12));
  for (const auto& c : pinned) {
    EXPECT_TRUE(close(lane_mixture(split, c.load), c.one_bit, 1e-12)) << c.load;
    EXPECT_TRUE(close(lane_mixture({.lanes = 8, .lane_bits = 64, .bits_per_lane = 2}, c.load), c.two_bits, 1e-12))
        << c.load;
  }
}

TEST(lane_mixture, of_one_block_needs_no_mixing) {
  EXPECT_TRUE(close(lane_mixture(split, 30, 1), std::pow(1 - std::pow(31.0 / 32, 30), 8), 1e-13));
  EXPECT_TRUE(close(lane_mixture(split, 1, 1), 0x1p-40, 1e-13));
}

TEST(lane_mixture, of_many_blocks_is_poisson) {
  EXPECT_TRUE(close(lane_mixture(split, 256'000'000, 10'000'000), lane_mixture(split, 25.6), 1e-6));
  EXPECT_LT(lane_mixture(split, 256, 10), 0.99 * lane_mixture(split, 25.6)) << "ten blocks are not many";
}

TEST(lane_mixture, edges_are_defined) {
  EXPECT_EQ(lane_mixture(split, 0.0), 0);
  EXPECT_EQ(lane_mixture(split, 1e18), 1);
  EXPECT_EQ(lane_mixture(split, 0, 10), 0);
  EXPECT_EQ(lane_mixture(split, ~std::uint64_t{0}, 1), 1);
}

TEST(lane_mixture, never_falls_with_load) {
  double last = 0;
  for (double load = 0.5; load < 2000; load *= 1.01) {
    const double rate = lane_mixture(split, load);
    ASSERT_GE(rate, last * (1 - 1e-13)) << load;
    last = rate;
  }
  EXPECT_TRUE(close(last, 1, 1e-13));
}

// Keys thrown into blocks, bits into lanes; each filter's exact rate, the mean over its blocks of the product of its
// lanes' shares to the power of the bits per lane.
seen::testing::sample_mean simulate(const lane_shape& shape, std::uint64_t blocks, std::uint64_t keys,
                                    std::uint64_t filters) {
  seen::testing::random_source random(blocks * 1000 + keys);
  seen::testing::sample_mean rate;
  const std::uint64_t lanes = blocks * shape.lanes;
  for (std::uint64_t filter = 0; filter < filters; ++filter) {
    std::vector<char> bit(lanes * shape.lane_bits);
    for (std::uint64_t key = 0; key < keys; ++key) {
      const std::uint64_t block = random.below(blocks);
      for (std::uint64_t lane = 0; lane < shape.lanes; ++lane) {
        for (std::uint32_t i = 0; i < shape.bits_per_lane; ++i) {
          bit[(block * shape.lanes + lane) * shape.lane_bits + random.below(shape.lane_bits)] = 1;
        }
      }
    }
    double sum = 0;
    for (std::uint64_t block = 0; block < blocks; ++block) {
      double product = 1;
      for (std::uint64_t lane = 0; lane < shape.lanes; ++lane) {
        int set = 0;
        for (std::uint32_t i = 0; i < shape.lane_bits; ++i) {
          set += bit[(block * shape.lanes + lane) * shape.lane_bits + i];
        }
        product *= std::pow(static_cast<double>(set) / shape.lane_bits, shape.bits_per_lane);
      }
      sum += product;
    }
    rate.add(sum / static_cast<double>(blocks));
  }
  return rate;
}

TEST(lane_mixture, agrees_with_simulated_filters) {
  struct {
    lane_shape shape;
    std::uint64_t blocks, keys, filters;
  } const cases[] = {
      {split, 1, 26, 40'000},
      {split, 10, 256, 8'000},
      {{.lanes = 8, .lane_bits = 64, .bits_per_lane = 1}, 4, 205, 8'000},
      {{.lanes = 8, .lane_bits = 64, .bits_per_lane = 2}, 4, 128, 8'000},
      {{.lanes = 1, .lane_bits = 512, .bits_per_lane = 8}, 4, 205, 8'000},
      {{.lanes = 4, .lane_bits = 128, .bits_per_lane = 1}, 4, 256, 8'000},
      {{.lanes = 4, .lane_bits = 16, .bits_per_lane = 3}, 3, 12, 40'000},
  };
  for (const auto& c : cases) {
    const auto rate = simulate(c.shape, c.blocks, c.keys, seen::testing::scaled(c.filters, 50 * c.filters));
    const double model = lane_mixture(c.shape, c.keys, c.blocks);
    EXPECT_TRUE(rate.agrees_with(model)) << c.blocks << ' ' << c.keys << ": " << rate.mean() << " ± "
                                         << rate.standard_error() << ", model " << model;
    EXPECT_LT(rate.standard_error(), 0.01 * model) << "the simulation says something";
  }
}

// The form that decides sizes, against filters of many blocks.
TEST(lane_mixture, the_planning_form_is_within_two_percent_of_simulated_filters) {
  for (const lane_shape& shape : {split, lane_shape{8, 64, 1}, lane_shape{8, 64, 2}, lane_shape{4, 128, 1}}) {
    constexpr std::uint64_t blocks = 400;
    const std::uint64_t keys = blocks * shape.lanes * shape.lane_bits / 12;
    const auto rate = simulate(shape, blocks, keys, seen::testing::scaled(150, 5000));
    const double planned = planned_rate(shape, static_cast<double>(keys) / blocks);
    EXPECT_TRUE(close(planned, rate.mean(), 0.02)) << shape.lanes << ' ' << shape.lane_bits;
    EXPECT_LT(rate.standard_error(), 0.003 * planned) << "the simulation says something";
  }
}

TEST(throws_per_key, is_what_empties_the_bits) {
  EXPECT_EQ(throws_per_key({8, 64, 1}), 8);
  EXPECT_EQ(throws_per_key({4, 128, 1}), 4);
  EXPECT_EQ(throws_per_key({8, 32, 1}), 8);
  EXPECT_EQ(throws_per_key({8, 64, 2}), 15.875) << "two in a lane meet once in 64";
}

}  // namespace
