#include <seen/base/names.hpp>

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace seen::testing {
namespace {

constexpr std::array<std::string_view, 6> names{"blocked-bloom", "bloom", "cuckoo", "growing-cuckoo", "ribbon", "xor"};

TEST(names, a_dash_and_an_underscore_are_one_letter) {
  EXPECT_TRUE(is_same_name("blocked_bloom", "blocked-bloom"));
  EXPECT_TRUE(is_same_name("xor", "xor"));
  EXPECT_FALSE(is_same_name("xor", "xor-"));
  EXPECT_FALSE(is_same_name("Xor", "xor"));
  EXPECT_FALSE(is_same_name("", "xor"));
}

TEST(names, the_nearest_is_found_through_every_kind_of_slip) {
  for (const std::string_view word : {"cukoo", "cuckooo", "cuckou", "cukcoo", "CUCKOO", "cuckoo", "cuck"}) {
    EXPECT_EQ(nearest(word, names), "cuckoo") << word;
  }
  EXPECT_EQ(nearest("blocked_blom", names), "blocked-bloom");
  EXPECT_EQ(nearest("xro", names), "xor");
}

TEST(names, more_than_a_third_of_wrong_letters_is_another_word) {
  EXPECT_EQ(nearest("ribbed", names), "ribbon");  // two of six
  EXPECT_EQ(nearest("rubber", names), "");        // three
  EXPECT_EQ(nearest("xx", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("xor", {}), "");
}

TEST(names, a_beginning_is_taken_for_the_name_if_it_is_the_beginning_of_one) {
  EXPECT_EQ(nearest("grow", names), "growing-cuckoo");
  EXPECT_EQ(nearest("bl", names), "");  // of two
  EXPECT_EQ(nearest("g", names), "");   // a letter says too little
}

TEST(names, the_end_of_a_message) {
  EXPECT_EQ(did_you_mean("xro", names), "; did you mean xor?");
  EXPECT_EQ(did_you_mean("elephant", names), "");
}

}  // namespace
}  // namespace seen::testing
