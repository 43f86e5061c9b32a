// Tests what every static kind owes its caller: all keys in, none lost, whatever they are and in whatever order they
// come.
#include <algorithm>
#include <array>
#include <cstdint>
#include <forward_list>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/all_filters.hpp"
#include "support/allocations.hpp"
#include "support/batch_sizes.hpp"
#include "support/error_code.hpp"
#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

template <class F>
class static_kind : public ::testing::Test {
 protected:
  static std::vector<std::uint64_t> random_keys(std::size_t n, std::uint64_t seed) {
    std::vector<std::uint64_t> keys(n);
    rng random(seed);
    for (std::uint64_t& key : keys) key = random();
    return keys;
  }
  template <class Range>
  static void expect_all(const F& f, const Range& keys) {
    for (const auto& key : keys) ASSERT_TRUE(f.may_contain(key));
  }
};
TYPED_TEST_SUITE(static_kind, static_filters, kind_names);

TYPED_TEST(static_kind, an_empty_set_is_a_filter_that_says_no) {
  const auto f = TypeParam::build(std::vector<std::string>(), {.fpr = 0.01}).value();
  EXPECT_EQ(f.size(), 0u);
  EXPECT_EQ(f.estimated_fpr(), 0);
  for (std::uint64_t i = 0; i < 10'000; ++i) ASSERT_FALSE(f.may_contain(i));
  std::array<bool, 100> out;
  out.fill(true);
  std::vector<std::uint64_t> keys(100);
  EXPECT_EQ(f.may_contain_many(keys, out), 0u);
  EXPECT_TRUE(std::none_of(out.begin(), out.end(), [](bool b) { return b; }));
  const auto again = from_bytes<TypeParam>(to_bytes(f).value()).value();
  EXPECT_EQ(again, f);
  EXPECT_FALSE(again.may_contain(1));
}

TYPED_TEST(static_kind, one_key_is_a_filter) {
  const auto f = TypeParam::build(std::vector<std::string>{"alice"}, {.fpr = 1e-6}).value();
  EXPECT_EQ(f.size(), 1u);
  EXPECT_TRUE(f.may_contain("alice"));
  EXPECT_FALSE(f.may_contain("bob"));
}

TYPED_TEST(static_kind, holds_what_it_was_built_of_and_says_how_many) {
  const auto f = sample_of<TypeParam>(20'000);
  EXPECT_EQ(f.size(), 20'000u);
  EXPECT_EQ(f.estimated_count(), 20'000);
  EXPECT_EQ(f.target(), (target{20'000, 0.01}));
  EXPECT_LE(f.estimated_fpr(), 0.01);
  EXPECT_FALSE(f.saturated());
  this->expect_all(f, sample_keys(20'000));
}

TYPED_TEST(static_kind, case_11_duplicates_in_every_form_count_once_and_the_keys_are_not_touched) {
  constexpr std::size_t n = 3000;
  std::vector<std::vector<std::uint64_t>> forms;
  forms.emplace_back(n, 42);                 // all equal
  forms.push_back(this->random_keys(n, 1));  // one twice
  forms.back()[n - 1] = forms.back()[0];
  forms.push_back(this->random_keys(n, 2));  // each of half of them twice
  for (std::size_t i = 0; i < n / 2; ++i) forms.back()[n / 2 + i] = forms.back()[i];
  forms.push_back(this->random_keys(7, 3));  // a few, a thousand times each
  for (std::size_t i = 7; i < 7000; ++i) forms.back().push_back(forms.back()[i % 7]);
  for (const auto& keys : forms) {
    const auto before = keys;
    auto distinct = keys;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    const auto f = TypeParam::build(keys, {.fpr = 0.01}).value();
    EXPECT_EQ(keys, before);
    EXPECT_EQ(f.size(), distinct.size());
    this->expect_all(f, keys);
    EXPECT_EQ(f, TypeParam::build(distinct, {.fpr = 0.01}).value()) << "duplicates left a trace";
  }
}

TYPED_TEST(static_kind, case_11_equal_digests_of_different_keys_count_once) {
  std::vector<digest> digests;
  rng random(4);
  for (int i = 0; i < 1000; ++i) digests.emplace_back(random());
  const std::vector<digest> once = digests;
  digests.insert(digests.end(), once.begin(), once.end());
  const auto f = TypeParam::build(digests, {.fpr = 0.01}).value();
  EXPECT_EQ(f.size(), 1000u);
  EXPECT_EQ(f, TypeParam::build(once, {.fpr = 0.01}).value());
}

TYPED_TEST(static_kind, case_10_keys_and_digests_equal_in_their_low_halves) {
  std::vector<std::uint64_t> keys;
  std::vector<digest> digests;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    keys.push_back(i << 32 | 0x1234'5678);
    digests.emplace_back(rng::mix(i) << 32 | 0x1234'5678);
  }
  const auto by_key = TypeParam::build(keys, {.fpr = 0.01}).value();
  EXPECT_EQ(by_key.size(), keys.size());
  this->expect_all(by_key, keys);
  const auto by_digest = TypeParam::build(digests, {.fpr = 0.01}).value();
  EXPECT_EQ(by_digest.size(), digests.size());
  this->expect_all(by_digest, digests);
}

TYPED_TEST(static_kind, digests_that_are_no_hashes_are_built_or_refused_in_time) {
  std::vector<digest> digests;
  for (std::uint64_t i = 0; i < 300; ++i) digests.emplace_back(i);  // all alike in their high bits
  const auto f = TypeParam::build(digests, {.fpr = 0.01});
  if (f) {
    this->expect_all(*f, digests);
  } else {
    EXPECT_EQ(f.error().code, errc::invalid_argument);
    EXPECT_NE(f.error().detail.find("hash"), std::string::npos) << f.error().detail;
  }
}

TYPED_TEST(static_kind, the_same_keys_in_any_order_make_the_same_bytes) {
  auto keys = this->random_keys(10'000, 5);
  const auto bytes = to_bytes(TypeParam::build(keys, {.fpr = 0.01}).value()).value();
  std::reverse(keys.begin(), keys.end());
  EXPECT_EQ(to_bytes(TypeParam::build(keys, {.fpr = 0.01}).value()).value(), bytes);
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(to_bytes(TypeParam::build(keys, {.fpr = 0.01}).value()).value(), bytes);
}

TYPED_TEST(static_kind, every_way_to_give_the_keys_makes_the_same_filter) {
  const auto keys = sample_keys(3000);
  const auto f = TypeParam::build(keys, {.fpr = 0.01}).value();
  EXPECT_EQ(TypeParam::build(std::forward_list<std::string>(keys.begin(), keys.end()), {.fpr = 0.01}).value(), f);
  std::vector<digest> digests;
  for (const auto& key : keys) digests.push_back(f.digest_of(key));
  EXPECT_EQ(TypeParam::build(digests, {.fpr = 0.01}).value(), f);

  builder<TypeParam> one_by_one({.fpr = 0.01});
  for (const auto& key : keys) ASSERT_TRUE(one_by_one.add(key));
  EXPECT_EQ(one_by_one.size(), keys.size());
  EXPECT_EQ(std::move(one_by_one).finish().value(), f);
  builder<TypeParam> at_once({.fpr = 0.01});
  ASSERT_TRUE(at_once.add_many(keys));
  EXPECT_EQ(std::move(at_once).finish().value(), f);

  auto any = any_builder::make({.kind = std::string(TypeParam::kind.name), .target = {.fpr = 0.01}}).value();
  std::vector<bytes_view> views;
  for (const auto& key : keys) views.push_back(std::as_bytes(std::span(key)));
  ASSERT_TRUE(any.add_many(views));
  EXPECT_EQ(any.size(), keys.size());
  EXPECT_EQ(std::move(any).finish().value().to_bytes().value(), to_bytes(f).value());
}

TYPED_TEST(static_kind, shards_hold_every_key_and_their_own_bytes_again) {
  const auto keys = this->random_keys(20'000, 6);
  for (const std::uint64_t shards : {2u, 8u, 256u, 1024u}) {
    const auto f = TypeParam::build(keys, {.shards = shards}, {.fpr = 0.01}).value();
    EXPECT_EQ(f.shape().shards, shards);
    EXPECT_EQ(f.size(), keys.size());
    this->expect_all(f, keys);
    auto backwards = keys;
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(TypeParam::build(backwards, {.shards = shards}, {.fpr = 0.01, .threads = 3}).value(), f);
    const auto again = from_bytes<TypeParam>(to_bytes(f).value()).value();
    EXPECT_EQ(again, f);
    this->expect_all(again, keys);
    std::vector<digest> asked;
    rng random(7);
    for (int i = 0; i < 1000; ++i)
      asked.emplace_back(i % 2 == 0 ? f.digest_of(keys[static_cast<std::size_t>(i)]) : digest(random()));
    const auto out = std::make_unique<bool[]>(asked.size());
    std::size_t found = 0;
    for (const digest d : asked) found += f.may_contain(d);
    EXPECT_EQ(f.may_contain_many(asked, {out.get(), asked.size()}), found);
    for (std::size_t i = 0; i < asked.size(); ++i) ASSERT_EQ(out[i], f.may_contain(asked[i])) << i;
  }
}

// Batches of random digests of every size against asking one by one.
template <class F>
void expect_batches_as_single_digests(const F& f) {
  rng random(9);
  std::size_t yes = 0;
  for (const std::size_t n : batch_sizes()) {
    std::vector<digest> digests;
    for (std::size_t i = 0; i < n; ++i) digests.emplace_back(random());
    const auto out = std::make_unique<bool[]>(n);
    std::size_t found = 0;
    for (const digest d : digests) found += f.may_contain(d);
    EXPECT_EQ(f.may_contain_many(digests, {out.get(), n}), found);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], f.may_contain(digests[i])) << n << ": " << i;
    yes += found;
  }
  EXPECT_GT(yes, 0u) << "both answers are frequent";
}

TYPED_TEST(static_kind, a_batch_answers_as_single_keys_do) {
  expect_batches_as_single_digests(TypeParam::build(this->random_keys(3000, 8), {.fpr = 0.4}).value());
}

// Any content of the tables is a filter, so that one beyond the cache, whose batches ask for lines ahead, need not be
// built.
TYPED_TEST(static_kind, a_batch_answers_as_single_keys_do_beyond_the_cache) {
  using engine_type = typename TypeParam::engine_type;
  const auto shape = TypeParam::shape_type::plan({.capacity = 8'000'000, .fpr = 0.004}).value();
  storage tables = storage::allocate(shape.bytes()).value();
  ASSERT_GT(tables.size(), std::size_t{4} << 20);
  rng random(10);
  const std::size_t filled = tables.size() - 4096;  // the seeds and what follows them stay 0
  for (std::size_t at = 0; at < filled; at += 8) store_le(tables.data() + at, random());
  auto engine = engine_type::over(shape, std::move(tables)).value();
  expect_batches_as_single_digests(TypeParam(std::move(engine), typename TypeParam::hash_type()));
}

TYPED_TEST(static_kind, copies_moves_and_what_is_left_behind) {
  const auto f = sample_of<TypeParam>(1000);
  TypeParam copy = f;
  EXPECT_EQ(copy, f);
  TypeParam moved = std::move(copy);
  EXPECT_EQ(moved, f);
  EXPECT_TRUE(copy.may_contain("anything"));  // NOLINT: moved from on purpose; it must not say a false no
  std::array<bool, 3> out{};
  EXPECT_EQ(copy.may_contain_many(std::vector<std::uint64_t>{1, 2, 3}, out), 3u);
  EXPECT_EQ(code_of(to_bytes(copy)), errc::invalid_argument);
  copy = moved;
  EXPECT_EQ(copy, f);
  EXPECT_FALSE(sample_of<TypeParam>(999) == f);
}

TYPED_TEST(static_kind, lookups_take_no_memory) {
  const auto f = sample_of<TypeParam>(1000);
  const auto before = allocations();
  bool any = false;
  for (std::uint64_t i = 0; i < 1000; ++i) any |= f.may_contain(i);
  EXPECT_EQ(allocations(), before);
  (void)any;
}

TYPED_TEST(static_kind, any_filter_cannot_add_and_says_so) {
  any_filter f(filter<typename TypeParam::engine_type, any_hash>(sample_of<TypeParam>(10).engine(), any_hash()));
  const auto added = f.add("alice");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, errc::unsupported);
  EXPECT_NE(added.error().detail.find(TypeParam::kind.name), std::string::npos);
  EXPECT_EQ(code_of(f.remove("alice")), errc::unsupported);
  EXPECT_EQ(code_of(f.clear()), errc::unsupported);
  EXPECT_EQ(code_of(any_filter::make({.kind = std::string(TypeParam::kind.name), .target = {10, 0.01}})),
            errc::unsupported);
}

TYPED_TEST(static_kind, options_out_of_range_are_refused_by_name) {
  const std::vector<std::uint64_t> keys{1, 2, 3};
  for (const double fpr : {0.0, 1.0, 2.0, -1.0}) {
    EXPECT_EQ(code_of(TypeParam::build(keys, {.fpr = fpr})), errc::invalid_argument) << fpr;
  }
  for (const std::uint64_t shards : {3u, 100u, 1u << 25}) {
    const auto refused = TypeParam::build(keys, {.shards = shards}, {.fpr = 0.01});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().detail.find("shards is " + std::to_string(shards)), std::string::npos)
        << refused.error().detail;
  }
}

}  // namespace
}  // namespace seen::testing
