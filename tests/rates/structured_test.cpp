// The rate of every kind on integers as programs have them, with the default hash: six sigma of the model, as for random
// keys. A hash that leaves structure in its digests shows as too many false positives, or as too few: digests that avoid
// one another are no more independent than those that meet, and the next pattern of their kind would meet.
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "support/all_filters.hpp"
#include "support/binomial.hpp"
#include "support/key_patterns.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

constexpr std::uint64_t added = 50'000;
constexpr double fpr = 0.01;

template <class F>
class structured : public ::testing::Test {
 protected:
  static F holding(const std::vector<std::uint64_t>& keys, std::uint64_t seed) {
    const typename F::hash_type hash(seed);
    if constexpr (static_engine<typename F::engine_type>) {
      return F::build(keys, build_options{.fpr = fpr}, hash).value();
    } else {
      F f({.capacity = added, .fpr = fpr}, hash);
      put_many(f, keys);
      return f;
    }
  }
  // What the kind's model says of the filter: of its shape where it has one, else of what is in it.
  static double model(const F& f) {
    if constexpr (remembers<F>::value) {
      return f.shape().expected_fpr(added);
    } else {
      return f.estimated_fpr();
    }
  }
};
TYPED_TEST_SUITE(structured, all_filters, kind_names);

TYPED_TEST(structured, integers_meet_the_model) {
  const std::uint64_t queries = scaled(300'000, 1'000'000 - added);
  std::vector<std::uint64_t> keys(added);
  for (const key_pattern& pattern : all_key_patterns) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{42}}) {
      for (std::uint64_t i = 0; i < added; ++i) keys[i] = pattern.key(i);
      const TypeParam f = this->holding(keys, seed);
      std::uint64_t hits = 0;
      for (std::uint64_t i = added; i < added + queries; ++i) hits += f.may_contain(pattern.key(i));
      const double model = this->model(f);
      EXPECT_TRUE(within_six_sigma(hits, queries, model))
          << pattern.name << ", seed " << seed << ": " << six_sigma_message(hits, queries, model);
    }
  }
}

}  // namespace
}  // namespace seen::testing
