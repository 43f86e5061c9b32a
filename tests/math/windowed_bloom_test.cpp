// Rings of Bloom filters.
#include <seen/math/windowed_bloom.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::errc;
using seen::testing::close;

TEST(slice, takes_its_share_of_the_window_rounded_up) {
  EXPECT_EQ(slice_length(700, 7), 100u);
  EXPECT_EQ(slice_length(701, 7), 101u);
  EXPECT_EQ(slice_length(1, 63), 1u);
  EXPECT_EQ(slice_length(~std::uint64_t{0}, 1), ~std::uint64_t{0});
  EXPECT_EQ(slice_length(5, 0), 0u);
}

TEST(slice, is_a_bit_of_a_cell_that_straddles_no_word) {
  EXPECT_EQ(cell_bits(1), 2u);
  EXPECT_EQ(cell_bits(2), 4u);
  EXPECT_EQ(cell_bits(7), 8u);
  EXPECT_EQ(cell_bits(8), 16u);
  EXPECT_EQ(cell_bits(63), 64u);
}

TEST(slice, is_a_bloom_filter_for_its_keys_at_its_share_of_the_rate) {
  EXPECT_EQ(slice_shape_for({70'000, 0.01}, 7).value(), bloom_shape_for({10'000, 0.01 / 8}).value());
  EXPECT_EQ(slice_shape_for({70, 0.01}, 7).value(), bloom_shape_for({20, 0.01 / 8}).value()) << "20 keys at least";
}

TEST(slice, what_no_filter_can_be_is_refused) {
  EXPECT_EQ(slice_shape_for({0, 0.01}, 7).error().code, errc::invalid_argument);
  EXPECT_EQ(slice_shape_for({1, 2.0}, 7).error().code, errc::invalid_argument);
  EXPECT_EQ(slice_shape_for({1'000'000'000'000, 0.01}, 7).error().code, errc::too_large);
  // The slices' bits alone would do; the cells that hold them are beyond 2^40.
  EXPECT_EQ(slice_shape_for({60'000'000'000, 0.01}, 8).error().code, errc::too_large);
}

TEST(ring_fpr, is_the_chance_to_pass_any_slice) {
  const bloom_shape slice{1000, 7};
  const double one = bloom_fpr(1000, 7, 100), less = bloom_fpr(1000, 7, 40);
  EXPECT_EQ(ring_fpr(slice, 0, 100, 0), 0);
  EXPECT_TRUE(close(ring_fpr(slice, 1, 100, 0), one, 1e-12));
  EXPECT_TRUE(close(ring_fpr(slice, 3, 100, 40), 1 - std::pow(1 - one, 3) * (1 - less), 1e-12));
  EXPECT_EQ(ring_fpr({1, 1}, 3, 100, 0), 1) << "every bit set";
}

TEST(ring_fpr, of_a_planned_ring_is_within_the_rate_asked_for) {
  for (const std::uint64_t slices : {1u, 3u, 7u, 31u, 63u}) {
    for (const double fpr : {0.1, 0.01, 1e-4}) {
      const auto slice = slice_shape_for({1'000'000, fpr}, slices).value();
      const double rate = ring_fpr(slice, slices + 1, slice_length(1'000'000, slices), 0);
      EXPECT_LE(rate, 1.02 * fpr) << slices;
      EXPECT_GE(rate, 0.94 * fpr) << slices << ": and uses it";
    }
  }
}

}  // namespace
