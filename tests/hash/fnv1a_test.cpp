// FNV-1a 64, raw and finished by SplitMix64: the published answers, and one number for all lengths.
#include <seen/hash/fnv1a.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>

#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::folded_digests;

std::uint64_t raw(std::string_view key) {
  return hash_key(fnv1a_64{}, key).value;
}
std::uint64_t finished(std::string_view key) {
  return hash_key(fnv1a_64_splitmix{}, key).value;
}

// The first two are the vectors every implementation of the portable lab format must check.
TEST(seeds, V3_fnv1a_known_answers) {
  EXPECT_EQ(raw(""), 0xcbf2'9ce4'8422'2325);
  EXPECT_EQ(raw("foobar"), 0x8594'4171'f739'67e8);
  EXPECT_EQ(raw("a"), 0xaf63'dc4c'8601'ec8c);
  EXPECT_EQ(raw("key-0"), 0x7113'5bf2'95f2'8059);
}

TEST(fnv1a, splitmix64_known_answers) {
  static_assert(splitmix64(0) == 0xe220'a839'7b1d'cdaf);
  static_assert(splitmix64(0xdead'beef) == 0x4adf'b90f'68c9'eb9b);
}

TEST(fnv1a, finished_by_splitmix_known_answers) {
  EXPECT_EQ(finished(""), 0xc381'7c01'6ba4'ff30);
  EXPECT_EQ(finished("a"), 0x5f29'c2aa'dd9b'8527);
  EXPECT_EQ(finished("foobar"), 0x5df2'9541'3403'de4f);
  EXPECT_EQ(finished("key-0"), 0x7f56'990d'074d'07a4);
}

TEST(fnv1a, digests_of_all_lengths_to_600_are_pinned) {  // by a Python program of five lines
  const auto folded = [](auto h) { return folded_digests(600, [h](bytes_view key) { return h(key).value; }); };
  EXPECT_EQ(folded(fnv1a_64{}), 0x465d'c77c'7ffc'2b83);
  EXPECT_EQ(folded(fnv1a_64_splitmix{}), 0xb855'6971'14c2'0e2c);
}

TEST(fnv1a, hashing_in_pieces_equals_hashing_the_whole) {
  const auto key = testing::golden_key(100);
  for (std::size_t cut = 0; cut <= key.size(); ++cut) {
    const bytes_view whole(key);
    EXPECT_EQ(fnv1a_64_word(whole.subspan(cut), fnv1a_64_word(whole.first(cut))), fnv1a_64_word(whole)) << cut;
  }
}

TEST(fnv1a, takes_no_seed_but_zero) {
  EXPECT_EQ(fnv1a_64(0).seed(), 0u);
  EXPECT_THROW(fnv1a_64(1), std::invalid_argument);
  EXPECT_THROW(fnv1a_64_splitmix(1), std::invalid_argument);
}

}  // namespace
}  // namespace seen
