// The rate at a given number of bits per key, against the model: for every kind whose size is a number of cells.
//
// A row is a kind and a k; a kind joins by adding its rows to `rows`. Bounds are those of docs/reliability.md: six sigma,
// fixed seeds, thousands of blocks, so that filters of one shape hardly differ.
#include <seen/seen.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

/// What one filter of n keys said to fresh queries.
struct outcome {
  std::uint64_t hits = 0;
  double model = 0;     // at this shape and number of keys
  double own_rate = 0;  // by this filter's own bits
  double count = 0;     // its estimate of n
};

template <class F>
outcome measure(const typename F::shape_type& shape, std::uint64_t keys, std::uint64_t queries) {
  F f(shape);
  rng random(keys);
  for (std::uint64_t i = 0; i < keys; ++i) f.add(digest(random()));
  outcome seen{
      .hits = 0, .model = shape.expected_fpr(keys), .own_rate = f.estimated_fpr(), .count = f.estimated_count()};
  for (std::uint64_t i = 0; i < queries; ++i) seen.hits += f.may_contain(digest(random()));
  return seen;
}

struct row {
  std::string name;
  int fewest_bits, most_bits;  // where the k makes sense
  std::function<outcome(std::uint64_t bits, std::uint64_t keys, std::uint64_t queries)> run;
};

row blocked(std::uint32_t probes, int fewest, int most) {
  return {"blocked_bloom_k" + std::to_string(probes), fewest, most,
          [probes](std::uint64_t bits, std::uint64_t keys, std::uint64_t queries) {
            return measure<blocked_bloom>({.blocks = bits / 512, .probes = probes}, keys, queries);
          }};
}

std::vector<row> rows() {
  std::vector<row> all;
  all.push_back({"bloom", 8, 24, [](std::uint64_t bits, std::uint64_t keys, std::uint64_t queries) {
                   const auto probes = static_cast<std::uint32_t>(math::probes_for(bits, keys));
                   return measure<bloom>({.bits = bits, .probes = probes}, keys, queries);
                 }});
  all.push_back(blocked(4, 8, 16));
  all.push_back(blocked(8, 8, 24));
  all.push_back(blocked(16, 10, 24));
  all.push_back({"split_block", 8, 24, [](std::uint64_t bits, std::uint64_t keys, std::uint64_t queries) {
                   return measure<split_block>({.blocks = bits / 256}, keys, queries);
                 }});
  return all;
}

void PrintTo(const row& r, std::ostream* out) {
  *out << r.name;
}

class bits_per_key : public ::testing::TestWithParam<std::tuple<row, int>> {};

TEST_P(bits_per_key, the_measured_rate_is_the_models) {
  const auto& [kind, bits] = GetParam();
  if (bits < kind.fewest_bits || bits > kind.most_bits) return;
  const std::uint64_t keys = 512 * 200;  // so that bits/512 is whole for all
  const std::uint64_t queries = scaled(2'000'000, 200'000'000);
  const outcome seen = kind.run(keys * static_cast<std::uint64_t>(bits), keys, queries);
  EXPECT_TRUE(within_six_sigma(seen.hits, queries, seen.own_rate))
      << six_sigma_message(seen.hits, queries, seen.own_rate);
  // The filter itself is one of many: thousands of unequal blocks leave a few percent, which grow as rates fall.
  EXPECT_NEAR(seen.own_rate / seen.model, 1, bits <= 16 ? 0.03 : 0.08);
  EXPECT_NEAR(seen.count / static_cast<double>(keys), 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(every_kind, bits_per_key,
                         ::testing::Combine(::testing::ValuesIn(rows()), ::testing::Values(8, 10, 12, 16, 20, 24)),
                         [](const auto& named) {
                           return std::get<0>(named.param).name + "_at_" + std::to_string(std::get<1>(named.param));
                         });

}  // namespace
}  // namespace seen::testing
