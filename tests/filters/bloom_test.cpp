// Tests what is particular to the classic filter and its slices: the index rule, the degenerate shapes, folding.
#include <seen/filters/bloom.hpp>
#include <seen/filters/partitioned_bloom.hpp>
#include <seen/filters/portable_bloom.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

template <class Rule>
std::vector<std::uint64_t> positions(const Rule& rule, digest d) {
  std::vector<std::uint64_t> found;
  auto state = rule.start(d);
  for (std::uint32_t i = 0; i < rule.probes(); ++i) found.push_back(rule.template take<1>(state)[0]);
  return found;
}

// The rule is part of the file format: pinned. x0 = digest, x(i+1) = xi * 0xf1357aea2e62a9c5, position = mulhi(xi, m).
TEST(bloom_rule, positions_are_pinned) {
  const auto rule = chain_rule::make({.bits = 9'585'059, .probes = 7}).value();
  EXPECT_EQ(positions(rule, digest(0x9e3779b97f4a7c15)),
            (std::vector<std::uint64_t>{5923892, 5859421, 212564, 6047423, 9332032, 5459049, 5643984}));
  const auto sliced = slice_rule::make({.bits = 9'585'059, .probes = 7}).value();
  EXPECT_EQ(sliced.bits(), 9'585'065u);
  EXPECT_EQ(positions(sliced, digest(0x9e3779b97f4a7c15)),
            (std::vector<std::uint64_t>{846270, 2206355, 2768956, 4971803, 6810328, 7626339, 9022054}));
}

template <class Rule>
void expect_groups_agree(const Rule& rule, digest d) {
  const auto single = positions(rule, d);
  auto state = rule.start(d);
  std::vector<std::uint64_t> grouped;
  for (const std::uint64_t at : rule.template take<4>(state)) grouped.push_back(at);
  for (const std::uint64_t at : rule.template take<2>(state)) grouped.push_back(at);
  for (const std::uint64_t at : rule.template take<3>(state)) grouped.push_back(at);
  EXPECT_EQ(grouped, single);
}

TEST(bloom_rule, positions_are_the_same_one_by_one_and_in_groups) {
  rng random(2);
  for (int i = 0; i < 1000; ++i) {
    const digest d(random());
    expect_groups_agree(chain_rule::make({.bits = 1'000'003, .probes = 9}).value(), d);
    expect_groups_agree(slice_rule::make({.bits = 1'000'003, .probes = 9}).value(), d);
    expect_groups_agree(portable_rule::make({.bits = 1'000'003, .probes = 9}).value(), d);
  }
}

TEST(bloom_rule, every_position_is_below_m_and_in_its_slice) {
  rng random(1);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t bits = 1 + random.below(std::uint64_t{1} << (1 + i % 40));
    const auto probes = static_cast<std::uint32_t>(1 + random.below(30));
    const digest d(random());
    for (const std::uint64_t at : positions(chain_rule::make({.bits = bits, .probes = probes}).value(), d)) {
      ASSERT_LT(at, bits);
    }
    if (auto sliced = slice_rule::make({.bits = bits, .probes = probes}); sliced) {
      const std::uint64_t slice = sliced->bits() / probes;
      const auto found = positions(*sliced, d);
      for (std::uint32_t j = 0; j < probes; ++j) ASSERT_EQ(found[j] / slice, j);
    }
  }
}

// Failure case 8. The native chain has no h2: a zero digest (one key in 2^64) puts all probes at 0, and works.
TEST(bloom_rule, case_8_degenerate_digests_and_shapes_work) {
  for (const std::uint64_t bits : {1u, 2u, 3u, 5u, 64u, 65u, 512u, 1024u}) {
    for (const std::uint32_t probes : {1u, 2u, 7u, 30u}) {
      for (const std::uint64_t value : {0ull, 1ull, 2ull, 1ull << 32, 0xffff'ffffull, ~0ull, 1ull << 63}) {
        bloom f(bloom_shape{.bits = bits, .probes = probes});
        f.add(digest(value));
        EXPECT_TRUE(f.may_contain(digest(value)));
        partitioned_bloom p(partitioned_bloom_shape{.bits = bits, .probes = probes});
        p.add(digest(value));
        EXPECT_TRUE(p.may_contain(digest(value)));
        EXPECT_EQ(p.engine().set_bits(), probes) << "a slice each";
        portable_bloom q(bloom_shape{.bits = bits, .probes = probes});  // digest halves are h1 and h2: 0, even, …
        q.add(digest(value));
        EXPECT_TRUE(q.may_contain(digest(value)));
      }
    }
  }
}

TEST(bloom_rule, probes_of_one_digest_rarely_coincide) {
  // Ten thousand digests, 30 probes into 2^20 bits: 435 pairs each, so 4.15 coincidences expected in all; 30 is 12
  // sigma.
  const auto rule = chain_rule::make({.bits = 1 << 20, .probes = 30}).value();
  rng random(3);
  std::size_t coincidences = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto found = positions(rule, digest(random()));
    coincidences += found.size() - std::set<std::uint64_t>(found.begin(), found.end()).size();
  }
  EXPECT_LT(coincidences, 30u);
}

