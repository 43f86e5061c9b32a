// Batches of every kind, as the command and the bindings use them: all forms of answers, all sets of instructions, several
// threads.
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "support/instruction_sets.hpp"

namespace seen::testing {
namespace {

constexpr std::size_t added = 20'010;  // several parts for every thread, and no whole words

std::vector<std::uint64_t> integers(std::size_t n) {
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < n; ++i) keys.push_back(i * 4096);
  return keys;
}

any_filter filled(const kind_row& kind, std::span<const std::uint64_t> keys, parallel how) {
  const make_options options{.kind = std::string(kind.kind.name), .target = {.capacity = added, .fpr = 0.01}};
  if (kind.build != nullptr) {
    auto b = any_builder::make(options).value();
    for (const std::uint64_t key : keys) EXPECT_TRUE(b.add(key));
    return std::move(b).finish().value();
  }
  any_filter f = any_filter::make(options).value();
  EXPECT_TRUE(f.add_many(keys, how));
  return f;
}

TEST(any_filter_batches, have_one_meaning_for_every_kind_instruction_set_and_number_of_threads) {
  const auto keys = integers(2 * added);
  const auto first_half = std::span<const std::uint64_t>(keys).first(added);
  for (const kind_row& kind : kinds()) {
    SCOPED_TRACE(kind.kind.name);
    const any_filter expected = filled(kind, first_half, {.threads = 1});
    const auto bytes = expected.to_bytes().value();
    with_each_instruction_set([&] {
      for (const unsigned threads : {1u, 3u}) {
        const any_filter f = filled(kind, first_half, {.threads = threads});
        EXPECT_TRUE(f.to_bytes().value() == bytes) << threads << " threads";
      }
      const auto answers = std::make_unique<bool[]>(keys.size());
      std::vector<std::uint64_t> bitmap(keys.size() / 64 + 1, ~std::uint64_t{0}), selection(keys.size());
      const std::size_t found = expected.may_contain_many(keys, std::span(answers.get(), keys.size()));
      EXPECT_EQ(expected.may_contain_bitmap(keys, bitmap), found);
      EXPECT_EQ(expected.select(keys, selection), found);
      std::size_t selected = 0;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(answers[i], expected.may_contain(keys[i])) << i;
        ASSERT_EQ(answers[i], (bitmap[i / 64] >> (i % 64) & 1) != 0) << i;
        if (answers[i]) {
          ASSERT_EQ(selection[selected++], i);
        }
      }
      EXPECT_EQ(selected, found);
      EXPECT_EQ(bitmap.back() >> (keys.size() % 64), 0u) << "bits beyond the last key";
    });
  }
}

TEST(any_filter_batches, of_bytes_equal_those_of_integers) {
  const auto keys = integers(added);
  std::vector<std::array<std::byte, 8>> stored(keys.size());
  std::vector<bytes_view> views;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    store_le(stored[i].data(), keys[i]);
    views.emplace_back(stored[i]);
  }
  any_filter f = any_filter::make({.kind = "bloom", .target = {.capacity = added, .fpr = 0.01}}).value();
  any_filter g = any_filter::make({.kind = "bloom", .target = {.capacity = added, .fpr = 0.01}}).value();
  ASSERT_TRUE(f.add_many(std::span<const bytes_view>(views), {.threads = 2}));
  ASSERT_TRUE(g.add_many(std::span<const std::uint64_t>(keys)));
  EXPECT_TRUE(f.to_bytes().value() == g.to_bytes().value());
  std::vector<std::uint64_t> bitmap(keys.size() / 64 + 1), selection(keys.size());
  EXPECT_EQ(f.may_contain_bitmap(std::span<const bytes_view>(views), bitmap), keys.size());
  EXPECT_EQ(f.select(std::span<const bytes_view>(views), selection), keys.size());
}

TEST(any_filter_batches, of_digests_make_the_same_filter_as_their_keys) {
  const auto keys = integers(added);
  std::vector<std::array<std::byte, 8>> stored(keys.size());
  std::vector<bytes_view> views;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    store_le(stored[i].data(), keys[i]);
    views.push_back(bytes_view(stored[i]).first(i % 9));
  }
  const std::span<const bytes_view> all(views);
  std::vector<digest> digests(keys.size());
  for (const kind_row& kind : kinds()) {
    SCOPED_TRACE(kind.kind.name);
    const make_options options{.kind = std::string(kind.kind.name), .target = {.capacity = 2 * added, .fpr = 0.01}};
    if (kind.build != nullptr) {
      auto by_key = any_builder::make(options).value(), by_digest = any_builder::make(options).value();
      ASSERT_TRUE(by_key.add_many(all));
      ASSERT_TRUE(by_digest.digests_of(all, digests));
      ASSERT_TRUE(by_digest.add_many(std::span<const digest>(digests)));
      EXPECT_TRUE(std::move(by_key).finish()->to_bytes().value() == std::move(by_digest).finish()->to_bytes().value());
      continue;
    }
    any_filter by_key = any_filter::make(options).value(), by_digest = any_filter::make(options).value();
    const auto put = by_key.add_many(all);
    ASSERT_TRUE(by_digest.digests_of(all, digests));
    const auto put_too = by_digest.add_many(std::span<const digest>(digests));
    EXPECT_EQ(put.has_value(), put_too.has_value());
    EXPECT_TRUE(by_key.to_bytes().value() == by_digest.to_bytes().value());
    EXPECT_THROW((void)by_key.digests_of(all, std::span(digests).first(added - 1)), std::invalid_argument);
  }
}

TEST(any_filter_batches, of_digests_are_refused_where_a_format_has_none) {
  any_filter f = any_filter::make({.target = {.capacity = 100, .fpr = 0.01}, .format = "guava"}).value();
  digest one{};
  const bytes_view key;
  EXPECT_EQ(f.digests_of(std::span(&key, 1), std::span(&one, 1)).error().code, errc::unsupported);
  EXPECT_EQ(f.add_many(std::span<const digest>(&one, 1)).error().code, errc::unsupported);
}

TEST(any_filter_batches, without_room_for_the_answers_are_refused) {
  const auto keys = integers(65);
  const any_filter f = any_filter::make({.target = {.capacity = added, .fpr = 0.01}}).value();
  std::vector<std::uint64_t> one(1), some(64);
  EXPECT_THROW((void)f.may_contain_bitmap(keys, one), std::invalid_argument);
  EXPECT_THROW((void)f.select(keys, some), std::invalid_argument);
}

}  // namespace
}  // namespace seen::testing
