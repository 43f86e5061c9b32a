// How often a counter is too small.
#include <seen/math/counting_bloom.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "close.hpp"
#include "simulation.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

// Tails of Binomial(k*n, mpf(1)/m) from 2^w up, mpmath.mp.dps = 60.
TEST(counter_overflow, matches_pinned_values) {
  EXPECT_TRUE(close(counter_overflow(4, 9'585'059, 7, 1'000'000), 1.574998887060543e-16, 1e-11));
  EXPECT_TRUE(close(counter_overflow(2, 9'585'059, 7, 1'000'000), 6.6571418372302565e-3, 1e-11));
  EXPECT_TRUE(close(counter_overflow(2, 1000, 7, 99), 5.5250406335715204e-3, 1e-11));
  EXPECT_TRUE(close(counter_overflow_poisson(4), 7.0728322567299513e-17, 1e-11));
  EXPECT_TRUE(close(counter_overflow_poisson(2), 5.5611019080661985e-3, 1e-11));
}

TEST(counter_overflow, is_poisson_for_many_counters) {
  EXPECT_TRUE(close(counter_overflow(4, 10'000'000'000, 7, 1'000'000'000), counter_overflow_poisson(4, 0.7), 1e-6));
}

// (ln 2)^16/16! is 1.357e-16; the tail is half of that, for want of e^-ln2, and 4 % more, for the later terms.
TEST(counter_overflow, documents_approximation_is_about_twice_the_tail) {
  EXPECT_TRUE(close(counter_overflow_approximate(4), 1.3570247948755141e-16, 1e-11));
  EXPECT_TRUE(close(counter_overflow_approximate(4) / counter_overflow_poisson(4), 1.9187, 1e-4));
}

TEST(counter_overflow, fan_et_al_bound_every_counter_together) {
  EXPECT_TRUE(close(any_counter_overflow_bound(4, 10'000'000, 7, 990'210), 1.37e-15 * 1e7, 0.01));  // load ln 2
  for (const std::uint64_t keys : {10'000u, 100'000u, 1'000'000u}) {
    EXPECT_GE(any_counter_overflow_bound(4, 10'000'000, 7, keys), 1e7 * counter_overflow(4, 10'000'000, 7, keys));
  }
  EXPECT_EQ(any_counter_overflow_bound(2, 10'000'000, 7, 1'000'000), 1);
}

// A counter sticks one add before it overflows.
TEST(counter_overflow, sticking_is_reaching_the_maximum) {
  EXPECT_TRUE(close(counter_sticks(4, 100, 1, 15), 1e-30, 1e-11));
  EXPECT_EQ(counter_sticks(4, 100, 1, 14), 0);
  EXPECT_EQ(counter_sticks(4, 0, 7, 10), 0);
  EXPECT_TRUE(close(counter_sticks(4, 9'585'059, 7, 1'000'000), 3.46e-15, 0.001));
  EXPECT_TRUE(close(counter_sticks(2, 9'585'059, 7, 1'000'000), 0.0379, 0.01));
}

TEST(counting_shape, is_the_classic_one_within_two_to_the_forty_bits) {
  EXPECT_EQ(counting_shape_for({.capacity = 1'000'000, .fpr = 0.01}, 4).value(), (bloom_shape{9'585'059, 7}));
  EXPECT_EQ(counting_shape_for({.capacity = 0, .fpr = 0.01}, 4).error().code, seen::errc::invalid_argument);
  // 2^40 bits: 2^38 counters of four, 2^36 of sixteen.
  EXPECT_TRUE(counting_shape_for({.capacity = std::uint64_t{1} << 34, .fpr = 0.01}, 4));
  EXPECT_EQ(counting_shape_for({.capacity = std::uint64_t{1} << 34, .fpr = 0.01}, 16).error().detail,
            "17179869184 keys at fpr 0.01 need 307 GiB; the limit is 128 GiB (2^40 bits)");
  EXPECT_EQ(counting_shape_for({.capacity = ~std::uint64_t{0}, .fpr = 0.01}, 4).error().code, seen::errc::too_large);
}

TEST(counter_overflow, edges_are_defined) {
  EXPECT_EQ(counter_overflow(4, 0, 7, 10), 0);
  EXPECT_EQ(counter_overflow(4, 100, 7, 0), 0);
  EXPECT_EQ(counter_overflow(4, 100, 0, 10), 0);
  EXPECT_EQ(counter_overflow(4, 100, 1, 15), 0) << "fifteen adds fit";
  EXPECT_TRUE(close(counter_overflow(4, 100, 1, 16), 1e-32, 1e-11));
  EXPECT_EQ(counter_overflow(4, 1, 1, 16), 1);
  EXPECT_EQ(counter_overflow(4, 100, 30, ~std::uint64_t{0}), 1);
  EXPECT_EQ(counter_overflow(4, 100, 2, std::uint64_t{1} << 63), 1) << "2^64 adds are not none";
  EXPECT_EQ(counter_overflow(16, 1'000'000, 7, 100'000), 0) << "too small for a double";
  EXPECT_GT(counter_overflow(16, 1000, 7, 9'362'286), 0.4) << "65536 adds a counter on average";
  EXPECT_EQ(any_counter_overflow_bound(4, 0, 7, 10), 0);
}

TEST(counter_overflow, agrees_with_simulated_counters) {
  seen::testing::random_source random(4);
  seen::testing::sample_mean share;
  for (int filter = 0; filter < 20'000; ++filter) {
    std::vector<int> counter(1000);
    for (int i = 0; i < 7 * 99; ++i) ++counter[random.below(1000)];
    int over = 0;
    for (const int c : counter) over += c >= 4;
    share.add(over / 1000.0);
  }
  EXPECT_TRUE(share.agrees_with(counter_overflow(2, 1000, 7, 99))) << share.mean() << " ± " << share.standard_error();
}

}  // namespace
