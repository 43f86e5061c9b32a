// Balls in bins against 1500-digit arithmetic, against brute force, and the two methods against one another.
//
// Pinned values: python3, mpmath.mp.dps = 1500:
//   D = lambda j, t, m: sum((-1)**i * binomial(j, i) * (1 - mpf(i) / m)**t for i in range(j + 1))
//   E = lambda k, t, m: sum(stirling2(k, j) * ff(m, j) / mpf(m)**k * D(j, t, m) for j in range(1, min(k, m) + 1))
// with t = k·n; distinct is D(min(k, m), t, m).
#include "math/occupancy.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

struct pinned_case {
  std::uint64_t bins;
  std::uint32_t picks;
  std::uint64_t keys;
  double independent, distinct;
};

constexpr pinned_case pinned[] = {
    {1, 1, 1, 1.0, 1.0},
    {1, 5, 3, 1.0, 1.0},
    {2, 1, 1, 5.0e-1, 5.0e-1},
    {2, 30, 1, 9.9999999813735485e-1, 9.9999999813735485e-1},
    {3, 2, 1, 3.3333333333333333e-1, 2.2222222222222222e-1},
    {10, 7, 1, 1.74705766201e-2, 5.04e-4},
    {10, 7, 100, 1.0, 1.0},
    {64, 4, 3, 9.1199909618423923e-4, 5.5060998777204871e-4},
    {96, 7, 10, 1.0888081171544973e-2, 8.8408541265417294e-3},
    {192, 7, 20, 1.042037125248004e-2, 9.4007599221005071e-3},
    {29, 30, 20, 9.9999998644772692e-1, 9.9999997918300385e-1},
    {40, 30, 60, 1.0, 1.0},
    {63, 64, 30, 9.9999999999816225e-1, 9.9999999999713233e-1},
    {1000, 3, 100, 1.745424847266641e-2, 1.7304866541056532e-2},
    {1000, 7, 73, 1.6579278362599372e-3, 1.6063635882898072e-3},
    {1000, 7, 74, 1.7830992902683979e-3, 1.7285875995709574e-3},
    {959, 7, 100, 1.010520050757087e-2, 9.9010170879601312e-3},
    {9586, 7, 1000, 1.004358399014652e-2, 1.0023144010271552e-2},
    {9585059, 7, 1000000, 1.0039223613456864e-2, 1.0039203166482152e-2},
    {9585059, 7, 2000000, 1.5745298664960586e-1, 1.5745288238554328e-1},
    {9585059, 1, 1000000, 9.9071197514057306e-2, 9.9071197514057306e-2},
    {9585059, 30, 1000000, 2.6152086095288777e-1, 2.6152031828926295e-1},
    {9585059, 30, 10000000, 9.9999999999923394e-1, 9.9999999999923394e-1},
    {1048576, 30, 17, 4.0367702849954139e-100, 1.691772951190863e-100},
    {1048576, 30, 18, 2.2415853601835761e-99, 9.8684319667137051e-100},
    {1048576, 64, 8, 1.1708761160114161e-212, 1.9207764959168295e-214},
    {1048576, 64, 7, 2.2796709150881397e-216, 2.0159949596786825e-218},
    {1099511627776, 7, 1, 4.2392350198498241e-79, 2.5943690250918866e-81},
    {1099511627776, 7, 1000000, 4.2391405597959148e-37, 4.2391278424298575e-37},
    {1099511627776, 7, 100000000000, 5.1372969353573783e-3, 5.1372969352471482e-3},
    {1099511627776, 30, 1000, 1.1957562710116624e-227, 1.1785372997264873e-227},
    {1099511627776, 30, 34359738368, 3.3539429118078923e-7, 3.3539429109537921e-7},
    {1099511627776, 30, 1099511627776, 9.9999999999719271e-1, 9.9999999999719271e-1},
    {1099511627776, 1, 35184372088832, 9.9999999999998734e-1, 9.9999999999998734e-1},
    {1099511627776, 20, 30000000000, 2.9964228744843838e-8, 2.996422873770983e-8},
    {1099511627775, 13, 12345678901, 5.3495342776058492e-12, 5.3495342751911105e-12},
    {100, 30, 10, 2.638843874841098e-1, 2.1337084185886211e-1},
    {100, 30, 18, 8.9138124501026632e-1, 8.7580495491128567e-1},
    {31, 30, 100, 1.0, 1.0},
    {500, 2, 255, 4.0950565886162752e-1, 4.0904420092388923e-1},
    {500, 2, 256, 4.1134986965274327e-1, 4.1088922282598215e-1},
    {500, 2, 257, 4.1319082596783277e-1, 4.1273099525732289e-1},
    {1000000, 17, 41667, 9.8399606481073024e-6, 9.838662245398998e-6},
    {512, 16, 30, 3.7741546301604951e-4, 3.2425640481311831e-4},
    {512, 16, 32, 6.9392274817237675e-4, 6.0500202907066858e-4},
    {512, 16, 33, 9.2040097273145243e-4, 8.0778527791356893e-4},
};

