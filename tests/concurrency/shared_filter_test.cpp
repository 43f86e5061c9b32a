// Tests what many threads may rely on: failure cases 28 and 29 of docs/reliability.md, and the contract of
// docs/promises.md. The same file runs under ThreadSanitizer with fewer keys.
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "support/all_filters.hpp"
#include "support/soak.hpp"
#include "support/threads.hpp"

namespace seen::testing {
namespace {

template <class F>
class shared_filter : public ::testing::Test {
 protected:
  static std::uint64_t keys_per_thread() {
    return scaled(F::kind.name == "bloom" ? 1'000'000 : 200'000, 100'000'000) / slowdown;
  }
  static F filter_for(std::uint64_t keys) { return F({.capacity = keys, .fpr = 0.01}); }
};
TYPED_TEST_SUITE(shared_filter, all_concurrent_filters, kind_names);

TYPED_TEST(shared_filter, eight_threads_add_and_every_key_is_seen_and_the_bytes_are_the_plain_ones) {
  const std::uint64_t n = this->keys_per_thread();
  auto f = this->filter_for(n * threads);
  on_threads(threads, [&](std::size_t t) {
    for (std::uint64_t i = 0; i < n; ++i) {
      f.add(key_of(t, i));
      // A thread sees its own adds at once, without any synchronisation.
      ASSERT_TRUE(f.may_contain(key_of(t, i)));
    }
  });
  for (std::uint64_t key = 0; key < n * threads; ++key) ASSERT_TRUE(f.may_contain(key)) << key;

  if constexpr (!is_order_free<TypeParam>::value) return;
  auto plain = std::move(f).into_plain();
  decltype(plain) expected(target{.capacity = n * threads, .fpr = 0.01});
  for (std::uint64_t key = 0; key < n * threads; ++key) expected.add(key);
  EXPECT_EQ(plain, expected);
  EXPECT_EQ(*to_bytes(plain), *to_bytes(expected));
}

TYPED_TEST(shared_filter, batches_from_eight_threads_are_seen) {
  const std::uint64_t n = this->keys_per_thread() / 4;
  auto f = this->filter_for(n * threads);
  on_threads(threads, [&](std::size_t t) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < n; ++i) keys.push_back(key_of(t, i));
    f.add_many(keys);
    const auto out = std::make_unique<bool[]>(n);
    ASSERT_EQ(f.may_contain_many(keys, std::span(out.get(), n)), n);
  });
  for (std::uint64_t key = 0; key < n * threads; ++key) ASSERT_TRUE(f.may_contain(key)) << key;
}

// A filter that is not wrong once in n keys: by its rate, or where a kind does not reach that, by being far from full.
template <class F>
F hardly_ever_wrong(std::uint64_t n) {
  if (auto made = F::make({.capacity = n, .fpr = 1e-9})) return std::move(*made);
  return F({.capacity = 16 * n, .fpr = 1e-4});
}

// All threads offer the same new keys. Every key must be new to somebody; "absent" told to several is allowed. A key
// may be told "present" to all only if it is a false positive of the keys before it, so the filter is sized for none.
TYPED_TEST(shared_filter, case_29_test_and_add_tells_at_least_one_thread_absent) {
  const std::uint64_t n = this->keys_per_thread();
  auto f = hardly_ever_wrong<TypeParam>(n);
  std::vector<std::atomic<std::uint8_t>> told_absent(n);
  on_threads(threads, [&](std::size_t) {
    for (std::uint64_t key = 0; key < n; ++key) {
      if (!f.test_and_add(key)) told_absent[key].fetch_add(1, std::memory_order_relaxed);
    }
  });
  for (std::uint64_t key = 0; key < n; ++key) ASSERT_GE(told_absent[key].load(), 1) << key;
}

TYPED_TEST(shared_filter, case_29_the_exclusive_variant_tells_exactly_one_thread_absent) {
  const std::uint64_t n = this->keys_per_thread();
  auto f = hardly_ever_wrong<TypeParam>(n);
  std::vector<std::atomic<std::uint8_t>> told_absent(n);
  on_threads(threads, [&](std::size_t) {
    for (std::uint64_t key = 0; key < n; ++key) {
      if (!f.test_and_add_exclusive(key)) told_absent[key].fetch_add(1, std::memory_order_relaxed);
    }
  });
  for (std::uint64_t key = 0; key < n; ++key) ASSERT_EQ(told_absent[key].load(), 1) << key;
}

// Saving goes on while eight threads add: the bytes must pass every check and hold every key whose add was over.
TYPED_TEST(shared_filter, case_28_a_save_during_adds_is_whole_and_holds_every_earlier_key) {
  const std::uint64_t n = this->keys_per_thread() / 8;
  auto f = this->filter_for(n * threads);
  using plain = decltype(std::declval<TypeParam>().into_plain());
  copies_hold_every_earlier_key(
      n, [&](std::uint64_t key) { f.add(key); }, [&] { return from_bytes<plain>(to_bytes(f).value()).value(); });
}

TYPED_TEST(shared_filter, a_snapshot_and_the_estimates_may_be_taken_during_adds) {
  const std::uint64_t n = this->keys_per_thread() / 8;
  auto f = this->filter_for(n * threads);
  on_threads(threads, [&](std::size_t t) {
    if (t != 0) {
      for (std::uint64_t i = 0; i < n; ++i) f.add(key_of(t, i));
      return;
    }
    f.add("before");
    for (int i = 0; i < 20; ++i) {
      const auto snapshot = f.snapshot();
      ASSERT_TRUE(snapshot.may_contain("before"));
      ASSERT_LE(snapshot.fill(), f.fill());
      ASSERT_GE(f.estimated_count(), 0.9);
    }
  });
}

TYPED_TEST(shared_filter, clear_and_merge_beside_readers_are_free_of_races) {
  auto f = this->filter_for(1000);
  auto other = this->filter_for(1000);
  for (std::uint64_t i = 0; i < 1000; ++i) other.add(i);
  std::atomic<bool> stop{false};
  on_threads(4, [&](std::size_t t) {
    if (t == 0) {
      for (int round = 0; round < 200; ++round) {
        ASSERT_TRUE(f.merge(other));
        f.clear();
      }
      stop = true;
      return;
    }
    while (!stop) {
      for (std::uint64_t i = 0; i < 1000; ++i) (void)f.may_contain(i);  // unspecified, but no race
    }
  });
  EXPECT_EQ(f, this->filter_for(1000));
}

// Readers and adders go on while another thread swaps empty filters in; it keeps what it swapped out until all are
// done, and no add is lost: each key is in the live filter or in one that was swapped out.
TYPED_TEST(shared_filter, reset_beside_adders_loses_no_key) {
  const std::uint64_t n = this->keys_per_thread() / 64;
  auto f = this->filter_for(n * threads);
  std::vector<TypeParam> retired;
  on_threads(threads, [&](std::size_t t) {
    if (t == 0) {
      for (int round = 0; round < 50; ++round) retired.push_back(f.reset());
      return;
    }
    for (std::uint64_t i = 0; i < n; ++i) f.add(key_of(t, i));
  });
  retired.push_back(std::move(f));
  auto all = this->filter_for(n * threads);
  for (const auto& each : retired) ASSERT_TRUE(all.merge(each));
  for (std::size_t t = 1; t < threads; ++t) {
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(all.may_contain(key_of(t, i)));
  }
}

TYPED_TEST(shared_filter, it_can_be_moved_but_not_copied) {
  static_assert(std::movable<TypeParam>);
  static_assert(!std::copyable<TypeParam>);
  auto f = this->filter_for(10);
  f.add("alice");
  TypeParam moved = std::move(f);
  EXPECT_TRUE(moved.may_contain("alice"));
  auto plain = std::move(moved).into_plain();
  plain.add("bob");
  const auto back = std::move(plain).into_concurrent();
  EXPECT_TRUE(back.may_contain("alice") && back.may_contain("bob"));
}

TYPED_TEST(shared_filter, many_threads_may_read_one_mapped_file) {
  const std::uint64_t n = 10'000;
  auto f = this->filter_for(n);
  for (std::uint64_t i = 0; i < n; ++i) f.add(i);
  const std::string path = ::testing::TempDir() + "shared_" + std::string(kind_names::GetName<TypeParam>(0)) + ".seen";
  ASSERT_TRUE(save(f, path));
  const auto mapped = map<TypeParam>(path);
  ASSERT_TRUE(mapped) << mapped.error().detail;
  on_threads(threads, [&](std::size_t) {
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE((*mapped)->may_contain(i));
  });
}

}  // namespace
}  // namespace seen::testing
