// Tests what only the growing cuckoo filter does: nesting, growth, and removal that loses no key. Failure case 5.
#include <seen/any_filter.hpp>
#include <seen/filters/growing_cuckoo.hpp>
#include <seen/io.hpp>

#include <bit>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

using rule = nested_cuckoo_rule;

rule link_rule(std::uint64_t copies, std::uint32_t bits, std::uint32_t first_bits, std::uint64_t buckets = 32,
               std::uint64_t chunks = 1) {
  return rule::make({{copies * buckets, bits, copies * chunks}, copies, first_bits}).value();
}

// The part of a digest that a link compares: two digests in which it is equal are one to the link.
struct identity {
  std::uint64_t low, high, fingerprint;
  explicit identity(const engines::cuckoo_place& at)
      : low(std::min(at.pair.first, at.pair.second)),
        high(std::max(at.pair.first, at.pair.second)),
        fingerprint(at.fingerprint) {}
  friend auto operator<=>(const identity&, const identity&) = default;
};

TEST(growing_cuckoo_rule, places_are_pinned) {
  const auto expect = [](const rule& link, std::uint64_t d, std::uint64_t first, std::uint64_t second,
                         std::uint64_t fingerprint) {
    const auto at = link.place(digest(d));
    EXPECT_EQ(at.pair.first, first) << d;
    EXPECT_EQ(at.pair.second, second) << d;
    EXPECT_EQ(at.fingerprint, fingerprint) << d;
  };
  expect(link_rule(2, 14, 12, 120'000, 3), 0x9e3779b97f4a7c15, 13'831, 15'508, 11'701);
  expect(link_rule(4, 14, 12, 120'000, 3), 0x123456789abcdef0, 120'000 + 81'066, 120'000 + 76'429, 10'914);
  expect(link_rule(4, 14, 12, 120'000, 3), 0xfedcba9876543210, 120'000 + 54'933, 120'000 + 59'230, 5461);
}

// The nesting of the proof: digests that a link takes for one another every older link takes for one another too. Few
// buckets and short fingerprints, so that there are many such digests; those with leading zeros among them.
TEST(growing_cuckoo_rule, what_is_equal_in_a_link_is_equal_in_every_older_one) {
  const rule links[] = {link_rule(1, 8, 8), link_rule(2, 8, 8), link_rule(2, 10, 8), link_rule(4, 12, 8)};
  rng random(1);
  std::vector<digest> digests;
  for (int i = 0; i < 60'000; ++i) digests.push_back(digest(random()));
  for (int i = 0; i < 20'000; ++i) {  // fingerprints that begin with many zeros; 32 buckets take the top five bits of x
    const std::uint64_t x = random() << 59 | random() >> (5 + 6 + i % 8);
    digests.push_back(digest(x - (x << 32)));
  }
  for (std::size_t newer = 1; newer < std::size(links); ++newer) {
    std::vector<std::pair<identity, digest>> sorted;
    for (const digest d : digests) sorted.emplace_back(links[newer].place(d), d);
    std::sort(sorted.begin(), sorted.end());
    std::uint64_t equal = 0, swapped = 0;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i - 1].first != sorted[i].first) continue;
      const digest a = sorted[i - 1].second, b = sorted[i].second;
      ++equal;
      swapped += links[newer].place(a).pair.first != links[newer].place(b).pair.first;
      for (std::size_t older = 0; older < newer; ++older) {
        ASSERT_EQ(identity(links[older].place(a)), identity(links[older].place(b))) << older << " and " << newer;
      }
    }
    EXPECT_GT(equal, 1000u) << "not many to compare";
    EXPECT_GT(swapped, 300u) << "keys that begin at opposite ends of a pair are among them";
  }
}

TEST(growing_cuckoo, grows_by_doubling_and_keeps_every_key_and_the_rate) {
  growing_cuckoo f({.capacity = 1000, .fpr = 0.01});
  const std::uint64_t n = scaled(200'000, 5'000'000);
  rng random(2);
  for (std::uint64_t i = 0; i < n; ++i) f.add(digest(random()));
  EXPECT_EQ(f.size(), n);
  EXPECT_GT(f.engine().link_count(), 6u);
  EXPECT_GT(f.fill(), 0.4);
  rng again(2);
  for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(f.may_contain(digest(again())));
  EXPECT_LE(f.estimated_fpr(), 0.01);
  std::uint64_t hits = 0;
  constexpr std::uint64_t queries = 400'000;
  for (std::uint64_t i = 0; i < queries; ++i) hits += f.may_contain(digest(random()));
  const double now = f.estimated_fpr();
  EXPECT_TRUE(within_six_sigma(hits, queries, now)) << six_sigma_message(hits, queries, now);
  EXPECT_LE(hits, binomial_upper(queries, 0.01, 1e-9));
}

TEST(growing_cuckoo, up_to_its_capacity_it_is_one_link_at_the_models_rate) {
  constexpr std::uint64_t n = 50'000;
  growing_cuckoo f({.capacity = n, .fpr = 0.02});
  rng random(3);
  for (std::uint64_t i = 0; i < n; ++i) f.add(digest(random()));
  EXPECT_EQ(f.engine().link_count(), 1u);
  std::uint64_t hits = 0;
  constexpr std::uint64_t queries = 1'000'000;
  for (std::uint64_t i = 0; i < queries; ++i) hits += f.may_contain(digest(random()));
  const double model = f.shape().expected_fpr(n);
  EXPECT_TRUE(within_six_sigma(hits, queries, model)) << six_sigma_message(hits, queries, model);
}

TEST(growing_cuckoo, case_5_add_15k_and_15k_remove_15k_add_again_and_lose_nothing) {
  growing_cuckoo f({.capacity = 15'000, .fpr = 0.03});
  const auto all_there = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) ASSERT_TRUE(f.may_contain(i)) << i;
  };
  for (std::uint64_t i = 0; i < 30'000; ++i) f.add(i);
  EXPECT_GT(f.engine().link_count(), 1u);
  ASSERT_NO_FATAL_FAILURE(all_there(0, 30'000));
  for (std::uint64_t i = 0; i < 15'000; ++i) ASSERT_TRUE(f.remove(i));
  EXPECT_EQ(f.size(), 15'000u);
  ASSERT_NO_FATAL_FAILURE(all_there(15'000, 30'000));
  const std::size_t links = f.engine().link_count();
  for (std::uint64_t i = 0; i < 15'000; ++i) f.add(i);
  ASSERT_NO_FATAL_FAILURE(all_there(0, 30'000));
  EXPECT_EQ(f.engine().link_count(), links) << "there was room";
  for (std::uint64_t i = 0; i < 30'000; ++i) ASSERT_TRUE(f.remove(i));
  EXPECT_EQ(f.size(), 0u);
  EXPECT_EQ(f.engine().census(), 0u);
}

// The false negative of chains that do not nest is a chance of one in `rate` a removal: short fingerprints and many
// removals across links would show it thousands of times.
TEST(growing_cuckoo, case_5_random_adds_and_removals_over_many_links_against_an_exact_multiset) {
  rng random(5);
  growing_cuckoo f({.capacity = 1000, .fpr = 0.5});
  constexpr std::uint64_t universe = 40'000;
  std::vector<std::uint8_t> times(universe, 0);
  std::uint64_t size = 0;
  const std::uint64_t operations = scaled(1'000'000, 100'000'000);
  for (std::uint64_t done = 0; done < operations; ++done) {
    // Long waves of growing and shrinking, so that keys lie in all links and leave them in another order.
    const bool growing = done / 60'000 % 2 == 0;
    const std::uint64_t r = random();
    const std::uint64_t key = (r >> 20) % universe;
    if (r % 8 < (growing ? 5u : 2u)) {
      if (times[key] < 3) {
        f.add(key);
        ++times[key];
        ++size;
      }
    } else if (times[key] != 0) {
      ASSERT_TRUE(f.remove(key)) << "cannot remove " << key << ", which was added";
      --times[key];
      --size;
    }
    if (done % 8 == 0) {
      ASSERT_GE(f.count(key), times[key]);
    }
    const std::uint64_t other = random() % universe;
    ASSERT_TRUE(times[other] == 0 || f.may_contain(other)) << "false negative: " << other << " after " << done;
    if (done % 100'000 != 0) continue;
    ASSERT_EQ(f.size(), size);
    for (std::uint64_t i = 0; i < universe; ++i) ASSERT_TRUE(times[i] == 0 || f.may_contain(i)) << i;
  }
  EXPECT_GT(f.engine().link_count(), 4u);
  for (std::uint64_t i = 0; i < universe; ++i) {
    for (; times[i] != 0; --times[i]) ASSERT_TRUE(f.remove(i));
  }
  EXPECT_EQ(f.size(), 0u) << "one fingerprint per key, no more";
}

// Each link has eight places for a key. Without the rule that a link hardly used is followed by one of its own size
// this would ask for 2^25 times the first link.
TEST(growing_cuckoo, one_key_added_over_and_over_does_not_double_the_memory_each_time) {
  growing_cuckoo f({.capacity = 1000, .fpr = 0.01});
  for (std::uint64_t i = 0; i < 200; ++i) f.add("again");
  EXPECT_EQ(f.count("again"), 200u);
  EXPECT_EQ(f.engine().link_count(), 25u);
  EXPECT_LT(f.engine().slots(), 26u * 1200);
  for (std::uint64_t i = 0; i < 200; ++i) ASSERT_TRUE(f.remove("again"));
  EXPECT_FALSE(f.may_contain("again"));
  EXPECT_THROW(for (int i = 0; i < 8 * 255 + 1; ++i) f.add("again"), std::length_error);
  EXPECT_EQ(f.count("again"), 8u * 255) << "the add that failed changed nothing";
}

TEST(growing_cuckoo, removing_a_key_that_tests_absent_changes_nothing) {
  growing_cuckoo f({.capacity = 1000, .fpr = 0.01});
  for (std::uint64_t i = 0; i < 10'000; ++i) f.add(i);
  const growing_cuckoo before = f;
  for (std::uint64_t i = 10'000; i < 20'000; ++i) {
    if (f.may_contain(i)) continue;
    ASSERT_FALSE(f.remove(i));
  }
  EXPECT_EQ(f, before);
}

TEST(growing_cuckoo, it_comes_back_from_a_file_link_by_link_and_goes_on) {
  growing_cuckoo f({.capacity = 1000, .fpr = 0.01});
  for (std::uint64_t i = 0; i < 10'000; ++i) f.add(i);
  auto back = from_bytes<growing_cuckoo>(to_bytes(f).value());
  ASSERT_TRUE(back) << back.error().detail;
  EXPECT_EQ(*back, f);
  EXPECT_EQ(back->size(), 10'000u);
  for (std::uint64_t i = 10'000; i < 20'000; ++i) {
    f.add(i);
    back->add(i);
  }
  EXPECT_EQ(*back, f);
}

// --- parts from outside

std::vector<stored_part> stored(const growing_cuckoo& f) {
  std::vector<stored_part> parts;
  for (const engine_part& part : f.engine().parts()) {
    auto copy = storage::allocate(part.bytes.size()).value();
    std::copy(part.bytes.begin(), part.bytes.end(), copy.data());
    parts.push_back({part.fields, std::move(copy)});
  }
  return parts;
}

TEST(growing_cuckoo_parts, links_that_do_not_follow_from_one_another_are_refused) {
  growing_cuckoo f({.capacity = 2000, .fpr = 0.01});
  for (std::uint64_t i = 0; i < 10'000; ++i) f.add(i);
  using engine = growing_cuckoo::engine_type;
  ASSERT_TRUE(engine::from_parts(stored(f)));
  const std::size_t count = stored(f).size();
  ASSERT_GE(count, 4u);
  const auto refused = [&](auto change) {
    auto parts = stored(f);
    change(parts);
    const auto made = engine::from_parts(std::move(parts));
    EXPECT_FALSE(made);
    return made ? "" : made.error().detail;
  };
  EXPECT_EQ(refused([](auto& p) { p.resize(1); }),
            "a growing-cuckoo filter has a segment with 2 fields and no bytes, then 1 to 255 links");
  EXPECT_EQ(refused([](auto& p) { p.clear(); }).empty(), false);
  for (std::size_t part = 0; part < count; ++part) {
    for (std::size_t field = 0; field < stored(f)[part].fields.size(); ++field) {
      for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{1} << 62,
                                        std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN())}) {
        if (stored(f)[part].fields[field] == value) continue;
        EXPECT_NE(refused([&](auto& p) { p[part].fields[field] = value; }), "") << part << "." << field << " " << value;
      }
    }
    EXPECT_NE(refused([&](auto& p) { p[part].fields.push_back(1); }), "");
    EXPECT_NE(refused([&](auto& p) { p[part].bytes = storage::allocate(64).value(); }), "");
  }
  EXPECT_NE(refused([](auto& p) { std::swap(p[1], p[2]); }), "");
  EXPECT_NE(refused([](auto& p) { p[2].bytes.data()[p[2].bytes.size() - 1] = std::byte{1}; }), "");
}

TEST(growing_cuckoo_parts, wrong_parameters_are_refused) {
  EXPECT_EQ(growing_cuckoo::make(growing_cuckoo_shape{.first_capacity = 0, .fpr = 0.01}).error().code,
            errc::invalid_argument);
  EXPECT_EQ(growing_cuckoo::make(growing_cuckoo_shape{.first_capacity = 10, .fpr = 1}).error().code,
            errc::invalid_argument);
  EXPECT_EQ(growing_cuckoo::make(growing_cuckoo_shape{.first_capacity = 10, .fpr = 1e-9}).error().detail,
            "10 keys at fpr 1e-9: a chain of 32-bit fingerprints gives no rate below 3.73e-9");
  EXPECT_EQ(
      growing_cuckoo::make(growing_cuckoo_shape{.first_capacity = std::uint64_t{1} << 60, .fpr = 0.01}).error().code,
      errc::too_large);
}

TEST(growing_cuckoo, one_key_over_and_over_ends_in_an_error_that_says_why) {
  growing_cuckoo f({.capacity = 10, .fpr = 0.01});
  try {
    for (int i = 0; i < 3000; ++i) f.add("alice");
    FAIL() << "no exception";
  } catch (const std::length_error& e) {
    EXPECT_STREQ(e.what(), "add: the chain has 255 links and 2040 keys; every eight adds of one key take a link");
  }
  EXPECT_EQ(f.count("alice"), 2040u);
  EXPECT_EQ(any_filter(std::move(f)).add("alice").error().code, errc::too_large);
}

TEST(growing_cuckoo, told_how_many_links_it_may_have_it_refuses_the_next_and_stays_as_it_is) {
  growing_cuckoo f({.capacity = 100, .fpr = 0.01});
  auto chain = f.engine();
  std::uint64_t added = 0;
  while (chain.add_within(f.digest_of(added), 3)) ++added;
  EXPECT_EQ(chain.link_count(), 3u);
  EXPECT_GT(added, 500u);  // 100, 200 and 400, nearly full
  const auto full = chain;
  EXPECT_FALSE(chain.add_within(f.digest_of(added), 3));
  EXPECT_EQ(chain, full);
  EXPECT_TRUE(chain.add_within(f.digest_of(added), 4));
  EXPECT_EQ(chain.link_count(), 4u);
  for (std::uint64_t key = 0; key <= added; ++key) ASSERT_TRUE(chain.may_contain(f.digest_of(key))) << key;
}

}  // namespace
}  // namespace seen::testing
