// RedisBloom's files beyond what every foreign file is asked: both encodings of one filter, filters that are full, cuckoo
// filters that are emptied again. (What LOADCHUNK refuses is in lies/redisbloom.tsv.)
#include <seen/registry.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "hostile/mutate.hpp"
#include "support/error_code.hpp"
#include "support/foreign_vectors.hpp"
#include "support/lies.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

const open_options as_redis{.format = "redisbloom"};

std::string golden(const std::string& name) {
  return std::string(SEEN_TEST_DATA) + "/golden/redisbloom/" + name;
}
any_filter opened(const std::string& name) {
  return any_filter::load(golden(name), as_redis).value();
}

TEST(redisbloom, chunks_and_dump_are_one_filter) {
  const auto chunks = read_bytes(golden("bf_n30_p0.01_exp2_scaled.chunks"));
  const auto dump = read_bytes(golden("bf_n30_p0.01_exp2_scaled.rdbdump"));
  const auto to_dump = opened("bf_n30_p0.01_exp2_scaled.chunks").convert("redisbloom", "rdb");
  ASSERT_TRUE(to_dump) << to_dump.error().detail;
  EXPECT_EQ(to_dump->to_bytes().value(), dump);
  const auto to_chunks = opened("bf_n30_p0.01_exp2_scaled.rdbdump").convert("redisbloom", "chunks");
  ASSERT_TRUE(to_chunks) << to_chunks.error().detail;
  EXPECT_EQ(to_chunks->to_bytes().value(), chunks);
  EXPECT_EQ(code_of(opened("bf_n137_p0.01.chunks").convert("redisbloom", "nonscaling")), errc::unsupported);
  EXPECT_EQ(code_of(opened("bf_n137_p0.01.chunks").convert("redisbloom", "cuckoo")), errc::unsupported);
  EXPECT_EQ(code_of(opened("cf_cap200.chunks").convert("redisbloom", "rdb")), errc::unsupported);
  // Its modulus is not all of its bits: LOADCHUNK would refuse it.
  EXPECT_EQ(code_of(opened("old_32bit_v0.rdbdump").convert("redisbloom", "chunks")), errc::unsupported);
}

TEST(redisbloom, a_dump_is_verified_and_chunks_are_not) {
  EXPECT_TRUE(opened("bf_n30_p0.01_exp2_scaled.rdbdump").info().origin.verified);
  EXPECT_FALSE(opened("bf_n30_p0.01_exp2_scaled.chunks").info().origin.verified);
  auto bytes = read_bytes(golden("bf_n30_p0.01_exp2_scaled.rdbdump"));
  for (const std::size_t at : {std::size_t{60}, bytes.size() - 1, bytes.size() - 9}) {
    bytes[at] ^= std::byte{1};
    EXPECT_EQ(code_of(any_filter::from_bytes(bytes, as_redis)), errc::corrupt) << at;
    bytes[at] ^= std::byte{1};
  }
}

TEST(redisbloom, a_packed_dump_is_unfolded_within_the_limit) {
  const auto path = golden("packed.rdbdump");
  auto f = any_filter::load(path);
  ASSERT_TRUE(f) << f.error().detail;
  const auto expected = read_answers(path);
  for (const auto& key : expected.present) EXPECT_TRUE(f->may_contain(key));
  for (const auto& [key, answer] : expected.others) EXPECT_EQ(f->may_contain(key), answer) << key;
  const auto bytes = f->to_bytes().value();
  EXPECT_GT(bytes.size(), 2000u);
  const auto back = any_filter::from_bytes(bytes);
  ASSERT_TRUE(back) << back.error().detail;
  EXPECT_EQ(back->to_bytes().value(), bytes);
  EXPECT_EQ(code_of(any_filter::load(path, {.max_bytes = 1000})), errc::too_large);
}

// As the generic fuzzer does, with the checksum put right: it would keep every lie from the parser.
TEST(redisbloom, case_22_mutated_dumps_with_true_checksums_are_refused_or_work) {
  rng random(7);
  std::uint64_t taken = 0;
  for (const char* const name : {"bf_n30_p0.01_exp2_scaled.rdbdump", "old_32bit_v0.rdbdump", "packed.rdbdump"}) {
    const byte_vector sound = read_bytes(golden(name));
    for (int run = 0; run < 500; ++run) {
      byte_vector bytes = sound;
      mutate(bytes, random);
      repair_dump(bytes);
      auto f = any_filter::from_bytes(bytes, {.format = "redisbloom", .max_bytes = 1 << 20});
      if (!f) continue;
      ++taken;
      (void)f->may_contain("alice");
      ASSERT_TRUE(any_filter::from_bytes(f->to_bytes().value(), as_redis));
      for (int i = 0; i < 10; ++i) (void)f->add("key " + std::to_string(i));
      ASSERT_TRUE(any_filter::from_bytes(f->to_bytes().value(), as_redis));
    }
  }
  EXPECT_GT(taken, 0u);
}

