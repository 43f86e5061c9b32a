// Whose file it is: what each claim takes, what two claims are, and what may be done with a file whose format was guessed.
// tests/rates/detection_test.cpp asks it of files by the hundred thousand.
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

#include "support/error_code.hpp"
#include "support/foreign_vectors.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

std::string golden(const std::string& name) {
  return std::string(SEEN_TEST_DATA) + "/golden/" + name;
}

detection said(const char* format, const byte_vector& bytes) {
  return (*find_format(format))->detect(source::of(bytes));
}

any_filter made(const make_options& options, const std::vector<std::string>& keys) {
  auto f = any_filter::make(options);
  if (!f) throw std::runtime_error(f.error().detail);
  for (const auto& key : keys) {
    if (!f->add(key)) throw std::runtime_error(key);
  }
  return std::move(*f);
}

void put_le(byte_vector& to, std::uint64_t number, int bytes = 8) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<std::byte>(number >> (8 * i)));
}
void put_be(byte_vector& to, std::uint64_t number, int bytes = 8) {
  for (int i = bytes; i-- > 0;) to.push_back(static_cast<std::byte>(number >> (8 * i)));
}
// Words at random: a filter that is half full.
void put_words(byte_vector& to, std::size_t words) {
  std::uint64_t x = 0x9e37'79b9'7f4a'7c15;
  for (std::size_t i = 0; i < words; ++i) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    put_le(to, x);
  }
}

// --- files that were once taken for another library's

struct sparse_file {
  const char* name;
  make_options options;
  std::vector<std::string> keys;
};

TEST(detection, a_file_of_few_keys_is_not_taken_for_another_librarys) {
  const sparse_file files[] = {
      {"guava_as_pyprobables", {.target = {23, 0.01}, .format = "guava"}, {"18"}},
      {"rust_as_pyprobables", {.target = {57, 0.01}, .format = "rust-bloomfilter"}, {"389"}},
      {"spark_as_pyprobables", {.target = {57, 0.001}, .format = "spark", .variant = "V1"}, {"599"}},
      {"seiflotfy_as_phrozen", {.target = {20, 0.01}, .format = "seiflotfy-cuckoo", .variant = "plain"}, {"62", "63"}},
      {"cassandra_as_spark", {.target = {50, 0.5}, .format = "cassandra"}, {"105"}},
      {"portable_as_pyprobables", {.target = {40, 0.05}, .format = "portable"}, {"315"}},
      {"redis_cuckoo_as_pyprobables",
       {.target = {4, 0.01}, .format = "redisbloom", .variant = "cuckoo"},
       {"3097", "3098"}},
  };
  for (const sparse_file& each : files) {
    SCOPED_TRACE(each.name);
    const auto bytes = made(each.options, each.keys).to_bytes().value();
    const auto opened = any_filter::from_bytes(bytes);
    if (opened) {
      EXPECT_EQ(opened->format(), each.options.format);
      for (const auto& key : each.keys) EXPECT_TRUE(opened->may_contain(key)) << key;
    } else {
      EXPECT_EQ(opened.error().code, errc::not_recognised);
      EXPECT_NE(opened.error().detail.find(each.options.format), std::string::npos) << opened.error().detail;
    }
    const auto named = any_filter::from_bytes(bytes, {.format = each.options.format});
    ASSERT_TRUE(named);
    for (const auto& key : each.keys) EXPECT_TRUE(named->may_contain(key)) << key;
  }
}

TEST(detection, numbers_and_words_of_nobodys_are_opened_by_name_alone) {
  byte_vector little, big;
  put_le(little, 1344), put_le(little, 7), put_words(little, 21);
  put_be(big, 137), put_be(big, 7), put_be(big, 1344), put_words(big, 21);
  EXPECT_EQ(said("phrozen", little), detection::fitting);
  EXPECT_EQ(said("bits-and-blooms", big), detection::fitting);
  for (const auto& [bytes, format] : {std::pair(little, "phrozen"), std::pair(big, "bits-and-blooms")}) {
    const auto opened = any_filter::from_bytes(bytes);
    ASSERT_FALSE(opened) << opened->format();
    EXPECT_EQ(opened.error().code, errc::not_recognised);
    EXPECT_NE(opened.error().detail.find(format), std::string::npos) << opened.error().detail;
    EXPECT_TRUE(any_filter::from_bytes(bytes, {.format = format}));
  }
}

