// The rates of chains that have grown: measured, as the model expects them, and as the filter estimates them.
#include <seen/filters/scalable_bloom.hpp>
#include <seen/filters/scalable_classic_bloom.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

class sample {
 public:
  void add(double x) { ++count_, sum_ += x, squares_ += x * x; }
  [[nodiscard]] double mean() const { return sum_ / count_; }
  [[nodiscard]] double error() const { return std::sqrt((squares_ / count_ - mean() * mean()) / count_); }

 private:
  double count_ = 0, sum_ = 0, squares_ = 0;
};

template <class F>
class chain_rate : public ::testing::Test {};
struct link_names {
  template <class F>
  static std::string GetName(int) {
    return F::kind.id == scalable_bloom::kind.id ? "blocked" : "classic";
  }
};
using chains = ::testing::Types<scalable_bloom, scalable_classic_bloom>;
TYPED_TEST_SUITE(chain_rate, chains, link_names);

// The promise: the mean over many chains is within 2 % of the model, and of what the chains say of themselves. Six
// standard errors of the mean are allowed beside, wrong once in 10^9 choices of the seed.
template <class F>
void expect_two_percent(const typename F::shape_type& shape, std::uint64_t queries, const std::vector<double>& when) {
  const std::uint64_t grown = scaled(60'000 / shape.first_capacity, 2'000'000 / shape.first_capacity);
  std::vector<sample> measured(when.size()), against_estimate(when.size());
  rng random(shape.first_capacity);
  F f(shape);
  for (std::uint64_t run = 0; run < grown; ++run) {
    f.clear();
    std::uint64_t offered = 0;
    for (std::size_t i = 0; i < when.size(); ++i) {
      const auto n = static_cast<std::uint64_t>(when[i] * static_cast<double>(shape.first_capacity));
      for (; offered < n; ++offered) f.add(digest(random()));
      std::uint64_t hits = 0;
      for (std::uint64_t q = 0; q < queries; ++q) hits += f.may_contain(digest(random()));
      const double rate = static_cast<double>(hits) / static_cast<double>(queries);
      measured[i].add(rate);
      if (run % 16 == 0) against_estimate[i].add(rate - f.estimated_fpr());
    }
  }
  for (std::size_t i = 0; i < when.size(); ++i) {
    const double model =
        shape.expected_fpr(static_cast<std::uint64_t>(when[i] * static_cast<double>(shape.first_capacity)));
    EXPECT_NEAR(measured[i].mean(), model, 0.02 * model + 6 * measured[i].error())
        << shape.fpr << ", " << shape.first_capacity << " keys times " << when[i];
    EXPECT_NEAR(against_estimate[i].mean(), 0, 0.02 * model + 6 * against_estimate[i].error())
        << "estimated: " << shape.fpr << ", " << shape.first_capacity << " keys times " << when[i];
  }
}

TYPED_TEST(chain_rate, is_expected_and_estimated_within_two_percent_at_every_target) {
  for (const double fpr : {0.9, 0.5, 0.3, 0.2, 0.1, 0.05, 0.01}) {
    expect_two_percent<TypeParam>({.first_capacity = 100, .fpr = fpr}, 1000, {0.5, 1, 1.2, 2, 5, 20});
  }
}

TYPED_TEST(chain_rate, is_expected_and_estimated_within_two_percent_far_beyond_the_first_link) {
  for (const double fpr : {0.9, 0.5, 0.1}) {
    expect_two_percent<TypeParam>({.first_capacity = 1000, .fpr = fpr}, 5000, {1.2, 3, 40, 200});
  }
}

TYPED_TEST(chain_rate, follows_other_growth_and_tightening) {
  expect_two_percent<TypeParam>({.first_capacity = 500, .fpr = 0.9, .growth = 1.5, .tightening = 0.8}, 5000, {1.3, 15});
  expect_two_percent<TypeParam>({.first_capacity = 500, .fpr = 0.5, .growth = 4, .tightening = 0.8}, 5000, {1.3, 15});
}

// Links of a merge hold keys that do not avoid one another: only asking them tells.
TYPED_TEST(chain_rate, of_a_merged_chain_is_estimated_too) {
  rng random(3);
  const typename TypeParam::shape_type shape{.first_capacity = 2000, .fpr = 0.5};
  TypeParam a(shape), b(shape);
  for (int i = 0; i < 10'000; ++i) a.add(digest(random())), b.add(digest(random()));
  ASSERT_TRUE(a.merge(b));
  constexpr int queries = 400'000;
  int hits = 0;
  for (int i = 0; i < queries; ++i) hits += a.may_contain(digest(random()));
  EXPECT_NEAR(hits / (queries * a.estimated_fpr()), 1, 0.02);
}

}  // namespace
}  // namespace seen::testing
