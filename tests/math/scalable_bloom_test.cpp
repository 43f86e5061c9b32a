// Chains of filters.
#include <seen/math/scalable_bloom.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::errc;
using seen::target;
using seen::testing::close;

TEST(scalable_link, doubles_keys_and_halves_the_rate_from_half_the_rate_asked) {
  EXPECT_EQ(scalable_link({1000, 0.01}, {}, 0).value(), (target{1000, 0.005}));
  EXPECT_EQ(scalable_link({1000, 0.01}, {}, 1).value(), (target{2000, 0.0025}));
  EXPECT_EQ(scalable_link({1000, 0.01}, {}, 10).value(), (target{1'024'000, 0.005 / 1024}));
}

TEST(scalable_link, follows_any_growth_and_tightening) {
  const auto link = scalable_link({1000, 0.01}, {.growth = 4, .tightening = 0.75}, 3).value();
  EXPECT_EQ(link.capacity, 64'000u);
  EXPECT_TRUE(close(link.fpr, 0.01 * 0.25 * 0.75 * 0.75 * 0.75, 1e-15));
}

// n_(i+1) = ceil(n_i·floor(r·2^32)/2^32)
TEST(scalable_link, capacities_are_pinned_integers_for_fractional_growth) {
  constexpr std::uint64_t by_one_and_a_half[] = {1, 2, 3, 5, 8, 12, 18, 27};
  constexpr std::uint64_t by_1_1[] = {1000, 1100, 1210, 1331, 1465, 1612, 1774, 1952};
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(scalable_link({1, 0.01}, {.growth = 1.5}, i)->capacity, by_one_and_a_half[i]) << i;
    EXPECT_EQ(scalable_link({1000, 0.01}, {.growth = 1.1}, i)->capacity, by_1_1[i]) << i;
  }
  EXPECT_EQ(scalable_link({1, 0.01}, {.growth = 1 + 0x1p-32}, 5)->capacity, 6u) << "the slowest growth still grows";
}

TEST(scalable_link, the_next_capacity_is_rounded_up_and_ends_at_64_bits) {
  EXPECT_EQ(scalable_capacity_after(1, 1.1), 2u);
  EXPECT_EQ(scalable_capacity_after(1000, 1.5), 1500u);
  EXPECT_EQ(scalable_capacity_after(1001, 1.5), 1502u);
  EXPECT_EQ(scalable_capacity_after(std::uint64_t{1} << 62, 2), std::uint64_t{1} << 63);
  EXPECT_EQ(scalable_capacity_after(std::uint64_t{1} << 63, 2), std::nullopt);
  EXPECT_EQ(scalable_capacity_after(~std::uint64_t{0}, 65536), std::nullopt);
}

TEST(scalable_fpr, bound_is_the_geometric_series) {
  EXPECT_TRUE(close(scalable_fpr_bound(0.01, 0.5), 0.02, 1e-15));
  EXPECT_TRUE(close(scalable_fpr_bound(scalable_first_fpr(0.01, 0.8), 0.8), 0.01, 1e-14));
}

void expect_refusal(const target& t, const chain_growth& g, std::uint32_t link, errc code, const char* detail) {
  const auto refused = scalable_link(t, g, link);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, code);
  EXPECT_EQ(refused.error().detail, detail);
}

TEST(scalable_link, refuses_bad_parameters_and_names_them) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refusal({0, 0.01}, {}, 0, errc::invalid_argument, "capacity 0 is not a number of keys from 1 up");
  expect_refusal({1, 0.01}, {.growth = 1}, 0, errc::invalid_argument, "growth 1 is not a factor above 1, up to 65536");
  expect_refusal({1, 0.01}, {.growth = 1e6}, 0, errc::invalid_argument,
                 "growth 1e6 is not a factor above 1, up to 65536");
  expect_refusal({1, 0.01}, {.growth = nan}, 0, errc::invalid_argument,
                 "growth nan is not a factor above 1, up to 65536");
  for (const double bad : {0.0, 1.0, 2.0, -0.5, nan}) {
    const auto refused = scalable_link({1, 0.01}, {.tightening = bad}, 0);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::invalid_argument);
  }
  expect_refusal({1, 0.01}, {.tightening = 2}, 0, errc::invalid_argument,
                 "tightening 2 is not a factor strictly between 0 and 1");
}

TEST(scalable_link, refuses_to_count_past_64_bits) {
  EXPECT_EQ(scalable_link({1, 0.01}, {}, 63)->capacity, std::uint64_t{1} << 63);
  expect_refusal({1, 0.01}, {}, 64, errc::too_large,
                 "link 64 of a chain from 1 keys growing by 2 would hold more than 2^64 keys");
  // Times 1.75 this is 2^64 − 1/4, which rounds up to nothing a word can hold.
  EXPECT_FALSE(scalable_link({10'540'996'613'548'315'209u, 0.9}, {.growth = 1.75}, 1));
  expect_refusal({1'000'000, 0.01}, {.growth = 65536}, 4'000'000'000, errc::too_large,
                 "link 4000000000 of a chain from 1e6 keys growing by 65536 would hold more than 2^64 keys");
}

}  // namespace
