// Union, intersection and estimates, and failure case 34: what cannot be combined is refused and nothing changes.
#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "support/all_filters.hpp"
#include "support/binomial.hpp"

namespace seen::testing {
namespace {

template <class F>
class algebra : public ::testing::Test {};
TYPED_TEST_SUITE(algebra, bit_filters, kind_names);

template <class F>
class any_union : public ::testing::Test {};
TYPED_TEST_SUITE(any_union, mergeable_filters, kind_names);

// Keys first .. last-1 in a filter for 3000 keys.
template <class F>
F holding(std::uint64_t first, std::uint64_t last) {
  F f({.capacity = 3000, .fpr = 0.001});
  for (std::uint64_t i = first; i < last; ++i) put(f, sample_key(i));
  return f;
}

TYPED_TEST(algebra, a_union_is_what_adding_all_keys_gives) {
  auto a = holding<TypeParam>(0, 1000);
  const auto b = holding<TypeParam>(500, 2000);
  const auto both = a.united(b);
  ASSERT_TRUE(both);
  EXPECT_EQ(*both, holding<TypeParam>(0, 2000));
  EXPECT_EQ(a, holding<TypeParam>(0, 1000)) << "united changes neither";
  ASSERT_TRUE(a.merge(b));
  EXPECT_EQ(a, *both);
  EXPECT_EQ(b, holding<TypeParam>(500, 2000));
}

// For every kind that can merge, counters and slots included.
TYPED_TEST(any_union, a_union_holds_the_keys_of_both_and_leaves_the_other_alone) {
  auto a = holding<TypeParam>(0, 1000);
  const auto b = holding<TypeParam>(500, 2000);
  const auto both = a.united(b);
  ASSERT_TRUE(both);
  EXPECT_EQ(a, holding<TypeParam>(0, 1000));
  ASSERT_TRUE(a.merge(b));
  EXPECT_EQ(a, *both);
  EXPECT_EQ(b, holding<TypeParam>(500, 2000));
  for (std::uint64_t i = 0; i < 2000; ++i) EXPECT_TRUE(a.may_contain(sample_key(i)));
  EXPECT_EQ(from_bytes<TypeParam>(to_bytes(a).value()).value(), a);
}

TYPED_TEST(any_union, case_34_another_seed_is_refused) {
  using hash = typename TypeParam::hash_type;
  const target asked{.capacity = 100, .fpr = 0.01};
  TypeParam a(asked);
  put(a, "alice");
  const TypeParam before = a;
  const auto refused = a.merge(TypeParam(asked, hash(9)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::incompatible);
  EXPECT_EQ(refused.error().detail, "merge: hashes differ: " + describe(identity_of(hash())) + " here, " +
                                        describe(identity_of(hash(9))) + " there");
  EXPECT_EQ(a, before);
}

TYPED_TEST(algebra, merging_with_itself_or_with_nothing_changes_nothing) {
  auto a = holding<TypeParam>(0, 1000);
  ASSERT_TRUE(a.merge(a));
  ASSERT_TRUE(a.merge(holding<TypeParam>(0, 0)));
  EXPECT_EQ(a, holding<TypeParam>(0, 1000));
}

TYPED_TEST(algebra, an_intersection_holds_every_common_key_and_loses_most_others) {
  auto a = holding<TypeParam>(0, 1000);
  const auto b = holding<TypeParam>(500, 2000);
  const auto common = a.intersected(b);
  ASSERT_TRUE(common);
  ASSERT_TRUE(a.intersect(b));
  EXPECT_EQ(a, *common);
  for (std::uint64_t i = 500; i < 1000; ++i) EXPECT_TRUE(a.may_contain(sample_key(i)));
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    ASSERT_EQ(a.may_contain(sample_key(i)), b.may_contain(sample_key(i)))
        << "its own bits are set, so the other's decide";
    wrong += a.may_contain(sample_key(i));
  }
  // Wrongly red once in 10^9 runs for each kind.
  EXPECT_LE(wrong, binomial_upper(500, b.shape().expected_fpr(1500), 1e-9))
      << "keys of one side survive only by chance";
}

template <class F>
void expect_refused(F a, const F& b) {
  const F before = a;
  const auto merged = a.merge(b);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, errc::incompatible);
  EXPECT_TRUE(merged.error().detail.starts_with("merge: ")) << merged.error().detail;
  for (const char* part : {" differ: ", " here, ", " there"}) {
    EXPECT_NE(merged.error().detail.find(part), std::string::npos) << merged.error().detail;
  }
  const auto met = a.intersect(b);
  ASSERT_FALSE(met);
  EXPECT_EQ(met.error().detail, "intersect" + merged.error().detail.substr(std::string("merge").size()));
  EXPECT_FALSE(a.united(b));
  EXPECT_FALSE(a.intersected(b));
  EXPECT_EQ(a, before);
  EXPECT_THROW((void)estimated_jaccard(a, b), std::invalid_argument);
}

TYPED_TEST(algebra, case_34_another_shape_is_refused) {
  expect_refused(sample_of<TypeParam>(1000), sample_of<TypeParam>(2000));
  expect_refused(sample_of<TypeParam>(1000), sample_of<TypeParam>(1000, 1e-5));
}

TYPED_TEST(algebra, case_34_another_secret_is_refused) {
  using keyed = filter<typename TypeParam::engine_type, siphash_1_3>;
  secret one{};
  secret two{};
  two.bytes[0] = std::byte{1};
  keyed a({.capacity = 100, .fpr = 0.01}, siphash_1_3(one));
  const keyed b({.capacity = 100, .fpr = 0.01}, siphash_1_3(two));
  a.add("alice");
  const auto merged = a.merge(b);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, errc::incompatible);
  EXPECT_EQ(a.merge(keyed({.capacity = 100, .fpr = 0.01}, siphash_1_3(one))).has_value(), true);
}

