// The key shapes other tests rest on: distinct, reproducible, and what their names say.
#include "../support/key_shapes.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace seen::testing {
namespace {

using namespace std::string_literals;

TEST(key_shapes, keys_are_what_their_shape_says) {
  EXPECT_EQ(make_key(key_shape::le64, 0x0102), "\2\1\0\0\0\0\0\0"s);
  EXPECT_EQ(make_key(key_shape::be64, 0x0102), "\0\0\0\0\0\0\1\2"s);
  EXPECT_EQ(make_key(key_shape::le32, 0x0102), "\2\1\0\0"s);
  EXPECT_EQ(make_key(key_shape::decimal, 18446744073709551615u), "18446744073709551615");
  EXPECT_EQ(make_key(key_shape::prefixed, 18446744073709551615u), "https://example.org/users/18446744073709551615");
  EXPECT_EQ(make_key(key_shape::stride256, 0x0102), "\0\2\1\0\0\0\0\0"s);
  EXPECT_EQ(make_key(key_shape::shifted, 0x0102), "\0\0\0\0\2\1\0\0"s);
  EXPECT_EQ(make_key(key_shape::random, 0).size(), 16u);
}

TEST(key_shapes, keys_are_distinct) {
  for (const key_shape shape : all_key_shapes) {
    std::set<std::string> keys;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      EXPECT_TRUE(keys.insert(make_key(shape, i)).second) << shape << ' ' << i;
    }
  }
}

TEST(key_shapes, keys_have_the_same_bytes_on_every_machine) {
  EXPECT_EQ(make_key(key_shape::random, 1), "\x50\x24\x84\xac\xdf\xe1\x3b\x80\x02\x09\x73\xa3\x2f\xe5\x26\xda"s);
  rng random(42);
  EXPECT_EQ(random(), 0xbdd7'3226'2feb'6e95);
}

}  // namespace
}  // namespace seen::testing
