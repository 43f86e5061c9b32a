// Folding of the blocked kinds, and the builder that rests on it.
#include <seen/builder.hpp>
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/split_block.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "support/all_filters.hpp"
#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

template <class F>
typename F::shape_type with_cells(std::uint64_t cells) {
  auto fields = F::shape_type::plan({.capacity = 1000, .fpr = 0.01})->fields();
  fields[0] = cells;
  return F::shape_type::from_fields(fields).value();
}

template <class F>
std::uint64_t cells_of(const F& f) {
  return f.shape().fields()[0];
}

template <class F>
class fold : public ::testing::Test {};
using block_filters = ::testing::Types<blocked_bloom, split_block>;
TYPED_TEST_SUITE(fold, block_filters, kind_names);

TYPED_TEST(fold, is_what_building_at_that_size_gives_for_every_divisor) {
  constexpr std::uint64_t blocks = 360;
  for (std::uint64_t divisor = 2; divisor <= blocks; ++divisor) {
    if (blocks % divisor != 0) continue;
    // So many keys that this divisor, and no larger one, keeps the rate: what a filter of that size was planned for.
    TypeParam direct(with_cells<TypeParam>(blocks / divisor));
    TypeParam f(with_cells<TypeParam>(blocks));
    const std::uint64_t keys = direct.bits() / 11;
    for (std::uint64_t i = 0; i < keys; ++i) {
      f.add(i);
      direct.add(i);
    }
    ASSERT_TRUE(f.shrink_to_fpr(std::nextafter(direct.estimated_fpr(), 1.0))) << divisor;
    EXPECT_EQ(cells_of(f), blocks / divisor);
    EXPECT_EQ(f, direct);
    for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(i)) << divisor;
  }
}

TYPED_TEST(fold, of_a_prime_number_of_blocks_is_refused_and_changes_nothing) {
  TypeParam prime(with_cells<TypeParam>(1009));
  for (std::uint64_t i = 0; i < 1000; ++i) prime.add(i);
  const TypeParam before = prime;
  const auto refused = prime.shrink_to_fpr(0.01);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::unsupported);
  EXPECT_EQ(refused.error().detail,
            "shrink: no divisor of 1009 keeps the rate at or below 0.01; the filter is unchanged");
  EXPECT_EQ(prime, before);
}

TYPED_TEST(fold, bad_rates_and_empty_filters_change_nothing) {
  TypeParam f(with_cells<TypeParam>(5040));
  EXPECT_EQ(f.shrink_to_fpr(0.01).error().detail, "shrink: the filter is empty: there is no key to size it by");
  f.add("alice");
  const TypeParam before = f;
  for (const double bad : {0.0, 1.0, -1.0, 2.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(f.shrink_to_fpr(bad).error().code, errc::invalid_argument) << bad;
  }
  EXPECT_EQ(f, before);
}

TYPED_TEST(fold, a_full_filter_is_left_alone) {
  TypeParam f(with_cells<TypeParam>(12));
  for (std::uint64_t i = 0; i < 100'000; ++i) f.add(i);
  const TypeParam before = f;
  EXPECT_EQ(f.estimated_count(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(f.shrink_to_fpr(0.5).error().code, errc::unsupported);
  EXPECT_EQ(f, before);
}

template <class F>
class build : public ::testing::Test {};
using built_filters = ::testing::Types<bloom, blocked_bloom, split_block>;
TYPED_TEST_SUITE(build, built_filters, kind_names);

TYPED_TEST(build, a_hundred_times_too_large_folds_to_what_the_keys_need) {
  constexpr std::uint64_t keys = 20'000;
  builder<TypeParam> b({.at_most = 100 * keys, .fpr = 0.01});
  EXPECT_EQ(cells_of(b.so_far()) % 5040, 0u);
  std::vector<std::uint64_t> more;
  for (std::uint64_t i = 0; i < keys / 2; ++i) b.add(i);
  for (std::uint64_t i = keys / 2; i < keys; ++i) more.push_back(i);
  b.add_many(more);
  const TypeParam f = std::move(b).finish().value();
  for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(i));

  TypeParam right({.capacity = keys, .fpr = 0.01});
  for (std::uint64_t i = 0; i < keys; ++i) right.add(i);
  EXPECT_LE(f.bits(), 1.3 * static_cast<double>(right.bits()));
  constexpr std::uint64_t queries = 1'000'000;
  std::uint64_t folded = 0, sized = 0;
  for (std::uint64_t i = keys; i < keys + queries; ++i) {
    folded += f.may_contain(i);
    sized += right.may_contain(i);
  }
  EXPECT_LE(static_cast<double>(folded), 1.1 * static_cast<double>(sized));
}

TYPED_TEST(build, keeps_the_size_where_nothing_folds_and_takes_the_smallest_for_no_key) {
  builder<TypeParam> full({.at_most = 300'000, .fpr = 0.01});
  const std::uint64_t cells = cells_of(full.so_far());
  for (std::uint64_t i = 0; i < 300'000; ++i) full.add(i);
  const TypeParam f = std::move(full).finish().value();
  EXPECT_EQ(cells_of(f), cells);
  for (std::uint64_t i = 0; i < 300'000; ++i) ASSERT_TRUE(f.may_contain(i));

  const TypeParam empty = builder<TypeParam>({.at_most = 1000, .fpr = 0.01}).finish().value();
  EXPECT_EQ(empty.shape(), TypeParam::shape_type::plan({.capacity = 1, .fpr = 0.01}).value());
  EXPECT_FALSE(empty.may_contain("alice"));
}

TYPED_TEST(build, bad_wishes_are_refused) {
  EXPECT_EQ(builder<TypeParam>::make({.at_most = 0, .fpr = 0.01}).error().code, errc::invalid_argument);
  EXPECT_EQ(builder<TypeParam>::make({.at_most = 10, .fpr = 0}).error().code, errc::invalid_argument);
  EXPECT_EQ(builder<TypeParam>::make({.at_most = std::uint64_t{1} << 50, .fpr = 0.01}).error().code, errc::too_large);
  EXPECT_THROW(builder<TypeParam>({.at_most = 0, .fpr = 0.01}), std::invalid_argument);
}

TYPED_TEST(build, keeps_the_hash) {
  const typename TypeParam::hash_type seeded(7);
  builder<TypeParam> b({.at_most = 1000, .fpr = 0.01}, seeded);
  b.add("alice");
  const TypeParam f = std::move(b).finish().value();
  EXPECT_EQ(f.identity().seed, 7u);
  EXPECT_TRUE(f.may_contain("alice"));
}

}  // namespace
}  // namespace seen::testing