// The standard error of a count that is estimated from the bits set by n keys: sqrt(m (e^t - t - 1)) / k with t = nk/m
// [Whang, Vander-Zanden, Taylor 1990].
template <class F>
double standard_error(const F& f, double keys) {
  const double bits = static_cast<double>(f.bits()), probes = f.probes(), t = keys * probes / bits;
  return std::sqrt(bits * (std::exp(t) - t - 1)) / probes;
}

// At most 2000 keys in filters for 3000. Every bound is six standard errors, those of a sum or difference at most added
// up.
TYPED_TEST(algebra, sizes_of_union_and_intersection_are_estimated) {
  const auto a = holding<TypeParam>(0, 1200);
  const auto b = holding<TypeParam>(800, 2000);
  const double of_one = 6 * standard_error(a, 1200), of_union = 6 * standard_error(a, 2000);
  EXPECT_NEAR(a.estimated_count(), 1200, of_one);
  EXPECT_NEAR(estimated_union(a, b), 2000, of_union);
  EXPECT_NEAR(estimated_intersection(a, b), 400, 2 * of_one + of_union);
  EXPECT_NEAR(estimated_jaccard(a, b), 0.2, 0.05);  // less than these errors could add up to
  EXPECT_DOUBLE_EQ(estimated_jaccard(a, a), 1.0);
  EXPECT_DOUBLE_EQ(estimated_jaccard(holding<TypeParam>(0, 0), holding<TypeParam>(0, 0)), 1.0) << "equal sets";
}

TYPED_TEST(algebra, saturation_is_seen) {
  auto f = sample_of<TypeParam>(1000);
  EXPECT_FALSE(f.saturated());
  EXPECT_NEAR(f.fill(), 0.5, 0.1);
  for (std::uint64_t i = 0; i < 100'000; ++i) f.add(i);
  EXPECT_TRUE(f.saturated());
  EXPECT_GT(f.estimated_fpr(), 0.9);
}

}  // namespace
}  // namespace seen::testing