TEST(detection, two_claims_are_listed_and_neither_is_opened) {
  // The k and m of the portable format before random bits, and RocksDB's k and number of lines after them.
  const std::uint64_t lines = 24, size = 64 * lines + 5;
  byte_vector both;
  put_le(both, 7, 4), put_le(both, 8 * (size - 12)), put_words(both, size / 8);
  both.resize(size - 5);
  put_le(both, 6, 1), put_le(both, lines, 4);
  ASSERT_EQ(said("portable", both), detection::likely);
  ASSERT_EQ(said("rocksdb", both), detection::likely);
  const auto opened = any_filter::from_bytes(both);
  ASSERT_FALSE(opened) << opened->format();
  EXPECT_EQ(opened.error().code, errc::not_recognised);
  EXPECT_NE(opened.error().detail.find("it could be portable, rocksdb"), std::string::npos) << opened.error().detail;
  both.back() = std::byte{1};
  EXPECT_EQ(any_filter::from_bytes(both)->format(), "portable");
}

// --- single claims

TEST(detection, a_guava_file_has_probes) {
  byte_vector bytes = read_bytes(golden("guava/n137p0.01.guava"));
  EXPECT_EQ(said("guava", bytes), detection::likely);
  bytes[1] = std::byte{0};
  EXPECT_EQ(said("guava", bytes), detection::no);
}

TEST(detection, a_datasketches_file_has_no_flags_but_the_empty_one) {
  byte_vector bytes = read_bytes(golden("datasketches/n137p0.01_seed123.dsbf"));
  EXPECT_EQ(said("datasketches", bytes), detection::certain);
  for (const unsigned flag : {1U, 2U, 8U, 64U}) {
    byte_vector other = bytes;
    other[3] |= static_cast<std::byte>(flag);
    EXPECT_EQ(said("datasketches", other), detection::no) << flag;
  }
}

TEST(detection, text_is_no_leveldb_filter_and_neither_are_eight_bytes) {
  byte_vector text;
  for (const char c : std::string("alice\nbob\ncarol\n")) text.push_back(static_cast<std::byte>(c));  // ends with a 10
  EXPECT_EQ(said("leveldb", text), detection::no);
  byte_vector few(8, std::byte{0x81});
  few.back() = std::byte{6};
  EXPECT_EQ(said("leveldb", few), detection::no);
  few.insert(few.begin(), std::byte{0x81});
  EXPECT_EQ(said("leveldb", few), detection::possible);
}

// It does not say who hashed its keys: willf 2.0.0 wrote the same files with another hash.
TEST(detection, a_bits_and_blooms_file_says_m_twice) {
  byte_vector bytes = read_bytes(golden("bits-and-blooms/n137p01.bin"));
  EXPECT_EQ(said("bits-and-blooms", bytes), detection::likely);
  EXPECT_EQ(said("willf", bytes), detection::possible);
  bytes[6] = std::byte{4};  // another m
  EXPECT_EQ(said("bits-and-blooms", bytes), detection::fitting);
  byte_vector gob = read_bytes(golden("bits-and-blooms/n137p01.gob"));
  EXPECT_EQ(said("bits-and-blooms", gob), detection::likely);
}

