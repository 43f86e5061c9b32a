// Random operations against an exact multiset: whatever the multiset holds the filter must claim, whichever operations
// its kind has. 10^6 operations in `make test`, 10^8 in `make soak`.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "support/all_filters.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

template <class F>
class model : public ::testing::Test {};
TYPED_TEST_SUITE(model, remembering_filters, kind_names);

constexpr std::uint64_t universe = 4096;  // keys 0 .. universe-1; small, so that all states of a key are visited
constexpr std::uint32_t most_times = 3;   // a key that is in so often is not added again: few slots, small counters

// A merge may make it more often, and counters of four bits stop here; kinds that know their size count on.
template <class F>
constexpr std::uint32_t most_counted = sized_engine<typename F::engine_type> ? ~0u : 15;

// A filter and how often it must contain each key. A kind that cannot remove knows only "once".
template <class F>
struct pair {
  static constexpr bool counts = removable_engine<typename F::engine_type>;

  pair() : f({.capacity = universe / 2, .fpr = 0.01}), times(universe, 0) {}
  F f;
  std::vector<std::uint32_t> times;

  void check(std::uint64_t key) const {
    ASSERT_TRUE(times[key] == 0 || f.may_contain(key)) << "false negative: " << key;
    if constexpr (countable_engine<typename F::engine_type>) {
      ASSERT_GE(f.count(key), std::min(times[key], most_counted<F>)) << key << " was added " << times[key] << " times";
    }
  }
  void check_all() const {
    for (std::uint64_t key = 0; key < universe; ++key) ASSERT_NO_FATAL_FAILURE(check(key));
  }
  void added(std::uint64_t key) { times[key] = counts ? times[key] + 1 : 1; }
  void empty() { times.assign(universe, 0); }
};

// One operation on one key, chosen by `r`.
template <class F>
void touch(pair<F>& a, std::uint64_t key, std::uint64_t r) {
  const bool may_add = !pair<F>::counts || a.times[key] < most_times;
  switch (r % 8) {
    case 0:
    case 1:
      if (!may_add) break;
      if constexpr (fallible_engine<typename F::engine_type>) {
        if (a.f.add(key)) a.added(key);
      } else {
        a.f.add(key);
        a.added(key);
      }
      break;
    case 2:
      if constexpr (adds_always<typename F::engine_type>) {
        if (!may_add) break;
        const bool before = a.f.test_and_add(key);
        ASSERT_TRUE(before || a.times[key] == 0) << key;
        a.added(key);
      }
      break;
    case 3:
      if constexpr (adds_always<typename F::engine_type>) {
        const bool before = a.f.test_or_add(key);
        ASSERT_TRUE(before || a.times[key] == 0) << key;
        // A false positive was not added: only removing would tell, and nobody may remove what was not added.
        if (!before || !pair<F>::counts) a.added(key);
      }
      break;
    case 4:
    case 5:
      if constexpr (pair<F>::counts) {
        if (a.times[key] != 0) {
          ASSERT_TRUE(a.f.remove(key)) << "cannot remove " << key << ", which was added";
          --a.times[key];
        } else if (!a.f.may_contain(key)) {
          ASSERT_FALSE(a.f.remove(key)) << key;
        }
      }
      break;
    default:
      ASSERT_NO_FATAL_FAILURE(a.check(key));
  }
}

TYPED_TEST(model, no_false_negative_in_a_million_random_operations) {
  rng random(20'251'115);
  pair<TypeParam> a;
  pair<TypeParam> b;
  const std::uint64_t operations = repetitions(1'000'000, 100'000'000);
  for (std::uint64_t done = 0; done < operations; ++done) {
    const std::uint64_t r = random();
    const std::uint64_t key = (r >> 32) % universe;
    switch (r % 4096) {
      case 0:  // rare, whole-filter operations
        a.f.clear();
        a.empty();
        break;
      case 1:
        if constexpr (mergeable_engine<typename TypeParam::engine_type>) {
          const TypeParam before = a.f;
          if (!a.f.merge(b.f)) {  // no room for both
            ASSERT_EQ(a.f, before);
            break;
          }
          for (std::uint64_t i = 0; i < universe; ++i) {
            a.times[i] = pair<TypeParam>::counts ? a.times[i] + b.times[i] : (a.times[i] | b.times[i]);
          }
          ASSERT_NO_FATAL_FAILURE(a.check_all());
        }
        break;
      case 2:
        if constexpr (requires { a.f.intersect(b.f); }) {
          ASSERT_TRUE(a.f.intersect(b.f));
          for (std::uint64_t i = 0; i < universe; ++i) a.times[i] = a.times[i] & b.times[i];
          ASSERT_NO_FATAL_FAILURE(a.check_all());
        }
        break;
      case 3: {
        auto reread = from_bytes<TypeParam>(*to_bytes(a.f));
        ASSERT_TRUE(reread) << reread.error().detail;
        ASSERT_EQ(*reread, a.f);
        a.f = std::move(*reread);
        break;
      }
      case 4:
        std::swap(a, b);
        break;
      case 5:
        b = a;
        break;
      case 6: {
        pair<TypeParam> emptied;
        emptied.f = a.f.reset();
        emptied.times = std::exchange(a.times, std::vector<std::uint32_t>(universe, 0));
        ASSERT_NO_FATAL_FAILURE(emptied.check_all());
        break;
      }
      default:
        ASSERT_NO_FATAL_FAILURE(touch(a, key, r / 4096));
    }
  }
  ASSERT_NO_FATAL_FAILURE(a.check_all());
  ASSERT_NO_FATAL_FAILURE(b.check_all());
}

}  // namespace
}  // namespace seen::testing
