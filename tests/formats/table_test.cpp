// Tables of LevelDB and RocksDB: checksums, parts, and what is refused by name. (Blocks that lie are in lies/leveldb.tsv and
// lies/rocksdb.tsv.)
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include "support/error_code.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

byte_vector golden(const std::string& name) {
  return read_bytes(std::string(SEEN_TEST_DATA) + "/golden/" + name);
}

result<any_filter> opened(const byte_vector& bytes, const std::string& part = {}) {
  return any_filter::from_bytes(bytes, {.part = part});
}

constexpr std::array tables{"leveldb/table_bpk10_block512.ldb",
                            "rocksdb/table_fastlocal_bpk10.sst",
                            "rocksdb/table_v3_legacy.sst",
                            "rocksdb/table_v4_legacy.sst",
                            "rocksdb/table_v6.sst",
                            "rocksdb/table_v7.sst"};

TEST(table, is_verified_by_its_checksums) {
  for (const std::string name : tables) {
    const auto f = opened(golden(name));
    ASSERT_TRUE(f) << f.error().detail;
    EXPECT_TRUE(f->origin().verified) << name;
  }
}

// From the filter block to the end every bit is the filter's, the properties', the metaindex's, the index's, or of the
// footer, whose padding and whose place of the index are not looked at before version 6.
TEST(table, a_flipped_bit_is_refused_or_changes_no_answer) {
  for (const std::string name : tables) {
    const byte_vector whole = golden(name);
    std::size_t refused = 0;
    for (std::size_t i = whole.size() - 1200; i < whole.size(); ++i) {
      byte_vector bytes = whole;
      bytes[i] ^= std::byte{0x10};
      const auto f = any_filter::from_bytes(bytes, {.format = name.substr(0, 7)});
      refused += !f;
      if (f && f->info().origin.verified) {
        EXPECT_TRUE(f->may_contain("key-0")) << name << " " << i;
      }
    }
    EXPECT_GE(refused, 246u) << name;  // the smallest: a filter block of 187 bytes, a metaindex of 49, and two trailers
  }
}

TEST(table, a_filter_of_many_is_chosen_by_its_number) {
  const byte_vector bytes = golden("leveldb/table_bpk10_block512.ldb");
  const auto all = opened(bytes).value(), first = opened(bytes, "0").value(), second = opened(bytes, "1").value();
  EXPECT_EQ(all.info().shape[0], (named_field{"filters", 2}));
  EXPECT_EQ(first.info().shape[0], (named_field{"filters", 1}));
  EXPECT_TRUE(first.origin().verified);
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "key-" + std::to_string(i);
    EXPECT_EQ(all.may_contain(key), first.may_contain(key) || second.may_contain(key));
  }
  EXPECT_EQ(code_of(opened(bytes, "2")), errc::invalid_argument);
  EXPECT_EQ(code_of(opened(bytes, "one")), errc::invalid_argument);
  EXPECT_EQ(code_of(opened(bytes, "-1")), errc::invalid_argument);
}

TEST(table, a_filter_cut_out_is_saved_as_a_filter_by_itself) {
  const byte_vector bytes = golden("leveldb/table_bpk10_block512.ldb");
  const auto second = opened(bytes, "1").value();
  const byte_vector cut = second.to_bytes().value();
  // It lies in the table as it is saved.
  EXPECT_NE(std::search(bytes.begin(), bytes.end(), cut.begin(), cut.end()), bytes.end());
  const auto back = any_filter::from_bytes(cut, {.format = "leveldb"}).value();
  EXPECT_EQ(back.info().shape, second.info().shape);
  EXPECT_EQ(code_of(opened(bytes)->to_bytes()), errc::unsupported);
}

TEST(table, what_is_not_read_is_refused_by_name) {
  const auto partitioned = opened(golden("rocksdb/table_partitioned.sst"));
  ASSERT_EQ(code_of(partitioned), errc::unsupported);
  EXPECT_NE(partitioned.error().detail.find("partitionedfilter.rocksdb.BuiltinBloomFilter"), std::string::npos)
      << partitioned.error().detail;
  // A table of the future.
  byte_vector bytes = golden("rocksdb/table_v7.sst");
  bytes[bytes.size() - 12] = std::byte{8};
  EXPECT_EQ(code_of(opened(bytes)), errc::newer_version);
}

TEST(table, a_filter_made_here_takes_keys_and_one_that_was_read_does_not) {
  for (const std::string format : {"leveldb", "rocksdb"}) {
    auto made = any_filter::make({.target = {.capacity = 1000, .fpr = 0.01}, .format = format}).value();
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(made.add("key " + std::to_string(i)));
    auto back = any_filter::from_bytes(made.to_bytes().value(), {.format = format}).value();
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(back.may_contain("key " + std::to_string(i)));
    EXPECT_EQ(code_of(back.add("another")), errc::unsupported);
    EXPECT_EQ(code_of(back.clear()), errc::unsupported);
  }
}

// The peers answer so: nothing is in a filter of no keys, anything may be in one of the future.
TEST(table, filters_that_say_the_same_of_every_key_are_kept_as_they_are) {
  const auto check = [](const std::string& format, byte_vector bytes, bool answer) {
    const auto f = any_filter::from_bytes(bytes, {.format = format});
    ASSERT_TRUE(f) << f.error().detail;
    EXPECT_EQ(f->may_contain("alice"), answer);
    std::array<bool, 2> out{};
    const std::array<bytes_view, 2> keys{as_key("alice"), as_key("bob")};
    EXPECT_EQ(f->may_contain_many(keys, out), answer ? 2u : 0u);
    EXPECT_EQ(f->to_bytes().value(), bytes);
  };
  check("leveldb", byte_vector(9, std::byte{31}), true);
  check("leveldb", byte_vector(9, std::byte{0}), true);
  check("rocksdb", byte_vector(5, std::byte{0xff}), false);
  for (const std::size_t at : {1u, 3u, 4u}) {  // of the five bytes of a FastLocalBloom
    byte_vector bytes = golden("rocksdb/fastlocal_bpk10.filter");
    bytes[bytes.size() - 5 + at] = std::byte{1};
    check("rocksdb", bytes, true);
  }
  byte_vector bytes = golden("rocksdb/fastlocal_bpk10.filter");
  for (const int marker : {0, 0x80, 0xfd}) {
    bytes[bytes.size() - 5] = static_cast<std::byte>(marker);
    check("rocksdb", bytes, true);
  }
}

}  // namespace
}  // namespace seen::testing
