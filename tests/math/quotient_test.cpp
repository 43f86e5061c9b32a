// The shape and the rate of a quotient filter.
#include <seen/math/quotient.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::errc;
using seen::target;
using seen::testing::close;

TEST(quotient_fpr, is_the_chance_to_meet_one_of_n_fingerprints) {
  EXPECT_TRUE(close(quotient_fpr(6, 2, 60), 1 - std::pow(255.0 / 256, 60), 1e-13));
  EXPECT_TRUE(close(quotient_fpr(20, 8, 1'000'000), -std::expm1(-1e6 * 0x1p-28), 1e-8));
  EXPECT_TRUE(close(quotient_fpr(20, 44, 1'000'000), 1e6 * 0x1p-64, 1e-9)) << "equal digests are in it";
  EXPECT_EQ(quotient_fpr(20, 8, 0), 0);
  EXPECT_LT(quotient_fpr(6, 1, 60), quotient_fpr_bound(6, 1, 60));
}

TEST(quotient_size, is_two_bits_and_a_quarter_per_slot_beside_the_remainder) {
  EXPECT_EQ(quotient_blocks(6), 1u + 1u);
  EXPECT_EQ(quotient_blocks(7), 2u + 2u);
  EXPECT_EQ(quotient_blocks(8), 4u + 4u);
  EXPECT_EQ(quotient_blocks(20), 16384u + 4u);
  EXPECT_EQ(quotient_bytes(6, 8), 2u * 82 + 8);
  EXPECT_TRUE(close(static_cast<double>(quotient_bytes(30, 8)) * 8 * 0x1p-30, 8 + 2.25, 1e-6));
  EXPECT_EQ(quotient_capacity(6), 61u);
  EXPECT_EQ(quotient_capacity(20), 1'000'913u);
}

quotient_shape shape(const target& t, const quotient_shape& wishes = {}) {
  return quotient_shape_for(t, wishes).value();
}

TEST(quotient_shape_for, takes_the_fewest_slots_and_the_fewest_bits) {
  EXPECT_EQ(shape({.capacity = 1'000'000, .fpr = 0.01}), (quotient_shape{20, 7}));
  EXPECT_EQ(shape({.capacity = 1'000'913, .fpr = 0.01}), (quotient_shape{20, 7}));
  EXPECT_EQ(shape({.capacity = 1'000'914, .fpr = 0.01}), (quotient_shape{21, 6}));
  EXPECT_EQ(shape({.capacity = 1, .fpr = 0.01}), (quotient_shape{6, 1}));
  EXPECT_EQ(shape({.capacity = 61, .fpr = 0.5}), (quotient_shape{6, 1}));
  EXPECT_EQ(shape({.capacity = 62, .fpr = 0.5}), (quotient_shape{7, 1}));
  for (const std::uint64_t n : {1u, 20u, 1000u, 100'000u, 123'456'789u}) {
    for (const double fpr : {0.3, 0.01, 1e-4, 1e-9}) {
      const auto s = shape({.capacity = n, .fpr = fpr});
      EXPECT_LE(quotient_fpr(s.quotient_bits, s.remainder_bits, n), fpr);
      EXPECT_LE(n, quotient_capacity(s.quotient_bits));
      EXPECT_TRUE(s.quotient_bits == min_quotient_bits || n > quotient_capacity(s.quotient_bits - 1));
      EXPECT_TRUE(s.remainder_bits == 1 || quotient_fpr_bound(s.quotient_bits, s.remainder_bits - 1, n) > fpr);
    }
  }
}

TEST(quotient_shape_for, is_exact_at_powers_of_two) {
  EXPECT_EQ(shape({.capacity = 512, .fpr = 0x1p-10}), (quotient_shape{10, 9}));
  EXPECT_EQ(shape({.capacity = 512, .fpr = std::nextafter(0x1p-10, 0.0)}), (quotient_shape{10, 10}));
}

TEST(quotient_shape_for, spends_more_quotients_where_remainders_end) {
  EXPECT_EQ(shape({.capacity = 1, .fpr = 0x1p-62}), (quotient_shape{6, 56}));
  EXPECT_EQ(shape({.capacity = 1, .fpr = 0x1p-64}), (quotient_shape{8, 56}));
}

TEST(quotient_shape_for, keeps_what_is_wished_or_says_why_not) {
  const target t{.capacity = 1000, .fpr = 0.01};
  EXPECT_EQ(shape(t), (quotient_shape{11, 6}));
  EXPECT_EQ(shape(t, {.quotient_bits = 14}), (quotient_shape{14, 3}));
  EXPECT_EQ(shape(t, {.remainder_bits = 9}), (quotient_shape{11, 9}));
  EXPECT_EQ(shape(t, {.remainder_bits = 3}), (quotient_shape{14, 3})) << "fewer remainder bits: more slots";
  EXPECT_EQ(shape(t, {12, 5}), (quotient_shape{12, 5}));
  const auto refused = [&](quotient_shape wishes) { return quotient_shape_for(t, wishes).error().detail; };
  EXPECT_EQ(refused({.quotient_bits = 10}), "1000 keys at fpr 0.01: quotient-bits 10 hold at most 977 keys");
  EXPECT_EQ(refused({12, 4}), "1000 keys at fpr 0.01: quotient-bits 12 and remainder-bits 4 give a rate of 0.0151");
  EXPECT_EQ(refused({.quotient_bits = 39}), "1000 keys at fpr 0.01: quotient-bits is 39; it must be from 6 to 38");
  EXPECT_EQ(refused({.remainder_bits = 57}), "1000 keys at fpr 0.01: remainder-bits is 57; it must be from 1 to 56");
  EXPECT_EQ(refused({.quotient_bits = 5}), "1000 keys at fpr 0.01: quotient-bits is 5; it must be from 6 to 38");
}

TEST(quotient_shape_for, refuses_what_cannot_be) {
  EXPECT_EQ(quotient_shape_for({.capacity = 0, .fpr = 0.01}).error().code, errc::invalid_argument);
  EXPECT_EQ(quotient_shape_for({.capacity = 1, .fpr = 1}).error().code, errc::invalid_argument);
  EXPECT_EQ(quotient_shape_for({.capacity = ~std::uint64_t{0}, .fpr = 0.5}).error().code, errc::too_large);
  EXPECT_EQ(quotient_shape_for({.capacity = std::uint64_t{1} << 36, .fpr = 1e-9}).error().code, errc::too_large);
}

TEST(check_quotient_shape, names_the_value_and_the_range) {
  EXPECT_TRUE(check_quotient_shape(6, 1));
  EXPECT_TRUE(check_quotient_shape(8, 56));
  EXPECT_EQ(check_quotient_shape(5, 8).error().detail, "quotient-bits is 5; it must be from 6 to 38");
  EXPECT_EQ(check_quotient_shape(~std::uint64_t{0}, 8).error().code, errc::invalid_argument);
  EXPECT_EQ(check_quotient_shape(10, 0).error().detail, "remainder-bits is 0; it must be from 1 to 56");
  EXPECT_EQ(check_quotient_shape(9, 56).error().detail,
            "quotient-bits 9 and remainder-bits 56 are more than the 64 of a digest");
  EXPECT_EQ(check_quotient_shape(38, 26).error().code, errc::too_large);
}

}  // namespace
