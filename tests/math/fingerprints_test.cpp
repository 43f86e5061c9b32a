// Static filters: rate and bits.
#include <seen/math/fingerprints.hpp>

#include <cmath>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

TEST(fingerprints, rate_halves_with_every_bit) {
  EXPECT_EQ(fingerprint_fpr(0), 1);
  EXPECT_EQ(fingerprint_fpr(8), 1.0 / 256);
  EXPECT_EQ(fingerprint_fpr(32), 0x1p-32);
}

TEST(fingerprints, bits_are_the_fewest_that_keep_the_rate) {
  EXPECT_EQ(fingerprint_bits(0.5), 1u);
  EXPECT_EQ(fingerprint_bits(0.01), 7u);
  EXPECT_EQ(fingerprint_bits(1.0 / 256), 8u);
  EXPECT_EQ(fingerprint_bits(std::nextafter(1.0 / 256, 0.0)), 9u);
  EXPECT_EQ(fingerprint_bits(0x1p-1074), 1074u);
}

TEST(fingerprints, the_model_counts_equal_digests_and_an_empty_filter_has_no_rate) {
  EXPECT_EQ(fingerprint_model_fpr(8, 0), 0);
  EXPECT_EQ(fingerprint_model_fpr(8, 1000), 1.0 / 256 + 1000 * 0x1p-64);
  EXPECT_TRUE(close(fingerprint_model_fpr(32, 1'000'000'000), 0x1p-32 + 1e9 * 0x1p-64, 1e-15));
  EXPECT_EQ(fingerprint_model_fpr(32, 1u << 31), 1.5 * 0x1p-32);  // 2^31 keys of 2^64 digests: half as much again
}

}  // namespace
