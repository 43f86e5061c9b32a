// A good file of a kind, to be changed field by field; its checksums are made right again after every change.
#pragma once

#include <gtest/gtest.h>

#include "hostile/exercise.hpp"

namespace seen::testing {

class lying_header : public kind_test {
 protected:
  lying_header() { EXPECT_EQ(image.encode(), good) << "the second encoder writes another file"; }

  [[nodiscard]] errc from_bytes_says(const byte_vector& bytes) const { return code_of(ways.from_bytes(bytes, {})); }

  void expect_corrupt(const native_image& bad, const char* what) const {
    const auto bytes = bad.encode();
    EXPECT_EQ(from_bytes_says(bytes), errc::corrupt) << what;
    EXPECT_EQ(code_of(ways.view(bytes, {}).opened), errc::corrupt) << what;
    EXPECT_EQ(code_of(any_filter::from_bytes(bytes)), errc::corrupt) << what;
  }

  // Refused by the header's reader, which knows no kinds: chains will rely on it.
  void expect_corrupt_header(const byte_vector& bytes, const char* what) const {
    EXPECT_EQ(code_of(native::read_header(source::of(bytes))), errc::corrupt) << what;
    EXPECT_EQ(from_bytes_says(bytes), errc::corrupt) << what;
    EXPECT_EQ(code_of(ways.view(bytes, {}).opened), errc::corrupt) << what;
  }

  // The numbers of the first segment: a flat kind's parameters.
  [[nodiscard]] std::vector<std::uint64_t> parameters() const {
    std::vector<std::uint64_t> numbers;
    const byte_vector& value = image.entries[0].value;
    for (std::size_t i = 16; i < value.size(); i += 8) numbers.push_back(get<std::uint64_t>(value, i));
    return numbers;
  }

  const typed_ways& ways = ways_into(GetParam());
  const byte_vector good = sample_of(GetParam(), 200).to_bytes().value();
  const native_image image = native_image::of(good);
};

}  // namespace seen::testing
