// Tests what many threads may rely on in a cuckoo filter, where keys move: the moves lose nothing, lookups see no key
// absent while it is moved, removal takes no other key. The tables are small and full, so that writers move keys all
// the time.
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/all_filters.hpp"
#include "support/soak.hpp"
#include "support/threads.hpp"

namespace seen::testing {
namespace {

// A width in one word, one that straddles words, one of two groups; one chunk and several.
struct shape {
  std::uint32_t bits;
  std::uint64_t keys;
};
constexpr shape shapes[] = {{16, 20'000}, {13, 20'000}, {17, 20'000}, {16, 600'000}, {32, 400'000}};

concurrent_cuckoo filter_for(const shape& s) {
  return concurrent_cuckoo(cuckoo_shape::plan({.capacity = s.keys, .fpr = 0.5}, {.fingerprint_bits = s.bits}).value());
}

// More chunks than stripes: several share one, and everything still counts.
TEST(shared_cuckoo, chunks_that_share_stripes_count_and_clear_as_others_do) {
  concurrent_cuckoo f(cuckoo_shape{.buckets = 2000 * 16, .fingerprint_bits = 16, .chunks = 2000});
  std::vector<std::atomic<std::uint64_t>> added(threads);
  on_threads(threads, [&](std::size_t t) {
    for (std::uint64_t i = 0; i < 5000; ++i) added[t] += f.add(key_of(t, i));
    for (std::uint64_t i = 0; i < 5000; i += 5) added[t] -= f.remove(key_of(t, i));
  });
  std::uint64_t sum = 0;
  for (const auto& each : added) sum += each;
  EXPECT_EQ(f.size(), sum);
  EXPECT_EQ(f.snapshot().size(), sum);
  f.clear();
  EXPECT_EQ(f.size(), 0u);
  EXPECT_TRUE(f.add("alice"));
  EXPECT_TRUE(f.may_contain("alice"));
  EXPECT_EQ(f.size(), 1u);
}

TEST(shared_cuckoo, eight_threads_adding_disjoint_keys_lose_none) {
  for (const shape& each : shapes) {
    const shape s{each.bits, each.keys / (each.keys > 100'000 ? slowdown : 1)};
    auto f = filter_for(s);
    const std::uint64_t n = s.keys / threads;
    std::atomic<std::uint64_t> refused{0};
    on_threads(threads, [&](std::size_t t) {
      for (std::uint64_t i = 0; i < n; ++i) {
        if (!f.add(key_of(t, i))) {
          refused.fetch_add(1);
          continue;
        }
        ASSERT_TRUE(f.may_contain(key_of(t, i))) << "what a thread added it sees at once";
      }
    });
    EXPECT_EQ(refused.load(), 0u);
    EXPECT_EQ(f.size(), n * threads);
    EXPECT_EQ(f.engine().census(), n * threads);
    for (std::uint64_t key = 0; key < n * threads; ++key) ASSERT_TRUE(f.may_contain(key)) << s.bits << ": " << key;
    // Every fingerprint is there once: taking them all out leaves nothing.
    auto plain = std::move(f).into_plain();
    for (std::uint64_t key = 0; key < n * threads; ++key) ASSERT_TRUE(plain.remove(key));
    EXPECT_EQ(plain, decltype(plain)(plain.shape()));
  }
}

// Readers ask for keys that are in, and nothing else, while writers fill the table to the brim, moving those keys about,
// take their own out and begin again. In a table of a few dozen slots every lookup meets a move; without the versions
// this fails within a second, without the locks too.
TEST(shared_cuckoo, readers_of_keys_that_are_in_never_see_one_absent_while_writers_move_them) {
  struct {
    std::uint32_t bits;
    std::uint64_t buckets, still;
  } const tables[] = {{16, 10, 20}, {13, 10, 20}, {17, 16, 34}, {32, 40, 90}};
  for (const auto& table : tables) {
    concurrent_cuckoo f(cuckoo_shape{.buckets = table.buckets, .fingerprint_bits = table.bits});
    for (std::uint64_t i = 0; i < table.still; ++i) ASSERT_TRUE(f.add(i));
    std::atomic<std::size_t> writing{2};
    const std::uint64_t adds = scaled(100'000, 40'000'000) / slowdown;
    on_threads(4, [&](std::size_t t) {
      if (t < 2) {
        std::uint64_t key = (1 + t) << 40;
        for (std::uint64_t done = 0; done < adds;) {
          std::vector<std::uint64_t> mine;
          for (int refused = 0; refused < 1; ++key, ++done) {
            if (f.add(key)) {
              mine.push_back(key);
            } else {
              ++refused;
            }
          }
          for (const std::uint64_t each : mine) ASSERT_TRUE(f.remove(each)) << "a key that was added";
        }
        writing.fetch_sub(1);
        return;
      }
      const auto out = std::make_unique<bool[]>(256);
      std::vector<std::uint64_t> batch(256);
      for (std::uint64_t at = t; writing.load(std::memory_order_relaxed) != 0; at = (at + 7) % table.still) {
        ASSERT_TRUE(f.may_contain(at)) << at << " absent while it was moved";
        ASSERT_GE(f.count(at), 1u);
        if (at % 16 != 0) continue;
        for (std::size_t i = 0; i < batch.size(); ++i) batch[i] = (at + i) % table.still;
        ASSERT_EQ(f.may_contain_many(batch, {out.get(), batch.size()}), batch.size());
      }
    });
    EXPECT_EQ(f.size(), table.still);
    EXPECT_EQ(f.engine().census(), table.still);
  }
}

TEST(shared_cuckoo, removals_take_no_other_key) {
  for (const shape& s : shapes) {
    if (s.keys > 100'000) continue;
    auto f = filter_for(s);
    for (std::uint64_t i = 0; i < s.keys; ++i) ASSERT_TRUE(f.add(i));
    on_threads(threads, [&](std::size_t t) {
      for (std::uint64_t i = t; i < s.keys; i += threads) {
        if (i % 2 == 0) {
          ASSERT_TRUE(f.remove(i));
        } else {
          ASSERT_TRUE(f.may_contain(i));
        }
      }
    });
    EXPECT_EQ(f.size(), s.keys / 2);
    for (std::uint64_t i = 1; i < s.keys; i += 2) ASSERT_TRUE(f.may_contain(i));
  }
}

// Eight threads share one key's eight slots: whatever the order, at most eight are told it is in.
TEST(shared_cuckoo, case_4_the_ninth_copy_of_a_key_is_refused_to_every_thread) {
  concurrent_cuckoo f({.capacity = 1000, .fpr = 0.001});
  std::atomic<std::uint64_t> added{0};
  on_threads(threads, [&](std::size_t) {
    for (int i = 0; i < 100; ++i) added.fetch_add(f.add("again") ? 1 : 0);
  });
  EXPECT_EQ(added.load(), 8u);
  EXPECT_EQ(f.count("again"), 8u);
  EXPECT_EQ(f.size(), 8u);
}

TEST(shared_cuckoo, case_28_a_save_during_adds_is_whole_and_holds_every_earlier_key) {
  const shape s{16, 300'000 / slowdown};
  auto f = filter_for(s);
  const std::uint64_t n = s.keys / threads;
  copies_hold_every_earlier_key(
      n, [&](std::uint64_t key) { EXPECT_TRUE(f.add(key)); },
      [&] { return from_bytes<cuckoo>(to_bytes(f).value()).value(); });
}

TEST(shared_cuckoo, clear_beside_others_is_free_of_races_and_reset_loses_no_key) {
  const shape s{13, 20'000};
  auto f = filter_for(s);
  std::vector<concurrent_cuckoo> retired;
  std::vector<std::vector<std::uint64_t>> mine(threads);
  on_threads(threads, [&](std::size_t t) {
    if (t == 0) {
      for (int round = 0; round < 20; ++round) retired.push_back(f.reset());
      return;
    }
    for (std::uint64_t i = 0; i < 2000; ++i) {
      if (f.add(key_of(t, i))) mine[t].push_back(key_of(t, i));
      (void)f.may_contain(key_of(t, i / 2));
    }
  });
  retired.push_back(std::move(f));
  std::uint64_t size = 0;
  for (const auto& each : retired) size += each.size();
  std::uint64_t added = 0;
  for (const auto& keys : mine) {
    added += keys.size();
    for (const std::uint64_t key : keys) {
      bool found = false;
      for (const auto& each : retired) found = found || each.may_contain(key);
      ASSERT_TRUE(found) << key;
    }
  }
  EXPECT_EQ(size, added);

  auto g = filter_for(s);
  on_threads(4, [&](std::size_t t) {
    for (std::uint64_t i = 0; i < 5000; ++i) {
      if (t == 0 && i % 100 == 0) g.clear();
      (void)g.add(key_of(t, i));
      (void)g.remove(key_of(t, i / 2));
    }
  });
  g.clear();
  EXPECT_EQ(g.size(), 0u);
  EXPECT_EQ(g.engine().census(), 0u);
}

TEST(shared_cuckoo, alone_a_thread_makes_the_bytes_of_the_plain_filter_and_a_failed_add_changes_none) {
  for (const std::uint32_t bits : math::cuckoo_widths) {
    concurrent_cuckoo shared(cuckoo_shape{.buckets = 300, .fingerprint_bits = bits});
    cuckoo plain(shared.shape());
    for (std::uint64_t key = 0; key < 1300; ++key) {
      ASSERT_EQ(shared.add(key), plain.add(key)) << key;
      if (key % 5 == 0) {
        ASSERT_EQ(shared.remove(key / 2), plain.remove(key / 2));
      }
    }
    EXPECT_EQ(shared.size(), plain.size());
    EXPECT_EQ(*to_bytes(shared), *to_bytes(plain)) << bits;
    EXPECT_EQ(shared.snapshot(), plain);
    for (std::uint64_t key = 0; key < 3000; ++key) {
      ASSERT_EQ(shared.may_contain(key), plain.may_contain(key));
      ASSERT_EQ(shared.count(key), plain.count(key));
    }
    auto loaded = from_bytes<concurrent_cuckoo>(*to_bytes(plain));
    ASSERT_TRUE(loaded) << loaded.error().detail;
    EXPECT_EQ(loaded->size(), plain.size());
    EXPECT_EQ(std::move(shared).into_plain(), plain);
    auto again = std::move(plain).into_concurrent();
    EXPECT_EQ(again, *loaded);
    EXPECT_EQ(again.size(), loaded->size());
    // NOLINTNEXTLINE(bugprone-use-after-move): moved-from filters are harmless
    EXPECT_TRUE(plain.may_contain(1) && shared.may_contain(1));
    EXPECT_EQ(shared.size(), 0u);
    EXPECT_FALSE(shared.add(1) || plain.add(1) || shared.remove(1));
  }
}

}  // namespace
}  // namespace seen::testing
