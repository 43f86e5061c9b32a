// Tests what only the xor filter does: its rule, its layout, its shapes. The rest is in slot_filters_test.cpp.
#include <seen/filters/xor_filter.hpp>
#include <seen/hash/xxh3.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace seen::testing {
namespace {

TEST(xor_rule, slots_are_pinned) {
  const auto rule = xor_rule::make({1000, 8, 1, 420}).value();
  const building::shard_digest d{0, 0x9e3779b97f4a7c15, building::seed_multiplier(2)};
  const auto at = rule.find(d);
  const building::xor_positions positions{420, 420};
  const auto slot = [&](std::size_t i) { return positions.part(i) + positions.within(at.spot, i); };
  EXPECT_EQ(slot(0), 259u);
  EXPECT_EQ(slot(1), 470u);
  EXPECT_EQ(slot(2), 844u);
  EXPECT_EQ(at.spot.high & 0xffff'ffff, 41231650u);
}

// The table by hand, from what docs/formats/native.md says and nothing else.
TEST(xor_layout, three_slots_exclusive_or_to_the_fingerprint) {
  std::vector<std::uint64_t> keys(300);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i * i;
  const auto f = xor_filter::build(keys, {.fingerprint_bits = 16}).value();
  const auto bytes = f.engine().bytes();
  const std::uint64_t block = f.shape().block_length, seed = std::to_integer<std::uint64_t>(bytes[6 * block]);
  EXPECT_EQ(f.shape(), (xor_shape{300, 16, 1, 134}));
  for (const std::uint64_t key : keys) {
    const std::uint64_t d = f.digest_of(key).value;
    const std::uint64_t multiplier = 0xf1357aea2e62a9c5 + seed * 0x9e3779b97f4a7c14;
    const std::uint64_t y = d * multiplier, z = mulhi(d, multiplier);
    const std::array<std::uint64_t, 3> at{mulhi(d, block), block + mulhi(y, block),
                                          2 * block + mulhi(z << 32 | y >> 32, block)};
    std::uint64_t all = 0;
    for (const std::uint64_t slot : at) {
      all ^= std::to_integer<std::uint64_t>(bytes[2 * slot]) | std::to_integer<std::uint64_t>(bytes[2 * slot + 1]) << 8;
    }
    ASSERT_EQ(all, z & 0xffff) << key;
  }
}

// Any change here changes files.
TEST(xor_golden, bodies_are_pinned) {
  std::vector<std::uint64_t> keys(1000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  const auto checksum = [&](std::uint32_t width) {
    using pinned = filter<xor_filter::engine_type, xxh3_64>;
    const auto f = pinned::build(keys, {.fingerprint_bits = width}).value();
    return xxh3_64()(f.engine().bytes()).value;
  };
  EXPECT_EQ(checksum(8), 0x6c2a6fe19603cf81u);
  EXPECT_EQ(checksum(16), 0xfeb865376d420842u);
  EXPECT_EQ(checksum(32), 0x791749627b83b55bu);
}

TEST(xor_plan, integers_are_pinned) {
  const auto plan = [](std::uint64_t n, double fpr) { return xor_shape::plan({n, fpr}).value(); };
  EXPECT_EQ(plan(1, 0.01), (xor_shape{1, 8, 1, 1}));
  EXPECT_EQ(plan(10, 0.01), (xor_shape{10, 8, 1, 9}));
  EXPECT_EQ(plan(1'000'000, 0.01), (xor_shape{1'000'000, 8, 1, 410'024}));
  EXPECT_EQ(plan(1'000'000, 1e-4).bytes(), 2'460'152u);
  EXPECT_LE(8.0 * static_cast<double>(plan(1'000'000, 0.01).bytes()), 9.90e6);
}

TEST(xor_fields, case_13_shapes_that_are_none_are_refused) {
  const auto refused = [](std::array<std::uint64_t, 4> fields) { return !xor_shape::from_fields(fields); };
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_FALSE(refused({1000, 8, 1, 420}));
  EXPECT_FALSE(refused({0, 8, 0, 0}));
  EXPECT_TRUE(refused({1000, 12, 1, 420})) << "width";
  EXPECT_TRUE(refused({1000, (std::uint64_t{1} << 32) + 8, 1, 420})) << "a width that is cut to one";
  EXPECT_TRUE(refused({1000, 8, 0, 420})) << "keys and no shards";
  EXPECT_TRUE(refused({0, 8, 1, 420})) << "shards and no keys";
  EXPECT_TRUE(refused({0, 8, 0, 420})) << "slots and no keys";
  EXPECT_TRUE(refused({1000, 8, 1, 0})) << "keys and no slots";
  EXPECT_TRUE(refused({1000, 8, 1, 333})) << "fewer slots than keys";
  EXPECT_TRUE(refused({1000, 8, 2 * math::max_shards, 420}));
  EXPECT_TRUE(refused({1000, 8, 1, (std::uint64_t{1} << 32) / 3 + 1})) << "2^32 slots";
  EXPECT_TRUE(refused({1000, 8, 1, huge / 3 + 2})) << "3·block wraps";
  EXPECT_TRUE(refused({1000, 8, huge, huge}));
  EXPECT_TRUE(refused({huge, 8, 1, 420}));
  EXPECT_TRUE(refused({1000, 32, 1 << 20, 1 << 20})) << "beyond 2^40 bits";
}

}  // namespace
}  // namespace seen::testing
