// The classic filter's rate: pinned values, the documents' figures, simulation. Its shape: bloom_shape_test.cpp.
#include <seen/math/bloom.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "../support/binomial.hpp"
#include "../support/soak.hpp"
#include "close.hpp"
#include "simulation.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;

TEST(bloom_fpr, reproduces_the_documents_table) {
  struct {
    std::uint64_t bits_per_key;
    std::uint32_t probes;
    double about;
  } const table[] = {{8, 6, 0.02}, {10, 7, 0.01}, {14, 10, 0.001}, {24, 17, 0.00001}};
  for (const auto& row : table) {
    EXPECT_EQ(probes_for(row.bits_per_key * 1'000'000, 1'000'000), row.probes);
    EXPECT_TRUE(close(bloom_fpr(row.bits_per_key * 1'000'000, row.probes, 1'000'000), row.about, 0.22));
  }
}

TEST(bloom_fpr, twice_the_keys_turn_one_percent_into_15_7) {
  EXPECT_TRUE(close(bloom_fpr(9'585'059, 7, 2'000'000), 0.157, 0.005));
}

// The mpmath values of occupancy_test.cpp, plus n/2^64.
TEST(bloom_fpr, matches_pinned_values) {
  EXPECT_TRUE(close(bloom_fpr(192, 7, 20), 1.042037125248004e-2, 1e-9));
  EXPECT_TRUE(close(bloom_fpr(9'585'059, 7, 1'000'000), 1.0039223613456864e-2, 1e-9));
  EXPECT_TRUE(close(bloom_fpr_distinct(192, 7, 20), 9.4007599221005071e-3, 1e-9));
  EXPECT_TRUE(close(bloom_fpr_distinct(9'585'059, 7, 1'000'000), 1.0039203166482152e-2, 1e-9));
  EXPECT_TRUE(close(bloom_fpr_approximate(9'585'059, 7, 1'000'000), 1.0039214559253868e-2, 1e-13));
  EXPECT_TRUE(close(bloom_fpr(max_bits, 30, std::uint64_t{1} << 35), 3.3539429118078923e-7 + 0x1p-29, 1e-9));
  EXPECT_TRUE(close(bloom_fpr(max_bits, 7, 1'000'000), 1'000'000 * 0x1p-64, 1e-9)) << "equal digests are all there is";
  EXPECT_TRUE(close(bloom_fpr_distinct(max_bits, 30, 1000), 1.1785372997264873e-227, 1e-9));
}

TEST(bloom_fpr, edges_are_defined) {
  EXPECT_EQ(bloom_fpr(1000, 7, 0), 0);
  EXPECT_EQ(bloom_fpr(1000, 0, 5), 1);
  EXPECT_EQ(bloom_fpr(0, 7, 5), 1);
  EXPECT_EQ(bloom_fpr(1, 1, 1), 1);
  EXPECT_EQ(bloom_fpr(1000, 30, ~std::uint64_t{0}), 1);
  EXPECT_EQ(bloom_fpr_approximate(1000, 7, 0), 0);
  EXPECT_EQ(bloom_fpr_approximate(1000, 0, 5), 1);
  EXPECT_EQ(bloom_fpr_approximate(0, 7, 5), 1);
  EXPECT_EQ(bloom_fpr_approximate(1000, 30, ~std::uint64_t{0}), 1);
  EXPECT_EQ(bloom_fpr_distinct(1000, 7, 0), 0);
}

TEST(bloom_fpr, never_falls_with_keys_and_never_rises_with_bits) {
  for (const std::uint32_t probes : {1u, 4u, 7u, 16u, 30u}) {
    double last = 0;
    for (std::uint64_t keys = 0; keys < 400; ++keys) {  // crosses 512 throws for every k but 1
      const double rate = bloom_fpr(2000, probes, keys);
      ASSERT_GE(rate, last * (1 - 1e-12)) << probes << ' ' << keys;
      last = rate;
    }
    for (std::uint64_t bits = 1; bits < 3000; ++bits) {
      const double rate = bloom_fpr(bits, probes, 100);
      ASSERT_LE(rate, last * (1 + 1e-12) + (bits == 1)) << probes << ' ' << bits;
      last = rate;
    }
  }
}

TEST(bloom_fpr, textbook_distinct_and_true_rates_differ_where_they_should) {
  const double truth = bloom_fpr(192, 7, 20);
  EXPECT_TRUE(close(bloom_fpr_approximate(192, 7, 20) / truth, 0.956, 0.001));
  EXPECT_TRUE(close(bloom_fpr_distinct(192, 7, 20) / truth, 0.902, 0.001));
  EXPECT_TRUE(close(bloom_fpr_approximate(9'585'059, 7, 1'000'000), bloom_fpr(9'585'059, 7, 1'000'000), 1e-5));
}

struct filled {
  std::vector<char> bit;
  std::uint64_t set = 0;
};

filled fill_at_random(std::uint64_t bits, std::uint64_t throws, seen::testing::random_source& random) {
  filled f{std::vector<char>(bits), 0};
  for (std::uint64_t t = 0; t < throws; ++t) {
    char& bit = f.bit[random.below(bits)];
    f.set += bit == 0;
    bit = 1;
  }
  return f;
}

