// Tests what is particular to chains: when they grow and to what, that the rate of the whole holds, what a merge makes
// of them, and what is refused. Both kinds of links.
#include <seen/filters/scalable_bloom.hpp>
#include <seen/filters/scalable_classic_bloom.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "support/binomial.hpp"
#include "support/error_code.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

template <class F>
class scalable : public ::testing::Test {};

struct link_names {
  template <class F>
  static std::string GetName(int) {
    return F::kind.id == 7 ? "blocked" : "classic";
  }
};
using scalable_filters = ::testing::Types<scalable_bloom, scalable_classic_bloom>;
TYPED_TEST_SUITE(scalable, scalable_filters, link_names);

/// What a file says of link i.
struct link_fields {
  std::uint64_t capacity;
  double fpr;
  std::uint64_t keys;
};
template <class F>
std::vector<link_fields> links_of(const F& f) {
  std::vector<link_fields> links;
  const auto parts = f.engine().parts();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto& fields = parts[i].fields;
    links.push_back({fields[0], std::bit_cast<double>(fields[1]), fields[2]});
  }
  return links;
}

template <class F>
F holding(std::uint64_t first, std::uint64_t last, typename F::shape_type shape) {
  F f(shape);
  for (std::uint64_t key = first; key < last; ++key) f.add(key);
  return f;
}

// --- growth

TYPED_TEST(scalable, a_chain_grows_when_a_key_finds_its_newest_link_full_and_not_before) {
  TypeParam f({.capacity = 100, .fpr = 1e-4});
  std::uint64_t key = 0;
  while (f.estimated_count() < 100) f.add(key++);
  EXPECT_EQ(f.engine().links_in_chain(), 1u) << "n0 keys fit into one link";
  for (std::uint64_t again = 0; again < key; ++again) f.add(again);
  EXPECT_EQ(f.engine().links_in_chain(), 1u) << "duplicates take no room";
  while (f.estimated_count() < 101) f.add(key++);
  EXPECT_EQ(f.engine().links_in_chain(), 2u);
  while (f.estimated_count() < 300) f.add(key++);
  EXPECT_EQ(f.engine().links_in_chain(), 2u);
  while (f.estimated_count() < 301) f.add(key++);
  EXPECT_EQ(f.engine().links_in_chain(), 3u);
}

