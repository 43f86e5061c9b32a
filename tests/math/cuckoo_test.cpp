// Fingerprints in buckets.
#include <seen/math/cuckoo.hpp>

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

}  // namespace
