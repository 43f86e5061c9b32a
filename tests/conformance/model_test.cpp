// Random operations against an exact set: whatever the set holds the filter must claim.
// 10^6 operations in `make test`, 10^8 in `make soak`.
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
TYPED_TEST_SUITE(model, mergeable_filters, kind_names);

constexpr std::uint64_t universe = 4096;  // keys 0 .. universe-1; small, so that all states of a key are visited

// A filter and the set it must contain.
template <class F>
struct pair {
  pair() : f({.capacity = universe / 2, .fpr = 0.01}), set(universe, false) {}
  F f;
  std::vector<bool> set;

  void check(std::uint64_t key) const { ASSERT_TRUE(!set[key] || f.may_contain(key)) << "false negative: " << key; }
  void check_all() const {
    for (std::uint64_t key = 0; key < universe; ++key) ASSERT_NO_FATAL_FAILURE(check(key));
  }
};

TYPED_TEST(model, no_false_negative_in_a_million_random_operations) {
  rng random(20'251'115);
  pair<TypeParam> a;
  pair<TypeParam> b;
  const std::uint64_t operations = scaled(1'000'000, 100'000'000);
  for (std::uint64_t done = 0; done < operations; ++done) {
    const std::uint64_t r = random();
    const std::uint64_t key = (r >> 32) % universe;
    switch (r % 1024) {
      case 0:  // rare, whole-filter operations
        a.f.clear();
        a.set.assign(universe, false);
        break;
      case 1:
        ASSERT_TRUE(a.f.merge(b.f));
        for (std::uint64_t i = 0; i < universe; ++i) a.set[i] = a.set[i] || b.set[i];
        ASSERT_NO_FATAL_FAILURE(a.check_all());
        break;
      case 2:
        ASSERT_TRUE(a.f.intersect(b.f));
        for (std::uint64_t i = 0; i < universe; ++i) a.set[i] = a.set[i] && b.set[i];
        ASSERT_NO_FATAL_FAILURE(a.check_all());
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
        emptied.set = std::exchange(a.set, std::vector<bool>(universe, false));
        ASSERT_NO_FATAL_FAILURE(emptied.check_all());
        break;
      }
      default:
        switch (r / 1024 % 4) {
          case 0:
            a.f.add(key);
            a.set[key] = true;
            break;
          case 1: {
            const bool before = a.f.test_and_add(key);
            ASSERT_TRUE(before || !a.set[key]) << key;
            a.set[key] = true;
            break;
          }
          case 2: {
            const bool before = a.f.test_or_add(key);
            ASSERT_TRUE(before || !a.set[key]) << key;
            a.set[key] = true;
            break;
          }
          default:
            ASSERT_NO_FATAL_FAILURE(a.check(key));
        }
    }
  }
  ASSERT_NO_FATAL_FAILURE(a.check_all());
  ASSERT_NO_FATAL_FAILURE(b.check_all());
}

}  // namespace
}  // namespace seen::testing
