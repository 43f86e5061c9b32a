// Tests what the vectors of pyprobables, pybloom-live and npm-bloom-filters do not ask: text, removal, growth, other
// encodings.
#include <seen/registry.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/error_code.hpp"
#include "support/foreign_vectors.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

const std::string golden = std::string(SEEN_TEST_DATA) + "/golden/";

result<any_filter> converted(result<any_filter> from, const char* format, const char* variant) {
  return std::move(from.value()).convert(format, variant);
}

// Files that the libraries themselves made of these keys, in this order: golden/generators/python/vectors.py.
TEST(python_formats, case_24_keys_of_every_length_with_bytes_beyond_ascii) {
  std::vector<std::string> keys;
  for (std::size_t n = 0; n < 32; ++n) {
    keys.emplace_back();
    for (std::size_t i = 0; i < n; ++i) keys.back() += static_cast<char>(0x80 + 17 * i + n);
  }
  for (std::size_t n = 1; n < 32; ++n) keys.emplace_back(n, '\xff');
  for (const std::size_t n : {224u, 225u, 1000u}) keys.emplace_back(n, '\xff');
  const auto check = [&](const char* format, double fpr, const std::string& file) {
    auto f = any_filter::make({.target = {100, fpr}, .format = format});
    ASSERT_TRUE(f) << f.error().detail;
    for (const auto& key : keys) ASSERT_TRUE(f->add(key));
    EXPECT_EQ(f->to_bytes().value(), read_bytes(golden + format + file));
  };
  check("pybloom-live", 0.1, "/tails_n100p0.1.bloom");
  check("pyprobables", 0.01, "/tails_n100p0.01.blm");
}

// The file was written by the library itself: golden/generators/python/vectors.py.
TEST(pyprobables, text_is_hashed_by_its_code_points) {
  const std::string path = golden + "pyprobables/text_n30p0.01.blm";
  const auto f = any_filter::load(path, {.key_type = "str"});
  ASSERT_TRUE(f) << f.error().detail;
  auto made = any_filter::make({.target = {30, 0.01}, .format = "pyprobables", .key_type = "str"});
  for (const char* const word : {"Ünïcødé ", "日本語 ", "😀 "}) {
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(f->may_contain(word + std::to_string(i))) << word << i;
      ASSERT_TRUE(made->add(word + std::to_string(i)));
    }
  }
  EXPECT_EQ(made->to_bytes().value(), read_bytes(path));
  EXPECT_FALSE(any_filter::load(path)->may_contain("日本語 1")) << "as bytes it is another key";
}

TEST(pyprobables, counters_are_lowered_and_the_keys_counted) {
  auto f = any_filter::make({.target = {100, 0.01}, .format = "pyprobables", .variant = "counting"});
  ASSERT_TRUE(f) << f.error().detail;
  ASSERT_TRUE(f->add("twice"));
  ASSERT_TRUE(f->add("twice"));
  EXPECT_EQ(f->count("twice").value(), 2u);
  EXPECT_TRUE(f->remove("twice").value());
  EXPECT_TRUE(f->may_contain("twice"));
  EXPECT_EQ(f->info().keys, 1);
  EXPECT_TRUE(f->remove("twice").value());
  EXPECT_FALSE(f->remove("twice").value());
  EXPECT_EQ(
      f->to_bytes().value(),
      any_filter::make({.target = {100, 0.01}, .format = "pyprobables", .variant = "counting"})->to_bytes().value());
}

