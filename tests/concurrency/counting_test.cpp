// Counters that many threads raise and lower at once lose nothing.
#include <seen/filters/blocked_counting_bloom.hpp>
#include <seen/filters/counting_bloom.hpp>

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "support/soak.hpp"
#include "support/threads.hpp"

namespace seen::testing {
namespace {

template <class F>
class shared_counters : public ::testing::Test {
 protected:
  // Few enough keys that ThreadSanitizer is done in a second; crowded words, so that threads meet.
  static constexpr std::uint64_t keys = 2000;
  static F filter_of_wide_counters() {
    return F(F::shape_type::plan({.capacity = keys, .fpr = 0.01}, {.counter_bits = 8}).value());
  }
};
using kinds = ::testing::Types<concurrent_counting_bloom, concurrent_blocked_counting_bloom>;
TYPED_TEST_SUITE(shared_counters, kinds);

// Every thread adds all keys and takes half of them out again. While no counter is stuck the order does not matter: what is
// left is what one thread would have left.
TYPED_TEST(shared_counters, adds_and_removes_of_eight_threads_add_up) {
  auto shared = this->filter_of_wide_counters();
  const std::uint64_t rounds = scaled(1, 1000);
  on_threads(threads, [&](std::size_t t) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      for (std::uint64_t i = 0; i < this->keys; ++i) shared.add((i + t * 250) % this->keys);
      for (std::uint64_t i = 0; i < this->keys; ++i) {
        if (i % 2 != 0 && round + 1 == rounds) continue;
        ASSERT_TRUE(shared.remove(i)) << "added by this thread: it is in";
      }
    }
  });
  ASSERT_EQ(shared.engine().stuck_counters(), 0u);
  auto plain = std::move(shared).into_plain();
  decltype(plain) expected(plain.shape());
  for (std::uint64_t i = 1; i < this->keys; i += 2) {
    for (std::size_t t = 0; t < threads; ++t) expected.add(i);
  }
  EXPECT_EQ(plain, expected);
}

// A key that stays in is never missed, whatever is added and removed around it.
TYPED_TEST(shared_counters, a_key_that_stays_is_found_beside_adds_and_removes) {
  auto shared = this->filter_of_wide_counters();
  for (std::uint64_t i = 0; i < 100; ++i) shared.add(i);
  on_threads(threads, [&](std::size_t t) {
    for (std::uint64_t i = 0; i < scaled(2000, 1'000'000); ++i) {
      const std::uint64_t own = 1000 + t * 1'000'000 + i % 500;
      shared.add(own);
      ASSERT_TRUE(shared.may_contain(i % 100));
      ASSERT_GE(shared.count(own), 1u);
      ASSERT_TRUE(shared.remove(own));
    }
  });
  EXPECT_NEAR(shared.estimated_count(), 100, 20);
}

// A remove that a reset overtakes lowers the old counters or the new ones of its own key, never those of another key that
// was added to the new table in between.
TYPED_TEST(shared_counters, a_remove_beside_a_reset_takes_no_other_key) {
  // Crowded: x and y share counters, but neither covers the other.
  TypeParam shared(TypeParam::shape_type::plan({.capacity = 4, .fpr = 0.05}, {.counter_bits = 8}).value());
  std::uint64_t x = 0, y = 1;
  const auto overlap = [&] {
    auto plain = shared.snapshot();
    plain.clear();
    plain.add(x);
    const auto before = plain.engine().nonzero_counters();
    if (plain.may_contain(y)) return false;
    plain.add(y);
    const auto both = plain.engine().nonzero_counters();
    plain.clear();
    plain.add(y);
    return both < before + plain.engine().nonzero_counters() && !plain.may_contain(x);
  };
  while (!overlap() && y < 10'000) ++y;
  ASSERT_LT(y, 10'000u);
  std::atomic<bool> stop{false};
  std::vector<TypeParam> retired;
  on_threads(2, [&](std::size_t t) {
    if (t == 0) {
      while (!stop) {
        shared.add(x);
        (void)shared.remove(x);
      }
      return;
    }
    for (std::uint64_t round = 0; round < scaled(50'000, 1'000'000); ++round) {
      retired.push_back(shared.reset());
      shared.add(y);
      EXPECT_TRUE(shared.may_contain(y)) << round;
    }
    stop = true;
  });
}

// Two threads that remove one add of a key both at once may both succeed: what is lowered twice is lost to another key at
// worst, never below 0 and never out of a stuck counter.
TYPED_TEST(shared_counters, racing_removes_never_go_below_zero) {
  auto shared = this->filter_of_wide_counters();
  for (int round = 0; round < 200; ++round) {
    shared.add("alice");
    on_threads(2, [&](std::size_t) { (void)shared.remove("alice"); });
    ASSERT_EQ(shared.count("alice"), 0u);
    ASSERT_EQ(shared.engine().nonzero_counters(), 0u);
  }
}

}  // namespace
}  // namespace seen::testing
