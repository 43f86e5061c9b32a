// Tests what files of the Go libraries have beyond the vectors: every encoding, from one to the other, and odd lengths.
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

byte_vector golden(const std::string& file) {
  return read_bytes(std::string(SEEN_TEST_DATA) + "/golden/" + file);
}

any_filter opened(const byte_vector& bytes, const std::string& format, const std::string& hash = {}) {
  auto f = any_filter::from_bytes(bytes, {.format = format, .hash = hash});
  if (!f) throw std::runtime_error(f.error().detail);
  return std::move(*f);
}

void add_be(byte_vector& bytes, std::uint64_t x) {
  for (int i = 7; i >= 0; --i) bytes.push_back(static_cast<std::byte>(x >> (8 * i)));
}

TEST(bits_and_blooms, every_encoding_becomes_every_other_and_comes_back) {
  const byte_vector original = golden("bits-and-blooms/n137p01.bin");
  const auto& variants = (*find_format("bits-and-blooms"))->variants;
  for (const std::string_view variant : variants) {
    auto other = opened(original, "bits-and-blooms").convert("bits-and-blooms", variant);
    ASSERT_TRUE(other) << other.error().detail;
    EXPECT_EQ(other->origin().variant, variant);
    const byte_vector bytes = other->to_bytes().value();
    const auto again = opened(bytes, "bits-and-blooms");
    EXPECT_EQ(again.origin().variant, variant);
    EXPECT_EQ(again.to_bytes().value(), bytes);
    EXPECT_EQ(opened(bytes, "bits-and-blooms").convert("willf", "binary")->to_bytes().value(), original) << variant;
  }
  for (const auto& [file, variant] : {std::pair("n137p01.json.filter", "json"),
                                      {"n137p01.gob", "gob"},
                                      {"n137p01.bitset-le.bin", "binary-le"},
                                      {"n137p01.std.json.filter", "json-std"}}) {
    const auto made =
        opened(original, "bits-and-blooms").convert("bits-and-blooms", variant).value().to_bytes().value();
    EXPECT_EQ(made, golden(std::string("bits-and-blooms/") + file));
  }
}

// A process that has encoded nothing else numbers its type 64, the one of the vector 65.
TEST(bits_and_blooms, a_gob_that_becomes_a_gob_keeps_the_definitions_of_its_process) {
  const byte_vector usual = golden("bits-and-blooms/n137p01.gob");
  byte_vector other;
  for (const int x : {0x09, 0x7f, 0x05, 0x01, 0x02, 0xff, 0x82, 0x00, 0x00, 0x00, 0xff, 0xc5, 0xff, 0x80}) {
    other.push_back(static_cast<std::byte>(x));
  }
  other.insert(other.end(), usual.begin() + 15, usual.end());
  for (const char* const variant : {"", "gob"}) {
    EXPECT_EQ(opened(other, "bits-and-blooms").convert("bits-and-blooms", variant)->to_bytes().value(), other);
  }
  EXPECT_EQ(opened(other, "bits-and-blooms").convert("willf", "gob")->to_bytes().value(), usual);
}

TEST(bits_and_blooms, the_set_of_bits_grows_to_the_highest_that_is_set) {
  byte_vector bytes;
  for (const std::uint64_t field : {1000u, 3u, 0u}) add_be(bytes, field);
  auto f = opened(bytes, "bits-and-blooms");
  EXPECT_EQ(f.to_bytes().value(), bytes);
  EXPECT_FALSE(f.may_contain("alice"));
  ASSERT_TRUE(f.add("alice"));
  const byte_vector grown = f.to_bytes().value();
  EXPECT_GT(grown.size(), bytes.size());
  EXPECT_TRUE(opened(grown, "bits-and-blooms").may_contain("alice"));
  EXPECT_EQ(opened(grown, "bits-and-blooms").to_bytes().value(), grown);
}

TEST(bits_and_blooms, a_modulus_far_beyond_the_bits_or_bits_beyond_the_set_are_refused) {
  byte_vector vast;
  for (const std::uint64_t field : {std::uint64_t{1} << 39, std::uint64_t{3}, std::uint64_t{0}}) add_be(vast, field);
  EXPECT_EQ(code_of(any_filter::from_bytes(vast, {.format = "bits-and-blooms"})), errc::corrupt);
  byte_vector stray;
  for (const std::uint64_t field : {1000u, 3u, 10u, 1u << 10}) add_be(stray, field);
  EXPECT_EQ(code_of(any_filter::from_bytes(stray, {.format = "bits-and-blooms"})), errc::corrupt);
}

TEST(bits_and_blooms, filters_with_arrays_of_two_lengths_are_not_merged) {
  byte_vector usual, longer;
  for (const std::uint64_t field : {64u, 3u, 64u, 5u}) add_be(usual, field);
  for (const std::uint64_t field : {64u, 3u, 640u, 5u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 7u}) add_be(longer, field);
  auto a = opened(usual, "bits-and-blooms"), b = opened(longer, "bits-and-blooms");
  EXPECT_EQ(code_of(a.merge(b)), errc::incompatible);
  EXPECT_EQ(code_of(b.merge(a)), errc::incompatible);
  EXPECT_EQ(code_of(b.intersect(a)), errc::incompatible);
  EXPECT_EQ(b.to_bytes().value(), longer);
}

