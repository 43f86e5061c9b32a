// current_error: every exception that the library throws, and any other, as the error it stands for.
#include <seen/base/result.hpp>

#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <string>

namespace {

using seen::errc;
using seen::error;

template <class Exception>
error caught(const Exception& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return seen::current_error();
  }
}

TEST(current_error, undoes_throw_error) {
  for (const error& e :
       {error{errc::invalid_argument, "fpr is 2"}, error{errc::too_large, "1 EiB"},
        error{errc::no_memory, "need 112 GiB; this machine has 24 GiB", 0, std::uint64_t{112} << 30}}) {
    try {
      seen::throw_error(e);
    } catch (...) {
      EXPECT_EQ(seen::current_error(), e);
    }
  }
}

TEST(current_error, gives_back_the_error_of_a_result) {
  const error e{errc::busy, "visited.seen: another process is changing it", 11, 7};
  EXPECT_EQ(caught(seen::bad_result(e)), e);
}

TEST(current_error, knows_memory_that_ran_out_without_a_number) {
  EXPECT_EQ(caught(std::bad_alloc()), (error{errc::no_memory, "out of memory"}));
}

TEST(current_error, calls_what_the_library_does_not_throw_unexpected) {
  EXPECT_EQ(caught(std::runtime_error("surprise")), (error{errc::unexpected, "surprise"}));
  EXPECT_EQ(caught(42), (error{errc::unexpected, "unexpected"}));
}

TEST(or_no_memory, lets_other_exceptions_through) {
  const auto surprise = []() -> seen::result<int> { throw std::runtime_error("surprise"); };
  EXPECT_THROW((void)seen::or_no_memory(surprise), std::runtime_error);
  const auto too_long = []() -> seen::result<int> { throw std::length_error("no next link"); };
  EXPECT_EQ(seen::or_no_memory(too_long).error(), (error{errc::too_large, "no next link"}));
}

}  // namespace
