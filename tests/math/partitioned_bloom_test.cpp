// The partitioned filter's shape and rate.
#include <seen/math/partitioned_bloom.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "close.hpp"
#include "simulation.hpp"

namespace {

using namespace seen::math;
using seen::errc;
using seen::testing::close;

TEST(partitioned_shape, rounds_the_classic_size_up_to_whole_slices) {
  EXPECT_EQ(partitioned_shape_for({1'000'000, 0.01}).value(), (partitioned_shape{1'369'295, 7}));
  EXPECT_EQ(partitioned_shape_for({1'000'000, 0.01})->bits(), 9'585'065u);
  EXPECT_EQ(partitioned_shape_for({20, 0.01}).value(), (partitioned_shape{28, 7}));
  EXPECT_EQ(partitioned_shape_for({1, 0.9}).value(), (partitioned_shape{1, 1}));
}

TEST(partitioned_shape, refuses_what_the_classic_filter_refuses) {
  EXPECT_EQ(partitioned_shape_for({0, 0.01}).error().code, errc::invalid_argument);
  EXPECT_EQ(partitioned_shape_for({200'000'000'000, 0.01}).error().detail,
            "2e11 keys at fpr 0.01 need 223 GiB; the limit is 128 GiB (2^40 bits)");
}

TEST(partitioned_shape, refuses_a_size_that_only_rounding_lifts_over_the_limit) {
  // Exactly 2^40 bits and three probes: three does not divide 2^40.
  ASSERT_EQ(bloom_shape_for({239'328'446'242, 0.11}).value(), (bloom_shape{max_bits, 3}));
  EXPECT_EQ(partitioned_shape_for({239'328'446'242, 0.11}).error().detail,
            "239328446242 keys at fpr 0.11 need 1099511627778 bits; the limit is 128 GiB (2^40 bits)");
}

// (1 - (1 - mpf(1)/s)**n)**k, mpmath.mp.dps = 60; n/2^64 added here.
TEST(partitioned_fpr, matches_pinned_values) {
  EXPECT_EQ(partitioned_fpr(1, 3, 1), 1);
  EXPECT_TRUE(close(partitioned_fpr(28, 7, 20), 9.8477685702889783e-3, 1e-13));
  EXPECT_TRUE(close(partitioned_fpr(1'369'295, 7, 1'000'000), 1.0039202115521836e-2 + 1e6 * 0x1p-64, 1e-13));
  EXPECT_TRUE(close(partitioned_fpr(std::uint64_t{1} << 35, 30, std::uint64_t{1} << 34),
                    7.0360175574318603e-13 + 0x1p-30, 1e-13));
}

TEST(partitioned_fpr, edges_are_defined) {
  EXPECT_EQ(partitioned_fpr(100, 7, 0), 0);
  EXPECT_EQ(partitioned_fpr(100, 0, 1), 1);
  EXPECT_EQ(partitioned_fpr(0, 7, 1), 1);
  EXPECT_EQ(partitioned_fpr(100, 7, ~std::uint64_t{0}), 1);
}

TEST(partitioned_fpr, agrees_with_simulated_filters) {
  constexpr std::uint64_t slice = 28, keys = 20;
  constexpr std::uint32_t probes = 7;
  seen::testing::random_source random(28);
  seen::testing::sample_mean rate;
  for (int filter = 0; filter < 50'000; ++filter) {
    double product = 1;
    for (std::uint32_t s = 0; s < probes; ++s) {
      std::uint64_t set = 0;
      for (std::uint64_t key = 0; key < keys; ++key) set |= std::uint64_t{1} << random.below(slice);
      product *= static_cast<double>(std::popcount(set)) / slice;
    }
    rate.add(product);
  }
  EXPECT_TRUE(rate.agrees_with(partitioned_fpr(slice, probes, keys))) << rate.mean() << " ± " << rate.standard_error();
}

}  // namespace
