// Tests what is particular to Parquet's filter: its bytes are Parquet's.
#include <seen/filters/split_block.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/key_shapes.hpp"
#include "support/moved_from.hpp"
#include "support/temp_dir.hpp"
#include "support/vectors.hpp"

namespace seen::testing {
namespace {

// Filters cut out of Parquet files that DuckDB and hyparquet wrote: a Thrift header of 16 bytes, then the blocks.
TEST(split_block, is_bit_for_bit_what_parquet_writers_write) {
  const std::string golden = std::string(SEEN_TEST_DATA) + "/golden/";
  const json keys = parse_file(golden + "keys.json");
  for (const std::string name : {"duckdb_fpr0.2_col_b.sbbf", "hyparquet_fpp0.01_col_b.sbbf"}) {
    const json manifest = parse_file(golden + "parquet/" + name + ".json");
    const auto file = read_bytes(golden + "parquet/" + name);
    const auto bitset = bytes_view(file).subspan(16);
    parquet_split_block f(split_block_shape{.blocks = bitset.size() / 32});
    for (std::size_t i = 0; i < manifest["added_count"].get<std::size_t>(); ++i) {
      f.add(unhex(keys["added_hex"][i].get<std::string>()));
    }
    const auto ours = f.engine().bytes();
    EXPECT_TRUE(std::equal(ours.begin(), ours.end(), bitset.begin(), bitset.end())) << name;
    for (std::size_t i = 0; i < keys["absent_hex"].size(); ++i) {
      if (manifest["absent_answers"][i].is_null()) continue;
      EXPECT_EQ(f.may_contain(unhex(keys["absent_hex"][i].get<std::string>())),
                manifest["absent_answers"][i].get<bool>())
          << name << ' ' << i;
    }
  }
}

// Written once more, from Parquet's specification.
TEST(split_block, vectors_words_and_batches_set_the_bits_of_the_specification) {
  constexpr std::array<std::uint32_t, 8> salts{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
                                               0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};
  constexpr std::uint32_t blocks = 20'001;  // odd, so half a line of padding; beyond the cache, so batches prefetch
  std::vector<std::uint32_t> expected(8 * (blocks + 1));
  split_block single(split_block_shape{.blocks = blocks}), batch = single;
  concurrent_split_block shared(split_block_shape{.blocks = blocks});
  std::vector<digest> digests;
  rng random(3);
  for (int i = 0; i < 100'000; ++i) digests.push_back(digest(random()));
  for (const digest d : digests) {
    const auto block = static_cast<std::uint32_t>(((d.value >> 32) * blocks) >> 32);
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      expected[8 * block + lane] |= std::uint32_t{1} << ((static_cast<std::uint32_t>(d.value) * salts[lane]) >> 27);
    }
    single.add(d);
    shared.add(d);
  }
  batch.add_many(digests);
  for (std::uint32_t& lane : expected) lane = little_endian(lane);
  const auto wanted = std::as_bytes(std::span(expected));
  const auto bytes = single.engine().bytes();
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), wanted.begin(), wanted.end()));
  EXPECT_EQ(single, batch);
  EXPECT_EQ(single, shared.snapshot());
  for (int i = 0; i < 100'000; ++i) digests.push_back(digest(random()));
  std::vector<char> answers(digests.size());
  bool* const out = reinterpret_cast<bool*>(answers.data());
  (void)single.may_contain_many(digests, {out, digests.size()});
  for (std::size_t i = 0; i < digests.size(); ++i) {
    ASSERT_EQ(out[i], single.may_contain(digests[i]));
    ASSERT_EQ(out[i], shared.may_contain(digests[i]));
    ASSERT_TRUE(out[i] || i >= 100'000);
  }
}

TEST(split_block, odd_numbers_of_blocks_have_half_a_line_of_zeros) {
  split_block f(split_block_shape{.blocks = 3});
  EXPECT_EQ(f.engine().bytes().size(), 128u);
  EXPECT_EQ(f.shape().bytes(), 128u);
  EXPECT_EQ(f.bits(), 768u);
  std::vector<std::uint64_t> words(16);
  EXPECT_TRUE(split_block::over(words, {.blocks = 3}));
  EXPECT_TRUE(split_block::over(std::span(words).first(12), {.blocks = 3})) << "without the padding";
  words[12] = 1;
  const auto corrupt = split_block::over(words, {.blocks = 3});
  ASSERT_FALSE(corrupt);
  EXPECT_EQ(corrupt.error().code, errc::corrupt);
  EXPECT_EQ(corrupt.error().detail, "bits beyond the last of 3 blocks are set");
  EXPECT_EQ(split_block::over(std::span(words).first(11), {.blocks = 3}).error().detail,
            "3 blocks take 96 to 128 bytes; 88 were given");
}

TEST(split_block, wrong_shapes_are_refused_with_the_value) {
  EXPECT_EQ(split_block::make(split_block_shape{.blocks = 0}).error().detail, "blocks is 0; it must be from 1 to 2^31");
  EXPECT_EQ(split_block::make(split_block_shape{.blocks = (std::uint64_t{1} << 31) + 1}).error().code, errc::too_large);
  const target asked{.capacity = 1000, .fpr = 0.01};
  EXPECT_EQ(split_block_shape::plan(asked, {}).value(), split_block_shape::plan(asked).value());
  EXPECT_EQ(split_block_shape::plan(asked, {.blocks = 7})->blocks, 7u);
}

TEST(split_block, estimates_follow_the_keys) {
  split_block f(split_block_shape{.blocks = 4001});
  constexpr std::uint64_t keys = 80'000;
  for (std::uint64_t i = 0; i < keys; ++i) f.add(i);
  EXPECT_NEAR(f.estimated_count() / keys, 1, 0.005);
  EXPECT_NEAR(f.estimated_fpr() / f.shape().expected_fpr(keys), 1, 0.05);
}

TEST(split_block, a_moved_from_filter_says_yes_and_takes_nothing) {
  expect_yes_of_what_is_left<split_block>({.blocks = 3});
  expect_yes_of_what_is_left<concurrent_split_block>({.blocks = 3});
}

}  // namespace
}  // namespace seen::testing
