// Compiled batches give what the plain code gives, bit for bit, with every set of instructions.
#include <seen/engines/block_engine.hpp>
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/split_block.hpp>
#include <seen/hash/any_hash.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/hash/xxh64.hpp>
#include <seen/kernels/block.hpp>
#include <seen/kernels/range_adds.hpp>

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/instruction_sets.hpp"

namespace seen::testing {
namespace {

template <class Hash>
class hashed_blocks : public ::testing::Test {};
using hashes_of_blocks = ::testing::Types<xxh3_fold, xxh3_64, xxh64>;
TYPED_TEST_SUITE(hashed_blocks, hashes_of_blocks);

std::vector<digest> random_digests(std::size_t n) {
  std::mt19937_64 random(7);
  std::vector<digest> digests;
  for (std::size_t i = 0; i < n; ++i) digests.emplace_back(random());
  return digests;
}

// A filter filled key by key is what batches must make and agree with.
template <class F>
void check_blocks(const typename F::shape_type& shape, std::size_t n) {
  const auto digests = random_digests(2 * n);  // the first half is added
  F expected(shape);
  for (std::size_t i = 0; i < n; ++i) expected.add(digests[i]);
  with_each_instruction_set([&] {
    F f(shape);
    f.add_many(std::span(digests).first(n));
    ASSERT_TRUE(f == expected);
    const auto answers = std::make_unique<bool[]>(2 * n + 1);
    answers[2 * n] = true;  // must stay
    const std::size_t found = f.may_contain_many(digests, std::span(answers.get(), 2 * n));
    std::size_t counted = 0;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      ASSERT_EQ(answers[i], expected.may_contain(digests[i])) << i;
      counted += answers[i];
    }
    ASSERT_EQ(found, counted);
    ASSERT_TRUE(answers[2 * n]);
  });
}

TEST(block_batches, equal_the_plain_ones_for_every_pattern_and_size) {
  // The larger ones are prefetched, and the largest, beyond any cache, has a body of its own.
  for (const std::uint64_t blocks : {1u, 2u, 3u, 100u, 40'000u, 1'100'000u}) {
    for (const std::size_t n : {0u, 1u, 7u, 64u, 65u, 1025u, 3000u}) {
      if (blocks > 1'000'000 && n != 1025) continue;  // time
      for (const std::uint32_t probes : {4u, 8u, 16u}) {
        check_blocks<blocked_bloom>({.blocks = blocks, .probes = probes}, n);
      }
      check_blocks<split_block>({.blocks = blocks}, n);
    }
  }
}

// In a table beyond the cache blocks are fetched some digests ahead: of no digest that is not there. The buffers end where the
// digests and the answers do, so that a look beyond is seen.
TEST(block_batches, of_every_length_look_at_their_own_digests_only) {
  constexpr std::uint64_t blocks = 34'000;  // beyond 1 MiB, of 32 bytes each too
  for (std::size_t n = 0; n <= kernels::rolling::ahead + 9; n += n == 5 ? kernels::rolling::ahead - 10 : 1) {
    const auto digests = random_digests(n);
    const auto exact = std::make_unique<digest[]>(n);
    std::copy(digests.begin(), digests.end(), exact.get());
    for (const auto layout : {kernels::block_layout::lanes_4, kernels::block_layout::lanes_8,
                              kernels::block_layout::lanes_16, kernels::block_layout::split}) {
      with_each_instruction_set([&] {
        std::vector<std::uint64_t> words(8 * blocks);
        const std::span<const digest> given(exact.get(), n);
        kernels::block_add_many(layout, words.data(), blocks, given);
        const auto answers = std::make_unique<bool[]>(n);
        ASSERT_EQ(kernels::block_lookup_many(layout, words.data(), blocks, given, answers.get()), n);
        ASSERT_TRUE(std::all_of(answers.get(), answers.get() + n, [](bool each) { return each; }));
      });
    }
  }
}

// Batches of integers, hashed in the loops or in pieces, give what their digests give one by one: with the hash that loops
// are compiled with and with others, in and beyond the cache, and in every form of answers. The buffers end where keys and
// answers do.
template <class Rule, class Hash>
void check_keys(const typename Rule::shape_type& shape, std::size_t n, const Hash& hash) {
  using engine = engines::block_engine<Rule>;
  static_assert(hashes_in_place<engine, Hash, const std::uint64_t>);
  std::mt19937_64 random(5);
  const auto keys = std::make_unique<std::uint64_t[]>(2 * n);  // the first half is added
  std::generate_n(keys.get(), 2 * n, [&] { return random(); });
  const std::span<const std::uint64_t> all(keys.get(), 2 * n);
  filter<engine, Hash> expected(shape, hash);
  for (const std::uint64_t key : all.first(n)) expected.add(hash(integer_key{key}));
  std::vector<std::size_t> present;
  for (std::size_t i = 0; i < 2 * n; ++i) {
    if (expected.may_contain(hash(integer_key{all[i]}))) present.push_back(i);
  }
  with_each_instruction_set([&] {
    filter<engine, Hash> f(shape, hash);
    f.add_many(all.first(n));
    ASSERT_TRUE(f == expected);
    const auto answers = std::make_unique<bool[]>(2 * n);
    ASSERT_EQ(f.may_contain_many(all, std::span(answers.get(), 2 * n)), present.size());
    std::vector<std::uint64_t> bitmap((2 * n + 63) / 64);
    ASSERT_EQ(f.may_contain_bitmap(all, std::span(bitmap)), present.size());
    std::vector<std::size_t> selected(2 * n);
    ASSERT_EQ(f.select(all, selected), present.size());
    selected.resize(present.size());
    ASSERT_EQ(selected, present);
    for (std::size_t i = 0, next = 0; i < 2 * n; ++i) {
      const bool in = next < present.size() && present[next] == i;
      next += in;
      ASSERT_EQ(answers[i], in) << i;
      ASSERT_EQ((bitmap[i / 64] >> i % 64 & 1) != 0, in) << i;
    }
    // Signed keys are the same keys.
    const std::span<const std::int64_t> as_signed(reinterpret_cast<const std::int64_t*>(keys.get()), 2 * n);
    ASSERT_EQ(f.may_contain_many(as_signed, std::span(answers.get(), 2 * n)), present.size());
  });
}

TYPED_TEST(hashed_blocks, of_keys_equal_those_of_digests) {
  for (const std::uint64_t blocks : {1u, 3u, 34'000u}) {
    for (const std::size_t n : {0u, 1u, 2u, 3u, 4u, 63u, 64u, 65u, 66u, 127u, 128u, 131u, 133u, 1030u}) {
      for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}}) {
        for (const std::uint32_t probes : {4u, 8u, 16u}) {
          check_keys<block_rule>({.blocks = blocks, .probes = probes}, n, TypeParam(seed));
        }
        check_keys<split_block_rule>({.blocks = blocks}, n, TypeParam(seed));
      }
    }
  }
}