// Little-endian m and k, then whole words or ceil(m/8) bytes, with a byte for a version in front or without: descriptions say so,
// the library never did.
TEST(detection, a_bits_and_blooms_file_laid_out_as_some_descriptions_say_is_refused) {
  for (const std::uint64_t planned : {1u, 7u, 137u, 1000u, 5000u}) {
    for (const double fpr : {0.3, 0.01, 1e-6}) {
      for (const std::uint64_t keys : {std::uint64_t{1}, planned / 2 + 1, 3 * planned}) {
        auto f =
            any_filter::make({.target = {planned, fpr}, .format = "bits-and-blooms", .variant = "binary-le"}).value();
        for (std::uint64_t key = 0; key < keys; ++key) ASSERT_TRUE(f.add("key-" + std::to_string(key)));
        const byte_vector real = f.to_bytes().value();
        byte_vector described;
        std::reverse_copy(real.begin(), real.begin() + 8, std::back_inserter(described));       // m
        std::reverse_copy(real.begin() + 8, real.begin() + 16, std::back_inserter(described));  // k
        const auto m = load_le<std::uint64_t>(described.data());
        described.insert(described.end(), real.begin() + 24, real.end());
        byte_vector bare(described.begin(), described.begin() + static_cast<std::ptrdiff_t>(16 + (m + 7) / 8)),
            tagged = bare;
        tagged.insert(tagged.begin(), std::byte{1});
        for (const byte_vector* bytes : {&described, &bare, &tagged}) {
          SCOPED_TRACE(std::to_string(m) + " bits, " + std::to_string(bytes->size()) + " bytes");
          EXPECT_FALSE(any_filter::from_bytes(*bytes));
          for (const char* const name : {"bits-and-blooms", "willf"}) {
            EXPECT_EQ(code_of(any_filter::from_bytes(*bytes, {.format = name})), errc::corrupt);
          }
        }
        EXPECT_NE(any_filter::from_bytes(described, {.format = "willf"}).error().detail.find("three big-endian"),
                  std::string::npos);
      }
    }
  }
}

TEST(detection, json_of_the_same_names_is_not_enough) {
  const std::string text = R"({"m":1314,"k":7,"b":"AAAAAAAAAAEAAAAAAAAAAQ=="})";
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_EQ(said("bits-and-blooms", byte_vector(bytes.begin(), bytes.end())), detection::fitting);
}

TEST(detection, pyprobables_numbers_agree_with_the_bits_that_are_set) {
  byte_vector bytes = read_bytes(golden("pyprobables/bloom_n137p0.01.blm"));
  EXPECT_EQ(said("pyprobables", bytes), detection::certain);
  bytes[bytes.size() - 12] = std::byte{3};  // 3 adds cannot have set so many bits
  EXPECT_EQ(said("pyprobables", bytes), detection::fitting);
  // A xor filter of three keys, whose last slots make 17 keys, millions of adds and a rate.
  constexpr std::array<std::uint8_t, 48> xor_filter{
      0x67, 0x34, 0xd2, 0x37, 0x25, 0xb2, 0xf6, 0x6d, 8, 0, 0, 0, 1, 0, 0,    0, 8, 0, 0, 0, 0x18, 0, 0,    0,
      0,    0,    0,    0,    17,   0,    0,    0,    0, 0, 0, 0, 0, 0, 0xd3, 0, 0, 0, 0, 0, 0,    0, 0xf5, 0x3a};
  const auto raw = std::as_bytes(std::span(xor_filter));
  EXPECT_EQ(said("pyprobables", byte_vector(raw.begin(), raw.end())), detection::fitting);
}

TEST(detection, probes_that_no_sizing_gives_are_no_sparks_and_no_guavas) {
  byte_vector spark, guava;
  put_be(spark, 1, 4), put_be(spark, 240, 4), put_be(spark, 4, 4), put_words(spark, 4);  // a version, m and k
  put_be(guava, 1, 1), put_be(guava, 65, 1), put_be(guava, 40, 4), put_words(guava, 40);
  EXPECT_EQ(said("spark", spark), detection::fitting);
  EXPECT_EQ(said("guava", guava), detection::fitting);
  guava[1] = std::byte{64};
  EXPECT_EQ(said("guava", guava), detection::likely);
}

TEST(detection, a_xor_filter_has_a_slot_in_use_for_every_key) {
  byte_vector bytes = read_bytes(golden("xor-singleheader/xor16_pack.bin"));
  bytes.resize(bytes.size() + 8);
  EXPECT_LE(said("xor-singleheader", bytes), detection::fitting);
  const auto opened = any_filter::from_bytes(bytes);
  EXPECT_FALSE(opened) << opened->origin().variant;
}

