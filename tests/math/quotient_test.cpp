// The shape and the rate of a quotient filter.
#include <seen/math/quotient.hpp>

#include <algorithm>
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
  EXPECT_TRUE(close(quotient_fpr(1, 2, 60), 1 - std::pow(255.0 / 256, 60), 1e-13));
  EXPECT_TRUE(close(quotient_fpr(3, 4, 60), 1 - std::pow(3071.0 / 3072, 60), 1e-12));
  EXPECT_TRUE(close(quotient_fpr(17362, 8, 1'000'000), -std::expm1(-1e6 / (17362.0 * 64 * 256)), 1e-8));
  EXPECT_TRUE(close(quotient_fpr(16384, 43, 1'000'000), 1e6 * 0x1p-63, 1e-9)) << "equal digests are in it";
  EXPECT_EQ(quotient_fpr(16384, 8, 0), 0);
}

TEST(quotient_size, is_two_bits_and_a_quarter_per_slot_beside_the_remainder) {
  EXPECT_EQ(quotient_blocks(1), 1u + 1u);
  EXPECT_EQ(quotient_blocks(3), 3u + 3u);
  EXPECT_EQ(quotient_blocks(4), 4u + 4u);
  EXPECT_EQ(quotient_blocks(17362), 17362u + 4u);
  EXPECT_EQ(quotient_bytes(1, 8), 2u * 82 + 8);
  EXPECT_TRUE(close(static_cast<double>(quotient_bytes(1 << 24, 8)) * 8 * 0x1p-30, 8 + 2.25, 1e-6));
  EXPECT_EQ(quotient_capacity(1), 61u);
  EXPECT_EQ(quotient_capacity(3), 183u);
  EXPECT_EQ(quotient_capacity(16384), 1'000'913u);
  EXPECT_EQ(quotient_fingerprints(3, 8), 3u * 64 * 256);
}

quotient_shape shape(const target& t, const quotient_shape& wishes = {}) {
  return quotient_shape_for(t, wishes).value();
}

double load(const quotient_shape& s, std::uint64_t keys) {
  return static_cast<double>(keys) / (64 * static_cast<double>(s.blocks));
}

