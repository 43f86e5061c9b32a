// Layouts that lie, under checksums that are right: segments, entries, padding and sums that wrap (failure case 15).
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "hostile/lying_header.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

class lying_layout : public lying_header {};
INSTANTIATE_TEST_SUITE_P(flat, lying_layout, ::testing::ValuesIn(flat_kinds), kind_in_name);

TEST_P(lying_layout, segments_that_overlap_leave_gaps_or_end_elsewhere_are_refused) {
  const std::uint64_t length = image.body.size();
  const std::vector<std::uint64_t> told = parameters();
  const auto with = [&](const std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges, const char* what) {
    native_image bad = image;
    bad.entries.clear();
    for (const auto& [offset, bytes] : ranges) bad.entries.push_back(native_image::segment(offset, bytes, told));
    expect_corrupt_header(bad.encode(), what);
  };
  ASSERT_GE(length, 256u);
  with({}, "none");
  with({{0, length}, {0, length}}, "the same twice");
  with({{0, 128}, {64, length - 64}}, "overlapping");
  with({{64, length - 64}}, "a gap before");
  with({{0, 64}, {128, length - 128}}, "a gap between");
  with({{0, length - 64}}, "a gap behind");
  with({{128, length - 128}, {0, 128}}, "out of order");
  with({{0, 0}}, "nothing but an empty one");
  with({{0, length + 64}}, "beyond the end");
  with({{64, ~std::uint64_t{0} - 63}}, "wrapping");
  with({{~std::uint64_t{0} - 63, 64}}, "from nowhere");
  with({{0, 64}, {64, ~std::uint64_t{0} - 63}}, "wrapping after a good one");
  with({{0, 100}, {100, length - 100}}, "not whole lines");
}

TEST_P(lying_layout, segments_that_fit_but_are_not_the_kinds_are_refused) {
  const std::uint64_t length = image.body.size();
  const std::vector<std::uint64_t> told = parameters();
  native_image two = image;
  two.entries = {native_image::segment(0, 128, told), native_image::segment(128, length - 128, told)};
  expect_corrupt(two, "two");
  two.entries = {native_image::segment(0, 0, told), native_image::segment(0, length, told)};
  expect_corrupt(two, "an empty one before");
  two.entries = {native_image::segment(0, length, told), native_image::segment(length, 0, told)};
  expect_corrupt(two, "an empty one behind");
}

TEST_P(lying_layout, a_body_that_does_not_follow_the_header_is_refused) {
  for (const std::size_t gap : {64u, 128u, 4096u}) {
    auto bad = good;
    const auto offset = get<std::uint64_t>(bad, at::body_offset);
    bad.insert(bad.begin() + static_cast<std::ptrdiff_t>(offset), gap, std::byte{0});
    set(bad, at::body_offset, offset + gap);
    set(bad, at::file_bytes, std::uint64_t{bad.size()});
    ASSERT_TRUE(repair(bad));
    expect_corrupt_header(bad, "a gap");
  }
}

TEST_P(lying_layout, case_15_sums_that_wrap_to_the_right_length_are_refused) {
  // 4096 + (2^64 - 64) + 8 * 1024 = 12224 (mod 2^64), with a table of checksums that is there and right.
  const std::uint64_t body = ~std::uint64_t{0} - 63;
  native_image wrapping = image;
  wrapping.alignment = 4096;
  wrapping.entries = {native_image::segment(0, body, {8, 1})};
  auto bad = wrapping.encode();
  bad.resize(12224);
  set(bad, at::file_bytes, std::uint64_t{bad.size()});
  set(bad, at::body_bytes, body);
  set(bad, at::page_bytes, std::uint64_t{1} << 54);
  const std::size_t end = get<std::uint32_t>(bad, at::header_bytes);
  set(bad, end - at::table_checksum, xxh3_of(bytes_view(bad).subspan(4032)));
  ASSERT_TRUE(repair(bad));
  expect_corrupt_header(bad, "wrapping");
}

