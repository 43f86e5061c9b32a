// Fingerprints in buckets.
#include <seen/math/cuckoo.hpp>
#include <seen/math/growing_cuckoo.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

TEST(cuckoo_fpr, bound_is_two_buckets_of_fingerprints) {
  EXPECT_EQ(cuckoo_fpr_bound(4, 8), 8.0 / 256);
  EXPECT_EQ(cuckoo_fpr_bound(4, 32), 0x1p-29);
  EXPECT_EQ(cuckoo_fpr_bound(2, 12), 4.0 / 4096);
}

// 1 - (1 - mpf(2)**-f)**(2*b*load), mpmath.
TEST(cuckoo_fpr, is_below_the_bound_and_near_it) {
  EXPECT_TRUE(close(cuckoo_fpr(4, 8, 1), 1 - std::pow(255.0 / 256, 8), 1e-13));
  EXPECT_TRUE(close(cuckoo_fpr(4, 32, 0.95), 7.6 * 0x1p-32, 1e-9));
  for (const std::uint32_t bits : {8u, 12u, 16u, 32u}) {
    EXPECT_LT(cuckoo_fpr(4, bits, 1), cuckoo_fpr_bound(4, bits));
    EXPECT_GT(cuckoo_fpr(4, bits, 1), 0.985 * cuckoo_fpr_bound(4, bits));
  }
  EXPECT_EQ(cuckoo_fpr(4, 8, 0), 0);
  EXPECT_EQ(cuckoo_fpr(4, 0, 0.5), 1);
}

TEST(cuckoo_bits, one_percent_takes_ten_and_a_half_bits_a_key) {
  EXPECT_EQ(cuckoo_fingerprint_bits(0.01, 4), 10u);
  EXPECT_TRUE(close(cuckoo_bits_per_key(10, 0.95), 10.526, 1e-3));
  EXPECT_EQ(cuckoo_fingerprint_bits(0.001, 4), 13u);
  EXPECT_TRUE(close(cuckoo_bits_per_key(13, 0.95), 13.684, 1e-3));
}

TEST(cuckoo_bits, are_exact_at_powers_of_two) {
  EXPECT_EQ(cuckoo_fingerprint_bits(0x1p-5, 4), 8u);
  EXPECT_EQ(cuckoo_fingerprint_bits(std::nextafter(0x1p-5, 0.0), 4), 9u);
  EXPECT_EQ(cuckoo_fingerprint_bits(std::nextafter(0x1p-5, 1.0), 4), 8u);
  EXPECT_EQ(cuckoo_fingerprint_bits(0x1p-1074, 4), 1077u);
}

TEST(cuckoo_model, is_the_rate_of_equal_pairs_and_fingerprints) {
  // (1 - 2q)*(1 - (1 - 2q/B)^n) + 2q*(1 - (1 - 4q/B)^n), mpmath: q = 2^-8, B = 64, n = 230; q = 2^-16, B = 10^6, n = 3.8e6.
  EXPECT_TRUE(close(cuckoo_model_fpr(8, 64, 230), 0.0278977092, 1e-8));
  EXPECT_TRUE(close(cuckoo_model_fpr(16, 1'000'000, 3'800'000), 1.15963611398e-4, 1e-9));
  EXPECT_EQ(cuckoo_model_fpr(8, 64, 0), 0);
  EXPECT_EQ(cuckoo_model_fpr(8, 0, 10), 0);
}

TEST(cuckoo_model, is_below_the_ceiling_that_plans_use) {
  for (const std::uint32_t width : cuckoo_widths) {
    for (const std::uint64_t buckets : {2u, 100u, 1'000'000u}) {
      EXPECT_LE(cuckoo_model_fpr(width, buckets, buckets * 4), cuckoo_rate_ceiling(width, 8));
      EXPECT_LE(cuckoo_model_fpr(width, buckets, buckets * 2), cuckoo_rate_ceiling(width, 4));
    }
  }
}

TEST(cuckoo_plan, slots_are_95_percent_and_a_little) {
  EXPECT_EQ(cuckoo_slots_for(1), 2u + 13 + 18);
  EXPECT_EQ(cuckoo_slots_for(999), 1052u + 13);
  EXPECT_EQ(cuckoo_slots_for(1000), 1053u + 13);
  EXPECT_EQ(cuckoo_slots_for(19'000'000), 20'000'000u + 13);
  for (std::uint64_t n = 1; n < 3000; ++n) EXPECT_LE(cuckoo_slots_for(n), cuckoo_slots_for(n + 1));
}

TEST(cuckoo_plan, integers_are_pinned) {
  const auto shape = [](std::uint64_t n, double fpr) { return cuckoo_shape_for({n, fpr}).value(); };
  EXPECT_EQ(shape(1, 0.01), (cuckoo_shape{10, 10, 1}));
  EXPECT_EQ(shape(1000, 0.01), (cuckoo_shape{268, 10, 1}));
  EXPECT_EQ(shape(1'000'000, 0.0002), (cuckoo_shape{263'162, 16, 8}));
  EXPECT_EQ(shape(100'000'000, 0.001), (cuckoo_shape{26'315'794, 13, 803}));
  EXPECT_EQ(shape(1000, 1e-9).fingerprint_bits, 32u);
  EXPECT_LE(cuckoo_model_fpr(32, shape(1000, 1e-9).buckets, 1000), 1e-9) << "by a larger table";
}

TEST(cuckoo_plan, refuses_what_cannot_be) {
  EXPECT_EQ(cuckoo_shape_for({0, 0.01}).error().code, seen::errc::invalid_argument);
  EXPECT_EQ(cuckoo_shape_for({10, 1}).error().code, seen::errc::invalid_argument);
  EXPECT_EQ(cuckoo_shape_for({10, 9e-10}).error().code, seen::errc::invalid_argument);
  EXPECT_EQ(cuckoo_shape_for({10, 0.01}, 9).error().code, seen::errc::invalid_argument);
  EXPECT_EQ(cuckoo_shape_for({100'000'000'000, 0.0002}).error().code, seen::errc::too_large);
  EXPECT_EQ(cuckoo_shape_for({~std::uint64_t{0}, 0.9}).error().code, seen::errc::too_large);
}

TEST(growing_cuckoo_plan, widths_halve_the_rate_link_by_link) {
  std::uint32_t before = 0;
  double sum = 0;
  for (std::uint32_t j = 0; j < 22; ++j) {
    const std::uint32_t width = growing_cuckoo_width(0.01, j);
    EXPECT_GE(width, before);
    before = width;
    sum += cuckoo_rate_ceiling(width, 8);
    EXPECT_LE(cuckoo_rate_ceiling(width, 8), std::ldexp(0.01, -static_cast<int>(j) - 1));
  }
  EXPECT_LT(sum, 0.01);
  EXPECT_EQ(growing_cuckoo_width(0.01, 0), 12u);
  EXPECT_EQ(growing_cuckoo_width(0.01, 22), 32u);
  EXPECT_EQ(growing_cuckoo_width(0.01, 4'000'000'000), 32u);
  EXPECT_EQ(growing_cuckoo_width(1e-9, 0), 0u);
}

TEST(growing_cuckoo_plan, first_links_are_pinned) {
  EXPECT_EQ(growing_cuckoo_first({1, 0.01}).value(), (cuckoo_shape{272, 12, 1}));
  EXPECT_EQ(growing_cuckoo_first({1000, 0.01}).value(), (cuckoo_shape{272, 12, 1}));
  EXPECT_EQ(growing_cuckoo_first({1'000'000, 0.1}).value(), (cuckoo_shape{263'168, 8, 8}));
}

}  // namespace
