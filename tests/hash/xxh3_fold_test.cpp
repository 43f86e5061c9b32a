// xxh3_fold: XXH3 for every length but one, and integers pinned. The pinned digests were computed by another program, from
// the definition at the top of hash/xxh3_fold.hpp.
#include <seen/hash/xxh3_fold.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "../support/key_shapes.hpp"
#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::golden_key;

constexpr std::uint64_t golden_ratio = 0x9e37'79b9'7f4a'7c15;
constexpr std::uint64_t all_ones = ~std::uint64_t{0};

TEST(xxh3_fold, is_xxh3_for_every_length_but_8) {
  for (const std::uint64_t seed : {std::uint64_t{0}, golden_ratio, all_ones}) {
    for (std::size_t length = 0; length < 600; ++length) {
      const auto key = golden_key(length);
      EXPECT_EQ(hash_key(xxh3_fold(seed), key) == hash_key(xxh3_64(seed), key), length != 8) << length;
    }
  }
}

TEST(xxh3_fold, integer_digests_are_pinned) {
  EXPECT_EQ(hash_key(xxh3_fold{}, 0).value, 0x618a'7773'5cdb'91e8);
  EXPECT_EQ(hash_key(xxh3_fold{}, 42).value, 0x4f47'7e58'1570'a2d0);
  EXPECT_EQ(hash_key(xxh3_fold{}, -1).value, 0xce83'4636'69cf'c450);
  EXPECT_EQ(hash_key(xxh3_fold{golden_ratio}, 0).value, 0xe233'107e'71ec'1b19);
  EXPECT_EQ(hash_key(xxh3_fold{golden_ratio}, 42).value, 0xeaf4'656f'e577'27d9);
  EXPECT_EQ(hash_key(xxh3_fold{golden_ratio}, -1).value, 0xf923'b0d1'7e3e'd504);
  EXPECT_EQ(hash_key(xxh3_fold{all_ones}, 0).value, 0x1544'3898'4d9b'15e6);
  EXPECT_EQ(hash_key(xxh3_fold{all_ones}, 42).value, 0x165a'45f7'24f2'cd5f);
  EXPECT_EQ(hash_key(xxh3_fold{all_ones}, -1).value, 0xeb17'b0f4'aa37'bb06);
}

TEST(xxh3_fold, a_hundred_thousand_integers_with_as_many_seeds_are_pinned) {
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) all = all * 31 + hash_key(xxh3_fold(i), i * golden_ratio).value;
  EXPECT_EQ(all, 0xaa57'c840'182c'40a9);
}

TEST(xxh3_fold, text_of_8_bytes_is_an_integer) {
  EXPECT_EQ(hash_key(xxh3_fold{}, "abcdefgh").value, 0x38ae'1756'e74e'1f70);
  EXPECT_EQ(hash_key(xxh3_fold{}, "abcdefgh"), hash_key(xxh3_fold{}, std::uint64_t{0x6867'6665'6463'6261}));
}

TEST(xxh3_fold, integers_hash_at_compile_time) {
  static_assert(xxh3_fold{}(integer_key{42}).value == 0x4f47'7e58'1570'a2d0);
}

TEST(xxh3_fold, its_check_value_depends_on_both_paths) {
  EXPECT_EQ(identity_of(xxh3_fold{}).check, 0xccee'3817'06a1'5589);
  EXPECT_EQ(identity_of(xxh3_64{}).check, 0xaf5b'3e49'8c73'8e13);
}

// 2^64 keys have 2^64 digests. The fold is not a bijection, so a few of them meet: as many as of random numbers, or fewer.
TEST(xxh3_fold, digests_of_a_counter_do_not_meet) {
  std::vector<std::uint64_t> digests;
  for (std::uint64_t i = 0; i < 4'000'000; ++i) digests.push_back(hash_key(xxh3_fold{}, i).value);
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end());
}

}  // namespace
}  // namespace seen
