// Chains that grow under many threads: no add is lost while links are made, no link is overfilled, readers go on. The
// same file runs under ThreadSanitizer with fewer keys.
#include <seen/filters/scalable_bloom.hpp>
#include <seen/filters/scalable_classic_bloom.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/soak.hpp"
#include "support/threads.hpp"

namespace seen::testing {
namespace {

template <class F>
class shared_chain : public ::testing::Test {
 protected:
  static std::uint64_t keys_per_thread() { return scaled(100'000, 20'000'000) / slowdown; }
  // 1000 keys at first: ten and more links on the way.
  static F small() { return F({.capacity = 1000, .fpr = 0.01}); }
  static std::vector<std::vector<std::uint64_t>> link_fields(const F& f) {
    std::vector<std::vector<std::uint64_t>> links;
    const auto still = f.snapshot();
    for (const auto& part : still.engine().parts()) links.push_back(part.fields);
    links.erase(links.begin());
    return links;
  }
};

struct link_names {
  template <class F>
  static std::string GetName(int) {
    return F::kind.id == 7 ? "blocked" : "classic";
  }
};
using shared_chains = ::testing::Types<concurrent_scalable_bloom, concurrent_scalable_classic_bloom>;
TYPED_TEST_SUITE(shared_chain, shared_chains, link_names);

TYPED_TEST(shared_chain, eight_threads_grow_it_through_many_links_and_no_add_is_lost) {
  const std::uint64_t n = this->keys_per_thread();
  auto f = this->small();
  on_threads(threads, [&](std::size_t t) {
    for (std::uint64_t i = 0; i < n; ++i) {
      f.add(key_of(t, i));
      ASSERT_TRUE(f.may_contain(key_of(t, i)));
      ASSERT_TRUE(f.may_contain(key_of(t, i / 2)));
    }
  });
  for (std::uint64_t key = 0; key < n * threads; ++key) ASSERT_TRUE(f.may_contain(key)) << key;

  const auto links = this->link_fields(f);
  EXPECT_GE(links.size(), slowdown == 1 ? 9u : 5u);
  std::uint64_t keys = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    EXPECT_EQ(links[i][0], std::uint64_t{1000} << i) << "as a chain of one thread grows";
    EXPECT_LE(links[i][2], links[i][0]) << "racing threads do not overfill a link";
    EXPECT_TRUE(links[i][2] == links[i][0] || i + 1 == links.size()) << "all but the newest are full";
    keys += links[i][2];
  }
  // Nobody adds the same key twice, so only false positives are missing.
  EXPECT_LE(keys, n * threads);
  EXPECT_GE(static_cast<double>(keys), 0.97 * static_cast<double>(n * threads));
  EXPECT_LE(f.engine().bound(), 0.01);
  EXPECT_LE(f.estimated_fpr(), 1.3 * 0.01) << "six sigma of the first links' luck";
}

TYPED_TEST(shared_chain, batches_of_eight_threads_lose_nothing_while_it_grows) {
  const std::uint64_t n = this->keys_per_thread();
  auto f = this->small();
  on_threads(threads, [&](std::size_t t) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < n; ++i) keys.push_back(key_of(t, i));
    for (std::size_t from = 0; from < keys.size(); from += 1000) {
      const auto some = std::span(keys).subspan(from, std::min<std::size_t>(1000, keys.size() - from));
      f.add_many(some);
      const auto out = std::make_unique<bool[]>(some.size());
      ASSERT_EQ(f.may_contain_many(some, std::span(out.get(), some.size())), some.size());
    }
  });
  for (std::uint64_t key = 0; key < n * threads; ++key) ASSERT_TRUE(f.may_contain(key)) << key;
}

// All threads add the same keys: a race may count a key more than once, but never more often than there are threads.
TYPED_TEST(shared_chain, duplicates_that_race_waste_places_but_lose_nothing) {
  const std::uint64_t n = this->keys_per_thread() / 2;
  auto f = this->small();
  on_threads(threads, [&](std::size_t) {
    for (std::uint64_t key = 0; key < n; ++key) f.add(key);
  });
  for (std::uint64_t key = 0; key < n; ++key) ASSERT_TRUE(f.may_contain(key));
  EXPECT_LE(f.estimated_count(), static_cast<double>(threads * n));
}

TYPED_TEST(shared_chain, a_snapshot_during_growth_holds_every_earlier_key) {
  const std::uint64_t n = this->keys_per_thread() / 4;
  auto f = this->small();
  copies_hold_every_earlier_key(
      n, [&](std::uint64_t key) { f.add(key); },
      [&] {
        EXPECT_LE(f.engine().bound(), 0.01);
        EXPECT_GE(f.estimated_count(), 0);
        EXPECT_GE(f.estimated_fpr(), 0);
        return f.snapshot();
      });
}

// Links that clear() drops may still be under a reader's eyes: they are kept, and taken up again by the next growth.
TYPED_TEST(shared_chain, clear_and_regrowth_beside_readers_are_free_of_races) {
  auto f = this->small();
  std::atomic<bool> stop{false};
  on_threads(4, [&](std::size_t t) {
    if (t == 0) {
      for (int round = 0; round < 20; ++round) {
        for (std::uint64_t key = 0; key < 5000; ++key) f.add(key);
        f.clear();
      }
      stop = true;
      return;
    }
    bool out[4];
    while (!stop) {
      for (std::uint64_t key = 0; key < 5000; key += 4) {
        (void)f.may_contain(key);
        (void)f.may_contain_many(std::vector<std::uint64_t>{key, key + 1, key + 2, key + 3}, out);
      }
    }
  });
  EXPECT_EQ(f.engine().links_in_chain(), 1u);
  EXPECT_EQ(f, this->small());
  for (std::uint64_t key = 0; key < 5000; ++key) f.add(key);
  for (std::uint64_t key = 0; key < 5000; ++key) ASSERT_TRUE(f.may_contain(key));
  EXPECT_EQ(f.engine().links_in_chain(), 3u);
}

TYPED_TEST(shared_chain, merging_into_it_beside_adders_loses_nothing) {
  const std::uint64_t n = this->keys_per_thread() / 8;
  auto f = this->small();
  std::vector<TypeParam> others;
  for (std::uint64_t i = 0; i < 10; ++i) {
    others.push_back(this->small());
    for (std::uint64_t key = 0; key < 1500; ++key) others.back().add((std::uint64_t{1} << 40) + 1500 * i + key);
  }
  on_threads(threads, [&](std::size_t t) {
    if (t == 0) {
      for (const auto& other : others) ASSERT_TRUE(f.merge(other));
      return;
    }
    for (std::uint64_t i = 0; i < n; ++i) f.add(key_of(t, i));
  });
  for (std::size_t t = 1; t < threads; ++t) {
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(f.may_contain(key_of(t, i)));
  }
  for (std::uint64_t key = 0; key < 15'000; ++key) ASSERT_TRUE(f.may_contain((std::uint64_t{1} << 40) + key));
}

TYPED_TEST(shared_chain, it_goes_to_plain_and_back_without_a_copy_of_its_bits) {
  auto f = this->small();
  for (std::uint64_t key = 0; key < 5000; ++key) f.add(key);
  const auto still = f.snapshot();
  auto plain = std::move(f).into_plain();
  EXPECT_EQ(plain, still);
  const auto* const bits = plain.engine().parts()[1].bytes.data();
  plain.add("alice");
  auto shared = std::move(plain).into_concurrent();
  shared.add("bob");
  EXPECT_TRUE(shared.may_contain("alice") && shared.may_contain("bob"));
  EXPECT_EQ(std::move(shared).into_plain().engine().parts()[1].bytes.data(), bits);
}

}  // namespace
}  // namespace seen::testing
