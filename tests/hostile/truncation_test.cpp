// Failure case 18: every truncation length and any trailing byte is an error, for every kind and way to open it.
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "hostile/exercise.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

template <class F>
class truncation : public ::testing::Test {
 protected:
  // Short enough to try every length, with everything a header can hold.
  byte_vector bytes = to_bytes(sample_of<F>(200), {.alignment = 4096, .metadata = "metadata"}).value();

  static void expect_refused(const byte_vector& bad) {
    const errc code = code_of(from_bytes<F>(bad));
    ASSERT_TRUE(code == errc::corrupt || (bad.empty() && code == errc::not_recognised)) << code << " " << bad.size();
    ASSERT_EQ(code_of(view<F>(bad)), code) << bad.size();
    // Less than a magic is no native file to any_filter.
    ASSERT_EQ(code_of(any_filter::from_bytes(bad)), bad.size() < 8 ? errc::not_recognised : code) << bad.size();
    ASSERT_EQ(code_of(any_filter::from_bytes(bad, {.format = "native"})), code) << bad.size();
  }
};
TYPED_TEST_SUITE(truncation, container_filters, kind_names);

TYPED_TEST(truncation, case_18_every_length_but_the_right_one_is_refused) {
  ASSERT_TRUE(from_bytes<TypeParam>(this->bytes));
  for (std::size_t size = 0; size < this->bytes.size(); ++size) {
    this->expect_refused({this->bytes.begin(), this->bytes.begin() + static_cast<std::ptrdiff_t>(size)});
  }
}

TYPED_TEST(truncation, case_18_any_trailing_byte_is_refused) {
  for (int value = 0; value < 256; ++value) {
    auto longer = this->bytes;
    longer.push_back(static_cast<std::byte>(value));
    this->expect_refused(longer);
  }
  for (const std::size_t more : {7u, 8u, 64u, 4096u, 65536u}) {
    auto longer = this->bytes;
    longer.resize(longer.size() + more);
    this->expect_refused(longer);
  }
}

TYPED_TEST(truncation, case_18_a_header_that_agrees_with_the_wrong_length_does_not_help) {
  const auto lie = [&](std::size_t size) {
    auto bad = this->bytes;
    bad.resize(size);
    set(bad, at::file_bytes, static_cast<std::uint64_t>(size));
    (void)repair(bad);
    this->expect_refused(bad);
  };
  for (std::size_t size = 144; size < this->bytes.size(); ++size) lie(size);
  for (std::size_t size = this->bytes.size() + 1; size < this->bytes.size() + 200; ++size) lie(size);
}

TYPED_TEST(truncation, case_18_files_are_refused_like_bytes) {
  const temp_dir dir;
  const std::string path = dir / "f";
  write_bytes(path, this->bytes);
  ASSERT_TRUE(load<TypeParam>(path));
  for (std::size_t size = 0; size <= this->bytes.size() + 100; size += size < 300 ? 7 : 61) {
    if (size == this->bytes.size()) continue;
    std::filesystem::resize_file(path, size);
    const errc code = size == 0 ? errc::not_recognised : errc::corrupt;
    EXPECT_EQ(code_of(load<TypeParam>(path)), code) << size;
    EXPECT_EQ(code_of(map<TypeParam>(path)), code) << size;
    if constexpr (monotone_engine<typename TypeParam::engine_type>) {
      EXPECT_EQ(code_of(map_writable<TypeParam>(path)), code) << size;
    }
    EXPECT_FALSE(any_filter::open(path)) << size;
    EXPECT_FALSE(any_filter::inspect(path)) << size;
    write_bytes(path, this->bytes);
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
