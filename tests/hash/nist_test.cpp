// The tests of bench/quality against the examples of NIST SP 800-22 rev. 1a, sections 2.1 to 2.13: the tests are tested, too.
#include "quality/nist.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string_view>

namespace seen::quality {
namespace {

// The first hundred binary digits of pi.
constexpr std::string_view pi_digits =
    "1100100100001111110110101010001000100001011010001100001000110100110001001100011001100010100010111000";

// The document prints six digits.
constexpr double printed = 1e-6;

bit_string pi() {
  return bit_string(pi_digits);
}

// Of the spectral test section 2.6 counts one length fewer than there are below the threshold (46, and 0.168669). With all 47 it
// is 0.646355.
TEST(nist, a_hundred_digits_of_pi_have_the_documents_p_values) {
  EXPECT_NEAR(frequency(pi())[0], 0.109599, printed);
  EXPECT_NEAR(block_frequency(pi(), 10)[0], 0.706438, printed);
  EXPECT_NEAR(runs(pi())[0], 0.500798, printed);
  EXPECT_NEAR(spectral(pi())[0], 0.646355, printed);
  EXPECT_NEAR(approximate_entropy(pi(), 2)[0], 0.235301, printed);
  EXPECT_NEAR(cumulative_sums(pi())[0], 0.219194, printed);
  EXPECT_NEAR(cumulative_sums(pi())[1], 0.114866, printed);
}

TEST(nist, the_short_examples_have_the_documents_p_values) {
  EXPECT_NEAR(frequency(bit_string("1011010101"))[0], 0.527089, printed);
  EXPECT_NEAR(block_frequency(bit_string("0110011010"), 3)[0], 0.801252, printed);
  EXPECT_NEAR(runs(bit_string("1001101011"))[0], 0.147232, printed);
  EXPECT_NEAR(cumulative_sums(bit_string("1011010111"))[0], 0.411658, printed);
  EXPECT_NEAR(approximate_entropy(bit_string("0100110101"), 3)[0], 0.261961, printed);
  EXPECT_NEAR(serial(bit_string("0011011101"), 3)[0], 0.808792, printed);
  EXPECT_NEAR(serial(bit_string("0011011101"), 3)[1], 0.670320, printed);
  EXPECT_NEAR(non_overlapping_of(bit_string("10100100101110010110"), 0b001, 3, 2), 0.344154, printed);
  EXPECT_NEAR(universal_of(bit_string("01011010011101010111"), 2, 4).statistic, 1.1949875, printed);
}

TEST(nist, the_longest_runs_of_128_bits_have_the_documents_p_value) {
  EXPECT_NEAR(longest_run(bit_string("11001100000101010110110001001100111000000000001001001101010100010001001111010110"
                                     "100000001101011111001100111001101101100010110010"))[0],
              0.180609, 2e-5);  // from probabilities of four digits
}

// The document's matrices of 3 by 3 have the ranks 2 and 3; its probabilities are those of large matrices, ours of these.
TEST(nist, ranks_are_told_apart) {
  const double full = (1 - 1.0 / 8) * (1 - 2.0 / 8) * (1 - 4.0 / 8), one_less = 294.0 / 512;
  double statistic = 0;
  for (const double p : {full, one_less}) statistic += (1 - 2 * p) * (1 - 2 * p) / (2 * p);
  statistic += 2 * (1 - full - one_less);
  EXPECT_NEAR(rank(bit_string("010110010010101011"), 3)[0], std::exp(-statistic / 2), 1e-12);
}

TEST(nist, the_incomplete_gamma_function_is_what_tables_say) {
  EXPECT_NEAR(igamc(0.5, 0.5), std::erfc(std::sqrt(0.5)), 1e-14);
  EXPECT_NEAR(igamc(1, 3), std::exp(-3), 1e-15);
  EXPECT_NEAR(igamc(3, 2), 5 * std::exp(-2), 1e-14);
  EXPECT_NEAR(igamc(5, 7.2), 0.1555156, 1e-6);
  EXPECT_NEAR(igamc(16384, 16384), 0.4989611, 1e-6);
  EXPECT_EQ(igamc(2, 0), 1);
}

TEST(nist, a_counter_is_not_random_to_any_test) {
  bit_string bits;
  for (std::uint64_t i = 0; i < 16'384; ++i) bits.push_word(i, 64);
  for (const nist_test& test : nist_tests()) {
    double least = 1;
    for (const double p : test.run(bits)) least = std::min(least, p);
    EXPECT_LT(least, 1e-9) << test.name;
  }
}

}  // namespace
}  // namespace seen::quality
