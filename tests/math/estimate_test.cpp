// Counting keys from bits.
#include <seen/math/estimate.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "close.hpp"
#include "simulation.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

// -mpf(m)/k*log(1 - mpf(X)/m), mpmath.mp.dps = 60.
TEST(estimate_count, matches_pinned_values) {
  EXPECT_TRUE(close(estimate_count(1, 10, 1), 1.053605156578263, 1e-14));
  EXPECT_TRUE(close(estimate_count(5, 10, 1), 6.9314718055994531, 1e-14));
  EXPECT_TRUE(close(estimate_count(9, 10, 3), 7.6752836433134856, 1e-14));
  EXPECT_TRUE(close(estimate_count(4'967'757, 9'585'059, 7), 1.0001255682293885e+6, 1e-14));
  EXPECT_TRUE(close(estimate_count(1'099'511'627'775, 1'099'511'627'776, 7), 4.3549907702046311e+12, 1e-14));
  EXPECT_TRUE(close(estimate_count(1, 1'099'511'627'776, 30), 3.3333333333348492e-2, 1e-14));
}

TEST(estimate_count, is_accurate_for_one_bit_set_and_for_one_bit_empty) {
  EXPECT_TRUE(close(estimate_count(1, 1'000'000'000'000, 7), 0.14285714285721429, 1e-14));
  EXPECT_TRUE(close(estimate_count(999'999'999'999, 1'000'000'000'000, 7), 3947288730846.9355, 1e-14));
}

TEST(estimate_count, edges_are_defined) {
  EXPECT_EQ(estimate_count(0, 1000, 7), 0);
  EXPECT_EQ(estimate_count(0, 0, 7), 0);
  EXPECT_EQ(estimate_count(5, 0, 7), 0);
  EXPECT_EQ(estimate_count(1000, 1000, 7), infinity);
  EXPECT_EQ(estimate_count(1001, 1000, 7), infinity);
  EXPECT_EQ(estimate_count(1, 1000, 0), infinity);
  EXPECT_EQ(estimate_count(0, 1000, 0), 0);
}

TEST(estimate_count, grows_with_every_bit) {
  double last = -1;
  for (std::uint64_t set = 0; set <= 1000; ++set) {
    const double count = estimate_count(set, 1000, 7);
    ASSERT_GT(count, last) << set;
    last = count;
  }
}

TEST(estimate_count, is_weak_beyond_a_fill_of_seven_tenths) {
  EXPECT_FALSE(count_is_weak(0.5));
  EXPECT_FALSE(count_is_weak(0.7));
  EXPECT_TRUE(count_is_weak(0.701));
  EXPECT_TRUE(count_is_weak(1));
}

TEST(fpr_of_fill, is_the_chance_that_every_probe_meets_a_set_bit) {
  EXPECT_EQ(fpr_of_fill(0.5, 7), 1.0 / 128);
  EXPECT_EQ(fpr_of_fill(0, 7), 0);
  EXPECT_EQ(fpr_of_fill(1, 7), 1);
}

struct set_bits {
  std::uint64_t a, b, both;
};

// Two filters of 9586 bits, k = 7: `shared` keys in both, `only_a` and `only_b` in one.
set_bits simulate(int shared, int only_a, int only_b, seen::testing::random_source& random) {
  constexpr std::uint64_t bits = 9586;
  std::vector<unsigned char> cell(bits);
  const auto add = [&](int keys, unsigned char mask) {
    for (int t = 0; t < 7 * keys; ++t) {
      auto& c = cell[random.below(bits)];
      c = static_cast<unsigned char>(c | mask);
    }
  };
  add(shared, 3), add(only_a, 1), add(only_b, 2);
  set_bits count{0, 0, 0};
  for (const auto c : cell) count.a += c & 1, count.b += c >> 1, count.both += c != 0;
  return count;
}

TEST(estimates, find_counts_union_intersection_and_jaccard_of_simulated_filters) {
  seen::testing::random_source random(7);
  seen::testing::sample_mean a, both, common, jaccard;
  for (int i = 0; i < 2000; ++i) {
    const set_bits s = simulate(300, 500, 200, random);
    a.add(estimate_count(s.a, 9586, 7));
    both.add(estimate_union(s.both, 9586, 7));
    common.add(estimate_intersection(s.a, s.b, s.both, 9586, 7));
    jaccard.add(estimate_jaccard(s.a, s.b, s.both, 9586, 7));
  }
  // The estimates are biased by a small part of one key in a thousand; the means are known to about as much.
  EXPECT_NEAR(a.mean(), 800, 0.001 * 800);
  EXPECT_NEAR(both.mean(), 1000, 0.001 * 1000);
  EXPECT_NEAR(common.mean(), 300, 0.005 * 300);
  EXPECT_NEAR(jaccard.mean(), 0.3, 0.005 * 0.3);
}

TEST(estimate_intersection, stays_between_nothing_and_the_smaller_filter) {
  EXPECT_EQ(estimate_intersection(100, 100, 250, 1000, 3), 0) << "a union larger than the parts can make";
  EXPECT_EQ(estimate_intersection(100, 200, 200, 1000, 3), estimate_count(100, 1000, 3)) << "a inside b";
  EXPECT_EQ(estimate_intersection(100, 200, 150, 1000, 3), estimate_count(100, 1000, 3)) << "no possible union";
  EXPECT_EQ(estimate_intersection(0, 0, 0, 1000, 3), 0);
  EXPECT_EQ(estimate_intersection(0, 0, 0, 0, 3), 0);
}

TEST(estimate_intersection, is_defined_for_full_filters) {
  EXPECT_EQ(estimate_intersection(1000, 200, 1000, 1000, 3), estimate_count(200, 1000, 3));
  EXPECT_EQ(estimate_intersection(900, 900, 1000, 1000, 3), 0);
  EXPECT_EQ(estimate_intersection(1000, 1000, 1000, 1000, 3), infinity);
}

TEST(estimate_jaccard, is_always_a_share) {
  constexpr std::uint64_t counts[] = {0, 1, 10, 50, 90, 99, 100, 120};
  for (const std::uint64_t a : counts) {
    for (const std::uint64_t b : counts) {
      for (const std::uint64_t both : counts) {
        for (const std::uint64_t bits : {0u, 100u}) {
          const double j = estimate_jaccard(a, b, both, bits, 3);
          ASSERT_TRUE(j >= 0 && j <= 1) << a << ' ' << b << ' ' << both << ": " << j;
        }
      }
    }
  }
}

TEST(estimate_jaccard, is_one_for_equal_filters_and_zero_for_disjoint_ones) {
  EXPECT_EQ(estimate_jaccard(0, 0, 0, 1000, 3), 1);
  EXPECT_EQ(estimate_jaccard(100, 100, 100, 1000, 3), 1);
  EXPECT_EQ(estimate_jaccard(1000, 1000, 1000, 1000, 3), 1);
  EXPECT_EQ(estimate_jaccard(100, 0, 100, 1000, 3), 0);
  EXPECT_EQ(estimate_jaccard(100, 1000, 1000, 1000, 3), 0) << "a full filter holds everything there is";
  EXPECT_LT(estimate_jaccard(100, 100, 190, 1000, 3), 0.01);
}

}  // namespace
