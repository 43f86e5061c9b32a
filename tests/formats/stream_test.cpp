#include <seen/stream.hpp>

#include <gtest/gtest.h>
#include <sstream>

#include "support/all_filters.hpp"

namespace seen::testing {
namespace {

template <class F>
class stream : public ::testing::Test {};
TYPED_TEST_SUITE(stream, container_filters, kind_names);

TYPED_TEST(stream, a_filter_goes_through_a_stream_and_back) {
  const auto f = sample_of<TypeParam>(100'000);  // more than one piece of 64 KiB
  std::stringstream through;
  ASSERT_TRUE(write_to(f, through));
  EXPECT_EQ(through.str().size(), *serialized_size(f));
  const auto back = read_from<TypeParam>(through);
  ASSERT_TRUE(back) << back.error().detail;
  EXPECT_EQ(*back, f);
}

TYPED_TEST(stream, a_stream_that_fails_is_an_error) {
  const auto f = sample_of<TypeParam>(100);
  std::stringstream broken;
  broken.setstate(std::ios::badbit);
  EXPECT_EQ(write_to(f, broken).error().code, errc::io);
  EXPECT_EQ(read_from<TypeParam>(broken).error().code, errc::io);
  std::stringstream cut(std::string("not a filter"));
  EXPECT_EQ(read_from<TypeParam>(cut).error().code, errc::not_recognised);
}

}  // namespace
}  // namespace seen::testing
