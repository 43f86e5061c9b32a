// Parquet's filters: failure case 23 (what a logical type is on disk), parts of a file, and the way to native and back.
// types.parquet and groups.parquet were written by pyarrow, boolean.parquet by hyparquet-writer: golden/generators/.
#include <seen/filters/split_block.hpp>
#include <seen/registry.hpp>

#include <bit>
#include <cstdint>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <vector>

#include "support/error_code.hpp"
#include "support/foreign_vectors.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

const std::string folder = std::string(SEEN_TEST_DATA) + "/golden/parquet/";

result<any_filter> open_part(const std::string& file, const std::string& part, const std::string& keys = {}) {
  return any_filter::load(folder + file, {.key_type = keys, .part = part});
}

result<any_filter> converted(result<any_filter> from, const char* format) {
  return std::move(from.value()).convert(format);
}

std::string bytes_of(const std::string& kind, const std::string& text) {
  if (kind != "integer") return unhex(text);
  return as_bytes_of(text[0] == '-' ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text));
}

// How many of a thousand keys that no column holds a filter claims to have.
int strangers(const any_filter& f) {
  int found = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto real = as_bytes_of(std::bit_cast<std::uint64_t>(static_cast<double>(i) + 0.37));
    const auto integer = as_bytes_of(i * 0x9e37'79b9'7f4a'7c15);
    const key_form form = f.origin().accepts.form;
    found += f.may_contain(form == key_form::bytes  ? "stranger " + std::to_string(i)
                           : form == key_form::real ? real
                                                    : integer);
  }
  return found;
}

TEST(parquet, case_23_values_of_every_type_are_found_as_the_writer_stored_them) {
  const json columns = parse_file(folder + "types.parquet.json")["columns"];
  ASSERT_GT(columns.size(), 20u);
  for (const auto& [name, column] : columns.items()) {
    SCOPED_TRACE(name + ", " + column["physical"].get<std::string>());
    const auto f = open_part("types.parquet", name);
    ASSERT_TRUE(f) << f.error().detail;
    const std::string kind = column["keys"];
    const key_form form = f->origin().accepts.form;
    // What a program that reads text must know: how wide an integer is, and whether it has a sign.
    const std::string physical = column["physical"];
    const key_form whole = physical == "INT32"   ? key_form::int32
                           : physical == "INT64" ? key_form::integer
                                                 : key_form::int64;
    EXPECT_EQ(form, kind == "integer" ? whole : kind == "real" ? key_form::real : key_form::bytes);
    EXPECT_EQ(f->kind(), "split-block");
    for (const auto& text : column["present"]) {
      EXPECT_TRUE(f->may_contain(bytes_of(kind, text.get<std::string>()))) << text;
    }
    EXPECT_LT(strangers(*f), 10);  // planned: one in a thousand or fewer
  }
}

TEST(parquet, case_23_unsigned_numbers_of_another_writer_answer_as_it_does) {
  const json keys = parse_file(folder + "../keys.json");
  for (const char* const file : {"duckdb_fpr0.01.parquet", "duckdb_fpr0.2.parquet"}) {
    const auto f = open_part(file, "i");
    ASSERT_TRUE(f) << f.error().detail;
    const json expected = parse_file(folder + file + ".json")["u64_column_i"]["absent_answers"];
    for (const auto& key : keys["u64_added"]) EXPECT_TRUE(f->may_contain(bytes_of("integer", key))) << key;
    ASSERT_EQ(expected.size(), keys["u64_absent"].size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(f->may_contain(bytes_of("integer", keys["u64_absent"][i])), expected[i].get<bool>()) << i;
    }
  }
}

TEST(parquet, case_23_integers_may_be_asked_as_integers_in_batches_too) {
  const auto f = open_part("types.parquet", "int16");
  ASSERT_TRUE(f) << f.error().detail;
  EXPECT_TRUE(f->may_contain(-32768));
  EXPECT_TRUE(f->may_contain(32767));
  const std::vector<std::uint64_t> keys{static_cast<std::uint64_t>(-32768), 32767, static_cast<std::uint64_t>(-1)};
  std::array<bool, 3> answers{};
  EXPECT_EQ(f->may_contain_many(keys, answers), 3u);
}

