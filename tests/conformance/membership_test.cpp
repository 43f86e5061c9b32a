// Tests what every mutable kind owes its caller, whatever it is made of.
#include <array>
#include <gtest/gtest.h>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/all_filters.hpp"
#include "support/allocations.hpp"
#include "support/batch_sizes.hpp"

namespace seen::testing {
namespace {

template <class F>
class membership : public ::testing::Test {};
TYPED_TEST_SUITE(membership, mutable_filters, kind_names);

struct answers {
  explicit answers(std::size_t size) : bits(std::make_unique<bool[]>(size)), size(size) {}
  std::span<bool> span() { return {bits.get(), size}; }
  std::unique_ptr<bool[]> bits;
  std::size_t size;
};

TYPED_TEST(membership, an_empty_filter_says_no) {
  const TypeParam f({.capacity = 1000, .fpr = 0.01});
  for (std::uint64_t i = 0; i < 10'000; ++i) EXPECT_FALSE(f.may_contain(i));
  EXPECT_FALSE(f.may_contain(""));
}

TYPED_TEST(membership, what_was_added_is_found) {
  const auto f = sample_of<TypeParam>(20'000);
  for (std::uint64_t i = 0; i < 20'000; ++i) ASSERT_TRUE(f.may_contain(sample_key(i))) << i;
}

TYPED_TEST(membership, an_empty_key_is_a_key) {
  TypeParam f({.capacity = 10, .fpr = 1e-6});
  put(f, "");
  EXPECT_TRUE(f.may_contain(""));
  EXPECT_TRUE(f.may_contain(std::span<const std::byte>()));
  EXPECT_FALSE(f.may_contain("x"));
}

TYPED_TEST(membership, text_and_bytes_of_one_content_are_one_key) {
  TypeParam f({.capacity = 10, .fpr = 1e-6});
  put(f, "alice");
  const std::string text = "alice";
  EXPECT_TRUE(f.may_contain(text));
  EXPECT_TRUE(f.may_contain(std::string_view(text)));
  EXPECT_TRUE(f.may_contain(std::as_bytes(std::span(text))));
}

TYPED_TEST(membership, integers_of_one_value_are_one_key_and_eight_little_endian_bytes) {
  TypeParam f({.capacity = 10, .fpr = 1e-6});
  put(f, std::int8_t{-2});
  EXPECT_TRUE(f.may_contain(std::int64_t{-2}));
  EXPECT_TRUE(f.may_contain(0xffff'ffff'ffff'fffeull));
  EXPECT_TRUE(f.may_contain(std::string_view("\xfe\xff\xff\xff\xff\xff\xff\xff", 8)));
  EXPECT_FALSE(f.may_contain(2));
}

TYPED_TEST(membership, a_digest_stands_for_its_key) {
  TypeParam f({.capacity = 10, .fpr = 1e-6});
  put(f, f.digest_of("alice"));
  EXPECT_TRUE(f.may_contain("alice"));
  EXPECT_TRUE(f.may_contain(f.digest_of("alice")));
  EXPECT_FALSE(f.may_contain(f.digest_of("bob")));
}

TYPED_TEST(membership, asking_changes_nothing) {
  const auto f = sample_of<TypeParam>(100);
  for (std::uint64_t i = 0; i < 1000; ++i) (void)f.may_contain(sample_key(i));
  EXPECT_EQ(f, sample_of<TypeParam>(100));
}

TYPED_TEST(membership, one_key_may_be_added_twice) {
  auto f = sample_of<TypeParam>(100);
  for (std::uint64_t i = 0; i < 100; i += 10) put(f, sample_key(i));
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(f.may_contain(sample_key(i)));
  if constexpr (adds_always<typename TypeParam::engine_type>) {
    const TypeParam before = f;
    for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(f.test_or_add(sample_key(i)));
    EXPECT_EQ(f, before);
  }
}

// Every way to ask for `n` sample keys, every third of which may be in the filter, against asking one by one.
template <class F>
void expect_batches_as_single_keys(const F& f) {
  for (const std::size_t n : batch_sizes()) {
    std::vector<std::string> keys;
    std::vector<digest> digests;
    for (std::size_t i = 0; i < n; ++i) keys.push_back(sample_key(i * 3));
    for (const auto& key : keys) digests.push_back(f.digest_of(key));
    answers by_key(n), by_list(n), by_digest(n);
    const std::size_t found = f.may_contain_many(keys, by_key.span());
    EXPECT_EQ(f.may_contain_many(std::list<std::string>(keys.begin(), keys.end()), by_list.span()), found);
    EXPECT_EQ(f.may_contain_many(digests, by_digest.span()), found);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const bool single = f.may_contain(digests[i]);
      expected += single;
      ASSERT_EQ(by_key.bits[i], single) << n << " keys, key " << i;
      ASSERT_EQ(by_list.bits[i], single) << n << " keys, key " << i;
      ASSERT_EQ(by_digest.bits[i], single) << n << " keys, key " << i;
    }
    EXPECT_EQ(found, expected);
  }
}

TYPED_TEST(membership, a_batch_answers_as_single_keys_do) {
  expect_batches_as_single_keys(sample_of<TypeParam>(1000, 0.2));  // a high rate, so that both answers are frequent
}

// For tables beyond the cache the kernels have loops of their own, which ask for lines ahead.
template <class F>
F empty_beyond_the_cache() {
  F f({.capacity = kernels::cached_bytes, .fpr = 0.001});  // more than a byte per key
  EXPECT_GT(memory_of(f.engine()), kernels::cached_bytes);
  return f;
}

TYPED_TEST(membership, a_batch_answers_as_single_keys_do_beyond_the_cache) {
  auto f = empty_beyond_the_cache<TypeParam>();
  for (std::uint64_t i = 0; i < 5000; ++i) put(f, sample_key(i));
  expect_batches_as_single_keys(f);
}

TYPED_TEST(membership, a_batch_adds_as_single_keys_do) {
  for (const std::size_t n : batch_sizes()) {
    TypeParam f({.capacity = 4000, .fpr = 0.01});
    const auto keys = sample_keys(n);
    put_many(f, keys);
    TypeParam one_by_one({.capacity = 4000, .fpr = 0.01});
    for (const auto& key : keys) put(one_by_one, key);
    EXPECT_EQ(f, one_by_one) << n;
  }
}

// One after the other into one filter: comparing such filters for every size would take the longest.
TYPED_TEST(membership, batches_add_as_single_keys_do_beyond_the_cache) {
  auto f = empty_beyond_the_cache<TypeParam>();
  auto one_by_one = empty_beyond_the_cache<TypeParam>();
  std::uint64_t added = 0;
  for (const std::size_t n : batch_sizes()) {
    const auto keys = sample_keys(n, added);
    put_many(f, keys);
    for (const auto& key : keys) put(one_by_one, key);
    added += n;
  }
  EXPECT_EQ(f, one_by_one);
}

TYPED_TEST(membership, several_threads_add_as_one_does) {
  for (const std::size_t n : parallel_batch_sizes()) {
    TypeParam f({.capacity = 5000, .fpr = 0.01}), by_one_thread({.capacity = 5000, .fpr = 0.01});
    const auto keys = sample_keys(n);
    if constexpr (fallible_engine<typename TypeParam::engine_type>) {
      EXPECT_EQ(f.add_many(keys, parallel{.threads = 3}), n);
    } else {
      f.add_many(keys, parallel{.threads = 3});
    }
    put_many(by_one_thread, keys);
    EXPECT_EQ(f, by_one_thread) << n;
  }
}

TYPED_TEST(membership, a_batch_without_room_for_its_answers_is_refused) {
  const auto f = sample_of<TypeParam>(10);
  const std::vector<std::string> keys{"a", "b", "c"};
  std::array<bool, 2> room{true, true};
  try {
    (void)f.may_contain_many(keys, room);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "may_contain_many: 3 keys, but room for 2 answers");
  }
  EXPECT_TRUE(room[0] && room[1]) << "nothing was written";
}

TYPED_TEST(membership, test_and_add_gives_the_answer_before) {
  TypeParam f({.capacity = 100, .fpr = 1e-6});
  if constexpr (adds_always<typename TypeParam::engine_type>) {
    EXPECT_FALSE(f.test_and_add("alice"));
    EXPECT_TRUE(f.test_and_add("alice"));
    EXPECT_FALSE(f.test_or_add("bob"));
    EXPECT_TRUE(f.test_or_add("bob"));
    EXPECT_TRUE(f.may_contain("bob"));
  }
  any_filter any(f);
  EXPECT_FALSE(any.test_and_add("carol").value());
  EXPECT_TRUE(any.test_and_add("carol").value());
}

TYPED_TEST(membership, clear_and_reset_empty_it) {
  auto f = sample_of<TypeParam>(100);
  const auto full = sample_of<TypeParam>(100);
  const TypeParam old = f.reset();
  EXPECT_EQ(old, full);
  EXPECT_FALSE(f.may_contain(sample_key(1)));
  put(f, "alice");
  f.clear();
  EXPECT_FALSE(f.may_contain("alice"));
  EXPECT_EQ(f, TypeParam({.capacity = 100, .fpr = 0.01}));
}

TYPED_TEST(membership, asking_and_adding_allocate_nothing_unless_the_kind_grows) {
  TypeParam f({.capacity = 10'000, .fpr = 0.01});
  static_assert(noexcept(f.may_contain("alice"))&& noexcept(f.may_contain(42))&& noexcept(f.may_contain(digest{1})));
  static_assert(noexcept(f.add("alice")) == !growing_engine<typename TypeParam::engine_type>);
  static_assert(noexcept(f.add(42)) == noexcept(f.add("alice"))&& noexcept(f.add(digest{1})) == noexcept(f.add(42)));
  const std::vector<std::string> keys{"a", "b", "a key long enough to need memory of its own if it were copied"};
  answers out(keys.size());
  std::uint64_t found = 0;
  const std::uint64_t before = allocations();
  put_many(f, keys);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    put(f, i);
    found += f.may_contain(i);
    found += f.may_contain("a key long enough to need memory of its own if it were copied");
    found += f.may_contain_many(keys, out.span());
    if constexpr (adds_always<typename TypeParam::engine_type>) found -= !f.test_and_add(i) + !f.test_or_add("a");
  }
  EXPECT_EQ(allocations() - before, 0u);
  EXPECT_EQ(found, 5 * 1000u);
  (void)std::string(100, 'x');
  EXPECT_GT(allocations(), before) << "the counter counts";
}

// For the whole Bloom family: whatever is added, and however often.
TYPED_TEST(membership, a_kind_without_a_limit_never_allocates) {
  if constexpr (adds_always<typename TypeParam::engine_type> && !growing_engine<typename TypeParam::engine_type>) {
    TypeParam f({.capacity = 100, .fpr = 0.01});
    static_assert(noexcept(f.test_and_add("alice"))&& noexcept(f.test_or_add("alice")));
    const std::uint64_t before = allocations();
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      f.add(i);
      (void)f.test_and_add(i);
      (void)f.test_or_add(i + 1);
    }
    EXPECT_EQ(allocations() - before, 0u);
  }
}

}  // namespace
}  // namespace seen::testing
