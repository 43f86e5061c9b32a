// Failure case 18: every truncation length and any trailing byte is an error, for every kind and way to open it.
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "hostile/exercise.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

class truncation : public kind_test {
 protected:
  const typed_ways& ways = ways_into(GetParam());
  // Short enough to try every length, with everything a header can hold.
  const byte_vector bytes = sample_of(GetParam(), 200).to_bytes({.alignment = 4096, .metadata = "metadata"}).value();

  void expect_refused(const byte_vector& bad) const {
    const errc code = code_of(ways.from_bytes(bad, {}));
    ASSERT_TRUE(code == errc::corrupt || (bad.empty() && code == errc::not_recognised)) << code << " " << bad.size();
    ASSERT_EQ(code_of(ways.view(bad, {}).opened), code) << bad.size();
    // Less than a magic is not a native file to any_filter.
    ASSERT_EQ(code_of(any_filter::from_bytes(bad)), bad.size() < 8 ? errc::not_recognised : code) << bad.size();
    ASSERT_EQ(code_of(any_filter::from_bytes(bad, {.format = "native"})), code) << bad.size();
  }
};
INSTANTIATE_TEST_SUITE_P(makes, truncation, ::testing::ValuesIn(container_kinds), kind_in_name);

TEST_P(truncation, case_18_every_length_but_the_right_one_is_refused) {
  ASSERT_TRUE(ways.from_bytes(bytes, {}));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    expect_refused({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
  }
}

TEST_P(truncation, case_18_any_trailing_byte_is_refused) {
  for (int value = 0; value < 256; ++value) {
    auto longer = bytes;
    longer.push_back(static_cast<std::byte>(value));
    expect_refused(longer);
  }
  for (const std::size_t more : {7u, 8u, 64u, 4096u, 65536u}) {
    auto longer = bytes;
    longer.resize(longer.size() + more);
    expect_refused(longer);
  }
}

TEST_P(truncation, case_18_a_header_that_agrees_with_the_wrong_length_does_not_help) {
  const auto lie = [&](std::size_t size) {
    auto bad = bytes;
    bad.resize(size);
    set(bad, at::file_bytes, static_cast<std::uint64_t>(size));
    (void)repair(bad);
    expect_refused(bad);
  };
  for (std::size_t size = 144; size < bytes.size(); ++size) lie(size);
  for (std::size_t size = bytes.size() + 1; size < bytes.size() + 200; ++size) lie(size);
}

TEST_P(truncation, case_18_files_are_refused_like_bytes) {
  const temp_dir dir;
  const std::string path = dir / "f";
  write_bytes(path, bytes);
  ASSERT_TRUE(ways.load(path));
  for (std::size_t size = 0; size <= bytes.size() + 100; size += size < 300 ? 7 : 61) {
    if (size == bytes.size()) continue;
    std::filesystem::resize_file(path, size);
    const errc code = size == 0 ? errc::not_recognised : errc::corrupt;
    EXPECT_EQ(code_of(ways.load(path)), code) << size;
    EXPECT_EQ(code_of(ways.map(path)), code) << size;
    if (ways.map_writable != nullptr) {
      EXPECT_EQ(code_of(ways.map_writable(path)), code) << size;
    }
    EXPECT_FALSE(any_filter::load(path)) << size;
    EXPECT_FALSE(any_filter::inspect(path)) << size;
    write_bytes(path, bytes);
  }
}

TEST(truncation, case_18_the_portable_format_has_one_length_too) {
  auto f = portable::make({.bits = 1001, .probes = 5}).value();
  f.add("alice");
  const auto bytes = portable::encode(f);
  ASSERT_TRUE(portable::decode(bytes));
  for (std::size_t size = 0; size < bytes.size() + 100; ++size) {
    if (size == bytes.size()) continue;
    auto bad = bytes;
    bad.resize(size);
    EXPECT_EQ(code_of(portable::decode(bad)), errc::corrupt) << size;
    EXPECT_EQ(code_of(any_filter::from_bytes(bad, {.format = "portable"})), errc::corrupt) << size;
    EXPECT_FALSE(portable::could_be(bad, bad.size())) << size;
  }
}

}  // namespace
}  // namespace seen::testing
