// Binomial and Poisson probabilities against 60-digit arithmetic, and the test bounds built on them.
//
// Pinned values: python3, mpmath.mp.dps = 60, p the exact double:
//   pmf = lambda n, x, p: binomial(n, x) * mpf(p)**x * (1 - mpf(p))**(n - x)      tails: sums of pmf to 30 digits
#include "../support/binomial.hpp"

#include <seen/math/binomial.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <numbers>

#include "close.hpp"
#include "simulation.hpp"

namespace {

using namespace seen::math;
using seen::testing::binomial_lower;
using seen::testing::binomial_upper;
using seen::testing::close;
using seen::testing::six_sigma_message;
using seen::testing::within_six_sigma;

TEST(binomial, pmf_matches_pinned_values_up_to_ten_trillion_trials) {
  struct {
    std::uint64_t trials, x;
    double p, expected;
  } const pinned[] = {
      {10, 3, 0x1.3333333333333p-2, 2.66827932e-1},
      {1000, 10, 0x1.47ae147ae147bp-7, 1.2574021112620738e-1},
      {1000000, 10300, 0x1.47ae147ae147bp-7, 4.3845356880070877e-5},
      {10000000000, 5000300000, 0x1.0000000000000p-1, 1.2151765589976886e-13},
      {10000000000000, 20, 0x1.19799812dea11p-40, 1.8660813139912948e-3},
      {35184372088832, 8242, 0x1.0000000000000p-32, 3.7735986128457494e-3},
      {100, 100, 0x1.ccccccccccccdp-1, 2.6561398887587542e-5},
      {100, 0, 0x1.ccccccccccccdp-1, 9.999999999999778e-101},
      {15, 14, 0x1.0000000000000p-1, 4.57763671875e-4},
      {40, 16, 0x1.0000000000000p-1, 5.7163653445968521e-2},
  };
  for (const auto& c : pinned) EXPECT_TRUE(close(binomial_pmf(c.trials, c.x, c.p), c.expected, 1e-12)) << c.trials;
}

TEST(binomial, tails_match_pinned_values) {
  struct {
    std::uint64_t trials, x;
    double p, at_least, at_most;
  } const pinned[] = {
      {10, 3, 0x1.3333333333333p-2, 6.1721721359999997e-1, 6.4961071840000003e-1},
      {10, 0, 0x1.3333333333333p-2, 1.0, 2.8247524900000004e-2},
      {10, 10, 0x1.3333333333333p-2, 5.9048999999999978e-6, 1.0},
      {10, 11, 0x1.3333333333333p-2, 0.0, 1.0},
      {1000, 10, 0x1.47ae147ae147bp-7, 5.426994078251092e-1, 5.8304080330109818e-1},
      {1000, 40, 0x1.47ae147ae147bp-7, 4.6885535662498059e-13, 9.9999999999988994e-1},
      {1000, 9, 0x1.47ae147ae147bp-7, 6.6831273680083605e-1, 4.573005921748908e-1},
      {1000000, 10300, 0x1.47ae147ae147bp-7, 1.3631150395317031e-3, 9.9868073031734837e-1},
      {1000000, 9700, 0x1.47ae147ae147bp-7, 9.9879193794956929e-1, 1.2493412682678774e-3},
      {10000000000, 5000300000, 0x1.0000000000000p-1, 9.8664839505561792e-10, 9.9999999901347312e-1},
      {10000000000000, 40, 0x1.19799812dea11p-40, 7.3416363142377379e-13, 9.9999999999982227e-1},
      {67095413, 16, 0x1.c016fdfe04e08p-24, 2.4065789658221323e-3, 9.9904181752107667e-1},
  };
  for (const auto& c : pinned) {
    EXPECT_TRUE(close(binomial_at_least(c.trials, c.x, c.p), c.at_least, 1e-11)) << c.trials << ' ' << c.x;
    EXPECT_TRUE(close(binomial_at_most(c.trials, c.x, c.p), c.at_most, 1e-11)) << c.trials << ' ' << c.x;
  }
}

TEST(binomial, impossible_and_certain_trials_have_point_masses) {
  EXPECT_EQ(binomial_pmf(10, 0, 0.0), 1);
  EXPECT_EQ(binomial_pmf(10, 1, 0.0), 0);
  EXPECT_EQ(binomial_pmf(10, 10, 1.0), 1);
  EXPECT_EQ(binomial_pmf(10, 9, 1.0), 0);
  EXPECT_EQ(binomial_pmf(10, 11, 0.5), 0);
  EXPECT_EQ(binomial_at_least(10, 1, 0.0), 0);
  EXPECT_EQ(binomial_at_least(10, 10, 1.0), 1);
  EXPECT_EQ(binomial_at_most(10, 0, 0.0), 1);
  EXPECT_EQ(binomial_at_most(10, 9, 1.0), 0);
  EXPECT_EQ(binomial_pmf(0, 0, 0.5), 1);
}

TEST(binomial, masses_sum_to_one) {
  for (const double p : {0.001, 0.3, 0.5, 0.97}) {
    double sum = 0;
    for (std::uint64_t x = 0; x <= 2000; ++x) sum += binomial_pmf(2000, x, p);
    EXPECT_TRUE(close(sum, 1, 1e-12)) << p;
  }
}

// P(X = x) = e^-mean·mean^x/x!, P(X ≥ x) its sum: mpmath as above.
TEST(poisson, matches_pinned_values) {
  struct {
    double mean;
    std::uint64_t x;
    double pmf, at_least;
  } const pinned[] = {
      {0.5, 0, 6.0653065971263342e-1, 1},
      {std::numbers::ln2, 16, 6.7851239743775701e-17, 7.0728322567299513e-17},
      {std::numbers::ln2, 4, 4.809064553814238e-3, 5.5611019080661985e-3},
      {20, 20, 8.8835317392085218e-2, 5.2974273316076001e-1},
      {20, 5, 5.4964096598361542e-5, 9.9998305525606993e-1},
      {3000, 3500, 4.5956076930987711e-20, 3.1797037912864655e-19},
  };
  for (const auto& c : pinned) {
    EXPECT_TRUE(close(poisson_pmf(c.mean, c.x), c.pmf, 1e-12)) << c.mean;
    EXPECT_TRUE(close(poisson_at_least(c.mean, c.x), c.at_least, 1e-11)) << c.mean;
  }
  EXPECT_EQ(poisson_pmf(0, 0), 1);
  EXPECT_EQ(poisson_pmf(0, 1), 0);
  EXPECT_EQ(poisson_at_least(0, 1), 0);
}

TEST(poisson, is_the_limit_of_the_binomial) {
  for (const std::uint64_t x : {0u, 1u, 5u, 40u}) {
    EXPECT_TRUE(close(binomial_pmf(1'000'000'000'000, x, 1e-11), poisson_pmf(10, x), 1e-8)) << x;
  }
}

// The smallest u with P(X > u) ≤ tail and the largest l with P(X < l) ≤ tail: bisection over the mpmath tails above.
TEST(binomial_bounds, match_pinned_values_up_to_ten_billion_trials) {
  struct {
    std::uint64_t trials;
    double p, tail;
    std::uint64_t lower, upper;
  } const pinned[] = {
      {10, 0.5, 1e-9, 0, 10},
      {100, 0.5, 0.001, 35, 65},
      {1000, 0.01, 1e-9, 0, 34},
      {1'000'000, 1e-5, 1e-9, 0, 34},
      {1'000'000, 0.01, 1e-9, 9409, 10602},
      {10'000'000'000, 1e-9, 1e-9, 0, 34},
      {10'000'000'000, 1e-12, 1e-9, 0, 3},
      {1, 0.5, 1e-9, 0, 1},
      {50, 0.999, 1e-6, 47, 50},
  };
  for (const auto& c : pinned) {
    EXPECT_EQ(binomial_lower(c.trials, c.p, c.tail), c.lower) << c.trials << ' ' << c.p;
    EXPECT_EQ(binomial_upper(c.trials, c.p, c.tail), c.upper) << c.trials << ' ' << c.p;
  }
  // Far from the mean's precision, and quick: mean 5e9, sigma 5e4, 5.998 sigma for 1e-9.
  EXPECT_NEAR(static_cast<double>(binomial_upper(10'000'000'000, 0.5, 1e-9)), 5e9 + 5.998 * 5e4, 100);
  EXPECT_NEAR(static_cast<double>(binomial_lower(10'000'000'000, 0.5, 1e-9)), 5e9 - 5.998 * 5e4, 100);
}

TEST(binomial_bounds, certain_events_leave_no_room) {
  EXPECT_EQ(binomial_upper(1000, 0, 1e-9), 0u);
  EXPECT_EQ(binomial_lower(1000, 1, 1e-9), 1000u);
  EXPECT_EQ(binomial_upper(0, 0.5, 1e-9), 0u);
}

TEST(six_sigma, is_normal_from_fifty_expected_events) {
  EXPECT_TRUE(within_six_sigma(1188, 100'000, 0.01));  // 1000 ± 188.8
  EXPECT_TRUE(within_six_sigma(812, 100'000, 0.01));
  EXPECT_FALSE(within_six_sigma(1189, 100'000, 0.01));
  EXPECT_FALSE(within_six_sigma(811, 100'000, 0.01));
}

TEST(six_sigma, is_exact_below_fifty_expected_events) {
  EXPECT_TRUE(within_six_sigma(34, 1000, 0.01));  // ten expected; six sigma of the normal would stop at 28
  EXPECT_FALSE(within_six_sigma(35, 1000, 0.01));
  EXPECT_TRUE(within_six_sigma(0, 1000, 0.01));
  EXPECT_TRUE(within_six_sigma(0, 1000, 0));
  EXPECT_FALSE(within_six_sigma(1, 1000, 0));
  EXPECT_TRUE(within_six_sigma(1000, 1000, 1));
  EXPECT_FALSE(within_six_sigma(999, 1000, 1));
  EXPECT_TRUE(within_six_sigma(966, 1000, 0.99));  // the misses are the rare event
  EXPECT_FALSE(within_six_sigma(965, 1000, 0.99));
}

TEST(six_sigma, accepts_fair_coins_and_refuses_a_loaded_one) {
  seen::testing::random_source random(2024);
  std::uint64_t fair = 0, loaded = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    fair += random.below(100) == 0;
    loaded += random.below(1000) < 11;
  }
  EXPECT_TRUE(within_six_sigma(fair, 1'000'000, 0.01)) << six_sigma_message(fair, 1'000'000, 0.01);
  EXPECT_FALSE(within_six_sigma(loaded, 1'000'000, 0.01)) << six_sigma_message(loaded, 1'000'000, 0.01);
}

TEST(six_sigma, message_names_both_sides) {
  EXPECT_EQ(six_sigma_message(1203, 100'000, 0.01),
            "1203 hits in 100000, expected 1000 (811.214 to 1188.79) at p = 0.01; measured 0.01203");
}

}  // namespace