TYPED_TEST(scalable, links_follow_growth_and_tightening) {
  const typename TypeParam::shape_type shape{.first_capacity = 100, .fpr = 0.01, .growth = 3.5, .tightening = 0.25};
  const auto f = holding<TypeParam>(0, 10'000, shape);
  const auto links = links_of(f);
  ASSERT_EQ(links.size(), 5u);
  const std::uint64_t capacities[] = {100, 350, 1225, 4288, 15'008};
  double bound = 0;
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    EXPECT_EQ(links[i].capacity, capacities[i]);
    EXPECT_EQ(links[i].fpr, 0.0075 * std::pow(0.25, i)) << "powers of two are exact";
    EXPECT_EQ(links[i].keys == links[i].capacity, i + 1 < links.size()) << "all but the newest are full";
    bound += links[i].fpr;
  }
  EXPECT_DOUBLE_EQ(f.engine().bound(), bound);
  EXPECT_LT(bound, 0.01);
  EXPECT_FALSE(f.saturated());
}

TYPED_TEST(scalable, a_plan_honours_wishes) {
  using shape = typename TypeParam::shape_type;
  const auto usual = shape::plan({.capacity = 500, .fpr = 0.01}).value();
  EXPECT_EQ(usual, (shape{.first_capacity = 500, .fpr = 0.01, .growth = 2, .tightening = 0.5}));
  const shape wish{.growth = 4, .tightening = 0.75};
  EXPECT_EQ(shape::plan({.capacity = 500, .fpr = 0.01}, wish).value(),
            (shape{.first_capacity = 500, .fpr = 0.01, .growth = 4, .tightening = 0.75}));
  EXPECT_EQ(shape::plan({.capacity = 500, .fpr = 0.01}, {.growth = 0, .tightening = 0}).value(), usual);
}

// Two links' worth of keys in batches of every size around the tiles, with duplicates inside a batch.
TYPED_TEST(scalable, batches_grow_a_chain_as_single_keys_do) {
  rng random(5);
  for (const std::size_t batch : {1u, 63u, 255u, 256u, 257u, 1000u}) {
    TypeParam one_by_one({.capacity = 50, .fpr = 0.05}), batched({.capacity = 50, .fpr = 0.05});
    for (std::uint64_t done = 0; done < 4000; done += batch) {
      std::vector<digest> keys;
      for (std::size_t i = 0; i < batch; ++i) keys.emplace_back(rng::mix(random.below(1500)));
      batched.add_many(keys);
      for (const digest d : keys) one_by_one.add(d);
      ASSERT_EQ(batched, one_by_one) << batch << " after " << done;
      const auto found = std::make_unique<bool[]>(batch);
      ASSERT_EQ(batched.may_contain_many(keys, std::span(found.get(), batch)), batch);
    }
    EXPECT_GE(batched.engine().links_in_chain(), 4u);
  }
}

// --- the rate of the whole

// A chain is as lucky as its first links: 1000 chains from 1000 keys have rates that differ by 4.5 % (blocked; classic 2.3)
// of the model, one standard deviation, and 1/sqrt(n0) times that from n0 keys. Their mean is the model's, below.
template <class F>
double six_sigma_of_luck(std::uint64_t first_capacity) {
  return 6 * (F::kind.id == 7 ? 0.045 : 0.024) * std::sqrt(1000.0 / static_cast<double>(first_capacity));
}

// `n` keys go in and `queries` others are asked for: the rate is the one the chain reckons with, and within the target.
template <class F>
void expect_overall_rate(const typename F::shape_type& shape, std::uint64_t n, std::uint64_t queries) {
  F f(shape);
  rng random(n);
  for (std::uint64_t i = 0; i < n; ++i) f.add(digest(random()));
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < queries; ++i) hits += f.may_contain(digest(random()));
  const double now = f.estimated_fpr();
  EXPECT_TRUE(within_six_sigma(hits, queries, now)) << six_sigma_message(hits, queries, now);
  EXPECT_LE(f.engine().bound(), shape.fpr);
  EXPECT_LE(f.shape().expected_fpr(n), 1.02 * shape.fpr) << "what a whole number of probes costs, as in every kind";
  const double unlucky = shape.fpr * (1 + six_sigma_of_luck<F>(shape.first_capacity));
  EXPECT_LE(static_cast<double>(hits), six_sigma_range(queries, unlucky).highest)
      << six_sigma_message(hits, queries, shape.fpr) << ", " << f.engine().links_in_chain() << " links";
  EXPECT_NEAR(f.estimated_count(), static_cast<double>(n), 1.1 * unlucky * static_cast<double>(n));
}

