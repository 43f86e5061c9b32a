// Tests what is particular to the filter of 64-byte blocks: where a key's bits lie, odd shapes, the two access
// policies.
#include <seen/filters/blocked_bloom.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <utility>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/moved_from.hpp"

namespace seen::testing {
namespace {

using shape = blocked_bloom_shape;

std::vector<std::uint64_t> set_positions(const blocked_bloom& f) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t at = 0; at < f.bits(); ++at) {
    if ((f.words()[at / 64] & bit_mask(at)) != 0) found.push_back(at);
  }
  return found;
}

std::vector<std::uint64_t> positions(const shape& shape, digest d) {
  blocked_bloom f(shape);
  f.add(d);
  return set_positions(f);
}

// The rule is part of the file format: pinned. Block 618 of 1000; x = 0x7f4a7c15.
TEST(blocked_bloom_rule, positions_are_pinned) {
  const digest d(0x9e3779b97f4a7c15);
  EXPECT_EQ(positions({.blocks = 1000, .probes = 4}, d), (std::vector<std::uint64_t>{316508, 316578, 316696, 316888}));
  EXPECT_EQ(positions({.blocks = 1000, .probes = 8}, d),
            (std::vector<std::uint64_t>{316462, 316497, 316556, 316652, 316685, 316799, 316841, 316915}));
  EXPECT_EQ(positions({.blocks = 1000, .probes = 16}, d),
            (std::vector<std::uint64_t>{316446, 316462, 316494, 316497, 316548, 316556, 316625, 316652, 316672, 316685,
                                        316793, 316799, 316827, 316841, 316891, 316915}));
}

// Written once more, from the text of docs/formats/native.md.
std::vector<std::uint64_t> by_the_page(std::uint64_t blocks, std::uint32_t probes, std::uint64_t d) {
  constexpr std::array<std::uint32_t, 8> salts{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
                                               0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};
  const std::uint64_t first = mulhi(d, blocks) * 512;
  std::vector<std::uint64_t> at;
  for (std::uint32_t i = 0; i < (probes == 4 ? 4 : 8); ++i) {
    const std::uint32_t product = static_cast<std::uint32_t>(d) * salts[i];
    if (probes == 4) at.push_back(first + 128 * i + product / (1u << 25));
    if (probes != 4) at.push_back(first + 64 * i + product / (1u << 26));
    if (probes == 16) at.push_back(first + 64 * i + product / (1u << 20) % 64);
  }
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  return at;
}

TEST(blocked_bloom_rule, positions_are_those_of_the_format_page) {
  rng random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t blocks = 1 + random.below(16), d = random();
    for (const std::uint32_t probes : math::block_probes) {
      ASSERT_EQ(positions({.blocks = blocks, .probes = probes}, digest(d)), by_the_page(blocks, probes, d));
    }
  }
}

