// The integers every language must reproduce, and the targets no filter can meet.
//
// Pinned integers: an independent integer-only implementation of the rules at the top of sizing.hpp, in Python, which
// also asserted 0 ≤ q40 − 2^40·log2(1/p) < 1 against 60-digit arithmetic.
#include <seen/math/sizing.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

#include "close.hpp"
#include "simulation.hpp"

namespace {

using namespace seen::math;
using seen::errc;
using seen::target;
using seen::testing::close;

static_assert(log2_inverse_q40(0x1p-1074) == std::uint64_t{1074} << 40, "sizes are known at compile time");

TEST(log2_inverse, matches_pinned_integers) {
  struct {
    double p;
    std::uint64_t log2_q40, bits_per_key_q40;
  } const pinned[] = {
      {0x1.0000000000000p-1, 1099511627776, 1586259972793},
      {0x1.fffffffffffffp-2, 1099511627777, 1586259972794},  // just below 1/2
      {0x1.0000000000001p-1, 1099511627776, 1586259972793},  // just above
      {0x1.0000000000000p-2, 2199023255552, 3172519945585},
      {0x1.fffffffffffffp-3, 2199023255553, 3172519945586},
      {0x1.0000000000001p-2, 2199023255552, 3172519945585},
      {0x1.47ae147ae147bp-7, 7304997133929, 10538883138828},    // 0.01
      {0x1.0624dd2f1a9fcp-10, 10957495700894, 15808324708242},  // 0.001
      {0x1.a36e2eb1c432dp-14, 14609994267858, 21077766277655},
      {0x1.0c6f7a0b5ed8dp-20, 21914991401787, 31616649416483},
      {0x1.12e0be826d695p-30, 32872487102680, 47424974124723},
      {0x1.999999999999ap-4, 3652498566965, 5269441569415},
      {0x1.999999999999ap-5, 4752010194741, 6855701542207},
      {0x1.47ae147ae147bp-6, 6205485506153, 8952623166036},
      {0x1.5555555555555p-2, 1742684699132, 2514162573271},
      {0x1.6666666666666p-1, 565779186868, 816246827133},
      {0x1.ccccccccccccdp-1, 167129168701, 241116422873},
      {0x1.fffffffffffffp-1, 1, 2},
      {0x1.0000000000000p-10, 10995116277760, 15862599727922},
      {0x1.0000000000000p-64, 70368744177664, 101520638258700},
      {0x1.56e1fc2f8f359p-997, 1095749570089330, 1580832470824091},
      {0x1.0000000000000p-1022, 1123700883587072, 1621157692193616},
      {0x0.fffffffffffffp-1022, 1123700883587073, 1621157692193617},  // the largest denormal
      {0x0.0000000000001p-1022, 1180875488231424, 1703643210778809},  // the smallest
      {0x0.0000000000003p-1022, 1179132803532293, 1701129048205540},
      {0x1.0000000000000p+0, 0, 0},
      {0x1.3353df0f6aea2p-3, 3008666640687, 4340588442208},  // one more without the low half of a square
      {0x1.184957b5bd7f9p-2, 2055252851674, 2965103096883},
      {0x1.5c28e41e83799p-850, 934097134164550, 1347617303167790},  // one less were 1/ln 2 not rounded up
      {0x1.9b78279bc21cfp-553, 607277159227747, 876115746063008},   // one more were it rounded up further
  };
  for (const auto& c : pinned) {
    EXPECT_EQ(log2_inverse_q40(c.p), c.log2_q40) << c.p;
    EXPECT_EQ(bits_per_key_q40(c.p), c.bits_per_key_q40) << c.p;
  }
}

TEST(log2_inverse, is_exact_for_every_power_of_two) {
  double p = 1;
  for (std::uint64_t n = 0; n <= 1074; ++n, p /= 2) ASSERT_EQ(log2_inverse_q40(p), n << 40) << n;
}

TEST(log2_inverse, is_at_most_one_unit_above_the_real_logarithm) {
  seen::testing::random_source random(11);
  for (int i = 0; i < 200'000; ++i) {
    const double p = std::ldexp(static_cast<double>(random.next() >> 11 | 1), -53 - static_cast<int>(random.below(64)));
    // long double log2 is good to 1e-19; 100 units of room for machines where it is only a double.
    const auto exact = static_cast<double>(-std::log2(static_cast<long double>(p)) * 0x1p40L -
                                           static_cast<long double>(log2_inverse_q40(p)));
    const double room = std::numeric_limits<long double>::digits >= 64 ? 1e-4 : 0.1;
    ASSERT_LE(exact, room) << p;
    ASSERT_GE(exact, -1 - room) << p;
  }
}

TEST(log2_inverse, never_grows_with_p) {
  seen::testing::random_source random(12);
  for (int i = 0; i < 100'000; ++i) {
    const double p = std::ldexp(static_cast<double>(random.next() >> 11 | 1), -54 - static_cast<int>(random.below(70)));
    ASSERT_GE(log2_inverse_q40(p), log2_inverse_q40(std::nextafter(p, 1.0))) << p;
  }
}

TEST(bits_for, rounds_up_and_saturates) {
  EXPECT_EQ(bits_for(0, 12345), 0u);
  EXPECT_EQ(bits_for(1, 1), 1u);
  EXPECT_EQ(bits_for(3, std::uint64_t{1} << 40), 3u);
  EXPECT_EQ(bits_for(3, (std::uint64_t{1} << 40) + 1), 4u);
  EXPECT_EQ(bits_for(std::uint64_t{1} << 40, (std::uint64_t{1} << 40) + 1), (std::uint64_t{1} << 40) + 1);
  EXPECT_EQ(bits_for(~std::uint64_t{0}, std::uint64_t{1} << 39), std::uint64_t{1} << 63);
  EXPECT_EQ(bits_for(~std::uint64_t{0}, std::uint64_t{1} << 40), ~std::uint64_t{0});
  EXPECT_EQ(bits_for(std::uint64_t{1} << 63, std::uint64_t{1} << 40), ~std::uint64_t{0});
  EXPECT_EQ(bits_for(~std::uint64_t{0}, ~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(probes_for, reproduces_the_table_of_bits_per_key) {
  EXPECT_EQ(probes_for(8'000, 1000), 6u);
  EXPECT_EQ(probes_for(10'000, 1000), 7u);
  EXPECT_EQ(probes_for(14'000, 1000), 10u);
  EXPECT_EQ(probes_for(24'000, 1000), 17u);
}

// 2·m·ln 2 is never a whole number, but the best rational approximations (convergents of 2·ln 2, and a search to 400
// keys) come as near to x.5 as they can. Expected: floor(m/n·ln 2 + 1/2) in 60-digit arithmetic.
TEST(probes_for, decides_halves_that_doubles_cannot) {
  EXPECT_EQ(probes_for(10171, 300), 23u);                   // 23.4999999
  EXPECT_EQ(probes_for(14432, 351), 29u);                   // 28.5000003
  EXPECT_EQ(probes_for(4261, 179), 17u);                    // 16.5000008
  EXPECT_EQ(probes_for(1649, 254), 4u);                     // 4.4999988
  EXPECT_EQ(probes_for(5, 7), 0u);                          // 0.495
  EXPECT_EQ(probes_for(13, 18), 1u);                        // 0.5006
  EXPECT_EQ(probes_for(45'297'239, 62'795'307), 0u);        // 0.5 − 6e-17
  EXPECT_EQ(probes_for(116'249'714, 161'156'323), 1u);      // 0.5 + 1e-17
  EXPECT_EQ(probes_for(277'796'667, 385'107'953), 1u);      // 0.5 + 2e-18
  EXPECT_EQ(probes_for(717'140'287, 994'167'536), 0u);      // 0.5 − 1e-19
  EXPECT_EQ(probes_for(4'580'638'389, 6'350'113'169), 0u);  // nearer than the constant: the rule says 0
}

TEST(probes_for, handles_the_largest_filter) {
  EXPECT_EQ(probes_for(max_bits, 1), 762'123'384'786u);  // round(2^40·ln 2)
  EXPECT_EQ(probes_for(max_bits, ~std::uint64_t{0}), 0u);
}

TEST(lower_bound, is_keys_times_log2_of_the_inverse_rate) {
  EXPECT_EQ(lower_bound_bits(1000, 1.0 / 1024), 10'000);
  EXPECT_TRUE(close(lower_bound_bits(1'000'000, 0.01), 6643856.1897747247, 1e-14));
  EXPECT_EQ(lower_bound_bits(0, 0.01), 0);
}

TEST(check, accepts_any_reasonable_target) {
  EXPECT_TRUE(check(target{1, 0.5}));
  EXPECT_TRUE(check(target{1, 0x1p-64}));
  EXPECT_TRUE(check(target{1'000'000'000, 1e-10}));
  EXPECT_TRUE(check(target{1, std::nextafter(1.0, 0.0)}));
}

void expect_refusal(const target& t, errc code, const char* detail) {
  const auto refused = check(t);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, code);
  EXPECT_EQ(refused.error().detail, detail);
}

TEST(check, refuses_what_is_not_a_target_and_names_it) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expect_refusal({0, 0.01}, errc::invalid_argument, "capacity 0 is not a number of keys from 1 up");
  expect_refusal({1, 2}, errc::invalid_argument, "fpr 2 is not a probability strictly between 0 and 1");
  expect_refusal({1, 1}, errc::invalid_argument, "fpr 1 is not a probability strictly between 0 and 1");
  expect_refusal({1, 0}, errc::invalid_argument, "fpr 0 is not a probability strictly between 0 and 1");
  expect_refusal({1, -0.25}, errc::invalid_argument, "fpr -0.25 is not a probability strictly between 0 and 1");
  expect_refusal({1, infinity}, errc::invalid_argument, "fpr inf is not a probability strictly between 0 and 1");
  expect_refusal({1, -infinity}, errc::invalid_argument, "fpr -inf is not a probability strictly between 0 and 1");
  expect_refusal({1, std::numeric_limits<double>::quiet_NaN()}, errc::invalid_argument,
                 "fpr nan is not a probability strictly between 0 and 1");
}

TEST(check, refuses_rates_that_equal_digests_alone_exceed) {
  expect_refusal(
      {3'000'000'000, 1e-10}, errc::too_large,
      "3e9 keys at fpr 1e-10: equal 64-bit digests alone give a rate of 1.63e-10, above the 1e-10 asked for");
  expect_refusal({1, 1e-300}, errc::too_large,
                 "1 key at fpr 1e-300: equal 64-bit digests alone give a rate of 5.42e-20, above the 1e-300 asked for");
  expect_refusal({2, 0x1.8p-64}, errc::too_large,
                 "2 keys at fpr 8.131516293641283e-20: equal 64-bit digests alone give a rate of 1.08e-19, above the "
                 "8.131516293641283e-20 asked for");
  EXPECT_TRUE(check(target{2, 0x1p-63}));
}

TEST(check, equal_digests_are_noticeable_above_a_fiftieth_of_the_rate) {
  EXPECT_FALSE(digests_collide_noticeably({1'000'000'000, 0.01}));
  EXPECT_FALSE(digests_collide_noticeably({1'000'000'000, 2.72e-9}));  // 5.42e-11 is 0.02 of 2.71e-9
  EXPECT_TRUE(digests_collide_noticeably({1'000'000'000, 2.70e-9}));
}

}  // namespace
