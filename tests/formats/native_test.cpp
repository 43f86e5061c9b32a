// The native file, for every kind: one filter has one sequence of bytes, however it is written and read.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "support/all_filters.hpp"
#include "support/error_code.hpp"
#include "support/key_shapes.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

template <class F>
class native_file : public ::testing::Test {};
TYPED_TEST_SUITE(native_file, container_filters, kind_names);

TYPED_TEST(native_file, same_keys_in_any_order_make_the_same_bytes) {
  if (growing_engine<typename TypeParam::engine_type>)
    GTEST_SKIP() << "which link a key falls into depends on the order";
  auto keys = sample_keys(1000);
  const target asked{.capacity = 1000, .fpr = 0.01};
  const auto bytes = to_bytes(sampler<TypeParam>::holding(keys, asked)).value();
  std::reverse(keys.begin(), keys.end());
  EXPECT_EQ(to_bytes(sampler<TypeParam>::holding(keys, asked)).value(), bytes);
  std::shuffle(keys.begin(), keys.end(), rng(1));
  EXPECT_EQ(to_bytes(sampler<TypeParam>::holding(keys, asked)).value(), bytes);
}

TYPED_TEST(native_file, the_bytes_are_those_of_the_file_and_their_number_is_known_before) {
  const temp_dir dir;
  const auto f = sample_of<TypeParam>(500);
  for (const std::size_t alignment : {std::size_t{64}, std::size_t{4096}}) {
    for (const std::size_t metadata : {0u, 1u, 7u, 8u, 9u, 4000u, 65536u}) {
      const save_options options{.alignment = alignment, .metadata = std::string(metadata, 'm')};
      const auto bytes = to_bytes(f, options).value();
      EXPECT_EQ(serialized_size(f, options).value(), bytes.size());
      ASSERT_TRUE(save(f, dir / "f", options));
      EXPECT_EQ(read_bytes(dir / "f"), bytes);
      byte_vector streamed;
      ASSERT_TRUE(write_to(
          f, [&](bytes_view piece) -> result<void> { return append(streamed, piece), result<void>(); }, options));
      EXPECT_EQ(streamed, bytes);
    }
  }
}

TYPED_TEST(native_file, every_way_to_open_it_gives_the_same_filter) {
  const temp_dir dir;
  const auto f = sample_of<TypeParam>(500, 0.02, typename TypeParam::hash_type(42));
  for (const std::size_t alignment : {std::size_t{64}, std::size_t{4096}}) {
    ASSERT_TRUE(save(f, dir / "f", {.alignment = alignment}));
    const auto loaded = load<TypeParam>(dir / "f").value();
    const auto bytes = read_bytes(dir / "f");
    const auto decoded = from_bytes<TypeParam>(bytes).value();
    const auto mapped = map<TypeParam>(dir / "f").value();
    const auto viewed = view<TypeParam>(bytes).value();
    EXPECT_EQ(loaded, f);
    EXPECT_EQ(decoded, f);
    EXPECT_EQ(*mapped, f);
    EXPECT_EQ(*viewed, f);
    EXPECT_TRUE(mapped.verify());
    EXPECT_TRUE(viewed.verify());
    for (const TypeParam* each : {&loaded, &decoded, &*mapped, &*viewed}) {
      EXPECT_EQ(each->target(), f.target());
      EXPECT_EQ(each->identity(), f.identity());
      for (const auto& key : sample_keys(500)) EXPECT_TRUE(each->may_contain(key)) << key;
      EXPECT_EQ(to_bytes(*each, {.alignment = alignment}).value(), bytes);
    }
    const auto any = any_filter::from_bytes(bytes).value();
    for (const auto& key : sample_keys(500)) EXPECT_TRUE(any.may_contain(key)) << key;
    EXPECT_EQ(any.to_bytes({.alignment = alignment}).value(), bytes);
  }
}

TYPED_TEST(native_file, an_empty_filter_says_no_after_the_round_trip) {
  const auto f = sample_of<TypeParam>(0);
  const auto back = from_bytes<TypeParam>(to_bytes(f).value()).value();
  EXPECT_EQ(back, f);
  for (const auto& key : sample_keys(100)) EXPECT_FALSE(back.may_contain(key)) << key;
  EXPECT_FALSE(back.may_contain(""));
}

TYPED_TEST(native_file, the_body_begins_where_it_was_asked_to) {
  const temp_dir dir;
  const auto f = sample_of<TypeParam>(5000);
  for (const std::size_t alignment : {std::size_t{64}, std::size_t{4096}}) {
    for (const std::size_t metadata : {0u, 3900u, 4000u, 9000u}) {
      ASSERT_TRUE(save(f, dir / "f", {.alignment = alignment, .metadata = std::string(metadata, 'm')}));
      const auto bytes = read_bytes(dir / "f");
      EXPECT_EQ(get<std::uint64_t>(bytes, at::body_offset) % alignment, 0u);
      const auto mapped = map<TypeParam>(dir / "f").value();
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(parts_of(mapped->engine()).back().bytes.data()) % alignment, 0u);
      EXPECT_EQ(*mapped, f);
    }
  }
  for (const std::size_t alignment : {0u, 1u, 32u, 63u, 128u, 4095u, 8192u}) {
    const auto refused = save(f, dir / "f", {.alignment = alignment});
    ASSERT_FALSE(refused) << alignment;
    EXPECT_EQ(refused.error().code, errc::invalid_argument);
    EXPECT_EQ(refused.error().detail, "alignment is " + std::to_string(alignment) + "; it must be 64 or 4096");
    EXPECT_FALSE(serialized_size(f, {.alignment = alignment}));
  }
  EXPECT_EQ(dir.names(), std::vector<std::string>{"f"});
}