// Each filter's own rate (X/m)^k and fill, averaged: six standard errors are about 0.5 % here, so that the textbook's
// rate and the distinct one are refused at 20 keys.
TEST(bloom_fpr, true_model_agrees_with_simulated_filters) {
  struct {
    std::uint64_t bits;
    std::uint32_t probes;
    std::uint64_t keys;
    int filters;
  } const cases[] = {{192, 7, 20, 100'000}, {96, 7, 10, 100'000},   {12, 3, 5, 100'000},
                     {959, 7, 100, 20'000}, {9586, 7, 1000, 2'000}, {700, 20, 20, 40'000}};
  for (const auto& c : cases) {
    seen::testing::random_source random(c.bits);
    seen::testing::sample_mean rate, fill;
    const auto filters =
        seen::testing::scaled(static_cast<std::uint64_t>(c.filters), 50ull * static_cast<std::uint64_t>(c.filters));
    for (std::uint64_t i = 0; i < filters; ++i) {
      const auto f = fill_at_random(c.bits, c.probes * c.keys, random);
      const double share = static_cast<double>(f.set) / static_cast<double>(c.bits);
      rate.add(std::pow(share, c.probes));
      fill.add(share);
    }
    EXPECT_TRUE(rate.agrees_with(bloom_fpr(c.bits, c.probes, c.keys)))
        << c.bits << ": " << rate.mean() << " ± " << rate.standard_error() << ", model "
        << bloom_fpr(c.bits, c.probes, c.keys);
    EXPECT_TRUE(fill.agrees_with(bloom_fill(c.bits, c.probes, c.keys))) << c.bits;
    if (c.bits == 192) {
      EXPECT_FALSE(rate.agrees_with(bloom_fpr_approximate(c.bits, c.probes, c.keys)));
      EXPECT_FALSE(rate.agrees_with(bloom_fpr_distinct(c.bits, c.probes, c.keys)));
    }
  }
}

// One query a filter makes the hits independent, hence binomial. Distinct probes are drawn by rejection.
TEST(bloom_fpr, queries_of_simulated_filters_hit_at_the_modelled_rates) {
  constexpr std::uint64_t bits = 64, keys = 10, queries = 1'000'000;
  constexpr std::uint32_t probes = 4;
  seen::testing::random_source random(64);
  std::uint64_t independent = 0, distinct = 0;
  for (std::uint64_t q = 0; q < queries; ++q) {
    const auto f = fill_at_random(bits, probes * keys, random);
    bool hit = true;
    for (std::uint32_t i = 0; i < probes; ++i) hit &= f.bit[random.below(bits)] != 0;
    independent += hit;
    std::uint64_t seen_positions = 0;
    hit = true;
    for (std::uint32_t i = 0; i < probes;) {
      const std::uint64_t position = random.below(bits), mask = std::uint64_t{1} << position;
      if ((seen_positions & mask) != 0) continue;
      seen_positions |= mask;
      hit &= f.bit[position] != 0;
      ++i;
    }
    distinct += hit;
  }
  const double p = bloom_fpr(bits, probes, keys), d = bloom_fpr_distinct(bits, probes, keys);
  EXPECT_TRUE(seen::testing::within_six_sigma(independent, queries, p))
      << seen::testing::six_sigma_message(independent, queries, p);
  EXPECT_TRUE(seen::testing::within_six_sigma(distinct, queries, d))
      << seen::testing::six_sigma_message(distinct, queries, d);
  EXPECT_FALSE(seen::testing::within_six_sigma(independent, queries, d)) << "the test can tell the two apart";
}

// 1 − (1 − mpf(1)/m)**(k*n), mpmath.mp.dps = 60.
TEST(bloom_fill, matches_pinned_values) {
  EXPECT_EQ(bloom_fill(1, 1, 1), 1);
  EXPECT_EQ(bloom_fill(2, 1, 1), 0.5);
  EXPECT_TRUE(close(bloom_fill(192, 7, 20), 5.1860741529758067e-1, 1e-14));
  EXPECT_TRUE(close(bloom_fill(9'585'059, 7, 1'000'000), 5.182371581193915e-1, 1e-14));
  EXPECT_TRUE(close(bloom_fill(max_bits, 30, 1), 2.7284841052828024e-11, 1e-14));
  EXPECT_TRUE(close(bloom_fill(max_bits, 30, std::uint64_t{1} << 35), 6.0839437332336796e-1, 1e-14));
  EXPECT_EQ(bloom_fill(100, 7, 0), 0);
  EXPECT_EQ(bloom_fill(1, 7, 0), 0);
  EXPECT_EQ(bloom_fill(0, 7, 5), 0);
  EXPECT_EQ(bloom_fill(100, 7, ~std::uint64_t{0}), 1);
}

// Microseconds as a rule. The bound is far above, so that a busy machine or a sanitizer does not turn it red.
TEST(bloom_fpr, is_quick_enough_to_call_anywhere) {
  const auto start = std::chrono::steady_clock::now();
  double sum = 0;
  for (std::uint64_t keys = 1; keys <= 100; ++keys)
    sum += bloom_fpr(max_bits, 30, keys << 30) + bloom_fpr(4096, 30, keys);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_GT(sum, 0);
  EXPECT_LT(took.count() / 200, 0.01);
}

}  // namespace