TEST(willf, version_2_0_0_hashed_otherwise) {
  const std::string path = std::string(SEEN_TEST_DATA) + "/golden/willf/n137p01.fnv.bin";
  const byte_vector bytes = read_bytes(path);
  const auto f = opened(bytes, "willf", "fnv1a-64");
  const auto expected = read_answers(path);
  for (const auto& key : expected.present) ASSERT_TRUE(f.may_contain(key)) << key;
  for (const auto& [key, answer] : expected.others) ASSERT_EQ(f.may_contain(key), answer) << key;
  EXPECT_EQ(f.to_bytes().value(), bytes);
  EXPECT_EQ(code_of(opened(bytes, "willf", "fnv1a-64").convert("bits-and-blooms")), errc::unsupported);
}

TEST(boomfilters, every_type_with_and_without_a_gob_around_it) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"classic", "classic_n137p01.bin"},         {"counting", "counting_b4_n137p01.bin"},
      {"partitioned", "partitioned_n137p01.bin"}, {"scalable", "scalable_h30p01r0.8.bin"},
      {"stable", "stable_m4000d3p01.bin"},        {"inverse", "inverse_c64.bin"}};
  for (const auto& [variant, file] : files) {
    const byte_vector bytes = golden("boomfilters/" + file);
    auto framed = opened(bytes, "boomfilters").convert("boomfilters", variant + "-gob");
    ASSERT_TRUE(framed) << framed.error().detail;
    const byte_vector stream = framed->to_bytes().value();
    EXPECT_NE(stream, bytes);
    auto back = opened(stream, "boomfilters");
    EXPECT_EQ(back.origin().variant, variant + "-gob");
    EXPECT_EQ(back.to_bytes().value(), stream);
    EXPECT_EQ(std::move(back).convert("boomfilters", variant)->to_bytes().value(), bytes);
  }
  EXPECT_EQ(code_of(opened(golden("boomfilters/inverse_c64.bin"), "boomfilters").convert("boomfilters", "stable")),
            errc::unsupported);
}

TEST(boomfilters, every_type_is_made_saved_and_opened) {
  for (const std::string_view variant : (*find_format("boomfilters"))->variants) {
    auto f = any_filter::make(
        {.target = {.capacity = 5000, .fpr = 0.01}, .format = "boomfilters", .variant = std::string(variant)});
    ASSERT_TRUE(f) << f.error().detail;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(f->add("key " + std::to_string(i)));
    const byte_vector bytes = f->to_bytes().value();
    const auto back = opened(bytes, "boomfilters");
    EXPECT_EQ(back.origin().variant, variant);
    EXPECT_EQ(back.to_bytes().value(), bytes);
    std::size_t there = 0;
    for (int i = 0; i < 100; ++i) there += back.may_contain("key " + std::to_string(i));
    EXPECT_TRUE(variant.starts_with("stable") || variant.starts_with("inverse") ? there > 50 : there == 100) << there;
    EXPECT_TRUE(back.may_contain("key 99"));
  }
}

TEST(boomfilters, a_stable_filter_forgets_and_an_inverse_one_never_claims_what_it_has_not) {
  auto stable =
      any_filter::make({.target = {.capacity = 500, .fpr = 0.01}, .format = "boomfilters", .variant = "stable"});
  auto inverse = any_filter::make({.target = {.capacity = 500}, .format = "boomfilters", .variant = "inverse"});
  ASSERT_TRUE(stable && inverse);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(stable->add(i) && inverse->add(i));
    ASSERT_TRUE(stable->may_contain(i) && inverse->may_contain(i)) << i;
  }
  std::size_t remembered = 0, claimed = 0;
  for (int i = 0; i < 4000; ++i) remembered += stable->may_contain(i);
  for (int i = 5000; i < 9000; ++i) claimed += inverse->may_contain(i);
  EXPECT_LT(remembered, 2000u);
  EXPECT_EQ(claimed, 0u);
}

// m/n ln 2 is 31 and the least bit here, if it is divided first.
TEST(phrozen, sizes_are_divided_before_they_are_multiplied_unlike_those_of_bits_and_blooms) {
  const auto probes_of = [](const char* format) {
    const auto f = any_filter::make({.target = {.capacity = 4'759'404, .fpr = 0x1p-31}, .format = format});
    EXPECT_EQ(f->info().shape[0], (named_field{"bits", 212'857'425}));
    return f->info().shape[1].value;
  };
  EXPECT_EQ(probes_of("phrozen"), 32u);
  EXPECT_EQ(probes_of("bits-and-blooms"), 31u);
}

TEST(boomfilters, counters_count_and_forget) {
  auto f = opened(golden("boomfilters/counting_b4_n137p01.bin"), "boomfilters");
  const double before = f.info().keys;
  ASSERT_TRUE(f.add("alice"));
  EXPECT_EQ(f.info().keys, before + 1);
  EXPECT_TRUE(f.remove("alice").value());
  EXPECT_EQ(f.info().keys, before);
  EXPECT_EQ(f.to_bytes().value(), golden("boomfilters/counting_b4_n137p01.bin"));
}

}  // namespace
}  // namespace seen::testing
