// Sizes of xor and binary fuse tables.
#include <seen/math/binary_fuse.hpp>
#include <seen/math/fingerprints.hpp>
#include <seen/math/xor_filter.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

#include "close.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

double slots_a_key(std::uint32_t arity, std::uint64_t n) {
  const binary_fuse_shape s = binary_fuse_shape_for(arity, n);
  return static_cast<double>(s.segment_length * s.segments) / static_cast<double>(n);
}

TEST(xor_size, is_1_23_slots_a_key_and_a_little) {
  EXPECT_EQ(xor_block_length(0), 0u);
  EXPECT_EQ(xor_block_length(1), 1u);
  EXPECT_EQ(xor_block_length(2), 3u);
  EXPECT_EQ(xor_block_length(1000), 422u);
  EXPECT_EQ(xor_block_length(1'000'000), 410'024u);
  for (std::uint64_t n = 1; n < 3000; ++n) EXPECT_LE(xor_block_length(n), xor_block_length(n + 1));
  EXPECT_TRUE(close(3.0 * static_cast<double>(xor_block_length(3'000'000'000)) / 3e9, 1.23, 1e-6));
  EXPECT_EQ(xor_block_length(1000, 1), 422u + 27);
  EXPECT_EQ(xor_block_length(1, 3), 4u);
}

TEST(binary_fuse_size, shapes_are_pinned) {
  const auto shape = [](std::uint32_t arity, std::uint64_t n) { return binary_fuse_shape_for(arity, n); };
  EXPECT_EQ(shape(3, 0), (binary_fuse_shape{0, 0}));
  EXPECT_EQ(shape(3, 1), (binary_fuse_shape{2, 3}));
  EXPECT_EQ(shape(4, 1), (binary_fuse_shape{2, 4}));
  EXPECT_EQ(shape(3, 100), (binary_fuse_shape{32, 6}));
  EXPECT_EQ(shape(4, 100), (binary_fuse_shape{16, 11}));
  EXPECT_EQ(shape(3, 11'500), (binary_fuse_shape{512, 28}));
  EXPECT_EQ(shape(3, 100'000), (binary_fuse_shape{1024, 115}));
  EXPECT_EQ(shape(4, 100'000), (binary_fuse_shape{1024, 109}));
  EXPECT_EQ(shape(3, 100'000'000), (binary_fuse_shape{32'768, 3402}));
  EXPECT_EQ(binary_fuse_shape_for(3, 100'000, 2), (binary_fuse_shape{1024, 115 + 2 * 8}));
}

// max(1.125, 0.875 + 0.25·ln 10^6/ln n) and max(1.075, 0.77 + 0.305·ln(6·10^5)/ln n) slots per key [Graf & Lemire 2022],
// which there are rounded up to whole segments.
TEST(binary_fuse_size, is_near_what_the_paper_takes_and_below_it_for_many_keys) {
  for (std::uint64_t n = 1000; n < 3'000'000'000; n += n / 7) {
    const double ln = std::log(static_cast<double>(n));
    const double three = std::max(1.125, 0.875 + 0.25 * std::log(1e6) / ln);
    const double four = std::max(1.075, 0.77 + 0.305 * std::log(6e5) / ln);
    const double allowed = n < 10'000 ? 1.1 : n < 10'000'000 ? 1.035 : 1;
    EXPECT_LE(slots_a_key(3, n), allowed * three) << n;
    EXPECT_LE(slots_a_key(4, n), allowed * four) << n;
  }
}

TEST(binary_fuse_size, small_sets_stay_small) {
  for (const std::uint32_t arity : {3u, 4u}) {
    for (std::uint64_t n = 1; n < 1000; ++n) {
      const binary_fuse_shape s = binary_fuse_shape_for(arity, n);
      EXPECT_LE(s.segment_length * s.segments, std::max<std::uint64_t>(24, 5 * n)) << n;
      EXPECT_GE(s.segment_length * s.segments, n);
    }
  }
  EXPECT_LE(slots_a_key(3, 100), 2);
  EXPECT_LE(slots_a_key(3, 1000), 1.5);
}

TEST(binary_fuse_size, segments_are_powers_of_two_that_offsets_reach) {
  for (const std::uint32_t arity : {3u, 4u}) {
    for (std::uint64_t n = 1; n < 0x1'0000'0000; n += 1 + n / 5) {
      const binary_fuse_shape s = binary_fuse_shape_for(arity, n);
      EXPECT_TRUE(std::has_single_bit(s.segment_length)) << n;
      EXPECT_LE(s.segment_length, max_segment_length);
      EXPECT_GE(s.segments, arity);
    }
  }
}

TEST(slot_tables, rate_counts_equal_digests) {
  EXPECT_EQ(fingerprint_model_fpr(8, 0), 0);
  EXPECT_EQ(fingerprint_model_fpr(8, 1000), 1.0 / 256 + 1000 * 0x1p-64);
  EXPECT_TRUE(close(fingerprint_model_fpr(32, 1'000'000'000), 0x1p-32 + 1e9 * 0x1p-64, 1e-15));
}

}  // namespace
