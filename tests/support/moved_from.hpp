// What is left of a filter that was moved from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace seen::testing {

/// There is nothing to ask on the way of a key whether there are bytes: what is left to read are ones.
template <class F>
void expect_yes_of_what_is_left(const typename F::shape_type& shape) {
  F f(shape);
  f.add(1);
  F taken = std::move(f);
  // NOLINTBEGIN(bugprone-use-after-move): that is the question
  const std::vector<std::uint64_t> keys{1, 2, 3, 4, 5};
  for (int round = 0; round < 2; ++round) {
    for (const std::uint64_t key : keys) EXPECT_TRUE(f.may_contain(key)) << key;
    bool answers[5] = {};
    EXPECT_EQ(f.may_contain_many(keys, answers), keys.size());
    EXPECT_TRUE(std::all_of(answers, answers + 5, [](bool each) { return each; }));
    EXPECT_TRUE(f.test_and_add(6));
    f.add(7);
    f.add_many(keys);
    f.clear();
  }
  EXPECT_EQ(f.estimated_fpr(), 1);
  EXPECT_TRUE(f.words().empty());
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_TRUE(taken.may_contain(1));
}

/// A shape without buckets or blocks, which such a filter has, can be asked what any other can.
template <class Shape>
void expect_a_shape_of_nothing() {
  const Shape nothing{};
  for (const std::uint64_t keys : {0u, 1u, 1000u}) {
    EXPECT_GE(nothing.expected_fpr(keys), 0) << keys;
    EXPECT_LE(nothing.expected_fpr(keys), 1) << keys;
  }
  EXPECT_LE(nothing.bytes(), 64u);
}

}  // namespace seen::testing
