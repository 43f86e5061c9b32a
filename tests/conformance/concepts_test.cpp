// Which kind can do what: the vocabulary of concepts.hpp, kind by kind, decided when this file is compiled.
#include <gtest/gtest.h>
#include <set>
#include <string_view>

#include "support/all_filters.hpp"

namespace seen::testing {
namespace {

struct abilities {
  bool adds = false, may_be_full = false, grows = false, removes = false, counts = false, merges = false;
  bool forgets = false, is_static = false, is_monotone = false, is_sized = false, has_bits = false;
  friend constexpr bool operator==(const abilities&, const abilities&) = default;
};

template <engine E>
constexpr abilities abilities_of{.adds = mutable_engine<E>,
                                 .may_be_full = fallible_engine<E>,
                                 .grows = growing_engine<E>,
                                 .removes = removable_engine<E>,
                                 .counts = countable_engine<E>,
                                 .merges = mergeable_engine<E>,
                                 .forgets = forgetting_engine<E>,
                                 .is_static = static_engine<E>,
                                 .is_monotone = monotone_engine<E>,
                                 .is_sized = sized_engine<E>,
                                 .has_bits = bit_engine<E>};

constexpr abilities bits{.adds = true, .merges = true, .is_monotone = true, .has_bits = true};
constexpr abilities counters{.adds = true, .removes = true, .counts = true, .merges = true};
constexpr abilities chain{.adds = true, .grows = true, .merges = true};
constexpr abilities slots{.adds = true, .may_be_full = true, .removes = true, .counts = true, .is_sized = true};
constexpr abilities sealed{.is_static = true, .is_sized = true};

template <class F>
constexpr abilities expected;  // a kind that is not listed does not compile
template <>
constexpr abilities expected<bloom> = bits;
template <>
constexpr abilities expected<partitioned_bloom> = bits;
template <>
constexpr abilities expected<blocked_bloom> = bits;
template <>
constexpr abilities expected<split_block> = bits;
template <>
constexpr abilities expected<counting_bloom> = counters;
template <>
constexpr abilities expected<blocked_counting_bloom> = counters;
template <>
constexpr abilities expected<scalable_bloom> = chain;
template <>
constexpr abilities expected<scalable_classic_bloom> = chain;
template <>
constexpr abilities expected<cuckoo> = slots;
template <>
constexpr abilities expected<growing_cuckoo>{
    .adds = true, .grows = true, .removes = true, .counts = true, .is_sized = true};
template <>
constexpr abilities expected<quotient>{
    .adds = true, .may_be_full = true, .removes = true, .counts = true, .merges = true, .is_sized = true};
template <>
constexpr abilities expected<windowed_bloom>{.adds = true, .forgets = true};
template <>
constexpr abilities expected<xor_filter> = sealed;
template <>
constexpr abilities expected<binary_fuse> = sealed;
template <>
constexpr abilities expected<ribbon> = sealed;

template <class F>
class kind_can : public ::testing::Test {};
TYPED_TEST_SUITE(kind_can, all_filters, kind_names);

TYPED_TEST(kind_can, do_what_the_vocabulary_says_and_no_more) {
  using engine_type = typename TypeParam::engine_type;
  static_assert(engine_shape<typename engine_type::shape_type>);
  static_assert(abilities_of<engine_type> == expected<TypeParam>);
  static_assert(!shared_engine<engine_type>, "one thread at a time");
}

template <class... F>
std::set<std::string_view> names_of(::testing::Types<F...>) {
  return {F::kind.name...};
}

// Their names are all that ties the registry to the list that these tests and others run over.
TEST(every_kind, of_the_registry_is_tested) {
  const auto tested = names_of(all_filters());
  for (const kind_row& each : kinds()) {
    EXPECT_TRUE(tested.contains(each.kind.name)) << each.kind.name << " is not in tests/support/all_filters.hpp";
  }
}

template <class F>
class shared_kind_can : public ::testing::Test {};
TYPED_TEST_SUITE(shared_kind_can, all_concurrent_filters, kind_names);

TYPED_TEST(shared_kind_can, be_used_from_any_thread_and_add_what_the_plain_one_adds) {
  using engine_type = typename TypeParam::engine_type;
  static_assert(shared_engine<engine_type> && mutable_engine<engine_type> && !fallible_engine<engine_type>);
}

}  // namespace
}  // namespace seen::testing
