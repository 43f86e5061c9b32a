// Files and buffers that change, end or lie askew while they are open: failure cases 20 and 21.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "support/all_filters.hpp"
#include "support/error_code.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

template <class F>
class mapped : public ::testing::Test {};
TYPED_TEST_SUITE(mapped, container_filters, kind_names);

TYPED_TEST(mapped, case_21_a_loaded_filter_does_not_care_what_becomes_of_its_file) {
  const temp_dir dir;
  const auto f = sample_of<TypeParam>(20'000);
  ASSERT_TRUE(save(f, dir / "f"));
  const auto loaded = load<TypeParam>(dir / "f").value();
  const auto any = any_filter::load(dir / "f").value();
  std::filesystem::resize_file(dir / "f", 0);
  EXPECT_EQ(loaded, f);
  for (const auto& key : sample_keys(20'000)) ASSERT_TRUE(any.may_contain(key)) << key;
}

TYPED_TEST(mapped, case_21_a_mapped_filter_survives_its_file_being_replaced_or_removed) {
  const temp_dir dir;
  const auto f = sample_of<TypeParam>(20'000);
  ASSERT_TRUE(save(f, dir / "f"));
  const auto m = map<TypeParam>(dir / "f").value();
  ASSERT_TRUE(save(sample_of<TypeParam>(1), dir / "f"));
  EXPECT_EQ(*m, f);
  std::filesystem::remove(dir / "f");
  EXPECT_EQ(*m, f);
  EXPECT_TRUE(m.verify());
}

TYPED_TEST(mapped, case_21_reading_beyond_the_end_of_a_truncated_mapping_is_a_bus_error_as_documented) {
  const temp_dir dir;
  ASSERT_TRUE(save(sample_of<TypeParam>(20'000), dir / "f"));
  EXPECT_EXIT(
      {
        ::signal(SIGBUS, SIG_DFL);  // not the sanitizer's report
        const auto m = map<TypeParam>(dir / "f").value();
        std::filesystem::resize_file(dir / "f", 100);
        ::_exit(m.verify() ? 0 : 1);  // reads every page
      },
      ::testing::KilledBySignal(SIGBUS), "");
}

TYPED_TEST(mapped, a_page_that_changes_under_a_mapping_is_found_by_verify) {
  const temp_dir dir;
  ASSERT_TRUE(save(sample_of<TypeParam>(20'000), dir / "f"));
  const auto m = map<TypeParam>(dir / "f").value();
  ASSERT_TRUE(m.verify());
  auto changed = read_bytes(dir / "f");
  changed[static_cast<std::size_t>(m.header().body_offset) + 77] ^= std::byte{1};
  write_bytes(dir / "f", changed);
  const auto verified = m.verify();
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().code, errc::corrupt);
  EXPECT_EQ(verified.error().detail.substr(0, (dir / "f").size()), dir / "f");
}

TYPED_TEST(mapped, bits_that_moved_are_found_by_verify_though_their_number_is_the_same) {
  auto bytes = to_bytes(sample_of<TypeParam>(20'000)).value();
  const auto body = bytes.begin() + static_cast<std::ptrdiff_t>(get<std::uint64_t>(bytes, at::body_offset));
  std::iter_swap(body, std::find_if(body, bytes.end(), [&](std::byte b) { return b != *body; }));
  const auto viewed = view<TypeParam>(bytes);
  ASSERT_TRUE(viewed);
  EXPECT_EQ(code_of(viewed->verify()), errc::corrupt);
}

TYPED_TEST(mapped, case_20_bytes_at_any_address_are_read_and_viewed_where_that_is_possible) {
  const auto f = sample_of<TypeParam>(500);
  const auto bytes = to_bytes(f).value();
  std::vector<std::uint64_t> room(bytes.size() / 8 + 4);
  auto* const begin = reinterpret_cast<std::byte*>(room.data());
  for (std::size_t shift = 0; shift < 17; ++shift) {
    std::copy(bytes.begin(), bytes.end(), begin + shift);
    const bytes_view shifted(begin + shift, bytes.size());
    EXPECT_EQ(from_bytes<TypeParam>(shifted).value(), f);
    EXPECT_TRUE(any_filter::from_bytes(shifted));
    const auto viewed = view<TypeParam>(shifted);
    ASSERT_EQ(viewed.has_value(), shift % 8 == 0);
    if (viewed) {
      EXPECT_EQ(**viewed, f);
    } else {
      EXPECT_EQ(viewed.error().code, errc::invalid_argument);
      EXPECT_EQ(viewed.error().detail, "bytes: the bytes of a filter must be aligned to 8");
    }
  }
}

TYPED_TEST(mapped, nothing_but_a_regular_file_is_opened) {
  const temp_dir dir;
  for (const std::string& path : {dir.path(), std::string("/dev/null"), std::string("/dev/zero"), dir / "absent"}) {
    EXPECT_EQ(code_of(load<TypeParam>(path)), errc::io) << path;
    EXPECT_EQ(code_of(map<TypeParam>(path)), errc::io) << path;
    EXPECT_EQ(code_of(any_filter::load(path)), errc::io) << path;
    EXPECT_EQ(code_of(any_filter::inspect(path)), errc::io) << path;
    if constexpr (monotone_engine<typename TypeParam::engine_type>) {
      EXPECT_EQ(code_of(map_writable<TypeParam>(path)), errc::io) << path;
    }
  }
  write_bytes(dir / "empty", {});
  EXPECT_EQ(code_of(load<TypeParam>(dir / "empty")), errc::not_recognised);
  EXPECT_EQ(code_of(map<TypeParam>(dir / "empty")), errc::not_recognised);
  EXPECT_EQ(code_of(any_filter::load(dir / "empty")), errc::not_recognised);
}

}  // namespace
}  // namespace seen::testing