TEST(quotient_shape_for, takes_the_fewest_bytes_and_never_more_than_nine_tenths_of_the_slots) {
  EXPECT_EQ(shape({.capacity = 1'000'000, .fpr = 0.01}), (quotient_shape{17362, 7}));
  EXPECT_EQ(shape({.capacity = 1'000'051, .fpr = 0.01}), (quotient_shape{17362, 7}));
  EXPECT_EQ(shape({.capacity = 1'000'052, .fpr = 0.01}), (quotient_shape{17363, 7}));
  EXPECT_EQ(shape({.capacity = 1, .fpr = 0.01}), (quotient_shape{1, 1}));
  EXPECT_EQ(shape({.capacity = 57, .fpr = 0.5}), (quotient_shape{1, 1}));
  EXPECT_EQ(shape({.capacity = 58, .fpr = 0.5}), (quotient_shape{2, 1}));
  for (const std::uint64_t n : {1u, 20u, 1000u, 100'000u, 123'456'789u}) {
    for (const double fpr : {0.3, 0.01, 1e-4, 1e-9}) {
      const auto s = shape({.capacity = n, .fpr = fpr});
      EXPECT_LE(quotient_fpr(s.blocks, s.remainder_bits, n), fpr);
      EXPECT_LE(load(s, n), 0.9);
      for (std::uint32_t r = 1; r <= 56; ++r) {
        const auto other = quotient_shape_for({.capacity = n, .fpr = fpr}, {.remainder_bits = r});
        if (other) {
          EXPECT_LE(quotient_bytes(s.blocks, s.remainder_bits), quotient_bytes(other->blocks, r)) << n << ' ' << fpr;
        }
      }
      if (s.blocks > 1) {
        EXPECT_FALSE(quotient_shape_for({.capacity = n, .fpr = fpr}, {s.blocks - 1, s.remainder_bits}))
            << "one block less would do for " << n << " keys at " << fpr;
      }
    }
  }
}

// A rate a little below what r bits give at a load of 0.9 is had by more slots, as long as that is smaller than a bit per
// slot.
TEST(quotient_shape_for, lowers_the_load_where_that_is_smaller_than_another_remainder_bit) {
  const double at_most = 0.9 / 256;
  EXPECT_EQ(shape({.capacity = 576'000, .fpr = at_most}), (quotient_shape{10'000, 8}));
  EXPECT_EQ(shape({.capacity = 576'000, .fpr = at_most / 1.05}), (quotient_shape{10'500, 8}));
  EXPECT_EQ(shape({.capacity = 576'000, .fpr = at_most / 1.2}), (quotient_shape{10'000, 9}));
}

TEST(quotient_shape_for, is_exact_at_powers_of_two) {
  EXPECT_EQ(shape({.capacity = 512, .fpr = 0x1p-10}, {.remainder_bits = 9}), (quotient_shape{16, 9}));
  EXPECT_EQ(shape({.capacity = 512, .fpr = std::nextafter(0x1p-10, 0.0)}, {.remainder_bits = 9}),
            (quotient_shape{17, 9}));
}

TEST(quotient_shape_for, spends_more_blocks_where_remainders_end) {
  EXPECT_EQ(shape({.capacity = 1, .fpr = 0x1p-62}), (quotient_shape{1, 56}));
  EXPECT_EQ(shape({.capacity = 1, .fpr = 0x1p-63}), (quotient_shape{2, 56}));
}

TEST(quotient_shape_for, keeps_what_is_wished_or_says_why_not) {
  const target t{.capacity = 1000, .fpr = 0.01};
  EXPECT_EQ(shape(t), (quotient_shape{18, 7}));
  EXPECT_EQ(shape(t, {.blocks = 256}), (quotient_shape{256, 3}));
  EXPECT_EQ(shape(t, {.remainder_bits = 9}), (quotient_shape{18, 9}));
  EXPECT_EQ(shape(t, {.remainder_bits = 3}), (quotient_shape{196, 3})) << "fewer remainder bits: more slots";
  EXPECT_EQ(shape(t, {64, 5}), (quotient_shape{64, 5}));
  const auto refused = [&](quotient_shape wishes) { return quotient_shape_for(t, wishes).error().detail; };
  EXPECT_EQ(refused({.blocks = 17}), "1000 keys at fpr 0.01: 17 blocks hold at most 979 keys");
  EXPECT_EQ(refused({.blocks = 1}), "1000 keys at fpr 0.01: 1 block holds at most 57 keys");
  EXPECT_EQ(refused({64, 4}), "1000 keys at fpr 0.01: blocks 64 and remainder-bits 4 give a rate of 0.0151");
  EXPECT_EQ(refused({.blocks = (std::uint64_t{1} << 32) + 1}),
            "1000 keys at fpr 0.01: blocks is 4294967297; it must be from 1 to 4294967296");
  EXPECT_EQ(refused({.remainder_bits = 57}), "1000 keys at fpr 0.01: remainder-bits is 57; it must be from 1 to 56");
}

TEST(quotient_shape_for, refuses_what_cannot_be) {
  EXPECT_EQ(quotient_shape_for({.capacity = 0, .fpr = 0.01}).error().code, errc::invalid_argument);
  EXPECT_EQ(quotient_shape_for({.capacity = 1, .fpr = 1}).error().code, errc::invalid_argument);
  EXPECT_EQ(quotient_shape_for({.capacity = ~std::uint64_t{0}, .fpr = 0.5}).error().code, errc::too_large);
  EXPECT_EQ(quotient_shape_for({.capacity = std::uint64_t{1} << 36, .fpr = 1e-8}).error().code, errc::too_large);
  EXPECT_EQ(quotient_shape_for({.capacity = 1, .fpr = 0x1p-64}).error().detail,
            "1 key at fpr 5.421010862427522e-20: fingerprints of 64-bit digests give no rate so low");
}

TEST(check_quotient_shape, names_the_value_and_the_range) {
  EXPECT_TRUE(check_quotient_shape(1, 1));
  EXPECT_TRUE(check_quotient_shape(3, 56));
  EXPECT_TRUE(check_quotient_shape(127, 51));
  EXPECT_EQ(check_quotient_shape(0, 8).error().detail, "blocks is 0; it must be from 1 to 4294967296");
  EXPECT_EQ(check_quotient_shape(~std::uint64_t{0}, 8).error().code, errc::invalid_argument);
  EXPECT_EQ(check_quotient_shape(10, 0).error().detail, "remainder-bits is 0; it must be from 1 to 56");
  EXPECT_EQ(check_quotient_shape(4, 56).error().detail,
            "blocks 4 and remainder-bits 56 tell more apart than the 64 bits of a digest");
  EXPECT_EQ(check_quotient_shape(128, 51).error().code, errc::invalid_argument);
  EXPECT_EQ(check_quotient_shape(std::uint64_t{1} << 32, 25).error().code, errc::too_large);
}

}  // namespace
