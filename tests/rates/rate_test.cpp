// Measured false-positive rates against the model at the filter's actual shape and number of keys. Seeds are fixed, so
// a test that passes passes always; the bounds are six sigma, wrong once in 10^9 choices of the seed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "support/all_filters.hpp"
#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

template <class F>
class rate : public ::testing::Test {};
TYPED_TEST_SUITE(rate, remembering_filters, kind_names);

template <class F>
class classic_rate : public ::testing::Test {};
TYPED_TEST_SUITE(classic_rate, classic_filters, kind_names);

// Keys 0 .. n-1 of a shape go in, keys n .. n+queries-1 of the same shape are asked for.
template <class F>
std::uint64_t false_positives(F& f, key_shape shape, std::uint64_t n, std::uint64_t queries) {
  key_buffer key;
  for (std::uint64_t i = 0; i < n; ++i) put(f, key(shape, i));
  std::uint64_t hits = 0;
  for (std::uint64_t i = n; i < n + queries; ++i) hits += f.may_contain(key(shape, i));
  return hits;
}

TYPED_TEST(rate, V1_the_measured_rate_is_the_promised_one) {
  constexpr std::uint64_t n = 100'000;
  const std::uint64_t queries = scaled(TypeParam::kind.name == "bloom" ? 10'000'000 : 2'000'000, 100'000'000);
  for (const double fpr : {0.05, 0.01, 0.001}) {
    TypeParam f({.capacity = n, .fpr = fpr});
    const double model = f.shape().expected_fpr(n);
    EXPECT_LE(model, 1.02 * fpr);
    const std::uint64_t hits = false_positives(f, key_shape::random, n, queries);
    EXPECT_TRUE(within_six_sigma(hits, queries, model)) << six_sigma_message(hits, queries, model);
  }
}

// Failure case 9: eight shapes of keys under every hash but raw FNV-1a, which has no avalanche (docs/hashes.md).
TYPED_TEST(rate, case_9_eight_key_shapes_under_every_hash) {
  using any = filter<typename TypeParam::engine_type, any_hash>;
  constexpr std::uint64_t n = 50'000;
  const std::uint64_t queries = scaled(1'000'000, 10'000'000);
  secret made{};
  for (std::size_t i = 0; i < made.bytes.size(); ++i) made.bytes[i] = static_cast<std::byte>(17 * i + 3);
  for (const any_hash& hash : {any_hash(xxh3_fold()), any_hash(xxh3_fold(12345)), any_hash(xxh3_64()),
                               any_hash(xxh64()), any_hash(murmur3_x64_128()), any_hash(fnv1a_64_splitmix()),
                               any_hash(siphash_2_4(made)), any_hash(siphash_1_3(made))}) {
    for (const key_shape shape : all_key_shapes) {
      any f({.capacity = n, .fpr = 0.01}, hash);
      const double model = f.shape().expected_fpr(n);
      const std::uint64_t hits = false_positives(f, shape, n, queries);
      EXPECT_TRUE(within_six_sigma(hits, queries, model))
          << describe(hash.identity()) << ", " << name_of(shape) << ": " << six_sigma_message(hits, queries, model);
    }
  }
}

TYPED_TEST(rate, integers_at_any_stride_meet_the_model) {
  constexpr std::uint64_t n = 100'000;
  constexpr std::uint64_t queries = 1'000'000;
  for (const std::uint64_t stride :
       {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{4096}, std::uint64_t{1} << 32}) {
    TypeParam f({.capacity = n, .fpr = 0.01});
    for (std::uint64_t i = 0; i < n; ++i) put(f, i * stride);
    std::uint64_t hits = 0;
    for (std::uint64_t i = n; i < n + queries; ++i) hits += f.may_contain(i * stride);
    const double model = f.shape().expected_fpr(n);
    EXPECT_TRUE(within_six_sigma(hits, queries, model)) << stride << ": " << six_sigma_message(hits, queries, model);
  }
}

