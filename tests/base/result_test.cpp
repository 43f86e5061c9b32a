// result<T>: a value or an error, how each is reached, moved and passed on; and exceptions that become errors.
#include <seen/base/result.hpp>

#include <cerrno>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/error_code.hpp"

namespace seen::testing {
namespace {

const error refused{errc::io, "a.seen: open: refused", EACCES};

result<int> half_of(int number) {
  if (number % 2 != 0) return {errc::invalid_argument, std::to_string(number) + " is odd"};
  return number / 2;
}

TEST(result, holds_a_value) {
  const result<int> four = half_of(8);
  ASSERT_TRUE(four);
  EXPECT_TRUE(four.has_value());
  EXPECT_EQ(*four, 4);
  EXPECT_EQ(four.value(), 4);
}

TEST(result, holds_an_error_and_all_of_it) {
  const result<int> none = refused;
  ASSERT_FALSE(none);
  EXPECT_FALSE(none.has_value());
  EXPECT_EQ(none.error(), refused);
  EXPECT_EQ(half_of(3).error(), (error{errc::invalid_argument, "3 is odd"}));
  EXPECT_EQ((result<int>{errc::busy, "locked", EWOULDBLOCK}.error()), (error{errc::busy, "locked", EWOULDBLOCK}));
}

TEST(result, a_value_is_reached_by_its_members_and_can_be_changed) {
  result<std::string> word = std::string("seen");
  EXPECT_EQ(word->size(), 4u);
  word->push_back('!');
  *word += '!';
  word.value() += '!';
  EXPECT_EQ(*std::as_const(word), "seen!!!");
  EXPECT_EQ(std::as_const(word)->size(), 7u);
}

TEST(result, value_throws_the_error_where_there_is_no_value) {
  const result<int> none = refused;
  try {
    (void)none.value();
    FAIL() << "nothing was thrown";
  } catch (const bad_result& thrown) {
    EXPECT_EQ(thrown.error(), refused);
    EXPECT_STREQ(thrown.what(), refused.detail.c_str());
  }
  EXPECT_THROW((void)result<int>(refused).value(), bad_result);
  result<int> changeable = refused;
  EXPECT_THROW((void)changeable.value(), bad_result);
}

TEST(result, what_cannot_be_copied_is_moved_in_and_out) {
  result<std::unique_ptr<int>> made = std::make_unique<int>(7);
  ASSERT_TRUE(made);
  const std::unique_ptr<int> taken = std::move(*made);
  EXPECT_EQ(*taken, 7);
  ASSERT_TRUE(made);  // an empty pointer is a value, too
  EXPECT_EQ(*made, nullptr);
  EXPECT_EQ(*result<std::unique_ptr<int>>(std::make_unique<int>(8)).value(), 8);
}

TEST(result, a_move_takes_value_or_error_along) {
  result<std::vector<int>> from = std::vector<int>{1, 2, 3};
  const int* const place = from->data();
  const result<std::vector<int>> to = std::move(from);
  EXPECT_EQ(to->data(), place);  // moved, not copied
  result<std::vector<int>> none = refused;
  result<std::vector<int>> again = std::vector<int>{1};
  again = std::move(none);
  EXPECT_EQ(again.error(), refused);
}

TEST(result, an_error_is_passed_on_as_a_result_of_another_type) {
  const auto outer = []() -> result<std::string> {
    const result<int> inner = refused;
    if (!inner) return inner.error();
    return std::string("reached");
  };
  EXPECT_EQ(outer().error(), refused);
}

TEST(result, of_an_error_type_tells_value_from_error) {
  const result<errc> code = errc::full;
  ASSERT_TRUE(code);
  EXPECT_EQ(*code, errc::full);
}

TEST(result_of_nothing, is_success_or_an_error) {
  const result<void> done;
  EXPECT_TRUE(done);
  EXPECT_TRUE(done.has_value());
  EXPECT_NO_THROW(done.value());
  const result<void> failed = refused;
  EXPECT_FALSE(failed);
  EXPECT_EQ(failed.error(), refused);
  EXPECT_EQ((result<void>{errc::busy, "locked", EWOULDBLOCK}.error().system), EWOULDBLOCK);
  try {
    failed.value();
    FAIL() << "nothing was thrown";
  } catch (const bad_result& thrown) {
    EXPECT_EQ(thrown.error(), refused);
  }
}

TEST(or_throw, gives_the_value_or_throws_what_a_constructor_throws) {
  EXPECT_EQ(or_throw(half_of(8)), 4);
  EXPECT_THROW((void)or_throw(half_of(3)), std::invalid_argument);
  EXPECT_THROW((void)or_throw(result<int>(errc::too_large, "x")), std::length_error);
  EXPECT_THROW((void)or_throw(result<int>(errc::no_memory, "x")), std::bad_alloc);
}

TEST(or_no_memory, passes_on_what_is_returned) {
  EXPECT_EQ(*or_no_memory([] { return half_of(8); }), 4);
  EXPECT_EQ(or_no_memory([]() -> result<int> { return refused; }).error(), refused);
  EXPECT_TRUE(or_no_memory([] { return result<void>(); }));
}

TEST(or_no_memory, turns_memory_that_runs_out_into_an_error) {
  const auto none = or_no_memory([]() -> result<int> { throw std::bad_alloc(); });
  EXPECT_EQ(none.error(), (error{errc::no_memory, "out of memory"}));
  EXPECT_EQ(code_of(or_no_memory([]() -> result<void> { throw out_of_memory("need 2 TiB"); })), errc::no_memory);
}

TEST(or_no_memory, turns_a_length_that_cannot_be_into_an_error) {
  const auto none = or_no_memory([]() -> result<int> { throw std::length_error("add: no next link"); });
  EXPECT_EQ(none.error(), (error{errc::too_large, "add: no next link"}));
}

TEST(or_no_memory, lets_every_other_exception_through) {
  EXPECT_THROW((void)or_no_memory([]() -> result<int> { throw std::invalid_argument("a mistake"); }),
               std::invalid_argument);
  EXPECT_THROW((void)or_no_memory([]() -> result<int> { throw 7; }), int);
}

}  // namespace
}  // namespace seen::testing