TEST(bloom_shape, what_plan_gives_make_takes) {
  // At the very limit rounding to whole slices goes beyond it: plan must say so, not make.
  for (const std::uint64_t n :
       {std::uint64_t{114'711'049'427}, std::uint64_t{114'711'049'428}, std::uint64_t{100'000'000'000}}) {
    const auto planned = partitioned_bloom_shape::plan({.capacity = n, .fpr = 0.01000002});
    if (!planned) continue;
    EXPECT_LE(planned->rounded().bits, math::max_bits) << n;
  }
}

TEST(bloom_shape, wrong_shapes_are_refused_with_the_value) {
  const auto message = [](std::uint64_t bits, std::uint32_t probes) {
    return bloom::make(bloom_shape{.bits = bits, .probes = probes}).error().detail;
  };
  EXPECT_EQ(message(0, 7), "bits is 0; it must be from 1 to 2^40");
  EXPECT_EQ(message((std::uint64_t{1} << 40) + 1, 7), "bits is 1099511627777; it must be from 1 to 2^40");
  EXPECT_EQ(message(100, 0), "probes is 0; it must be from 1 to 30");
  EXPECT_EQ(message(100, 31), "probes is 31; it must be from 1 to 30");
  EXPECT_EQ(partitioned_bloom::make(partitioned_bloom_shape{.bits = 100, .probes = 0}).error().detail,
            "probes is 0; it must be from 1 to 30");
}

TEST(bloom_over, borrows_the_callers_words) {
  std::vector<std::uint64_t> words(10);
  {
    auto f = bloom::over(words, {.bits = 640, .probes = 4}).value();
    f.add("alice");
    EXPECT_TRUE(f.may_contain("alice"));
  }
  EXPECT_NE(words, std::vector<std::uint64_t>(10)) << "the bits are in the caller's memory";
  const auto again = bloom::over(words, {.bits = 640, .probes = 4}).value();
  EXPECT_TRUE(again.may_contain("alice"));
  const auto saved = from_bytes<bloom>(*to_bytes(again));
  ASSERT_TRUE(saved) << saved.error().detail;
  EXPECT_TRUE(saved->may_contain("alice"));
}

// The caller's words end where the bits do, a filter's own at the end of a cache line: no more is read than both have.
TEST(bloom_over, borrowed_and_owned_filters_of_one_shape_are_compared_and_combined) {
  std::vector<std::uint64_t> words(2);
  auto borrowed = bloom::over(words, {.bits = 100, .probes = 3}).value();
  bloom owned(bloom_shape{.bits = 100, .probes = 3});
  EXPECT_EQ(owned, borrowed);
  borrowed.add("alice");
  EXPECT_NE(owned, borrowed);
  ASSERT_TRUE(owned.merge(borrowed));
  EXPECT_EQ(borrowed, owned);
  EXPECT_EQ(estimated_jaccard(owned, borrowed), 1);
  ASSERT_TRUE(owned.intersect(borrowed));
  ASSERT_TRUE(borrowed.merge(owned));
  const auto saved = from_bytes<bloom>(*to_bytes(owned));
  ASSERT_TRUE(saved) << saved.error().detail;
  EXPECT_EQ(*saved, borrowed);
}

TEST(bloom_over, refuses_words_that_do_not_fit) {
  std::vector<std::uint64_t> words(10);
  EXPECT_EQ(bloom::over(words, {.bits = 641, .probes = 4}).error().detail,
            "641 bits take 88 to 128 bytes; 80 were given");
  EXPECT_EQ(bloom::over(words, {.bits = 64, .probes = 4}).error().code, errc::invalid_argument);
  words[9] = ~std::uint64_t{0};
  EXPECT_EQ(bloom::over(words, {.bits = 600, .probes = 4}).error().detail, "bits beyond the last of 600 bits are set");
}

// --- shrink

TEST(shrink, folding_keeps_every_key_and_the_asked_rate) {
  constexpr std::uint64_t keys = 10'000;
  for (const std::uint64_t bits : {std::uint64_t{5040 * 2000}, std::uint64_t{1} << 24}) {
    bloom f(bloom_shape{.bits = bits, .probes = 7});
    for (std::uint64_t i = 0; i < keys; ++i) f.add(i);
    ASSERT_TRUE(f.shrink_to_fpr(0.01));
    EXPECT_LT(f.bits(), bits / 50);
    EXPECT_EQ(bits % f.bits(), 0u);
    EXPECT_LE(f.estimated_fpr(), 0.01);
    for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(i));
    bloom direct(f.shape());
    for (std::uint64_t i = 0; i < keys; ++i) direct.add(i);
    EXPECT_EQ(f, direct) << "folding gives what building at that size gives";
  }
}

// The divisor is chosen by an estimate that is a little generous, and tried: of many numbers of keys some lie so that the
// first one tried misses the rate by less than that.
TEST(shrink, never_leaves_a_rate_above_the_one_asked_for) {
  for (std::uint64_t keys = 200; keys < 1400; keys += 7) {
    bloom f(bloom_shape{.bits = 55'440, .probes = 7});  // 120 divisors
    for (std::uint64_t i = 0; i < keys; ++i) f.add(i);
    ASSERT_TRUE(f.shrink_to_fpr(0.01));
    ASSERT_LE(f.estimated_fpr(), 0.01) << keys;
  }
}

TEST(shrink, takes_the_smallest_size_that_keeps_the_rate) {
  bloom f(bloom_shape{.bits = 5040 * 100, .probes = 7});
  for (std::uint64_t i = 0; i < 5000; ++i) f.add(i);
  const bloom before = f;
  ASSERT_TRUE(f.shrink_to_fpr(0.01));
  for (std::uint64_t divisor = 2; divisor < 5040 * 100; ++divisor) {
    if (before.bits() % divisor != 0 || before.bits() / divisor >= f.bits()) continue;
    bloom smaller(bloom_shape{.bits = before.bits() / divisor, .probes = 7});
    for (std::uint64_t i = 0; i < 5000; ++i) smaller.add(i);
    EXPECT_GT(smaller.estimated_fpr(), 0.01) << "dividing by " << divisor << " would have done";
    break;  // the rate only grows from here
  }
}

TEST(shrink, an_empty_filter_is_left_alone) {
  bloom f(bloom_shape{.bits = 5040, .probes = 7});
  EXPECT_EQ(f.shrink_to_fpr(0.01).error().detail, "shrink: the filter is empty: there is no key to size it by");
  EXPECT_EQ(f.bits(), 5040u);
}

// Single keys and batches take probes in groups and stages of their own, chosen by k and by whether the table is beyond a
// cache: the second level for batches, a far larger one for single lookups.
template <class F>
void expect_batches_agree(const typename F::shape_type& shape) {
  rng random(3);
  std::vector<std::uint64_t> added, asked;
  for (int i = 0; i < 300; ++i) {
    added.push_back(random());
    asked.push_back(i % 2 == 0 ? added.back() : random());
  }
  F by_one(shape), by_many(shape);
  for (const std::uint64_t key : added) by_one.add(key);
  by_many.add_many(added);
  const auto same = [&](std::size_t i) { return by_one.engine().words()[i] == by_many.engine().words()[i]; };
  std::size_t i = 0;
  while (i < by_one.engine().word_count() && same(i)) ++i;
  EXPECT_EQ(i, by_one.engine().word_count()) << shape.probes;
  const auto out = std::make_unique<bool[]>(asked.size());
  std::size_t found = 0;
  const std::size_t told = by_many.may_contain_many(asked, {out.get(), asked.size()});
  for (std::size_t j = 0; j < asked.size(); ++j) {
    EXPECT_EQ(out[j], by_one.may_contain(asked[j])) << shape.probes << ' ' << j;
    found += out[j];
  }
  EXPECT_EQ(told, found);
}

TEST(bloom_batch, adds_and_answers_as_single_keys_do_for_every_number_of_probes) {
  for (std::uint32_t probes = 1; probes <= math::max_probes; ++probes) {
    for (const std::uint64_t bits : {std::uint64_t{3001}, kernels::cached_bits + 64, kernels::single::near_bits + 64}) {
      expect_batches_agree<bloom>({.bits = bits, .probes = probes});
      expect_batches_agree<concurrent_bloom>({.bits = bits, .probes = probes});
    }
  }
}

// A tile after one that was found nearly whole is looked up in another way, and absent keys may begin in it.
TEST(bloom_batch, finds_absent_keys_after_many_present_ones) {
  for (const std::uint64_t bits : {std::uint64_t{30'011}, kernels::cached_bits + 64}) {
    bloom f(bloom_shape{.bits = bits, .probes = kernels::usual_probes});
    std::vector<std::uint64_t> asked;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      if (i < 200 || i % 16 != 5) f.add(i);
      asked.push_back(i);
    }
    const auto out = std::make_unique<bool[]>(asked.size());
    const std::size_t told = f.may_contain_many(asked, {out.get(), asked.size()});
    std::size_t found = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      EXPECT_EQ(out[i], f.may_contain(asked[i])) << bits << ' ' << i;
      found += out[i];
    }
    EXPECT_EQ(told, found);
    EXPECT_LT(found, 970u);
  }
}

TEST(bloom_lookup, looks_at_every_probe_near_and_far) {
  rng random(5);
  for (const std::uint64_t bits : {std::uint64_t{3001}, kernels::cached_bits + 64, kernels::single::near_bits + 64}) {
    for (std::uint32_t probes = 1; probes <= math::max_probes; ++probes) {
      bloom f(bloom_shape{.bits = bits, .probes = probes});
      std::uint64_t* const words = f.engine().words();
      std::fill_n(words, f.engine().word_count(), ~std::uint64_t{0});
      const std::array<digest, 1> d{digest(random())};
      ASSERT_TRUE(f.may_contain(d[0]));
      const chain_rule rule = f.engine().rule();
      auto state = rule.start(d[0]);
      for (std::uint32_t probe = 0; probe < probes; ++probe) {
        const std::uint64_t at = rule.take<1>(state)[0];
        words[at / 64] &= ~bit_mask(at);
        EXPECT_FALSE(f.may_contain(d[0])) << bits << ' ' << probes << ' ' << probe;
        std::array<bool, 1> out{true};
        EXPECT_EQ(f.may_contain_many(d, out), 0u) << bits << ' ' << probes << ' ' << probe;
        words[at / 64] |= bit_mask(at);
      }
    }
  }
}

TEST(shrink, slices_fold_too) {
  partitioned_bloom f(partitioned_bloom_shape{.bits = 7 * 5040 * 100, .probes = 7});
  for (std::uint64_t i = 0; i < 1000; ++i) f.add(i);
  ASSERT_TRUE(f.shrink_to_fpr(0.01));
  partitioned_bloom direct(f.shape());
  for (std::uint64_t i = 0; i < 1000; ++i) direct.add(i);
  EXPECT_EQ(f, direct);
}

TEST(shrink, says_so_and_changes_nothing_where_no_divisor_keeps_the_rate) {
  bloom prime(bloom_shape{.bits = 1'000'003, .probes = 7});
  prime.add("alice");
  bloom full(bloom_shape{.bits = 1 << 16, .probes = 7});
  for (std::uint64_t i = 0; i < 6000; ++i) full.add(i);
  for (bloom* f : {&full}) {
    const bloom before = *f;
    const auto shrunk = f->shrink_to_fpr(0.01);
    ASSERT_FALSE(shrunk);
    EXPECT_EQ(shrunk.error().code, errc::unsupported);
    EXPECT_EQ(*f, before);
  }
  EXPECT_EQ(prime.shrink_to_fpr(1e-9).error().code, errc::unsupported);
  EXPECT_EQ(prime.shrink_to_fpr(0).error().code, errc::invalid_argument);
  EXPECT_EQ(prime.shrink_to_fpr(std::nan("")).error().code, errc::invalid_argument);
}

}  // namespace
}  // namespace seen::testing