// Failure case 8: a digest whose low half is 0 has all its bits at the beginning of their lanes, and works.
TEST(blocked_bloom_rule, case_8_degenerate_digests_and_shapes_work) {
  for (const std::uint64_t blocks : {1u, 2u, 3u, 5u, 1024u}) {
    for (const std::uint32_t probes : math::block_probes) {
      for (const std::uint64_t value : {0ull, 1ull, 2ull, 1ull << 32, 0xffff'ffffull, ~0ull, 1ull << 63}) {
        blocked_bloom f(shape{.blocks = blocks, .probes = probes});
        EXPECT_FALSE(f.may_contain(digest(value)));
        f.add(digest(value));
        EXPECT_TRUE(f.may_contain(digest(value)));
        EXPECT_TRUE(f.test_and_add(digest(value)));
        EXPECT_LE(f.engine().set_bits(), probes);
        EXPECT_GE(f.engine().set_bits(), probes / 2);
      }
    }
  }
}

// Single keys may go through vectors, shared words never do, batches prefetch beyond the cache: all are one rule.
TEST(blocked_bloom_rule, vectors_words_and_batches_give_the_same_bytes_and_answers) {
  for (const std::uint32_t probes : math::block_probes) {
    for (const std::uint64_t blocks : {std::uint64_t{3}, std::uint64_t{9'000}}) {  // 562 KiB: batches prefetch
      const std::uint64_t keys = 10 * blocks;
      blocked_bloom single(shape{.blocks = blocks, .probes = probes}), batch = single;
      concurrent_blocked_bloom shared(shape{.blocks = blocks, .probes = probes});
      std::vector<digest> digests;
      rng random(blocks);
      for (std::uint64_t i = 0; i < 2 * keys; ++i) digests.push_back(digest(random()));
      const std::span<const digest> added = std::span<const digest>(digests).first(keys);
      for (const digest d : added) single.add(d);
      for (const digest d : added) shared.add(d);
      batch.add_many(added);
      ASSERT_EQ(single, batch);
      ASSERT_EQ(single, shared.snapshot());
      std::vector<char> seen_in_batch(digests.size());
      bool* const out = reinterpret_cast<bool*>(seen_in_batch.data());
      const std::size_t found = batch.may_contain_many(digests, {out, digests.size()});
      std::size_t expected = 0;
      for (std::size_t i = 0; i < digests.size(); ++i) {
        ASSERT_EQ(out[i], single.may_contain(digests[i])) << i;
        ASSERT_EQ(out[i], shared.may_contain(digests[i])) << i;
        expected += out[i];
      }
      EXPECT_EQ(found, expected);
      EXPECT_GE(found, keys);
      EXPECT_LT(found, digests.size()) << "the other half is mostly absent";
    }
  }
}

TEST(blocked_bloom_shape, wrong_shapes_are_refused_with_the_value) {
  const auto message = [](std::uint64_t blocks, std::uint32_t probes) {
    return blocked_bloom::make(shape{.blocks = blocks, .probes = probes}).error().detail;
  };
  EXPECT_EQ(message(0, 8), "blocks is 0; it must be from 1 to 2^31");
  EXPECT_EQ(message((std::uint64_t{1} << 31) + 1, 8), "blocks is 2147483649; it must be from 1 to 2^31");
  EXPECT_EQ(message(~std::uint64_t{0}, 8), "blocks is 18446744073709551615; it must be from 1 to 2^31");
  EXPECT_EQ(message(1, 0), "probes is 0; it must be 4, 8 or 16");
  EXPECT_EQ(message(1, 7), "probes is 7; it must be 4, 8 or 16");
}

TEST(blocked_bloom_shape, a_plan_takes_wishes) {
  const target asked{.capacity = 1'000'000, .fpr = 0.01};
  EXPECT_EQ(shape::plan(asked, {}).value(), shape::plan(asked).value());
  EXPECT_EQ(shape::plan(asked, {.blocks = 0, .probes = 16})->probes, 16u);
  EXPECT_EQ(shape::plan(asked, {.blocks = 50'000, .probes = 0}).value(), (shape{.blocks = 50'000, .probes = 16}));
  EXPECT_EQ(shape::plan(asked, {.blocks = 50'000, .probes = 4}).value(), (shape{.blocks = 50'000, .probes = 4}));
  EXPECT_EQ(shape::plan(asked, {.blocks = 0, .probes = 5}).error().detail, "probes is 5; it must be 4, 8 or 16");
  EXPECT_EQ(shape::plan({.capacity = 0, .fpr = 0.01}, {.blocks = 5, .probes = 0}).error().code, errc::invalid_argument);
  const std::array<std::uint64_t, 2> wishes{0, (std::uint64_t{1} << 32) + 8};
  EXPECT_FALSE(shape::plan(asked, shape::from_wishes(wishes))) << "not cut to 8";
}

TEST(blocked_bloom_over, borrows_the_callers_words) {
  std::vector<std::uint64_t> words(8 * 10 + 1);
  const std::span<std::uint64_t> odd = std::span(words).subspan(1);  // aligned to 8 bytes, to no more
  auto f = blocked_bloom::over(odd, {.blocks = 10, .probes = 8}).value();
  f.add("alice");
  EXPECT_TRUE(f.may_contain("alice"));
  EXPECT_TRUE(blocked_bloom::over(odd, {.blocks = 10, .probes = 8})->may_contain("alice"));
  EXPECT_EQ(blocked_bloom::over(odd, {.blocks = 11, .probes = 8}).error().detail,
            "11 blocks take 704 bytes; 640 were given");
  EXPECT_EQ(blocked_bloom::over(odd, {.blocks = 9, .probes = 8}).error().code, errc::invalid_argument);
}

TEST(blocked_bloom_merge, says_which_shape_differs) {
  blocked_bloom a(shape{.blocks = 10, .probes = 8}), b(shape{.blocks = 11, .probes = 8}),
      c(shape{.blocks = 10, .probes = 16});
  a.add("alice");
  const blocked_bloom before = a;
  EXPECT_EQ(a.merge(b).error().detail, "merge: blocks differ: 10 here, 11 there");
  EXPECT_EQ(a.merge(c).error().detail, "merge: probes differ: 8 here, 16 there");
  EXPECT_EQ(a.intersect(c).error().detail, "intersect: probes differ: 8 here, 16 there");
  EXPECT_EQ(a, before);
}

// The estimates at every k: how many keys, and the rate by what the blocks hold.
TEST(blocked_bloom_estimates, follow_the_keys) {
  for (const std::uint32_t probes : math::block_probes) {
    blocked_bloom f(shape{.blocks = 2000, .probes = probes});
    EXPECT_EQ(f.estimated_count(), 0);
    EXPECT_EQ(f.estimated_fpr(), 0);
    constexpr std::uint64_t keys = 60'000;
    for (std::uint64_t i = 0; i < keys; ++i) f.add(i);
    EXPECT_NEAR(f.estimated_count() / keys, 1, 0.005) << probes;
    EXPECT_NEAR(f.estimated_fpr() / f.shape().expected_fpr(keys), 1, 0.05) << probes;
    constexpr std::uint64_t queries = 1'000'000;
    std::uint64_t hits = 0;
    for (std::uint64_t i = keys; i < keys + queries; ++i) hits += f.may_contain(i);
    EXPECT_TRUE(within_six_sigma(hits, queries, f.estimated_fpr()))
        << six_sigma_message(hits, queries, f.estimated_fpr());
    EXPECT_FALSE(f.saturated());
    for (std::uint64_t i = keys; i < 20 * keys; ++i) f.add(i);
    EXPECT_TRUE(f.saturated());
  }
}

TEST(blocked_bloom, a_moved_from_filter_says_yes_and_takes_nothing) {
  for (const std::uint32_t probes : {4u, 8u, 16u}) {
    expect_yes_of_what_is_left<blocked_bloom>({.blocks = 3, .probes = probes});
    expect_yes_of_what_is_left<concurrent_blocked_bloom>({.blocks = 3, .probes = probes});
  }
}

}  // namespace
}  // namespace seen::testing
