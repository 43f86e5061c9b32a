// A filter is a value: failure case 33 (move, self-assign, moved-from, swap), and wrong arguments to its constructor.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/all_filters.hpp"

namespace seen::testing {
namespace {

template <class F>
class value : public ::testing::Test {};
TYPED_TEST_SUITE(value, mutable_filters, kind_names);

TYPED_TEST(value, case_33_a_copy_is_equal_and_independent) {
  const auto f = sample_of<TypeParam>(100, 1e-6);
  TypeParam copy = f;
  EXPECT_EQ(copy, f);
  put(copy, "only in the copy");
  EXPECT_TRUE(copy.may_contain("only in the copy"));
  EXPECT_FALSE(f.may_contain("only in the copy"));
  copy = f;
  EXPECT_EQ(copy, f);
}

TYPED_TEST(value, case_33_a_moved_from_filter_is_harmless) {
  auto f = sample_of<TypeParam>(100);
  const TypeParam taken = std::move(f);
  EXPECT_EQ(taken, sample_of<TypeParam>(100));
  // NOLINTBEGIN(bugprone-use-after-move): that is the question
  (void)any_filter(f).add("alice");
  bool out[2];
  (void)f.may_contain("alice");
  (void)f.may_contain_many(std::vector<std::string>{"a", "b"}, out);
  (void)f.may_contain_many(std::vector<std::uint64_t>{1, 2}, out);
  if constexpr (noexcept(f.add("alice"))) {
    (void)f.add("alice");
    (void)f.add_many(std::vector<std::string>{"a", "b"});
    (void)f.add_many(std::vector<std::uint64_t>{1, 2});
  }
  if constexpr (requires { f.remove("alice"); }) (void)f.remove("alice");
  if constexpr (requires { f.count("alice"); }) (void)f.count("alice");
  if constexpr (requires { f.advance(7); }) f.advance(7);
  if constexpr (requires { f.merge(taken); }) {
    EXPECT_FALSE(f.merge(taken));
  }
  f.clear();
  (void)f.reset();
  EXPECT_EQ(f.fill(), 0.0);
  EXPECT_EQ(f.estimated_count(), 0.0);
  (void)f.estimated_fpr();
  const TypeParam copy_of_moved = f;
  EXPECT_EQ(to_bytes(copy_of_moved).error().code, errc::invalid_argument);
  f = taken;
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_EQ(f, taken);
}

TYPED_TEST(value, case_33_self_assignment_and_swap) {
  auto f = sample_of<TypeParam>(100);
  auto& same = f;
  f = same;
  EXPECT_EQ(f, sample_of<TypeParam>(100));
  f = std::move(same);
  EXPECT_EQ(f, sample_of<TypeParam>(100));
  auto other = sample_of<TypeParam>(7, 0.1);
  using std::swap;
  swap(f, other);
  EXPECT_EQ(f, sample_of<TypeParam>(7, 0.1));
  EXPECT_EQ(other, sample_of<TypeParam>(100));
  swap(f, f);
  EXPECT_EQ(f, sample_of<TypeParam>(7, 0.1));
}

TYPED_TEST(value, equality_looks_at_shape_hash_and_content) {
  const auto f = sample_of<TypeParam>(100);
  EXPECT_NE(f, sample_of<TypeParam>(99));
  EXPECT_NE(f, sample_of<TypeParam>(100, 1e-4));
  EXPECT_NE(f, sample_of<TypeParam>(100, 0.01, typename TypeParam::hash_type(1)));
  EXPECT_NE(TypeParam({.capacity = 9, .fpr = 0.1}),
            TypeParam({.capacity = 9, .fpr = 0.1}, typename TypeParam::hash_type(1)));
}

template <class Exception, class F>
void expect_refused(const target& asked, const std::string& part) {
  try {
    F f(asked);
    FAIL() << "made a filter for capacity " << asked.capacity << " at fpr " << asked.fpr;
  } catch (const Exception& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
  EXPECT_FALSE(F::make(asked).has_value());
}

TYPED_TEST(value, a_senseless_target_throws_invalid_argument) {
  expect_refused<std::invalid_argument, TypeParam>({.capacity = 0, .fpr = 0.01}, "capacity 0");
  for (const double fpr : {0.0, -0.1, 1.0, 2.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    expect_refused<std::invalid_argument, TypeParam>({.capacity = 10, .fpr = fpr}, "fpr");
  }
}

TYPED_TEST(value, an_absurd_target_throws_length_error_and_allocates_nothing) {
  expect_refused<std::length_error, TypeParam>({.capacity = 10'000'000'000'000, .fpr = 0.01}, "iB");
  expect_refused<std::length_error, TypeParam>({.capacity = std::numeric_limits<std::uint64_t>::max(), .fpr = 0.01},
                                               "");
}

// The largest filter the kind can plan is within the limits of the format, but some 128 GiB. A machine of 32 bits says that it is
// too large, or does not plan it.
TYPED_TEST(value, more_memory_than_the_machine_has_throws_bad_alloc) {
  target most{.capacity = std::uint64_t{1} << 42, .fpr = 0.01};
  while (!TypeParam::shape_type::plan(most)) most.capacity = most.capacity / 4 * 3;
  try {
    TypeParam f(most);
    GTEST_SKIP() << "this machine has that much to spare";
  } catch (const std::bad_alloc& e) {
    EXPECT_NE(std::string(e.what()).find(" of memory; this machine has"), std::string::npos) << e.what();
  } catch (const std::length_error& e) {
    EXPECT_LT(sizeof(std::size_t), sizeof(std::uint64_t)) << "a machine of 64 bits can address what a kind can plan";
    EXPECT_NE(std::string(e.what()).find("more than this machine can address"), std::string::npos) << e.what();
  }
}

TYPED_TEST(value, it_remembers_what_was_asked) {
  const TypeParam f({.capacity = 123, .fpr = 0.25});
  EXPECT_EQ(f.target(), (target{.capacity = 123, .fpr = 0.25}));
  EXPECT_EQ(TypeParam(f.shape()).target(), target{});
  EXPECT_EQ(TypeParam(f.shape()), f);
}

}  // namespace
}  // namespace seen::testing
