// Sizes of binary fuse tables.
#include <seen/math/binary_fuse.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace {

using namespace seen::math;

double slots_per_key(std::uint32_t arity, std::uint64_t n) {
  const binary_fuse_shape s = binary_fuse_shape_for(arity, n);
  return static_cast<double>(s.segment_length * s.segments) / static_cast<double>(n);
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
    EXPECT_LE(slots_per_key(3, n), allowed * three) << n;
    EXPECT_LE(slots_per_key(4, n), allowed * four) << n;
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
  EXPECT_LE(slots_per_key(3, 100), 2);
  EXPECT_LE(slots_per_key(3, 1000), 1.5);
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

}  // namespace
