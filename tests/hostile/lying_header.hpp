// A good file of every kind, to be changed field by field; its checksums are made right again after every change.
#pragma once

#include <gtest/gtest.h>

#include "hostile/exercise.hpp"

namespace seen::testing {

template <class F>
class lying_header : public ::testing::Test {
 protected:
  lying_header() : f(sample_of<F>(200)), image(image_of(f)), good(image.encode()) {}

  void expect_corrupt(const native_image& bad, const char* what) {
    const auto bytes = bad.encode();
    EXPECT_EQ(code_of(from_bytes<F>(bytes)), errc::corrupt) << what;
    EXPECT_EQ(code_of(view<F>(bytes)), errc::corrupt) << what;
    EXPECT_EQ(code_of(any_filter::from_bytes(bytes)), errc::corrupt) << what;
  }

  // Refused by the header's reader, which knows no kinds: chains will rely on it.
  void expect_corrupt_header(const byte_vector& bytes, const char* what) {
    EXPECT_EQ(code_of(native::read_header(native::source::of(bytes))), errc::corrupt) << what;
    EXPECT_EQ(code_of(from_bytes<F>(bytes)), errc::corrupt) << what;
    EXPECT_EQ(code_of(view<F>(bytes)), errc::corrupt) << what;
  }

  F f;
  native_image image;
  byte_vector good;
};

}  // namespace seen::testing