TYPED_TEST(scalable, grown_a_thousand_times_its_first_capacity_it_keeps_the_overall_rate) {
  const std::uint64_t first = scaled(1000, 100'000);
  for (const double growth : {2.0, 4.0}) {
    expect_overall_rate<TypeParam>({.first_capacity = first, .fpr = 0.01, .growth = growth}, 1000 * first,
                                   scaled(500'000, 10'000'000));
  }
}

TYPED_TEST(scalable, case_12_the_compound_rate_of_ten_layers_is_at_most_the_target) {
  typename TypeParam::shape_type shape{.first_capacity = 1000, .fpr = 0.02, .growth = 1.5, .tightening = 0.8};
  const auto ten_layers = [&](std::uint64_t n) { return holding<TypeParam>(0, n, shape).engine().links_in_chain(); };
  ASSERT_EQ(ten_layers(110'000), 10u);
  expect_overall_rate<TypeParam>(shape, 110'000, 1'000'000);
}

// A first link of 100 keys has a rate of its own luck: the mean over many chains is what is promised.
TYPED_TEST(scalable, the_mean_rate_of_small_chains_is_the_models) {
  const typename TypeParam::shape_type shape{.first_capacity = 100, .fpr = 0.02};
  const double model = shape.expected_fpr(1000);
  rng random(7);
  const std::uint64_t chains = scaled(1000, 20'000), queries = 1000;
  TypeParam f(shape);
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < chains; ++i) {
    f.clear();
    for (std::uint64_t key = 0; key < 1000; ++key) f.add(digest(random()));
    for (std::uint64_t q = 0; q < queries; ++q) hits += f.may_contain(digest(random()));
  }
  // The luck of a chain is about a tenth of its rate: 0.3 % in the mean of 1000, and the queries as much again.
  EXPECT_NEAR(static_cast<double>(hits) / static_cast<double>(chains * queries) / model, 1, 0.03);
}

// --- merging

TYPED_TEST(scalable, a_merge_concatenates_the_links_and_sums_the_bound) {
  auto a = holding<TypeParam>(0, 500, {.first_capacity = 100, .fpr = 0.01});
  const auto b = holding<TypeParam>(10'000, 10'900, {.first_capacity = 300, .fpr = 0.005, .growth = 4});
  const double bound = a.engine().bound() + b.engine().bound();
  const std::size_t links = a.engine().links_in_chain() + b.engine().links_in_chain();
  ASSERT_TRUE(a.merge(b));
  EXPECT_EQ(a.engine().links_in_chain(), links);
  EXPECT_DOUBLE_EQ(a.engine().bound(), bound);
  EXPECT_TRUE(a.saturated()) << "the bound is beyond what a was asked for, and says so";
  for (std::uint64_t key = 0; key < 500; ++key) ASSERT_TRUE(a.may_contain(key));
  for (std::uint64_t key = 10'000; key < 10'900; ++key) ASSERT_TRUE(a.may_contain(key));
  EXPECT_EQ(from_bytes<TypeParam>(to_bytes(a).value()).value(), a);
}

TYPED_TEST(scalable, merging_nothing_or_itself_changes_nothing) {
  auto a = holding<TypeParam>(0, 500, {.first_capacity = 100, .fpr = 0.01});
  const auto before = a;
  ASSERT_TRUE(a.merge(TypeParam({.capacity = 7, .fpr = 0.5})));
  EXPECT_EQ(a, before);
  ASSERT_TRUE(a.merge(a));
  EXPECT_EQ(a, before);
}

// After a merge keys go where there is room, and the next link is larger and stricter than all before it.
TYPED_TEST(scalable, a_merged_chain_fills_what_room_it_has_and_then_outgrows_its_largest_link) {
  auto a = holding<TypeParam>(0, 90, {.first_capacity = 100, .fpr = 1e-3});
  const auto b = holding<TypeParam>(10'000, 10'700, {.first_capacity = 1000, .fpr = 1e-5});
  ASSERT_TRUE(a.merge(b));
  std::uint64_t key = 20'000;
  while (links_of(a)[0].keys < 100 || links_of(a)[1].keys < 1000) {
    ASSERT_EQ(a.engine().links_in_chain(), 2u);
    a.add(key++);
  }
  while (a.engine().links_in_chain() == 2) a.add(key++);
  const auto links = links_of(a);
  EXPECT_EQ(links[2].capacity, 2000u);
  EXPECT_EQ(links[2].fpr, links[1].fpr * 0.5);
  for (std::uint64_t each = 20'000; each < key; ++each) ASSERT_TRUE(a.may_contain(each));
}

// The largest link and the strictest may be two, and neither of them the newest.
TYPED_TEST(scalable, the_link_after_a_merge_follows_the_largest_and_the_strictest_wherever_they_are) {
  using shape = typename TypeParam::shape_type;
  const shape largest{.first_capacity = 1000, .fpr = 1e-2}, strictest{.first_capacity = 100, .fpr = 1e-5},
      neither{.first_capacity = 50, .fpr = 1e-3};
  for (const auto& order : {std::array{largest, strictest, neither}, std::array{strictest, largest, neither},
                            std::array{neither, strictest, largest}}) {
    auto a = holding<TypeParam>(0, 40, order[0]);
    ASSERT_TRUE(a.merge(holding<TypeParam>(10'000, 10'040, order[1])));
    ASSERT_TRUE(a.merge(holding<TypeParam>(20'000, 20'040, order[2])));
    double least = 1;
    for (const auto& link : links_of(a)) least = std::min(least, link.fpr);
    for (std::uint64_t key = 30'000; a.engine().links_in_chain() == 3; ++key) a.add(key);
    EXPECT_EQ(links_of(a)[3].capacity, 2000u);
    EXPECT_EQ(links_of(a)[3].fpr, least * 0.5);
  }
}

TYPED_TEST(scalable, a_merge_takes_a_chain_to_255_links_and_not_to_256) {
  const auto of_links = [](std::size_t links, std::uint64_t key) {
    TypeParam f(
        typename TypeParam::shape_type{.first_capacity = 1, .fpr = 0.01, .growth = 1 + 0x1p-32, .tightening = 0.99});
    while (f.engine().links_in_chain() < links) f.add(key++);
    return f;
  };
  auto a = of_links(128, 0);
  const auto refused = a.merge(of_links(128, 1'000'000));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().detail, "merge: too many links: 128 here, 128 there; a chain has at most 255");
  ASSERT_TRUE(a.merge(of_links(127, 1'000'000)));
  EXPECT_EQ(a.engine().links_in_chain(), 255u);
  EXPECT_EQ(from_bytes<TypeParam>(to_bytes(a).value()).value(), a);
}

TYPED_TEST(scalable, a_merge_beyond_255_links_is_refused_and_changes_nothing) {
  using shape = typename TypeParam::shape_type;
  const shape slow{.first_capacity = 1, .fpr = 0.01, .growth = 1 + 0x1p-32, .tightening = 0.99};
  auto a = holding<TypeParam>(0, 9000, slow);
  ASSERT_GT(a.engine().links_in_chain(), 128u);
  const auto before = a;
  const auto refused = a.merge(TypeParam(before));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::incompatible);
  const std::string links = std::to_string(before.engine().links_in_chain());
  EXPECT_EQ(refused.error().detail,
            "merge: too many links: " + links + " here, " + links + " there; a chain has at most 255");
  EXPECT_EQ(a, before);
}

// --- the ends of growth

TYPED_TEST(scalable, the_256th_link_is_a_length_error_and_the_chain_stays_as_it_was) {
  const typename TypeParam::shape_type slow{.first_capacity = 1, .fpr = 0.5, .growth = 1 + 0x1p-32, .tightening = 0.99};
  TypeParam f(slow);
  std::uint64_t key = 0;
  const auto fill = [&] {
    for (; key < 200'000; ++key) f.add(key);
  };
  EXPECT_THROW(fill(), std::length_error);
  EXPECT_EQ(f.engine().links_in_chain(), 255u);
  const auto before = f;
  EXPECT_THROW(f.add(key), std::length_error);
  EXPECT_EQ(f, before);
  for (std::uint64_t each = 0; each < key; ++each) ASSERT_TRUE(f.may_contain(each));
  EXPECT_EQ(from_bytes<TypeParam>(to_bytes(f).value()).value(), f) << "255 links fit into a file";
}

TYPED_TEST(scalable, a_link_whose_rate_is_beyond_reach_is_a_length_error) {
  for (const double tightening : {1e-18, 1e-320}) {  // below what equal digests give; and below any double
    TypeParam f(
        typename TypeParam::shape_type{.first_capacity = 10, .fpr = 0.01, .growth = 2, .tightening = tightening});
    std::uint64_t key = 0;
    while (f.estimated_count() < 10) f.add(key++);
    const auto before = f;
    while (f.may_contain(key)) ++key;
    EXPECT_THROW(f.add(key), std::length_error);
    EXPECT_EQ(f, before);
  }
}

// --- clear

TYPED_TEST(scalable, clear_leaves_one_empty_first_link) {
  auto f = holding<TypeParam>(0, 1000, {.first_capacity = 100, .fpr = 0.01});
  f.clear();
  EXPECT_EQ(f.engine().links_in_chain(), 1u);
  EXPECT_EQ(f.estimated_count(), 0);
  EXPECT_EQ(f, (TypeParam(typename TypeParam::shape_type{.first_capacity = 100, .fpr = 0.01})));
  for (std::uint64_t key = 0; key < 1000; ++key) f.add(key);
  EXPECT_EQ(f, (holding<TypeParam>(0, 1000, {.first_capacity = 100, .fpr = 0.01}))) << "and grows as it did";
}

// --- bad input

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class P>
std::vector<P> senseless() {
  std::vector<P> wrong{{.first_capacity = 0, .fpr = 0.01}};
  for (const double fpr : {0.0, 1.0, 2.0, -0.5, nan, infinity}) wrong.push_back({.first_capacity = 10, .fpr = fpr});
  for (const double growth : {0.0, 1.0, 0.5, -2.0, 1e5, nan, infinity, -infinity}) {
    wrong.push_back({.first_capacity = 10, .fpr = 0.01, .growth = growth});
  }
  for (const double tightening : {0.0, 1.0, 2.0, -0.5, nan, infinity, -infinity}) {
    wrong.push_back({.first_capacity = 10, .fpr = 0.01, .tightening = tightening});
  }
  return wrong;
}

TYPED_TEST(scalable, case_13_senseless_parameters_are_refused_everywhere) {
  using shape = typename TypeParam::shape_type;
  for (const shape& wrong : senseless<shape>()) {
    EXPECT_EQ(code_of(TypeParam::make(wrong)), errc::invalid_argument);
    EXPECT_THROW((TypeParam(wrong)), std::invalid_argument);
    EXPECT_EQ(code_of(shape::from_fields(wrong.fields())), errc::invalid_argument);
    std::vector<stored_part> parts;
    const auto fields = wrong.fields();
    parts.push_back({{fields.begin(), fields.end()}, {}});
    parts.push_back({});
    EXPECT_EQ(code_of(TypeParam::engine_type::from_parts(std::move(parts))), errc::corrupt);
  }
  EXPECT_EQ(TypeParam::make(shape{.first_capacity = 10, .fpr = 0.01, .growth = 1}).error().detail,
            "growth 1 is not a factor above 1, up to 65536");
  // Valid, but out of reach: the smallest double is below the rate of equal digests.
  const shape tiny{.first_capacity = 10, .fpr = std::numeric_limits<double>::denorm_min()};
  EXPECT_EQ(code_of(TypeParam::make(tiny)), errc::too_large);
}

/// The parts of a filter as a file would give them back.
template <class F>
std::vector<stored_part> stored(const F& f) {
  std::vector<stored_part> parts;
  for (const auto& part : f.engine().parts()) {
    auto bytes = storage::allocate(part.bytes.size()).value();
    std::copy(part.bytes.begin(), part.bytes.end(), bytes.bytes().begin());
    parts.push_back({part.fields, std::move(bytes)});
  }
  return parts;
}

TYPED_TEST(scalable, case_13_parts_that_lie_are_refused) {
  const auto f = holding<TypeParam>(0, 500, {.first_capacity = 100, .fpr = 0.01});
  using engine = typename TypeParam::engine_type;
  ASSERT_EQ(engine::from_parts(stored(f)).value(), f.engine());
  const auto refused_after = [&](auto change) {
    auto parts = stored(f);
    change(parts);
    return code_of(engine::from_parts(std::move(parts)));
  };
  using all = std::vector<stored_part>;
  EXPECT_EQ(refused_after([](all& p) { p.clear(); }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p.resize(1); }), errc::corrupt) << "no link";
  EXPECT_EQ(refused_after([](all& p) { p.resize(257); }), errc::corrupt) << "256 links";
  EXPECT_EQ(refused_after([](all& p) { p[0].fields.pop_back(); }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[0].bytes = storage::allocate(64).value(); }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[2].fields.pop_back(); }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[2].fields.push_back(0); }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[2].bytes = storage::allocate(64).value(); }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[1].fields[0] = 0; }), errc::corrupt) << "a link for no keys";
  EXPECT_EQ(refused_after([](all& p) { p[1].fields[2] = p[1].fields[0] + 1; }), errc::corrupt) << "more than fit";
  for (const double fpr : {nan, infinity, -infinity, 0.0, -0.0, 1.0, -0.1, 0x1p-1074, 1e-310}) {
    EXPECT_EQ(refused_after([&](all& p) { p[3].fields[1] = std::bit_cast<std::uint64_t>(fpr); }), errc::corrupt) << fpr;
  }
  EXPECT_EQ(refused_after([](all& p) { p[1].fields[3] = std::uint64_t{1} << 60; }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[1].fields[4] = 255; }), errc::corrupt);
}

}  // namespace
}  // namespace seen::testing