// A hash that is chosen at run time takes the same loops.
TEST(hashed_blocks_at_run_time, of_keys_equal_those_of_digests) {
  for (const std::uint64_t blocks : {3u, 34'000u}) {
    for (const std::size_t n : {0u, 5u, 133u, 1030u}) {
      check_keys<block_rule>({.blocks = blocks, .probes = 8}, n, any_hash(default_hash(7)));
      check_keys<split_block_rule>({.blocks = blocks}, n, any_hash(xxh64(7)));
    }
  }
}

// Text is hashed in pieces of 1024 keys, between which the blocks that were asked for wait on: not one is lost, swapped or
// read beyond the end.
TEST(block_batches, of_text_equal_its_single_keys_across_pieces) {
  std::mt19937_64 random(9);
  for (const std::uint64_t blocks : {3u, 34'000u}) {
    for (const std::size_t n : {0u, 1u, 127u, 128u, 130u, 1023u, 1024u, 1025u, 1150u, 2048u, 3333u}) {
      std::vector<std::string> texts(2 * n);  // the first half is added
      for (std::string& text : texts) text = std::to_string(random());
      const auto keys = std::make_unique<std::string_view[]>(2 * n);
      std::copy(texts.begin(), texts.end(), keys.get());
      const std::span<const std::string_view> all(keys.get(), 2 * n);
      with_each_instruction_set([&] {
        blocked_bloom one_by_one(blocked_bloom_shape{.blocks = blocks, .probes = 8}), at_once(one_by_one.shape());
        for (const std::string_view key : all.first(n)) one_by_one.add(key);
        at_once.add_many(all.first(n));
        ASSERT_TRUE(at_once == one_by_one) << n;
        const auto answers = std::make_unique<bool[]>(2 * n);
        std::size_t present = 0;
        const std::size_t found = at_once.may_contain_many(all, std::span(answers.get(), 2 * n));
        for (std::size_t i = 0; i < 2 * n; ++i) {
          ASSERT_EQ(answers[i], one_by_one.may_contain(all[i])) << i << " of " << n;
          present += answers[i];
        }
        ASSERT_EQ(found, present);
      });
    }
  }
}

// Shared filters have loops of their own, which leave the same bytes.
template <class Shared, class Plain>
void check_shared_blocks(const typename Plain::shape_type& shape, std::size_t n) {
  const auto digests = random_digests(2 * n);
  Plain expected(shape);
  for (std::size_t i = 0; i < n; ++i) expected.add(digests[i]);
  with_each_instruction_set([&] {
    Shared shared(shape);
    shared.add_many(std::span(digests).first(n));
    const auto answers = std::make_unique<bool[]>(2 * n);
    std::size_t counted = 0;
    const std::size_t found = shared.may_contain_many(digests, std::span(answers.get(), 2 * n));
    for (std::size_t i = 0; i < 2 * n; ++i) {
      ASSERT_EQ(answers[i], expected.may_contain(digests[i])) << i;
      ASSERT_EQ(shared.may_contain(digests[i]), answers[i]) << i;
      counted += answers[i];
    }
    ASSERT_EQ(found, counted);
    ASSERT_TRUE(std::move(shared).into_plain() == expected);
  });
}

TEST(shared_block_batches, equal_the_plain_ones_for_every_pattern_and_size) {
  for (const std::uint64_t blocks : {1u, 3u, 100u, 40'000u}) {
    for (const std::size_t n : {0u, 1u, 64u, 65u, 3000u}) {
      for (const std::uint32_t probes : {4u, 8u, 16u}) {
        check_shared_blocks<concurrent_blocked_bloom, blocked_bloom>({.blocks = blocks, .probes = probes}, n);
      }
      check_shared_blocks<concurrent_split_block, split_block>({.blocks = blocks}, n);
    }
  }
}

TEST(integer_hashing, of_many_equals_that_of_one_with_every_instruction_set) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> keys{0, 1, ~std::uint64_t{0}};
  while (keys.size() < 100) keys.push_back(random());
  const auto check = [&](const auto& hash) {
    with_each_instruction_set([&] {
      for (std::size_t n = 0; n <= keys.size(); ++n) {
        std::vector<digest> digests(n + 1, digest(42));
        hash.hash_many(std::span<const std::uint64_t>(keys).first(n), digests);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(digests[i], hash(integer_key{keys[i]})) << i;
        ASSERT_EQ(digests[n], digest(42));
      }
    });
  };
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    check(xxh3_fold(seed));
    check(xxh3_64(seed));
    check(xxh64(seed));
  }
}

TEST(digest_ranges, are_picked_in_order_with_every_instruction_set) {
  const auto digests = random_digests(kernels::most_digests_at_once);
  const std::uint64_t all = ~std::uint64_t{0};
  const std::uint64_t one = digests[5].value;
  struct {
    std::uint64_t first, last;
  } const ranges[] = {
      {0, all}, {0, 0}, {all, all}, {0, all / 2}, {all / 2 + 1, all}, {one, one}, {all / 3, all / 3 * 2}};
  for (const auto& range : ranges) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{9}, digests.size()}) {
      std::vector<digest> expected;
      for (const digest d : std::span(digests).first(n)) {
        if (range.first <= d.value && d.value <= range.last) expected.push_back(d);
      }
      with_each_instruction_set([&] {
        std::vector<digest> picked(n);
        picked.resize(kernels::digests_between(std::span(digests).first(n), range.first, range.last, picked.data()));
        ASSERT_EQ(picked, expected);
      });
    }
  }
}

