// Slots of ribbons: pinned, because files depend on them, and within the bounds that are promised.
#include <seen/math/ribbon.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>

namespace {

using namespace seen::math;
using seen::ribbon_setting;

constexpr std::array settings{ribbon_setting::compact, ribbon_setting::balanced, ribbon_setting::fast};

// Bits of a filter of one shard, over the lower bound of keys·bits.
double overhead(std::uint64_t keys, std::uint32_t bits, ribbon_setting setting) {
  const ribbon_layers l = ribbon_layers_for(keys, bits, setting);
  const std::uint64_t body = seen::round_up(l.solution_bytes() + l.bump_bytes() + 1, 8);
  return 8 * static_cast<double>(body) / static_cast<double>(keys * bits);
}

TEST(ribbon_sizes, a_million_keys_take_one_percent_more_than_the_bound_at_every_width) {
  for (std::uint32_t bits = 1; bits <= 32; ++bits) {
    EXPECT_LE(overhead(1'000'000, bits, ribbon_setting::compact), 1.01) << bits;
    EXPECT_LE(overhead(1'000'000, bits, ribbon_setting::balanced), 1.03) << bits;
    EXPECT_LE(overhead(1'000'000, bits, ribbon_setting::fast), 1.06) << bits;
  }
  EXPECT_LE(8 * overhead(1'000'000, 8, ribbon_setting::compact), 8.08);
  EXPECT_LE(8 * overhead(1'000'000, 8, ribbon_setting::fast), 8.48);
}

TEST(ribbon_sizes, small_sets_take_a_quarter_more_or_64_bytes) {
  for (const auto setting : settings) {
    for (std::uint32_t bits = 1; bits <= 32; ++bits) {
      for (std::uint64_t n = 1; n < 1000; ++n) {
        const ribbon_layers l = ribbon_layers_for(n, bits, setting);
        const std::uint64_t body = seen::round_up(l.solution_bytes() + l.bump_bytes() + 1, 8);
        ASSERT_TRUE(body <= 64 || body * 32 <= 5 * n * bits) << n << " keys of " << bits << " bits: " << body;
        ASSERT_GT(l.slots[0], n);
      }
    }
  }
}

TEST(ribbon_sizes, nothing_jumps_above_a_thousand_keys) {
  for (const auto setting : settings) {
    for (const std::uint32_t bits : {1u, 2u, 3u, 8u, 32u}) {
      for (std::uint64_t n = 1000; n < 20'000; ++n) ASSERT_LE(overhead(n, bits, setting), 1.2) << n << ", " << bits;
      for (std::uint64_t n = 20'000; n < 2'000'000; n += 9973) {
        ASSERT_LE(overhead(n, bits, setting), 1.07) << n << ", " << bits;
      }
    }
  }
}

TEST(ribbon_sizes, are_pinned) {
  const auto slots = [](std::uint64_t n, std::uint32_t bits, ribbon_setting s) {
    return ribbon_layers_for(n, bits, s).slots;
  };
  using three = std::array<std::uint64_t, 3>;
  const auto compact = ribbon_setting::compact, balanced = ribbon_setting::balanced, fast = ribbon_setting::fast;
  EXPECT_EQ(slots(1, 8, fast), (three{2, 0, 0}));
  EXPECT_EQ(slots(17, 32, fast), (three{18, 0, 0}));
  EXPECT_EQ(slots(100, 8, fast), (three{105, 0, 0}));
  EXPECT_EQ(slots(1000, 8, compact), (three{1088, 0, 0}));
  EXPECT_EQ(slots(5000, 8, compact), (three{4928, 320, 0}));
  EXPECT_EQ(slots(5000, 8, fast), (three{5440, 0, 0}));
  EXPECT_EQ(slots(1'000'000, 1, compact), (three{930048, 68352, 3328}));
  EXPECT_EQ(slots(1'000'000, 2, compact), (three{960064, 41792, 2048}));
  EXPECT_EQ(slots(1'000'000, 8, compact), (three{970048, 33408, 1664}));
  EXPECT_EQ(slots(1'000'000, 8, balanced), (three{1010048, 8832, 448}));
  EXPECT_EQ(slots(1'000'000, 1, fast), (three{1040064, 2176, 128}));
  EXPECT_EQ(slots(1'000'000, 8, fast), (three{1050048, 1536, 0}));
  EXPECT_EQ(slots(100'000'000, 8, fast), (three{105000384, 70272, 3456}));
  EXPECT_EQ(slots(std::uint64_t{1} << 40, 1, compact), (three{1022537760832, 74572394624, 4049001536}));
}

TEST(ribbon_sizes, the_fewest_slots_are_those_of_a_last_layer_before_it_is_rounded) {
  EXPECT_EQ(ribbon_least_slots(1), 2U);
  EXPECT_EQ(ribbon_least_slots(600), 626U);
  EXPECT_EQ(ribbon_least_slots(1023), 1066U);
  EXPECT_EQ(ribbon_least_slots(1024), 1088U);
  EXPECT_EQ(ribbon_least_slots(5000), 5390U);
  for (std::uint64_t n = 1; n < 20'000; n += 1 + n / 50) {
    const std::uint64_t least = ribbon_least_slots(n), taken = ribbon_last_slots(n, 8);
    ASSERT_TRUE(taken == least || taken == seen::round_up(least, 64)) << n;
  }
}

TEST(ribbon_sizes, layers_of_several_are_whole_blocks) {
  for (const auto setting : settings) {
    for (std::uint64_t n = 1024; n < 100'000'000; n += n / 37) {
      const ribbon_layers l = ribbon_layers_for(n, 8, setting);
      ASSERT_TRUE(l.wide()) << n;
      for (std::uint32_t i = 0; i < l.count(); ++i) ASSERT_TRUE(l.slots[i] >= 128 && l.slots[i] % 64 == 0) << n;
      ASSERT_TRUE(check(l, setting, n, 1)) << n;
    }
  }
}

TEST(ribbon_sizes, square_roots_are_whole_numbers) {
  for (std::uint64_t n : {0ull, 1ull, 2ull, 3ull, 4ull, 99ull, 100ull, 0xffff'fffeull, ~0ull}) {
    const std::uint64_t root = integer_sqrt(n);
    EXPECT_LE(root * root, n);
    EXPECT_TRUE(root == 0xffff'ffff || (root + 1) * (root + 1) > n) << n;
  }
}

// Failure case 13: what a file may claim.
TEST(ribbon_check, case_13_refuses_what_no_query_could_read) {
  const auto fine = [](std::array<std::uint64_t, 3> slots, std::uint32_t bits, std::uint32_t setting,
                       std::uint64_t keys, std::uint64_t shards) {
    return check(ribbon_layers{slots, bits}, static_cast<ribbon_setting>(setting), keys, shards).has_value();
  };
  EXPECT_TRUE(fine({0, 0, 0}, 8, 1, 0, 0));
  EXPECT_TRUE(fine({21, 0, 0}, 32, 3, 17, 1));
  EXPECT_TRUE(fine({1024, 128, 64 * 7}, 8, 1, 1000, 4));
  EXPECT_FALSE(fine({1024, 128, 64 * 7}, 8, 1, 1000, 5));
  EXPECT_FALSE(fine({128, 0, 0}, 0, 1, 10, 1));
  EXPECT_FALSE(fine({128, 0, 0}, 33, 1, 10, 1));
  EXPECT_FALSE(fine({128, 0, 0}, 8, 0, 10, 1));
  EXPECT_FALSE(fine({128, 0, 0}, 8, 4, 10, 1));
  EXPECT_FALSE(fine({128, 0, 0}, 8, 1, 0, 1));
  EXPECT_FALSE(fine({128, 0, 0}, 8, 1, 10, 0));
  EXPECT_FALSE(fine({0, 0, 0}, 8, 1, 10, 1));
  EXPECT_FALSE(fine({0, 128, 0}, 8, 1, 10, 1));
  EXPECT_FALSE(fine({0, 128, 0}, 8, 1, 0, 0));
  EXPECT_FALSE(fine({128, 0, 128}, 8, 1, 10, 1));
  EXPECT_FALSE(fine({100, 128, 0}, 8, 1, 10, 1)) << "the first of two, not whole";
  EXPECT_FALSE(fine({128, 64, 0}, 8, 1, 10, 1)) << "a last layer of one block";
  EXPECT_FALSE(fine({128, 128, 200}, 8, 1, 10, 1));
  EXPECT_FALSE(fine({128, 0, 0}, 8, 1, 10, (std::uint64_t{1} << 24) + 1));
  EXPECT_FALSE(fine({128, 0, 0}, 8, 1, (std::uint64_t{1} << 40) + 1, 1));
  EXPECT_FALSE(fine({std::uint64_t{1} << 41, 0, 0}, 1, 1, 10, 1));
  EXPECT_FALSE(fine({std::uint64_t{1} << 40, 0, 0}, 32, 1, 10, 1)) << "2^45 bits";
  EXPECT_FALSE(fine({std::uint64_t{1} << 36, 0, 0}, 32, 1, 10, std::uint64_t{1} << 24)) << "2^65 bits";
  EXPECT_FALSE(fine({~std::uint64_t{63}, 128, 0}, 8, 1, 10, 1));
}

}  // namespace
