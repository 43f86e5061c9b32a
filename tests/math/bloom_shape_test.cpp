// The classic filter's shape for a target: pinned integers, the documents' figures, limits.
#include <seen/base/text.hpp>
#include <seen/math/bloom.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"
#include "simulation.hpp"

namespace {

using namespace seen::math;
using seen::errc;
using seen::target;
using seen::testing::close;

bloom_shape shape(std::uint64_t keys, double fpr) {
  return bloom_shape_for({keys, fpr}).value();
}

// Pinned: the same independent Python as in sizing_test.cpp; k clamped to 30 by
//   b = math.ceil(-1024.0*k/math.log1p(-math.exp(math.log(p)/k))); m = -(-n*b//1024)
TEST(bloom_shape, matches_pinned_integers) {
  struct {
    std::uint64_t keys;
    double fpr;
    std::uint64_t bits;
    std::uint32_t probes;
  } const pinned[] = {
      {1, 0x1.b7cdfd9d7bdbbp-34, 49, 30},
      {1, 0x1.96d1bdcb45c4dp-31, 44, 30},
      {1, 0x1.0000000000000p-30, 44, 30},
      {1, 0x1.12e0be826d695p-30, 44, 30},
      {1, 0x1.0c6f7a0b5ed8dp-20, 29, 20},
      {1, 0x1.0624dd2f1a9fcp-10, 15, 10},
      {1, 0x1.47ae147ae147bp-7, 10, 7},
      {1, 0x1.47ae147ae147bp-6, 9, 6},
      {1, 0x1.999999999999ap-5, 7, 5},
      {1, 0x1.fffffffffffffp-3, 3, 2},
      {1, 0x1.0000000000000p-2, 3, 2},
      {1, 0x1.3333333333333p-2, 3, 2},
      {1, 0x1.fffffffffffffp-2, 2, 1},
      {1, 0x1.0000000000000p-1, 2, 1},
      {1, 0x1.0000000000001p-1, 2, 1},
      {1, 0x1.6666666666666p-1, 1, 1},
      {1, 0x1.6a09e667f3bccp-1, 1, 1},
      {1, 0x1.6a09e667f3bcep-1, 1, 1},
      {1, 0x1.70a3d70a3d70ap-1, 1, 1},
      {1, 0x1.ccccccccccccdp-1, 1, 1},
      {1, 0x1.ff7ced916872bp-1, 1, 1},
      {2, 0x1.b7cdfd9d7bdbbp-34, 97, 30},
      {2, 0x1.96d1bdcb45c4dp-31, 88, 30},
      {2, 0x1.0000000000000p-30, 87, 30},
      {2, 0x1.12e0be826d695p-30, 87, 30},
      {2, 0x1.0c6f7a0b5ed8dp-20, 58, 20},
      {2, 0x1.0624dd2f1a9fcp-10, 29, 10},
      {2, 0x1.47ae147ae147bp-7, 20, 7},
      {2, 0x1.47ae147ae147bp-6, 17, 6},
      {2, 0x1.999999999999ap-5, 13, 5},
      {2, 0x1.fffffffffffffp-3, 6, 2},
      {2, 0x1.0000000000000p-2, 6, 2},
      {2, 0x1.3333333333333p-2, 6, 2},
      {2, 0x1.fffffffffffffp-2, 3, 1},
      {2, 0x1.0000000000000p-1, 3, 1},
      {2, 0x1.0000000000001p-1, 3, 1},
      {2, 0x1.6666666666666p-1, 2, 1},
      {2, 0x1.6a09e667f3bccp-1, 2, 1},
      {2, 0x1.6a09e667f3bcep-1, 2, 1},
      {2, 0x1.70a3d70a3d70ap-1, 2, 1},
      {2, 0x1.ccccccccccccdp-1, 1, 1},
      {2, 0x1.ff7ced916872bp-1, 1, 1},
      {3, 0x1.47ae147ae147bp-7, 29, 7},
      {3, 0x1.47ae147ae147bp-6, 25, 6},
      {3, 0x1.999999999999ap-5, 19, 4},
      {3, 0x1.0000000000000p-1, 5, 1},
      {3, 0x1.0000000000001p-1, 5, 1},
      {3, 0x1.6a09e667f3bccp-1, 3, 1},
      {10, 0x1.b7cdfd9d7bdbbp-34, 481, 30},
      {10, 0x1.0c6f7a0b5ed8dp-20, 288, 20},
      {10, 0x1.47ae147ae147bp-7, 96, 7},
      {10, 0x1.0000000000000p-2, 29, 2},
      {19, 0x1.b7cdfd9d7bdbbp-34, 914, 30},
      {19, 0x1.12e0be826d695p-30, 820, 30},
      {19, 0x1.3333333333333p-2, 48, 2},
      {19, 0x1.6a09e667f3bccp-1, 14, 1},
      {19, 0x1.6a09e667f3bcep-1, 14, 1},
      {20, 0x1.12e0be826d695p-30, 863, 30},
      {20, 0x1.47ae147ae147bp-7, 192, 7},
      {20, 0x1.0000000000001p-1, 29, 1},
      {20, 0x1.70a3d70a3d70ap-1, 16, 1},
      {100, 0x1.b7cdfd9d7bdbbp-34, 4809, 30},
      {100, 0x1.fffffffffffffp-3, 289, 2},
      {100, 0x1.6666666666666p-1, 75, 1},
      {1000, 0x1.96d1bdcb45c4dp-31, 43760, 30},
      {1000, 0x1.0000000000000p-30, 43281, 30},
      {1000, 0x1.0c6f7a0b5ed8dp-20, 28756, 20},
      {1000, 0x1.47ae147ae147bp-7, 9586, 7},
      {1000, 0x1.47ae147ae147bp-6, 8143, 6},
      {1000, 0x1.0000000000000p-2, 2886, 2},
      {1000, 0x1.6666666666666p-1, 743, 1},
      {1000, 0x1.ccccccccccccdp-1, 435, 1},
      {1000000, 0x1.96d1bdcb45c4dp-31, 43759474, 30},
      {1000000, 0x1.0c6f7a0b5ed8dp-20, 28755176, 20},
      {1000000, 0x1.0000000000000p-1, 1442696, 1},
      {1000000, 0x1.6666666666666p-1, 742373, 1},
      {1000000, 0x1.ccccccccccccdp-1, 434571, 1},
      {1048576, 0x1.0624dd2f1a9fcp-10, 15075994, 10},
      {1048576, 0x1.fffffffffffffp-3, 3025551, 2},
      {1048576, 0x1.ccccccccccccdp-1, 455680, 1},
      {1000000000, 0x1.b7cdfd9d7bdbbp-34, 48083984375, 30},
      {1000000000, 0x1.0624dd2f1a9fcp-10, 14377587567, 10},
      {1000000000, 0x1.47ae147ae147bp-6, 8142363337, 6},
      {1000000000, 0x1.999999999999ap-5, 6235224230, 4},
      {1000000000, 0x1.0000000000000p-2, 2885390082, 2},
      {1000000000, 0x1.6a09e667f3bcep-1, 721347521, 1},
      {4294967295, 0x1.96d1bdcb45c4dp-31, 187945507522, 30},
      {4294967295, 0x1.0000000000000p-30, 185889840519, 30},
      {4294967295, 0x1.12e0be826d695p-30, 185253805132, 30},
      {4294967295, 0x1.0c6f7a0b5ed8dp-20, 123502536755, 20},
      {4294967295, 0x1.0624dd2f1a9fcp-10, 61751268378, 10},
      {4294967295, 0x1.47ae147ae147bp-7, 41167512252, 7},
      {4294967295, 0x1.47ae147ae147bp-6, 34971184235, 6},
      {4294967295, 0x1.999999999999ap-5, 26780084144, 4},
      {4294967295, 0x1.fffffffffffffp-3, 12392656035, 2},
      {4294967295, 0x1.0000000000000p-2, 12392656035, 2},
      {4294967295, 0x1.3333333333333p-2, 10762808577, 2},
      {4294967295, 0x1.fffffffffffffp-2, 6196328018, 1},
      {4294967295, 0x1.0000000000000p-1, 6196328018, 1},
      {4294967295, 0x1.0000000000001p-1, 6196328018, 1},
      {4294967295, 0x1.6666666666666p-1, 3188464168, 1},
      {4294967295, 0x1.6a09e667f3bccp-1, 3098164009, 1},
      {4294967295, 0x1.6a09e667f3bcep-1, 3098164009, 1},
      {4294967295, 0x1.70a3d70a3d70ap-1, 3376414720, 1},
      {4294967295, 0x1.ccccccccccccdp-1, 1866465280, 1},
      {4294967295, 0x1.ff7ced916872bp-1, 624951296, 1},
      {4294967296, 0x1.0000000000000p-30, 185889840562, 30},
      {4294967296, 0x1.47ae147ae147bp-7, 41167512262, 7},
      {4294967296, 0x1.47ae147ae147bp-6, 34971184243, 6},
      {4294967296, 0x1.6a09e667f3bcep-1, 3098164010, 1},
      {4294967296, 0x1.70a3d70a3d70ap-1, 3376414720, 1},
      {4294967297, 0x1.96d1bdcb45c4dp-31, 187945507610, 30},
      {4294967297, 0x1.0000000000000p-30, 185889840605, 30},
      {4294967297, 0x1.12e0be826d695p-30, 185253805218, 30},
      {4294967297, 0x1.0c6f7a0b5ed8dp-20, 123502536812, 20},
      {4294967297, 0x1.0624dd2f1a9fcp-10, 61751268406, 10},
      {4294967297, 0x1.47ae147ae147bp-7, 41167512271, 7},
      {4294967297, 0x1.47ae147ae147bp-6, 34971184251, 6},
      {4294967297, 0x1.999999999999ap-5, 26780084156, 4},
      {4294967297, 0x1.fffffffffffffp-3, 12392656041, 2},
      {4294967297, 0x1.0000000000000p-2, 12392656041, 2},
      {4294967297, 0x1.3333333333333p-2, 10762808582, 2},
      {4294967297, 0x1.fffffffffffffp-2, 6196328021, 1},
      {4294967297, 0x1.0000000000000p-1, 6196328021, 1},
      {4294967297, 0x1.0000000000001p-1, 6196328021, 1},
      {4294967297, 0x1.6666666666666p-1, 3188464170, 1},
      {4294967297, 0x1.6a09e667f3bccp-1, 3098164011, 1},
      {4294967297, 0x1.6a09e667f3bcep-1, 3098164011, 1},
      {4294967297, 0x1.70a3d70a3d70ap-1, 3376414721, 1},
      {4294967297, 0x1.ccccccccccccdp-1, 1866465281, 1},
      {4294967297, 0x1.ff7ced916872bp-1, 624951297, 1},
      {10000000000, 0x1.96d1bdcb45c4dp-31, 437594734983, 30},
      {10000000000, 0x1.12e0be826d695p-30, 431327626982, 30},
      {10000000000, 0x1.47ae147ae147bp-6, 81423633365, 6},
      {10000000000, 0x1.fffffffffffffp-3, 28853900818, 2},
      {10000000000, 0x1.0000000000000p-1, 14426950409, 1},
      {10000000000, 0x1.70a3d70a3d70ap-1, 7861328125, 1},
      {50000000000, 0x1.47ae147ae147bp-6, 407118166824, 6},
      {50000000000, 0x1.0000000000000p-2, 144269504089, 2},
      {50000000000, 0x1.0000000000001p-1, 72134752045, 1},
      {50000000000, 0x1.6a09e667f3bccp-1, 36067376023, 1},
      {50000000000, 0x1.6a09e667f3bcep-1, 36067376023, 1},
  };
  for (const auto& c : pinned)
    EXPECT_EQ(shape(c.keys, c.fpr), (bloom_shape{c.bits, c.probes})) << c.keys << ' ' << c.fpr;
}

TEST(bloom_shape, a_million_keys_at_one_percent_take_1_14_mebibytes) {
  EXPECT_EQ(shape(1'000'000, 0.01), (bloom_shape{9'585'059, 7}));
  EXPECT_EQ(seen::readable_bytes(9'585'059 / 8.0), "1.14 MiB");
}

TEST(bloom_shape, five_percent_takes_less_than_two_bytes_a_key) {
  for (const std::uint64_t keys : {1ull, 2ull, 3ull, 10ull, 1000ull, 1'000'000'000ull}) {
    EXPECT_LE(shape(keys, 0.05).bits, 16 * keys) << keys;
  }
}

TEST(bloom_shape, costs_1_44_times_the_lower_bound) {
  for (const double fpr : {0.1, 0.01, 1e-4, 1e-8}) {
    const auto bits = static_cast<double>(shape(1'000'000, fpr).bits);
    EXPECT_TRUE(close(bits / lower_bound_bits(1'000'000, fpr), 1.4426950408889634, 1e-6)) << fpr;
  }
}

// m is ceil of the real-valued formula, or one more.
TEST(bloom_shape, agrees_with_the_formula_in_long_double_up_to_a_billion_keys) {
  seen::testing::random_source random(21);
  const long double ln2 = std::log(2.0L);
  for (int i = 0; i < 100'000; ++i) {
    const auto keys = static_cast<std::uint64_t>(std::exp2(static_cast<double>(random.below(2990)) / 100.0)) + 1;
    const double fpr = std::exp2(-0.5 - static_cast<double>(random.next() >> 11) * 0x1p-53 * 29.9);
    const long double exact = -static_cast<long double>(keys) * std::log(static_cast<long double>(fpr)) / (ln2 * ln2);
    const bloom_shape s = shape(keys, fpr);
    ASSERT_GE(static_cast<long double>(s.bits), exact - 1e-3L) << keys << ' ' << fpr;
    ASSERT_LT(static_cast<long double>(s.bits), exact + 2) << keys << ' ' << fpr;
    const long double best = static_cast<long double>(s.bits) / static_cast<long double>(keys) * ln2;
    ASSERT_LE(std::abs(best - s.probes), 0.5L + 1e-9L) << keys << ' ' << fpr;
  }
}

TEST(bloom_shape, grows_until_the_rate_holds_where_probes_are_clamped) {
  for (const double fpr : {6e-10, 1e-10, 1e-12, 2e-16}) {
    const bloom_shape s = shape(1000, fpr);
    EXPECT_EQ(s.probes, 30u) << fpr;
    EXPECT_LE(bloom_fpr_approximate(s.bits, 30, 1000), fpr);
    EXPECT_GT(bloom_fpr_approximate(s.bits - 2, 30, 1000), fpr) << "and no further";
  }
  for (const double fpr : {0.708, 0.75, 0.9, 0.999, 1 - 0x1p-53}) {
    const bloom_shape s = shape(1000, fpr);
    EXPECT_EQ(s.probes, 1u) << fpr;
    EXPECT_LE(bloom_fpr_approximate(s.bits, 1, 1000), fpr);
    EXPECT_GT(bloom_fpr_approximate(s.bits - 2, 1, 1000), fpr) << "and no further";
  }
}

TEST(bloom_shape, whole_probes_cost_little_of_the_rate) {
  for (double log2 = 0.501; log2 < 50; log2 += 0.001) {
    const double fpr = std::exp2(-log2);
    const bloom_shape s = shape(10'000, fpr);
    const double allowed = s.probes == 1 ? 1.061 : s.probes == 2 ? 1.03 : 1.02;
    ASSERT_LE(bloom_fpr_approximate(s.bits, s.probes, 10'000), fpr * allowed) << log2;
  }
}

TEST(bloom_shape, more_keys_never_take_fewer_bits) {
  for (const double fpr : {0.5, 0.01, 1e-6, 1e-11}) {
    std::uint64_t last = 0;
    for (std::uint64_t keys = 1; keys < 3000; ++keys) {
      const std::uint64_t bits = shape(keys, fpr).bits;
      ASSERT_GE(bits, last) << keys << ' ' << fpr;
      last = bits;
    }
  }
}

// Above 2^-0.5 one probe is too many for the formula and m jumps up; below, stricter is never smaller.
TEST(bloom_shape, a_lower_rate_never_takes_fewer_bits) {
  std::uint64_t last = 0;
  for (double log2 = 0.501; log2 < 40; log2 += 0.001) {
    const std::uint64_t bits = shape(100'000, std::exp2(-log2)).bits;
    ASSERT_GE(bits, last) << log2;
    last = bits;
  }
}

void expect_no_shape(const target& t, errc code, const char* detail) {
  const auto refused = bloom_shape_for(t);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, code);
  EXPECT_EQ(refused.error().detail, detail);
}

TEST(bloom_shape, refuses_beyond_the_limit_and_says_what_it_would_take) {
  expect_no_shape({1'000'000'000'000'000'000, 0.01}, errc::too_large,
                  "1e18 keys at fpr 0.01 need 1.04 EiB; the limit is 128 GiB (2^40 bits)");
  expect_no_shape({200'000'000'000, 0.01}, errc::too_large,
                  "2e11 keys at fpr 0.01 need 223 GiB; the limit is 128 GiB (2^40 bits)");
  expect_no_shape({std::uint64_t{1} << 63, 0.9}, errc::too_large,
                  "9223372036854775808 keys at fpr 0.9 need 445 PiB; the limit is 128 GiB (2^40 bits)");
  expect_no_shape({25'000'000'000, 1e-10}, errc::too_large,
                  "2.5e10 keys at fpr 1e-10 need 140 GiB; the limit is 128 GiB (2^40 bits)");
  expect_no_shape({10'000'000'000'000'000'000u, 1e-5}, errc::too_large,
                  "1e19 keys at fpr 1e-5 need 26 EiB; the limit is 128 GiB (2^40 bits)");
  expect_no_shape({1'000'000'000'000, 1e-300}, errc::too_large,
                  "1e12 keys at fpr 1e-300 need 31.8 ZiB; the limit is 128 GiB (2^40 bits)");
}

TEST(bloom_shape, passes_on_what_check_refuses) {
  expect_no_shape({0, 0.01}, errc::invalid_argument, "capacity 0 is not a number of keys from 1 up");
  expect_no_shape({10, 1.5}, errc::invalid_argument, "fpr 1.5 is not a probability strictly between 0 and 1");
  expect_no_shape(
      {10, 5e-324}, errc::too_large,
      "10 keys at fpr 5e-324: equal 64-bit digests alone give a rate of 5.42e-19, above the 5e-324 asked for");
}

TEST(bloom_shape, reaches_the_limit_exactly) {
  // 2^40 bits at 1/2: bits per key is 1586259972793/2^40, so this many keys fit and one more does not.
  const std::uint64_t most = 762'123'384'785;
  EXPECT_LE(shape(most, 0.5).bits, max_bits);
  EXPECT_EQ(bloom_shape_for({most + 1, 0.5}).error().detail,
            "762123384786 keys at fpr 0.5 need 1099511627777 bits; the limit is 128 GiB (2^40 bits)");
}

}  // namespace
