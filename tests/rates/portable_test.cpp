// V1 of the portable format's document: the rate of portable filters, measured. From ten thousand keys on it is the model's;
// below, two halves of 32 bits and a fixed step between positions cost what docs/formats/portable.md says.
#include <seen/filters/portable_bloom.hpp>

#include <cstdint>
#include <gtest/gtest.h>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

TEST(portable_rate, V1_from_ten_thousand_keys_on_it_is_the_models) {
  const std::uint64_t queries = scaled(500'000, 100'000'000);
  for (const std::uint64_t n : {std::uint64_t{10'000}, std::uint64_t{100'000}}) {
    for (const double fpr : {0.2, 0.05, 0.01, 0.001}) {
      for (const key_shape shape : {key_shape::decimal, key_shape::be64, key_shape::random}) {
        portable_bloom f({.capacity = n, .fpr = fpr});
        key_buffer key;
        for (std::uint64_t i = 0; i < n; ++i) f.add(key(shape, i));
        std::uint64_t hits = 0;
        for (std::uint64_t i = n; i < n + queries; ++i) hits += f.may_contain(key(shape, i));
        const double model = f.shape().expected_fpr(n);
        EXPECT_LE(model, 1.07 * fpr);  // a whole number of probes costs so much at most
        EXPECT_TRUE(within_six_sigma(hits, queries, model))
            << name_of(shape) << ": " << six_sigma_message(hits, queries, model);
      }
    }
  }
}

// The document's own bound, twice the formula's rate, over many filters of few keys; and that they are worse than the model,
// which a page of ours says.
TEST(portable_rate, V1_small_filters_stay_within_twice_the_formula) {
  struct {
    std::uint64_t n, filters, queries;
  } const cases[] = {{20, 4000, 500}, {100, 2000, 1000}, {1000, 200, 10'000}};
  for (const auto& c : cases) {
    rng random(c.n);
    portable_bloom f({.capacity = c.n, .fpr = 0.01});
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < c.filters; ++i) {
      f.clear();
      for (std::uint64_t key = 0; key < c.n; ++key) f.add(digest(random()));
      for (std::uint64_t q = 0; q < c.queries; ++q) hits += f.may_contain(digest(random()));
    }
    const double measured = static_cast<double>(hits) / static_cast<double>(c.filters * c.queries);
    const double formula = math::bloom_fpr_approximate(f.bits(), f.probes(), c.n);
    EXPECT_LT(measured, 2 * formula) << c.n;
    EXPECT_GT(measured, f.shape().expected_fpr(c.n)) << c.n;
  }
}

}  // namespace
}  // namespace seen::testing