// The promise for small filters: the mean rate over many of them is at most 1.02 times the model. At these sizes
// filters differ a good deal from one another, so the mean is over thousands; its own error is below 0.4 % (checked).
TYPED_TEST(rate, the_mean_rate_of_small_filters_is_within_two_percent_of_the_true_model) {
  if (growing_engine<typename TypeParam::engine_type>) GTEST_SKIP() << "links are measured as kinds of their own";
  struct {
    std::uint64_t n;
    double fpr;
    std::uint64_t filters;
    std::uint64_t queries;
  } const cases[] = {
      {20, 0.01, 40'000, 1000}, {100, 0.01, 10'000, 2000},    {1000, 0.01, 1000, 10'000},
      {20, 0.1, 20'000, 200},   {100, 0.001, 20'000, 10'000},
  };
  for (const auto& c : cases) {
    const std::uint64_t filters = scaled(c.filters, 10 * c.filters);
    rng random(c.n);
    TypeParam f({.capacity = c.n, .fpr = c.fpr});
    double sum = 0;
    double squares = 0;
    for (std::uint64_t i = 0; i < filters; ++i) {
      f.clear();
      for (std::uint64_t key = 0; key < c.n; ++key) put(f, digest(random()));
      std::uint64_t hits = 0;
      for (std::uint64_t q = 0; q < c.queries; ++q) hits += f.may_contain(digest(random()));
      const double measured = static_cast<double>(hits) / static_cast<double>(c.queries);
      sum += measured;
      squares += measured * measured;
    }
    const double count = static_cast<double>(filters);
    const double mean = sum / count;
    const double error = std::sqrt((squares / count - mean * mean) / count);
    const double model = f.shape().expected_fpr(c.n);
    // A kind whose smallest table is far better than asked has few hits to measure: six sigma of what there are.
    if (2 * model > c.fpr) {
      EXPECT_LT(error / model, 0.005) << c.n << " keys: not measured well enough";
    }
    EXPECT_NEAR(mean / model, 1, std::max(0.02, 6 * error / model)) << c.n << " keys at " << c.fpr;
  }
}

// Catches lost bits and a biased reduction cheaply: the number of set bits is known to a part in ten thousand.
// Variance of the number of occupied cells: m·(e^-c - (1 + c)·e^-2c), c = k·n/m  [Kolchin et al. 1978].
TYPED_TEST(classic_rate, the_fill_is_the_expected_one) {
  for (const std::uint64_t bits : {std::uint64_t{1000}, std::uint64_t{65'536}, std::uint64_t{9'999'991}}) {
    TypeParam f(typename TypeParam::shape_type{.bits = bits, .probes = 7});
    const std::uint64_t n = bits / 10;
    rng random(bits);
    for (std::uint64_t i = 0; i < n; ++i) f.add(digest(random()));
    const double m = static_cast<double>(f.bits());
    const double load = 7 * static_cast<double>(n) / m;
    const double expected = m * (1 - std::exp(-load));
    const double sigma = std::sqrt(m * (std::exp(-load) - (1 + load) * std::exp(-2 * load)));
    EXPECT_NEAR(static_cast<double>(f.engine().set_bits()), expected, 6 * sigma + 1) << bits;
  }
}

TYPED_TEST(classic_rate, a_filter_with_twice_its_keys_degrades_as_the_model_says) {
  constexpr std::uint64_t n = 100'000;
  TypeParam f({.capacity = n, .fpr = 0.01});
  const double model = f.shape().expected_fpr(2 * n);
  EXPECT_NEAR(model, 0.157, 0.001);  // not the square of anything
  const std::uint64_t hits = false_positives(f, key_shape::random, 2 * n, 1'000'000);
  EXPECT_TRUE(within_six_sigma(hits, 1'000'000, model)) << six_sigma_message(hits, 1'000'000, model);
}

// Failure case 32: an attacker who knows everything but the secret feeds a filter keys that are chosen against the
// hash.
TYPED_TEST(classic_rate, case_32_a_keyed_filter_polluted_without_its_key_keeps_its_rate) {
  constexpr std::uint64_t n = 20'000;
  secret made{};
  made.bytes[5] = std::byte{0x5e};
  using keyed = filter<typename TypeParam::engine_type, siphash_1_3>;
  keyed protected_filter({.capacity = n, .fpr = 0.01}, siphash_1_3(made));
  TypeParam open({.capacity = n, .fpr = 0.01});
  TypeParam mirror({.capacity = n, .fpr = 0.01});  // the attacker's own copy of the unkeyed one

  // n keys that set as many new bits as possible: those the mirror does not know yet.
  std::uint64_t candidate = 0;
  for (std::uint64_t chosen = 0; chosen < n; ++candidate) {
    if (mirror.test_and_add(candidate)) continue;
    protected_filter.add(candidate);
    open.add(candidate);
    ++chosen;
  }
  // Then keys that the mirror claims to hold.
  std::uint64_t asked = 0;
  std::uint64_t hits_protected = 0;
  std::uint64_t hits_open = 0;
  for (; asked < 100'000; ++candidate) {
    if (!mirror.may_contain(candidate)) continue;
    ++asked;
    hits_protected += protected_filter.may_contain(candidate);
    hits_open += open.may_contain(candidate);
  }
  EXPECT_EQ(hits_open, asked) << "unkeyed filters give no protection: documented";
  const double model = protected_filter.shape().expected_fpr(n);
  EXPECT_TRUE(within_six_sigma(hits_protected, asked, model)) << six_sigma_message(hits_protected, asked, model);
}

}  // namespace
}  // namespace seen::testing
