// Tests what only the binary fuse filter does: its rule, its layout, its shapes. The rest is in slot_filters_test.cpp.
#include <seen/filters/binary_fuse.hpp>
#include <seen/hash/xxh3.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

TEST(binary_fuse_rule, slots_are_pinned) {
  const auto rule = binary_fuse_rule::make({1000, 8, 1, 4, 64, 22}).value();
  const building::shard_digest d{0, 0x9e3779b97f4a7c15, building::seed_multiplier(2)};
  const auto at = rule.find(d);
  const building::fuse_positions positions(19 * 64, 64, 1);
  const auto slot = [&](std::size_t i) { return positions.part(i) + positions.within(at.spot, i); };
  EXPECT_EQ(slot(0), 751u);
  EXPECT_EQ(slot(1), 808u);
  EXPECT_EQ(slot(2), 879u);
  EXPECT_EQ(slot(3), 902u);
  EXPECT_EQ(at.spot.high & 0xffff'ffff, 41231650u);
}

TEST(binary_fuse_rule, slots_lie_in_segments_that_follow_one_another) {
  rng random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t length = std::uint64_t{2} << random.below(18), starts = (1 + random.below(1000)) * length;
    const building::fuse_positions positions(starts, length, 1);
    const building::slot_spot spot{positions.first(random()), random(), random()};
    for (std::uint64_t j = 0; j < 4; ++j) {
      const std::uint64_t slot = positions.part(j) + positions.within(spot, j);
      ASSERT_EQ(slot / length, spot.first / length + j);
      ASSERT_LT(slot, starts + j * length);
    }
  }
}