TYPED_TEST(native_file, bodies_of_many_pages_round_trip_and_their_pages_are_checked_apart) {
  // 64 KiB pages; the last one is short.
  const auto f = sample_of<TypeParam>(300'000, 0.001);
  auto bytes = to_bytes(f).value();
  const auto body = get<std::uint64_t>(bytes, at::body_offset);
  const auto pages = (get<std::uint64_t>(bytes, at::body_bytes) + 65535) / 65536;
  ASSERT_GE(pages, 4u);
  EXPECT_EQ(from_bytes<TypeParam>(bytes).value(), f);
  for (std::uint64_t page = 0; page < pages; ++page) {
    auto& byte = bytes[static_cast<std::size_t>(body + page * 65536 + 5)];
    byte ^= std::byte{0x40};
    const auto refused = from_bytes<TypeParam>(bytes);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::corrupt);
    EXPECT_NE(refused.error().detail.find("offset " + std::to_string(body + page * 65536)), std::string::npos)
        << refused.error().detail;
    byte ^= std::byte{0x40};
  }
}

TYPED_TEST(native_file, saving_over_its_own_mapping_is_fine) {
  const temp_dir dir;
  ASSERT_TRUE(save(sample_of<TypeParam>(500), dir / "f"));
  const auto mapped = map<TypeParam>(dir / "f").value();
  ASSERT_TRUE(save(*mapped, dir / "f", {.metadata = "again"}));
  EXPECT_TRUE(mapped.verify());
  EXPECT_EQ(load<TypeParam>(dir / "f").value(), *mapped);
}

TYPED_TEST(native_file, a_frozen_filter_can_be_copied_and_moved) {
  const temp_dir dir;
  const auto f = sample_of<TypeParam>(500);
  ASSERT_TRUE(save(f, dir / "f"));
  auto mapped = map<TypeParam>(dir / "f").value();
  auto copy = mapped;
  const auto moved = std::move(mapped);
  EXPECT_EQ(*moved, f);
  EXPECT_TRUE(moved.verify());
  {
    TypeParam thawed = *moved;  // a copy of the filter is the caller's own
    thawed.clear();
    EXPECT_EQ(*moved, f);
  }
  copy = map<TypeParam>(dir / "f").value();
  EXPECT_EQ(*copy, f);
  EXPECT_TRUE(copy.verify());
}

TYPED_TEST(native_file, an_error_of_the_sink_is_the_error_of_the_write) {
  const auto f = sample_of<TypeParam>(500);
  for (int fail_at = 0; fail_at < 4; ++fail_at) {
    int calls = 0;
    const auto put = write_to(f, [&](bytes_view) -> result<void> {
      if (calls++ == fail_at) return {errc::io, "the line went dead"};
      return {};
    });
    ASSERT_FALSE(put) << fail_at;
    EXPECT_EQ(put.error().detail, "the line went dead");
    EXPECT_EQ(calls, fail_at + 1);
  }
}

TYPED_TEST(native_file, a_moved_from_filter_is_not_written_and_nothing_is_replaced) {
  const temp_dir dir;
  auto f = sample_of<TypeParam>(500);
  ASSERT_TRUE(save(f, dir / "f"));
  const auto before = read_bytes(dir / "f");
  const auto taken = std::move(f);
  const auto refused = save(f, dir / "f");  // NOLINT(bugprone-use-after-move): that is the question
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::invalid_argument);
  EXPECT_EQ(read_bytes(dir / "f"), before);
  EXPECT_EQ(dir.names(), std::vector<std::string>{"f"});
}

template <class F>
class concurrent_native_file : public ::testing::Test {};
using shared_containers = ::testing::Types<concurrent_bloom, concurrent_counting_bloom>;
TYPED_TEST_SUITE(concurrent_native_file, shared_containers, kind_names);

TYPED_TEST(concurrent_native_file, its_file_is_that_of_its_plain_twin) {
  const temp_dir dir;
  auto f = sample_of<TypeParam>(500);
  const auto bytes = to_bytes(f).value();
  ASSERT_TRUE(save(f, dir / "f"));
  EXPECT_EQ(read_bytes(dir / "f"), bytes);
  const auto plain = std::move(f).into_plain();
  EXPECT_EQ(to_bytes(plain).value(), bytes);
  using plain_type = std::remove_const_t<decltype(plain)>;
  EXPECT_EQ(from_bytes<plain_type>(bytes).value(), plain);
  EXPECT_EQ(load<TypeParam>(dir / "f").value(), from_bytes<TypeParam>(bytes).value());
  EXPECT_EQ(*map<TypeParam>(dir / "f").value(), *view<TypeParam>(bytes).value());
}

TEST(native_file, pages_double_where_a_thousand_of_them_do_not_reach) {
  // The checksums never take more than 8 KiB, so that opening costs the same at any size.
  const std::uint64_t mebibyte = std::uint64_t{8} << 20;  // in bits
  for (const auto& [bits, page] : {std::pair{64 * mebibyte, 65536u}, std::pair{64 * mebibyte + 1, 131072u}}) {
    bloom f(bloom_shape{.bits = bits, .probes = 3});
    f.add("alice");
    auto bytes = to_bytes(f).value();
    EXPECT_EQ(get<std::uint64_t>(bytes, at::page_bytes), page);
    EXPECT_EQ(image_of(f).encode(), bytes);
    EXPECT_TRUE(from_bytes<bloom>(bytes).value().may_contain("alice"));
    bytes[bytes.size() - 8 * 513 - 1] ^= std::byte{1};
    EXPECT_EQ(code_of(from_bytes<bloom>(bytes)), errc::corrupt);
  }
}

}  // namespace
}  // namespace seen::testing