TEST(redisbloom, the_dump_of_a_cuckoo_filter_is_refused_by_name) {
  auto bytes = read_bytes(golden("bf_n30_p0.01_exp2_scaled.rdbdump"));
  // "--" in the id becomes "CF": the last two characters, 12 bits above the 10 of the version.
  const std::uint64_t dashes = 62 << 6 | 62, letters = 2 << 6 | 5;
  std::uint64_t id = 0;
  for (std::size_t i = 2; i < 10; ++i) id = id << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  id ^= (dashes ^ letters) << 10;
  for (std::size_t i = 2; i < 10; ++i) bytes[i] = static_cast<std::byte>(id >> (8 * (9 - i)));
  const auto refused = any_filter::from_bytes(bytes);
  ASSERT_EQ(code_of(refused), errc::unsupported);
  EXPECT_NE(refused.error().detail.find("MBbloomCF"), std::string::npos) << refused.error().detail;
}

TEST(redisbloom, a_filter_that_does_not_scale_says_when_it_is_full) {
  auto f =
      any_filter::make({.target = {.capacity = 50, .fpr = 0.001}, .format = "redisbloom", .variant = "nonscaling"});
  ASSERT_TRUE(f) << f.error().detail;
  int added = 0;
  while (added < 1000 && f->add("key " + std::to_string(added))) ++added;
  EXPECT_GE(added, 50);
  EXPECT_LT(added, 60);
  EXPECT_EQ(f->info().keys, 50);
  EXPECT_TRUE(f->info().keys_exact);
  EXPECT_EQ(code_of(f->add("one more")), errc::full);
  EXPECT_TRUE(f->add("key 7")) << "it is there already";
}

TEST(redisbloom, options_out_of_the_commands_range_are_refused) {
  const auto code = [](make_options options) {
    options.format = "redisbloom";
    return code_of(any_filter::make(options));
  };
  EXPECT_EQ(code({.target = {.capacity = 0, .fpr = 0.01}}), errc::invalid_argument);
  EXPECT_EQ(code({.target = {.capacity = (1ull << 30) + 1, .fpr = 0.01}}), errc::invalid_argument);
  EXPECT_EQ(code({.target = {.capacity = 10, .fpr = 0.01}, .shape = {{"expansion", 32769}}}), errc::invalid_argument);
  EXPECT_EQ(code({.target = {.capacity = 10, .fpr = 0.01}, .shape = {{"expansion", 2}}, .variant = "nonscaling"}),
            errc::invalid_argument);
  EXPECT_EQ(code({.kind = "cuckoo", .target = {.capacity = 3, .fpr = 0.01}}), errc::invalid_argument);
  EXPECT_EQ(code({.kind = "ribbon", .target = {.capacity = 3, .fpr = 0.01}}), errc::unsupported);
  EXPECT_EQ(code({.target = {.capacity = 10, .fpr = 0.01}, .shape = {{"expansion", 0}}}), success);
}

// Every bucket size and growth: what is in is found, what is removed was there, and a full filter is unchanged.
TEST(redisbloom, cuckoo_filters_lose_no_key) {
  for (const std::uint64_t bucket : {1u, 2u, 4u, 255u}) {
    for (const std::uint64_t expansion : {0u, 1u, 2u}) {
      auto f = any_filter::make({.kind = "cuckoo",
                                 .target = {.capacity = 1024, .fpr = 0.01},
                                 .shape = {{"bucket-size", bucket}, {"expansion", expansion}},
                                 .format = "redisbloom"});
      ASSERT_TRUE(f) << f.error().detail;
      std::vector<std::string> in;
      std::uint64_t refused = 0;
      for (int i = 0; i < 3000; ++i) {
        const std::string key = "key " + std::to_string(i);
        if (const auto put = f->add(key)) {
          in.push_back(key);
        } else {
          ASSERT_EQ(put.error().code, errc::full);
          ++refused;
        }
      }
      EXPECT_EQ(refused == 0, expansion != 0) << bucket << " " << expansion;
      EXPECT_EQ(f->info().keys, static_cast<double>(in.size()));
      auto back = any_filter::from_bytes(f->to_bytes().value());
      ASSERT_TRUE(back) << back.error().detail;
      for (const auto& key : in) ASSERT_TRUE(back->may_contain(key)) << key;
      for (const auto& key : in) {
        ASSERT_GE(back->count(key).value(), 1u);
        ASSERT_TRUE(back->remove(key).value()) << key;
      }
      EXPECT_EQ(back->info().keys, 0);
      EXPECT_FALSE(back->remove("key 1").value());
    }
  }
}

}  // namespace
}  // namespace seen::testing