TEST(parquet, a_key_of_a_column_is_as_long_as_its_values_or_a_number) {
  const json columns = parse_file(folder + "types.parquet.json")["columns"];
  for (const auto& [name, column] : columns.items()) {
    SCOPED_TRACE(name);
    const auto f = open_part("types.parquet", name).value();
    const std::string kind = column["keys"], physical = column["physical"];
    const std::size_t width = physical == "INT32" || physical == "FLOAT" ? 4 : 8;
    for (std::size_t length = 0; length < 40; ++length) {
      const bool any = kind != "integer" && kind != "real";
      // A DECIMAL of bytes has a length of its own, or none.
      const bool decimal = kind == "integer" && physical != "INT32" && physical != "INT64";
      const bool expected =
          any || length == 8 ||
          (decimal ? f.origin().accepts.width == length || f.origin().accepts.width == 0 : length == width);
      EXPECT_EQ(f.origin().accepts.takes(std::vector<std::byte>(length)), expected) << length;
    }
  }
}

TEST(parquet, case_23_the_two_zeros_are_two_values) {
  const auto f = open_part("types.parquet", "zero");
  ASSERT_TRUE(f) << f.error().detail;
  EXPECT_TRUE(f->may_contain(as_bytes_of(std::bit_cast<std::uint64_t>(-0.0))));
  EXPECT_FALSE(f->may_contain(as_bytes_of(0)));
}

TEST(parquet, case_23_a_boolean_is_one_byte) {
  const auto f = open_part("boolean.parquet", "");
  ASSERT_TRUE(f) << f.error().detail;
  EXPECT_EQ(f->origin().accepts, accepted_keys(key_form::integer, 1));
  EXPECT_TRUE(f->may_contain(1));
  EXPECT_TRUE(f->may_contain(std::string("\1")));
  EXPECT_FALSE(f->may_contain(0));
}

TEST(parquet, case_23_physical_bytes_may_be_given_and_another_type_is_refused) {
  const auto f = open_part("types.parquet", "int8", "bytes");
  ASSERT_TRUE(f) << f.error().detail;
  EXPECT_TRUE(f->may_contain(unhex("80ffffff")));                                   // -128
  EXPECT_TRUE(open_part("types.parquet", "int8")->may_contain(unhex("80ffffff")));  // 4 bytes stay what they are
  EXPECT_EQ(code_of(open_part("types.parquet", "int8", "int64")), errc::invalid_argument);
  EXPECT_TRUE(open_part("types.parquet", "int8", "int32"));
}

TEST(parquet, a_column_is_named_by_its_path_or_its_own_name_and_a_row_group_by_its_number) {
  const auto all = open_part("groups.parquet", "element");
  ASSERT_TRUE(all) << all.error().detail;
  EXPECT_EQ(all->info().shape[0].value, 3u) << "row groups";
  const auto second = open_part("groups.parquet", "n#1");
  ASSERT_TRUE(second) << second.error().detail;
  for (int i = 0; i < 46; ++i) {
    EXPECT_TRUE(open_part("groups.parquet", "n")->may_contain(1000 + i));
    EXPECT_TRUE(open_part("groups.parquet", "price")->may_contain(1000 + i));  // DECIMAL in INT32
    EXPECT_TRUE(open_part("groups.parquet", "total#" + std::to_string(i / 16))->may_contain(1000 + i));  // in INT64
    EXPECT_TRUE(second->may_contain(1000 + i) || i < 16 || i >= 32);
  }
  EXPECT_FALSE(second->may_contain(1000) && second->may_contain(1001) && second->may_contain(1002));
  for (const char* const part : {"", "nobody", "tags", "n#3", "n#x", "n#"}) {
    const auto refused = open_part("groups.parquet", part);
    EXPECT_EQ(code_of(refused), errc::invalid_argument) << part;
    EXPECT_NE(refused.error().detail.find("tags.list.element, n, price, total"), std::string::npos) << part;
  }
}