TEST(detection, a_bloom_filter_of_willfs_first_files_loses_its_keys_as_a_guess_alone) {
  std::vector<std::string> keys;
  for (int i = 0; i < 1000; ++i) keys.push_back("key " + std::to_string(i));
  for (const std::string variant : {"binary", "json", "gob", "binary-le", "gob-le", "json-std"}) {
    SCOPED_TRACE(variant);
    const auto made_by = hash_id::fnv1a_64;
    auto file = made({.target = {1000, 0.01}, .hash = made_by, .format = "willf", .variant = variant}, keys);
    const auto bytes = file.to_bytes().value();
    auto opened = any_filter::from_bytes(bytes).value();
    EXPECT_EQ(opened.origin().recognised, recognition::guessed);
    EXPECT_EQ(code_of(opened.add("alice")), errc::not_recognised);
    const auto named = any_filter::from_bytes(bytes, {.format = "willf", .hash = "fnv1a-64"}).value();
    for (const auto& key : keys) ASSERT_TRUE(named.may_contain(key)) << key;
  }
}

TEST(detection, a_format_that_leaves_hash_or_keys_open_is_proven_once_they_are_said) {
  const std::string path = golden("datasketches/n137p0.01_seed123.dsbf");
  EXPECT_EQ(any_filter::load(path)->origin().recognised, recognition::guessed);
  EXPECT_EQ(any_filter::load(path, {.key_type = "utf8"})->origin().recognised, recognition::proven);
  EXPECT_EQ(any_filter::load(path, {.format = "datasketches"})->origin().recognised, recognition::named);
}

// --- guesses

TEST(guessed, a_filter_whose_format_was_guessed_is_asked_and_not_changed) {
  const std::string path = golden("guava/n137p0.01.guava");
  auto f = any_filter::load(path).value();
  EXPECT_EQ(f.origin().recognised, recognition::guessed);
  EXPECT_EQ(f.info().origin.recognised, recognition::guessed);
  EXPECT_EQ(any_filter::inspect(path)->origin.recognised, recognition::guessed);
  for (const auto& key : read_answers(path).present) ASSERT_TRUE(f.may_contain(key)) << key;
  const auto before = f.to_bytes().value();
  EXPECT_EQ(before, read_bytes(path));
  const std::string text = "alice";
  const bytes_view key = std::as_bytes(std::span(text));
  const std::uint64_t number = 7;
  EXPECT_EQ(code_of(f.add("alice")), errc::not_recognised);
  EXPECT_EQ(code_of(f.test_and_add("alice")), errc::not_recognised);
  EXPECT_EQ(code_of(f.remove("alice")), errc::not_recognised);
  EXPECT_EQ(code_of(f.add_many(std::span(&key, 1))), errc::not_recognised);
  EXPECT_EQ(code_of(f.add_many(std::span(&number, 1))), errc::not_recognised);
  EXPECT_EQ(code_of(f.add(digest(1))), errc::not_recognised);
  EXPECT_EQ(code_of(f.clear()), errc::not_recognised);
  EXPECT_EQ(code_of(f.advance(1)), errc::not_recognised);
  EXPECT_EQ(code_of(f.shrink_to_fpr(0.1)), errc::not_recognised);
  auto named = any_filter::load(path, {.format = "guava"}).value();
  EXPECT_EQ(code_of(f.merge(named)), errc::not_recognised);
  EXPECT_EQ(code_of(f.intersect(named)), errc::not_recognised);
  EXPECT_EQ(f.to_bytes().value(), before);
  const auto refused = f.add("alice").error().detail;
  EXPECT_EQ(
      refused,
      "add: this looks like a guava file, but its content does not prove its format and key type: name the format");
}