// The table by hand, from what docs/formats/native.md says and nothing else.
TEST(binary_fuse_layout, the_slots_exclusive_or_to_the_fingerprint) {
  std::vector<std::uint64_t> keys(3000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i * i;
  for (const std::uint32_t arity : {3u, 4u}) {
    const auto f = binary_fuse::build(keys, {.fingerprint_bits = 32, .arity = arity}).value();
    const auto bytes = f.engine().bytes();
    const std::uint64_t length = f.shape().segment_length, slots = length * f.shape().segments;
    const std::uint64_t seed = std::to_integer<std::uint64_t>(bytes[4 * slots]);
    for (const std::uint64_t key : keys) {
      const std::uint64_t d = f.digest_of(key).value;
      const std::uint64_t multiplier = 0xf1357aea2e62a9c5 + seed * 0x9e3779b97f4a7c14;
      const std::uint64_t y = d * multiplier, z = mulhi(d, multiplier) % 0x1'0000'0000;
      const std::uint64_t first = mulhi(d, slots - (arity - 1) * length), part = 0x1'0000'0000 / length;
      const std::array<std::uint64_t, 4> offsets{0, y / part / 0x1'0000'0000, z / part,
                                                 y * length / part / 0x1'0000'0000};
      std::uint32_t all = 0;
      for (std::uint64_t i = 0; i < arity; ++i) {
        all ^= load_le<std::uint32_t>(bytes.data() + 4 * (i * length + (first ^ offsets[i])));
      }
      ASSERT_EQ(all, z) << key;
    }
  }
}

// Any change here changes files.
TEST(binary_fuse_golden, bodies_are_pinned) {
  std::vector<std::uint64_t> keys(3000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  const auto checksum = [&](std::uint32_t width, std::uint32_t arity) {
    using pinned = filter<binary_fuse::engine_type, xxh3_64>;
    const auto f = pinned::build(keys, {.fingerprint_bits = width, .arity = arity}).value();
    return xxh3_64()(f.engine().bytes()).value;
  };
  EXPECT_EQ(checksum(8, 3), 0x829b910296588258u);
  EXPECT_EQ(checksum(16, 3), 0x24821e6c9efba874u);
  EXPECT_EQ(checksum(32, 3), 0xeed0e300da140959u);
  EXPECT_EQ(checksum(8, 4), 0xf66da70fa0883d24u);
  EXPECT_EQ(checksum(16, 4), 0x57cde982627ecfa3u);
  EXPECT_EQ(checksum(32, 4), 0xf5359f25ad4cf8acu);
}

TEST(binary_fuse_plan, integers_are_pinned) {
  const auto plan = [](std::uint64_t n, double fpr, std::uint32_t arity = 0) {
    return binary_fuse_shape::plan({n, fpr}, {.arity = arity}).value();
  };
  EXPECT_EQ(plan(1, 0.01), (binary_fuse_shape{1, 8, 1, 3, 2, 3}));
  EXPECT_EQ(plan(10, 0.01), (binary_fuse_shape{10, 8, 1, 3, 8, 3}));
  EXPECT_EQ(plan(1000, 0.01), (binary_fuse_shape{1000, 8, 1, 3, 128, 11}));
  EXPECT_EQ(plan(1'000'000, 0.01), (binary_fuse_shape{1'000'000, 8, 1, 3, 8192, 138}));
  EXPECT_EQ(plan(1'000'000, 0.01, 4), (binary_fuse_shape{1'000'000, 8, 1, 4, 4096, 262}));
  EXPECT_LE(8.0 * static_cast<double>(plan(1'000'000, 0.01).bytes()), 9.05e6);
  EXPECT_LE(8.0 * static_cast<double>(plan(1'000'000, 0.01, 4).bytes()), 8.65e6);
  EXPECT_FALSE(binary_fuse_shape::plan({1000, 0.01}, {.arity = 5}));
  EXPECT_FALSE(binary_fuse_shape::plan({1000, 0.01}, {.segment_length = 64}));
}

TEST(binary_fuse_fields, case_13_shapes_that_are_none_are_refused) {
  const auto refused = [](std::array<std::uint64_t, 6> fields) { return !binary_fuse_shape::from_fields(fields); };
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_FALSE(refused({1000, 8, 1, 3, 128, 11}));
  EXPECT_FALSE(refused({0, 8, 0, 4, 0, 0}));
  EXPECT_TRUE(refused({1000, 12, 1, 3, 128, 11})) << "width";
  EXPECT_TRUE(refused({1000, 8, 1, 2, 128, 11})) << "arity";
  EXPECT_TRUE(refused({1000, 8, 1, (std::uint64_t{1} << 32) + 3, 128, 11})) << "an arity that is cut to one";
  EXPECT_TRUE(refused({1000, 8, 1, 3, 127, 11})) << "no power of two";
  EXPECT_TRUE(refused({1000, 8, 1, 3, 0, 11}));
  EXPECT_TRUE(refused({3, 8, 1, 3, 1, 3})) << "an offset of no bits";
  EXPECT_TRUE(refused({1000, 8, 1, 3, 128, 0}));
  EXPECT_TRUE(refused({1000, 8, 1, 3, 1 << 19, 11})) << "longer than its offsets reach";
  EXPECT_TRUE(refused({10, 8, 1, 3, 128, 2})) << "fewer segments than slots per key";
  EXPECT_TRUE(refused({10, 8, 1, 4, 128, 3}));
  EXPECT_TRUE(refused({1000, 8, 0, 3, 128, 11})) << "keys and no shards";
  EXPECT_TRUE(refused({0, 8, 1, 3, 128, 11})) << "shards and no keys";
  EXPECT_TRUE(refused({0, 8, 0, 3, 128, 11})) << "slots and no keys";
  EXPECT_TRUE(refused({1000, 8, 1, 3, 0, 0})) << "keys and no slots";
  EXPECT_TRUE(refused({1409, 8, 1, 3, 128, 11})) << "fewer slots than keys";
  EXPECT_TRUE(refused({1000, 8, 2 * math::max_shards, 3, 128, 11}));
  EXPECT_TRUE(refused({1000, 8, 3, 3, 128, 11})) << "shards that are not a power of two";
  EXPECT_TRUE(refused({1000, 8, 1, 3, 1 << 18, 1 << 14})) << "2^32 slots";
  EXPECT_TRUE(refused({1000, 8, 1, 3, 1 << 18, huge}));
  EXPECT_TRUE(refused({1000, 8, huge, 3, 1 << 18, 16}));
  EXPECT_TRUE(refused({huge, 8, 1, 3, 128, 11}));
  EXPECT_TRUE(refused({1000, 32, 1 << 20, 3, 1 << 18, 16})) << "beyond 2^40 bits";
}

}  // namespace
}  // namespace seen::testing