TEST(parquet, a_native_filter_becomes_a_bare_one_and_the_other_way_round) {
  const std::string path = folder + "hyparquet_fpp0.01_col_b.sbbf";
  const auto expected = read_answers(path);
  auto native = converted(any_filter::load(path, {.format = "parquet"}), "native");
  ASSERT_TRUE(native) << native.error().detail;
  EXPECT_EQ(native->format(), "native");
  const auto again = any_filter::from_bytes(native->to_bytes().value());
  ASSERT_TRUE(again) << again.error().detail;
  for (const auto& key : expected.present) EXPECT_TRUE(again->may_contain(key));
  for (const auto& [key, answer] : expected.others) EXPECT_EQ(again->may_contain(key), answer);
  const auto back = converted(std::move(native), "parquet");
  ASSERT_TRUE(back) << back.error().detail;
  EXPECT_EQ(back->to_bytes().value(), read_bytes(path));

  auto other = any_filter::make({.kind = "split-block", .target = {100, 0.01}, .hash = hash_id::xxh3_64});
  EXPECT_EQ(code_of(converted(std::move(other), "parquet")), errc::unsupported);
}

// Found by the fuzzer: the number of the first field is almost 2^63, and the next one counts on from it.
TEST(parquet, a_field_whose_number_is_beyond_16_bits_is_refused) {
  std::vector<std::byte> bytes(37, std::byte{0xff});
  const auto put = [&](std::size_t at, std::initializer_list<int> values) {
    for (const int value : values) bytes[at++] = static_cast<std::byte>(value);
  };
  put(0, {0x07, 0xee});
  put(10, {1, 0, 0, 0, 0, 0, 0, 0});
  put(34, {0x2c, 0x00, 0xc0});
  EXPECT_FALSE(any_filter::from_bytes(bytes));
  EXPECT_FALSE(any_filter::from_bytes(bytes, {.format = "parquet"}));
}

TEST(parquet, a_filter_of_a_file_is_cut_out_by_converting_it) {
  const auto whole = converted(any_filter::load(folder + "hyparquet_fpp0.01.parquet"), "parquet");
  ASSERT_TRUE(whole) << whole.error().detail;
  EXPECT_EQ(whole->to_bytes().value(), read_bytes(folder + "hyparquet_fpp0.01_col_b.sbbf"));
  EXPECT_TRUE(converted(open_part("duckdb_fpr0.01.parquet", "b"), "native"));
  EXPECT_EQ(code_of(converted(open_part("types.parquet", "double"), "native")), errc::unsupported);  // keys are numbers
  const auto bare = converted(open_part("groups.parquet", "n#0"), "parquet");
  ASSERT_TRUE(bare) << bare.error().detail;
  const auto reopened = any_filter::from_bytes(bare->to_bytes().value(), {.key_type = "int32"});
  ASSERT_TRUE(reopened) << reopened.error().detail;
  EXPECT_TRUE(reopened->may_contain(1003));
  EXPECT_EQ(code_of(converted(open_part("groups.parquet", "n#0"), "native")), errc::unsupported);
  EXPECT_EQ(code_of(converted(open_part("groups.parquet", "n"), "parquet")), errc::unsupported);
}

TEST(parquet, a_new_one_has_the_usual_size_and_none_is_planned_beyond_the_usual_limit) {
  const auto blocks = [](std::uint64_t capacity, double fpr) {
    return any_filter::make({.target = {capacity, fpr}, .format = "parquet"})->info().shape[0].value;
  };
  EXPECT_EQ(blocks(1, 0.01), 1u);
  EXPECT_EQ(blocks(1'000'000, 0.01), 65536u);  // 9.68 bits per key make 1.15 MiB, 2 MiB in powers of two
  EXPECT_EQ(code_of(any_filter::make({.target = {1'000'000'000, 0.01}, .format = "parquet"})), errc::too_large);
  auto odd = any_filter::make({.shape = {{"blocks", 3}}, .format = "parquet", .key_type = "float"});
  ASSERT_TRUE(odd) << odd.error().detail;
  ASSERT_TRUE(odd->add(as_bytes_of(std::bit_cast<std::uint64_t>(0.1))));
  const auto back = any_filter::from_bytes(odd->to_bytes().value(), {.key_type = "bytes"});
  ASSERT_TRUE(back) << back.error().detail;
  EXPECT_TRUE(back->may_contain(unhex("cdcccc3d")));  // 0.1f
}

}  // namespace
}  // namespace seen::testing