TEST(digest_ranges, have_both_their_ends_wherever_the_digest_stands) {
  for (std::size_t n = 1; n <= 40; ++n) {
    auto digests = random_digests(n);
    for (std::size_t at = 0; at < n; ++at) {
      const std::uint64_t end = digests[at].value;
      with_each_instruction_set([&] {
        const auto picked = [&](std::uint64_t first, std::uint64_t last) {
          std::vector<digest> found(n);
          found.resize(kernels::digests_between(digests, first, last, found.data()));
          return std::count(found.begin(), found.end(), digests[at]);
        };
        ASSERT_EQ(picked(0, end), 1) << n << ' ' << at;
        ASSERT_EQ(picked(end, ~std::uint64_t{0}), 1) << n << ' ' << at;
        ASSERT_EQ(picked(0, end - 1), 0) << n << ' ' << at;
        ASSERT_EQ(picked(end + 1, ~std::uint64_t{0}), 0) << n << ' ' << at;
      });
    }
  }
}

TEST(instructions, a_limit_holds_and_has_a_name) {
  const instruction_set best = limit_instructions(instruction_set::neon);
  EXPECT_EQ(best_instructions(), best);
  EXPECT_EQ(limit_instructions(instruction_set::plain), instruction_set::plain);
  EXPECT_EQ(best_instructions(), instruction_set::plain);
  EXPECT_EQ(limit_instructions(best), best);
  EXPECT_EQ(name_of(instruction_set::avx512), "avx512");
}

TEST(instructions, tests_run_with_the_plainest_and_the_best_set) {
  std::vector<instruction_set> sets;
  with_each_instruction_set([&] { sets.push_back(best_instructions()); });
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(sets.front(), instruction_set::plain);
  EXPECT_EQ(sets.back(), limit_instructions(instruction_set::neon));
#if defined(__aarch64__) && defined(SEEN_WITH_HIGHWAY)  // tests/neon
  EXPECT_EQ(name_of(sets.back()), "neon");
#endif
  for (const instruction_set set : sets) std::cout << "runs with " << name_of(set) << '\n';
}

}  // namespace
}  // namespace seen::testing