TEST(pyprobables, a_filter_becomes_hexadecimal_and_back) {
  const std::string bytes = golden + "pyprobables/bloom_n137p0.01.blm",
                    text = golden + "pyprobables/bloom_n137p0.01.hex";
  const open_options named{.format = "pyprobables"};
  const auto hex = converted(any_filter::load(bytes, named), "pyprobables", "bloom-hex");
  ASSERT_TRUE(hex) << hex.error().detail;
  EXPECT_EQ(hex->to_bytes().value(), read_bytes(text));
  EXPECT_EQ(converted(any_filter::load(text, named), "pyprobables", "bloom")->to_bytes().value(), read_bytes(bytes));
  const auto counters =
      converted(any_filter::load(golden + "pyprobables/counting_n137p0.01.cbm", named), "pyprobables", "counting-hex");
  ASSERT_TRUE(counters) << counters.error().detail;
  const auto again = any_filter::from_bytes(counters->to_bytes().value());
  ASSERT_TRUE(again) << again.error().detail;
  EXPECT_EQ(again->kind(), "counting-bloom");
  EXPECT_EQ(code_of(converted(any_filter::load(bytes, named), "pyprobables", "cuckoo")), errc::unsupported);
}

TEST(pyprobables, a_cuckoo_filter_of_ours_keeps_every_key_until_it_is_full) {
  auto f = any_filter::make({.target = {64, 0.01}, .format = "pyprobables", .variant = "cuckoo"});
  ASSERT_TRUE(f) << f.error().detail;
  int added = 0;
  while (f->add("key " + std::to_string(added))) ++added;
  EXPECT_GT(added, 200);  // of 256 slots
  const auto again = any_filter::from_bytes(f->to_bytes().value());
  ASSERT_TRUE(again) << again.error().detail;
  for (int i = 0; i < added; ++i) ASSERT_TRUE(again->may_contain("key " + std::to_string(i))) << i;
}

TEST(pybloom_live, a_chain_whose_links_hash_differently_loses_no_key) {
  // The links have 137·4^i keys; from the fifth on numbers have 4 bytes, and more slices take larger digests.
  auto f = any_filter::make({.target = {137, 0.002}, .format = "pybloom-live", .variant = "scalable"});
  ASSERT_TRUE(f) << f.error().detail;
  constexpr int keys = 48'000;  // five links are full with 46,717, and some keys are taken for known
  for (int i = 0; i < keys; ++i) ASSERT_TRUE(f->add("key " + std::to_string(i)));
  const auto again = any_filter::from_bytes(f->to_bytes().value());
  ASSERT_TRUE(again) << again.error().detail;
  EXPECT_EQ(again->info().shape[0].value, 6u) << "links";
  int strangers = 0;
  for (int i = 0; i < keys; ++i) {
    ASSERT_TRUE(again->may_contain("key " + std::to_string(i))) << i;
    strangers += again->may_contain("stranger " + std::to_string(i));
  }
  EXPECT_LT(strangers, keys * 16 / 1000)
      << "six links of at most 0.2 % each are 1.2 %, 576 keys; 768 are eight sigma more";
  EXPECT_EQ(again->to_bytes().value(), f->to_bytes().value());
}

TEST(pybloom_live, the_digest_of_a_small_filter_is_named_by_the_caller) {
  const std::string path = golden + "pybloom-live/md5_n137p0.1.bloom";
  const auto expected = read_answers(path);
  const auto wrong = any_filter::load(path);  // as release 4 has it
  ASSERT_TRUE(wrong) << wrong.error().detail;
  std::size_t found = 0;
  for (const auto& key : expected.present) found += wrong->may_contain(key);
  EXPECT_LT(found, expected.present.size());
}

TEST(npm_bloom_filters, an_array_of_bits_is_read_and_written_too) {
  const std::string path = golden + "npm-bloom-filters/n137p0.01.json.filter";
  const auto array = converted(any_filter::load(path), "npm-bloom-filters", "array");
  ASSERT_TRUE(array) << array.error().detail;
  const auto again = any_filter::from_bytes(array->to_bytes().value());
  ASSERT_TRUE(again) << again.error().detail;
  EXPECT_EQ(again->origin().variant, "array");
  EXPECT_EQ(again->to_bytes().value(), array->to_bytes().value());
  for (const auto& key : read_answers(path).present) EXPECT_TRUE(again->may_contain(key));
  EXPECT_EQ(
      converted(any_filter::from_bytes(array->to_bytes().value()), "npm-bloom-filters", "base64")->to_bytes().value(),
      read_bytes(path));
}

}  // namespace
}  // namespace seen::testing