TEST(guessed, nor_is_it_merged_into_another_or_converted) {
  const std::string path = golden("guava/n137p0.01.guava");
  const auto guessed = any_filter::load(path).value();
  auto named = any_filter::load(path, {.format = "guava"}).value();
  EXPECT_EQ(named.origin().recognised, recognition::named);
  const auto before = named.to_bytes().value();
  EXPECT_EQ(code_of(named.merge(guessed)), errc::not_recognised);
  EXPECT_EQ(code_of(named.intersect(guessed)), errc::not_recognised);
  EXPECT_EQ(named.to_bytes().value(), before);
  auto copied = guessed.copy().value();
  EXPECT_EQ(code_of(copied.add("alice")), errc::not_recognised);
  EXPECT_EQ(code_of(std::move(copied).convert("guava")), errc::not_recognised);
  EXPECT_TRUE(named.add("alice"));
  EXPECT_TRUE(named.merge(any_filter::load(path, {.format = "guava"}).value()));
}

TEST(guessed, what_is_proven_made_or_named_is_changed) {
  auto proven = any_filter::load(golden("libbloom/n1000p0.01.libbloom")).value();
  EXPECT_EQ(proven.origin().recognised, recognition::proven);
  EXPECT_TRUE(proven.add("alice"));
  auto fresh = made({.target = {137, 0.01}, .format = "guava"}, {"alice"});
  EXPECT_EQ(fresh.origin().recognised, recognition::named);
  auto native = made({.target = {137, 0.01}}, {"alice"});
  auto again = any_filter::from_bytes(native.to_bytes().value()).value();
  EXPECT_EQ(again.origin().recognised, recognition::proven);
  EXPECT_TRUE(again.merge(native));
}

// --- the alphabets of JSON

TEST(alphabet, one_that_was_made_or_named_stays) {
  for (const char* format : {"bits-and-blooms", "willf"}) {
    for (const std::string variant : {"json", "json-std", "json-le", "json-std-le"}) {
      SCOPED_TRACE(std::string(format) + " " + variant);
      auto f = made({.target = {300, 0.01}, .format = format, .variant = variant}, {});
      auto empty = f.to_bytes().value();
      auto named = any_filter::from_bytes(empty, {.format = format, .variant = variant}).value();
      auto unnamed = any_filter::from_bytes(empty, {.format = format}).value();
      for (auto* each : {&f, &named, &unnamed}) {
        for (int i = 0; i < 300; ++i) ASSERT_TRUE(each->add("key " + std::to_string(i)));
      }
      const auto full = f.to_bytes().value();
      const auto has = [&](char c) { return std::find(full.begin(), full.end(), std::byte(c)) != full.end(); };
      EXPECT_EQ(has('+') || has('/'), variant.find("std") != variant.npos);
      EXPECT_EQ(has('-') || has('_'), variant.find("std") == variant.npos);
      EXPECT_EQ(named.to_bytes().value(), full);
      EXPECT_EQ(named.origin().variant, variant);
      // A file that did not tell its alphabet is not written in one that its program might not read.
      const auto refused = unnamed.to_bytes();
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, errc::unsupported);
      EXPECT_NE(refused.error().detail.find("alphabet"), std::string::npos) << refused.error().detail;
      // Once it tells, it need not be named, and is not named wrongly.
      EXPECT_EQ(any_filter::from_bytes(full, {.format = format})->origin().variant, variant);
      const std::string other = variant.find("std") == variant.npos ? "json-std" : "json";
      EXPECT_EQ(code_of(any_filter::from_bytes(full, {.format = format, .variant = other})), errc::invalid_argument);
    }
  }
  EXPECT_EQ(code_of(any_filter::load(golden("bits-and-blooms/n137p01.bin"), {.variant = "json"})),
            errc::invalid_argument);
}

TEST(alphabet, text_that_needs_none_of_the_letters_is_written_as_it_was) {
  const std::string path = golden("bits-and-blooms/m0k0.json.filter");
  const auto f = any_filter::load(path, {.format = "bits-and-blooms"}).value();
  EXPECT_EQ(f.to_bytes().value(), read_bytes(path));
}

}  // namespace
}  // namespace seen::testing
