// Tests what single foreign formats do, beyond what foreign_test.cpp asks of all of them.
#include <seen/registry.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/error_code.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"
#include "support/vectors.hpp"

namespace seen::testing {
namespace {

std::string golden(const std::string& name) {
  return std::string(SEEN_TEST_DATA) + "/golden/" + name;
}

std::uint64_t field(const any_filter& f, std::string_view name) {
  for (const named_field& each : f.info().shape) {
    if (each.name == name) return each.value;
  }
  return 0;
}

void add_all_keys(any_filter& f) {
  const json keys = parse_file(golden("keys.json"));
  for (const auto& key : keys["added_hex"]) ASSERT_TRUE(f.add(unhex(key.get<std::string>())));
}

// --- keys

TEST(guava, integers_of_32_bits_are_asked_as_guava_asks_them) {
  const std::string path = golden("guava/int_n40p0.05.guava");
  const auto f = any_filter::load(path, {.format = "guava", .key_type = "int"}).value();
  const auto hits = parse_file(path + ".json")["probe_positives"].get<std::vector<std::uint32_t>>();
  for (std::uint32_t i = 0; i < 40; ++i) ASSERT_TRUE(f.may_contain(i * 0x9e37'79b1)) << i;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::uint32_t probe = i * 0x85eb'ca6b + 7;
    ASSERT_EQ(f.may_contain(probe), std::binary_search(hits.begin(), hits.end(), i)) << i;
    ASSERT_EQ(f.may_contain(static_cast<std::int32_t>(probe)), f.may_contain(probe)) << i;
  }
  auto made = any_filter::make({.target = {.capacity = 40, .fpr = 0.05}, .format = "guava", .key_type = "int"}).value();
  for (std::uint32_t i = 0; i < 40; ++i) ASSERT_TRUE(made.add(static_cast<std::int32_t>(i * 0x9e37'79b1)));
  EXPECT_EQ(made.to_bytes().value(), f.to_bytes().value());
}

TEST(datasketches, doubles_have_one_zero_and_one_nan) {
  auto f = any_filter::make({.target = {.capacity = 100, .fpr = 0.01}, .format = "datasketches", .key_type = "double"})
               .value();
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  ASSERT_TRUE(f.add(bits(-0.0)));
  ASSERT_TRUE(f.add(std::uint64_t{0xfff8'0000'0000'0001}));
  EXPECT_TRUE(f.may_contain(bits(0.0)));
  EXPECT_TRUE(f.may_contain(std::uint64_t{0x7ff8'0000'0000'0000}));
  EXPECT_FALSE(f.may_contain(bits(1.0)));
}

class takes_no_empty_key : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(all, takes_no_empty_key,
                         ::testing::Values(std::pair("hadoop", "bloom"), std::pair("hadoop", "counting"),
                                           std::pair("hadoop", "dynamic-jenkins"), std::pair("datasketches", "")));

TEST_P(takes_no_empty_key, which_is_refused_with_nothing_added_and_never_found) {
  const auto [format, variant] = GetParam();
  auto f = any_filter::make({.target = {.capacity = 20, .fpr = 0.1}, .format = format, .variant = variant}).value();
  const auto before = f.to_bytes().value();
  const std::vector<bytes_view> keys{as_key("a"), as_key(""), as_key("b")};
  EXPECT_EQ(code_of(f.add("")), errc::invalid_argument);
  EXPECT_EQ(code_of(f.test_and_add("")), errc::invalid_argument);
  EXPECT_EQ(code_of(f.add_many(keys)), errc::invalid_argument);
  EXPECT_EQ(f.to_bytes().value(), before);
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(f.add("key " + std::to_string(i)));  // until all else is claimed
  bool answers[3];
  EXPECT_EQ(f.may_contain_many(keys, answers), 2u);
  EXPECT_FALSE(answers[1]);
  EXPECT_FALSE(f.may_contain(""));
}

// --- what a file keeps

TEST(datasketches, the_number_of_set_bits_is_unknown_once_they_changed) {
  auto f = any_filter::load(golden("datasketches/n137p0.01_seed123_clean.dsbf"), {.format = "datasketches"}).value();
  ASSERT_TRUE(f.add("key-0"));  // it is there already
  EXPECT_EQ(std::to_integer<int>(f.to_bytes().value()[24]), 0xa3);
  ASSERT_TRUE(f.add("a key of ours"));
  EXPECT_EQ(std::to_integer<int>(f.to_bytes().value()[24]), 0xff);
  ASSERT_TRUE(f.clear());
  EXPECT_EQ(f.to_bytes().value(), read_bytes(golden("datasketches/empty_n137p0.01.dsbf")));
}

TEST(datasketches, an_empty_file_of_a_great_size_is_refused) {
  byte_vector bytes = read_bytes(golden("datasketches/empty_n137p0.01.dsbf"));
  bytes[19] = std::byte{0x7f};
  EXPECT_EQ(code_of(any_filter::from_bytes(bytes)), errc::corrupt);
}

TEST(dcso, keys_that_set_a_bit_are_counted_and_the_users_data_stays) {
  auto f = any_filter::load(golden("dcso/n137p01_data.bloom")).value();
  ASSERT_TRUE(f.add("key-0"));
  ASSERT_TRUE(f.add("a key of ours"));
  EXPECT_EQ(f.info().keys, 138);
  const byte_vector before = read_bytes(golden("dcso/n137p01_data.bloom")), after = f.to_bytes().value();
  EXPECT_EQ(std::to_integer<int>(after[40]), 138);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_TRUE(std::equal(before.end() - 24, before.end(), after.end() - 24));
}

// Except for the user's data, which is not ours to make.
TEST(dcso, the_same_keys_make_the_same_bytes) {
  auto f = any_filter::make({.target = {.capacity = 137, .fpr = 0.01}, .format = "dcso"}).value();
  add_all_keys(f);
  const byte_vector theirs = read_bytes(golden("dcso/n137p01_data.bloom")), ours = f.to_bytes().value();
  EXPECT_TRUE(std::equal(ours.begin(), ours.end(), theirs.begin()));
}

TEST(dcso, a_gzipped_file_is_told_to_be_unpacked) {
  const byte_vector packed{std::byte{0x1f}, std::byte{0x8b}, std::byte{8}};
  const auto opened = any_filter::from_bytes(packed, {.format = "dcso"});
  ASSERT_EQ(code_of(opened), errc::unsupported);
  EXPECT_NE(opened.error().detail.find("unpack it first"), std::string::npos);
}

TEST(libbloom, the_same_keys_make_the_same_bytes_but_for_the_pointer) {
  auto f = any_filter::make({.target = {.capacity = 1000, .fpr = 0.01}, .format = "libbloom"}).value();
  add_all_keys(f);
  byte_vector theirs = read_bytes(golden("libbloom/n1000p0.01.libbloom"));
  std::fill_n(theirs.begin() + 67, 8, std::byte{0});
  EXPECT_EQ(f.to_bytes().value(), theirs);
}

TEST(hadoop, a_counting_filter_forgets_and_a_dynamic_one_grows) {
  auto counting = any_filter::load(golden("hadoop/counting_murmur_m1003k5.hadoop")).value();
  const auto before = counting.to_bytes().value();
  ASSERT_TRUE(counting.add("a key of ours"));
  EXPECT_EQ(counting.count("a key of ours").value(), 1u);
  EXPECT_TRUE(counting.remove("a key of ours").value());
  EXPECT_EQ(counting.to_bytes().value(), before);
  auto dynamic = any_filter::load(golden("hadoop/dynamic_murmur_m503k5.hadoop")).value();
  EXPECT_EQ(field(dynamic, "links"), 4u);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(dynamic.add("a key of ours " + std::to_string(i)));
  EXPECT_EQ(field(dynamic, "links"), 6u);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(dynamic.may_contain("a key of ours " + std::to_string(i)));
}

// As BloomMapFile sizes it, whose rate is a float.
TEST(hadoop, a_rate_makes_five_probes_and_one_that_no_float_can_hold_is_refused) {
  make_options options{.target = {.capacity = 1000, .fpr = 0.005}, .format = "hadoop"};
  const auto f = any_filter::make(options).value();
  EXPECT_EQ(field(f, "probes"), 5u);
  EXPECT_EQ(field(f, "bits"), 11'751u);
  options.target.fpr = 1e-60;
  EXPECT_EQ(code_of(any_filter::make(options)), errc::too_large);
}

TEST(spark, only_the_second_version_has_a_seed_and_it_has_32_bits) {
  make_options options{.target = {.capacity = 10, .fpr = 0.01}, .seed = 1, .format = "spark", .variant = "V1"};
  EXPECT_EQ(code_of(any_filter::make(options)), errc::invalid_argument);
  options.variant = "V2";
  EXPECT_TRUE(any_filter::make(options));
  options.seed = 0x1'0000'0000;
  EXPECT_EQ(code_of(any_filter::make(options)), errc::invalid_argument);
}

// --- cassandra

// K and bucketsPerElement of BloomCalculations.computeBloomSpec(20, p) of cassandra-all 4.1.7.
TEST(cassandra, filters_have_the_size_that_cassandra_gives_them) {
  const struct {
    double fpr;
    std::uint64_t probes, bits_per_key;
  } specs[] = {{0.5, 2, 1},    {0.393, 2, 1},  {0.3, 1, 3},    {0.2, 2, 4},    {0.1, 3, 5},
               {0.0919, 2, 6}, {0.05, 3, 7},   {0.03, 4, 8},   {0.01, 5, 10},  {0.005, 5, 12},
               {0.001, 7, 15}, {5e-4, 10, 16}, {1e-4, 10, 20}, {7e-5, 13, 20}, {6.71e-5, 14, 20}};
  for (const auto& spec : specs) {
    const auto f = any_filter::make({.target = {.capacity = 1000, .fpr = spec.fpr}, .format = "cassandra"}).value();
    EXPECT_EQ(field(f, "probes"), spec.probes) << spec.fpr;
    EXPECT_EQ(field(f, "bits"), round_up(1000 * spec.bits_per_key + 20, 64)) << spec.fpr;
  }
  EXPECT_EQ(code_of(any_filter::make({.target = {.capacity = 1000, .fpr = 6.7e-5}, .format = "cassandra"})),
            errc::invalid_argument);
}

TEST(cassandra, one_layout_becomes_the_other) {
  auto old = any_filter::load(golden("cassandra/n137p0.01-la-Filter.db"), {.format = "cassandra", .variant = "old"});
  ASSERT_TRUE(old);
  const auto now = std::move(*old).convert("cassandra", "new").value();
  EXPECT_EQ(now.to_bytes().value(), read_bytes(golden("cassandra/n137p0.01-na-Filter.db")));
  auto other = any_filter::load(golden("guava/n30p0.1.guava"), {.format = "guava"}).value();
  EXPECT_EQ(code_of(std::move(other).convert("cassandra")), errc::unsupported);
}

}  // namespace
}  // namespace seen::testing
