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

TEST(fingerprints, overheads_give_the_published_bits_a_key_at_eight_bits) {
  EXPECT_TRUE(close(8 * xor_overhead, 9.84, 1e-12));
  EXPECT_TRUE(close(8 * binary_fuse_3_overhead, 9.0, 1e-12));
  EXPECT_TRUE(close(8 * binary_fuse_4_overhead, 8.6, 1e-12));
  EXPECT_LT(ribbon_compact_overhead, ribbon_fast_overhead);
}

}  // namespace