TEST_P(lying_layout, a_page_table_that_was_changed_is_noticed_without_reading_the_body) {
  for (std::size_t back = 1; back <= 8; ++back) {
    auto bad = good;
    bad[bad.size() - back] ^= std::byte{0x20};
    expect_corrupt_header(bad, "the table");
  }
}

TEST_P(lying_layout, padding_within_and_between_entries_must_be_zero) {
  native_image with_metadata = image;
  with_metadata.entries.push_back({2, 0, bytes_of("abc")});
  auto bad = with_metadata.encode();
  const std::size_t end = get<std::uint32_t>(bad, at::header_bytes) - at::trailer;
  const std::size_t value = at::entries + 8 + image.entries[0].value.size() + 8;
  ASSERT_EQ(bad[value + 2], std::byte{'c'});
  for (std::size_t byte = value + 3; byte < end; ++byte) {
    bad[byte] = std::byte{1};
    ASSERT_TRUE(repair(bad));
    expect_corrupt_header(bad, "padding");
    bad[byte] = std::byte{0};
  }
}

TEST_P(lying_layout, a_header_of_more_than_256_kibibytes_is_refused) {
  native_image large = image;
  large.entries.push_back({77, 0, byte_vector((256 << 10) - 64 - at::entries - at::trailer - 8 - 64)});
  ASSERT_LE(get<std::uint32_t>(large.encode(), at::header_bytes), 256u << 10);
  EXPECT_EQ(from_bytes_says(large.encode()), success);
  EXPECT_EQ(any_filter::from_bytes(large.encode()).value().to_bytes().value(), good);
  large.entries.back().value.resize(256 << 10);
  expect_corrupt_header(large.encode(), "too large");
}

TEST_P(lying_layout, an_empty_body_is_refused) {
  native_image bad = image;
  bad.body.clear();
  bad.census = 0;
  bad.entries = {native_image::segment(0, 0, {0, 0})};
  expect_corrupt(bad, "no body");
  bad.entries.clear();
  expect_corrupt(bad, "no body, no segment");
}

TEST_P(lying_layout, entries_that_do_not_fit_the_header_are_refused) {
  std::vector<std::uint32_t> lengths{1000, 1u << 31, ~0u, ~0u - 7};
  for (std::uint32_t length = 0; length < 100; ++length) lengths.push_back(length);
  for (const std::uint32_t length : lengths) {
    auto bad = good;
    if (length == get<std::uint32_t>(bad, at::entries + 4)) continue;
    set(bad, at::entries + 4, length);
    ASSERT_TRUE(repair(bad));
    EXPECT_EQ(from_bytes_says(bad), errc::corrupt) << length;
    // An entry nobody knows may have any length that fits.
    set(bad, at::entries, std::uint16_t{77});
    set(bad, at::entries + 2, std::uint16_t{0});
    ASSERT_TRUE(repair(bad));
    EXPECT_EQ(from_bytes_says(bad), errc::corrupt) << length;
  }
  for (const std::uint32_t count : {0u, 2u, 3u, 100u, ~0u}) {
    auto bad = good;
    set(bad, at::entry_count, count);
    ASSERT_TRUE(repair(bad));
    EXPECT_EQ(from_bytes_says(bad), errc::corrupt) << count;
  }
}

TEST_P(lying_layout, a_segment_with_too_few_or_too_many_parameters_is_refused) {
  const std::size_t right = row().field_names.size();
  for (std::size_t count = 0; count < right + 3; ++count) {
    if (count == right) continue;
    std::vector<std::uint64_t> told = parameters();
    told.resize(count, 1);
    native_image bad = image;
    bad.entries = {native_image::segment(0, bad.body.size(), told)};
    expect_corrupt(bad, std::to_string(count).c_str());
  }
}

TEST_P(lying_layout, a_secret_of_another_length_is_refused) {
  for (const std::size_t length : {0u, 1u, 15u, 17u, 32u}) {
    native_image bad = image;
    bad.entries.push_back({3, 0, byte_vector(length)});
    expect_corrupt(bad, "secret");
  }
}

}  // namespace
}  // namespace seen::testing