TEST(occupancy, matches_pinned_values_over_the_whole_range) {
  for (const auto& c : pinned) {
    const double throws = static_cast<double>(c.picks) * static_cast<double>(c.keys);
    EXPECT_TRUE(close(all_hit_independent(c.bins, throws, c.picks), c.independent, 1e-11))
        << c.bins << ' ' << c.picks << ' ' << c.keys;
    EXPECT_TRUE(close(all_hit_distinct(c.bins, throws, c.picks), c.distinct, 1e-11))
        << c.bins << ' ' << c.picks << ' ' << c.keys;
  }
}

// The distribution of the number of hit bins, by adding balls: as plain as it gets.
double brute_force(std::uint64_t bins, int throws, std::uint32_t picks) {
  std::vector<double> hit(bins + 1, 0.0);
  hit[0] = 1;
  const auto m = static_cast<double>(bins);
  for (int t = 0; t < throws; ++t) {
    for (std::uint64_t x = bins; x > 0; --x) {
      hit[x] = hit[x] * static_cast<double>(x) / m + hit[x - 1] * (m - static_cast<double>(x - 1)) / m;
    }
    hit[0] = 0;
  }
  double sum = 0;
  for (std::uint64_t x = 0; x <= bins; ++x) sum += hit[x] * std::pow(static_cast<double>(x) / m, picks);
  return sum;
}

TEST(occupancy, independent_picks_match_the_distribution_of_hit_bins) {
  for (const std::uint64_t bins : {1u, 2u, 3u, 7u, 50u, 192u}) {
    for (const int throws : {1, 2, 5, 50, 511, 512, 900}) {
      for (const std::uint32_t picks : {1u, 2u, 7u, 30u}) {
        EXPECT_TRUE(close(all_hit_independent(bins, throws, picks), brute_force(bins, throws, picks), 1e-11))
            << bins << ' ' << throws << ' ' << picks;
      }
    }
  }
}

TEST(occupancy, ball_by_ball_and_integral_agree) {
  for (const std::uint64_t bins : {12u, 64u, 500u, 4096u, 1u << 20, 1u << 31}) {
    for (const std::uint32_t picks : {1u, 3u, 8u, 17u, 30u, 64u}) {
      occupancy balls(bins, picks);
      int thrown = 0;
      for (const int throws : {512, 513, 600, 1000, 3000}) {
        if (throws > 50 * static_cast<double>(bins)) break;
        for (; thrown < throws; ++thrown) balls.throw_ball();
        EXPECT_TRUE(close(balls.distinct_after(throws), balls.distinct(), 1e-11))
            << bins << ' ' << picks << ' ' << throws;
        EXPECT_TRUE(close(balls.independent_after(throws), balls.independent(), 1e-11))
            << bins << ' ' << picks << ' ' << throws;
      }
    }
  }
}

TEST(occupancy, independent_picks_are_easier_than_distinct_ones) {
  for (const auto& c : pinned) {
    const double throws = static_cast<double>(c.picks) * static_cast<double>(c.keys);
    EXPECT_GE(all_hit_independent(c.bins, throws, c.picks), all_hit_distinct(c.bins, throws, c.picks) * (1 - 1e-12));
  }
}

TEST(occupancy, one_pick_is_the_expected_share_of_hit_bins) {
  for (const std::uint64_t bins : {2u, 100u, 1u << 30}) {
    for (const double throws : {1.0, 100.0, 511.0, 512.0, 5000.0}) {
      const double share = -std::expm1(throws * std::log1p(-1 / static_cast<double>(bins)));
      EXPECT_TRUE(close(all_hit_independent(bins, throws, 1), share, 1e-12)) << bins << ' ' << throws;
    }
  }
}

TEST(occupancy, edges_are_defined) {
  EXPECT_EQ(all_hit_independent(100, 0, 7), 0);
  EXPECT_EQ(all_hit_independent(100, 10, 0), 1);
  EXPECT_EQ(all_hit_independent(0, 10, 7), 1);
  EXPECT_EQ(all_hit_independent(100, 1e30, 30), 1);
  EXPECT_EQ(all_hit_distinct(3, 2, 7), 0);  // two balls cannot hit three bins
  EXPECT_TRUE(close(all_hit_distinct(3, 3, 7), 6.0 / 27, 1e-14));
  EXPECT_EQ(all_hit_distinct(std::uint64_t{1} << 63, 30, 30), 0);  // 30!/2^1890 is not a double
}

TEST(occupancy, above_sixty_four_picks_the_mean_field_is_near) {
  EXPECT_TRUE(
      close(all_hit_independent(10'000'000, 7e6, 65), all_hit_independent(10'000'000, 7e6, 64) * 0.50341447, 1e-3));
  EXPECT_EQ(all_hit_independent(1, 5, 100), 1);
}

}  // namespace
