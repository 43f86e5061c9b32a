// Filters of any kind over a file's own pages: they answer as loaded ones do, are never changed, and can be checked.
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/all_filters.hpp"
#include "support/error_code.hpp"
#include "support/kind_samples.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

// A file of every kind in the folder, by the kind's name.
std::string saved(const kind_row& kind, const temp_dir& dir) {
  const std::string path = dir / std::string(kind.kind.name);
  EXPECT_TRUE(sample_of(kind.kind.name, 20'000).save(path));
  return path;
}

TEST(mapped_any_filter, answers_as_a_loaded_one_does) {
  const temp_dir dir;
  for (const kind_row& each : kinds()) {
    const std::string path = saved(each, dir);
    const auto mapped = any_filter::map(path);
    ASSERT_TRUE(mapped) << mapped.error().detail;
    const auto loaded = any_filter::load(path).value();
    EXPECT_TRUE(mapped->is_mapped());
    EXPECT_FALSE(loaded.is_mapped());
    EXPECT_TRUE(mapped->verify());
    EXPECT_TRUE(loaded.verify());
    EXPECT_EQ(mapped->kind(), each.kind.name);
    std::vector<std::string> keys;
    std::vector<bytes_view> views;
    for (std::uint64_t i = 0; i < 40'000; ++i) keys.push_back(sample_key(i));
    for (const auto& key : keys) views.push_back(std::as_bytes(std::span(key)));
    const auto here = std::make_unique<bool[]>(views.size());
    const auto there = std::make_unique<bool[]>(views.size());
    EXPECT_EQ(mapped->may_contain_many(views, {here.get(), views.size()}),
              loaded.may_contain_many(views, {there.get(), views.size()}));
    for (std::size_t i = 0; i < views.size(); ++i) ASSERT_EQ(here[i], there[i]) << each.kind.name << ' ' << keys[i];
    EXPECT_EQ(mapped->to_bytes().value(), loaded.to_bytes().value());
    const file_origin origin = mapped->info().origin;
    EXPECT_TRUE(origin.mapped);
    EXPECT_FALSE(origin.verified);
    EXPECT_EQ(origin.file_bytes, std::filesystem::file_size(path));
    EXPECT_FALSE(loaded.info().origin.mapped);
  }
}

// The file does not say which bytes are padding. A bit at its end that load refuses under the census that was there, and
// under one more, stands where none may.
TEST(mapped_any_filter, refuses_bytes_beyond_the_last_in_use_as_loading_does) {
  const temp_dir dir;
  for (const kind_row& each : kinds()) {
    int refused = 0;
    for (const std::uint64_t keys : {1u, 20u, 500u}) {
      const native_image image = native_image::of(sample_of(each.kind.name, keys).to_bytes().value());
      native_image bad = image;
      bad.body.back() |= std::byte{0x80};
      const byte_vector bytes = bad.encode();
      ++bad.census;
      if (bad.body == image.body || any_filter::from_bytes(bytes) || any_filter::from_bytes(bad.encode())) continue;
      ++refused;
      EXPECT_EQ(code_of(any_filter::view(bytes)), errc::corrupt) << each.kind.name << ' ' << keys;
      write_bytes(dir / "f", bytes);
      EXPECT_EQ(code_of(any_filter::map(dir / "f")), errc::corrupt) << each.kind.name << ' ' << keys;
    }
    const bool has_padding = !each.kind.name.starts_with("blocked-") && each.kind.name != "scalable-bloom";
    EXPECT_EQ(refused != 0, has_padding) << each.kind.name;
  }
}

TEST(mapped_any_filter, refuses_every_change_and_stays_as_it_was) {
  const temp_dir dir;
  for (const kind_row& each : kinds()) {
    const std::string path = saved(each, dir);
    auto f = any_filter::map(path).value();
    const any_filter other = any_filter::load(path).value();
    const bytes_view key = std::as_bytes(std::span("key", 3));
    const std::uint64_t integer = 7;
    const auto refused = [&](const char* what, const auto& said) {
      ASSERT_FALSE(said) << what;
      EXPECT_EQ(said.error().code, errc::unsupported);
      EXPECT_EQ(said.error().detail,
                std::string(what) + ": the filter is mapped read-only; a copy of it can be changed");
    };
    refused("add", f.add("key"));
    refused("add", f.add(integer));
    refused("add", f.add(digest(7)));
    refused("add", f.add_many({&key, 1}));
    refused("add", f.add_many({&integer, 1}));
    refused("add", f.test_and_add("key"));
    refused("remove", f.remove(sample_key(1)));
    refused("clear", f.clear());
    refused("advance", f.advance(7));
    refused("merge", f.merge(other));
    refused("intersect", f.intersect(other));
    refused("shrink", f.shrink_to_fpr(0.5));
    EXPECT_TRUE(f.verify());
    EXPECT_EQ(f.to_bytes().value(), other.to_bytes().value());
  }
}

TEST(mapped_any_filter, is_not_handed_out_to_be_changed) {
  const temp_dir dir;
  const std::string path = dir / "f";
  ASSERT_TRUE(any_filter::make({.kind = "bloom", .target = {.capacity = 100, .fpr = 0.01}}).value().save(path));
  using held = filter<bloom::engine_type, any_hash>;
  auto loaded = any_filter::load(path).value();
  auto mapped = any_filter::map(path).value();
  EXPECT_NE(loaded.get_if<held>(), nullptr);
  EXPECT_EQ(mapped.get_if<held>(), nullptr);
  EXPECT_NE(std::as_const(mapped).get_if<held>(), nullptr);
}

TEST(mapped_any_filter, a_copy_can_be_changed_and_outlives_the_map) {
  const temp_dir dir;
  for (const kind_row& each : kinds()) {
    auto mapped = std::make_unique<any_filter>(any_filter::map(saved(each, dir)).value());
    const auto before = mapped->to_bytes().value();
    auto copy = mapped->copy();
    ASSERT_TRUE(copy) << copy.error().detail;
    EXPECT_FALSE(copy->is_mapped());
    EXPECT_FALSE(copy->info().origin.mapped);
    EXPECT_TRUE(copy->info().origin.verified);
    if (each.build == nullptr) {
      ASSERT_TRUE(copy->add("one more"));
      EXPECT_TRUE(copy->may_contain("one more"));
    }
    EXPECT_EQ(mapped->to_bytes().value(), before);
    mapped.reset();
    EXPECT_TRUE(copy->may_contain(sample_key(7))) << each.kind.name;
  }
}

// As many bits, in other places: only the pages' checksums tell.
TEST(mapped_any_filter, with_bits_that_moved_is_not_copied) {
  const temp_dir dir;
  for (const std::string_view kind : {"bloom", "cuckoo", "scalable-bloom", "ribbon"}) {
    const std::string path = saved(*find_kind(kind).value(), dir);
    auto bytes = read_bytes(path);
    const auto body = bytes.begin() + static_cast<std::ptrdiff_t>(get<std::uint64_t>(bytes, at::body_offset));
    std::iter_swap(body, std::find_if(body, bytes.end(), [&](std::byte b) { return b != *body; }));
    write_bytes(path, bytes);
    const auto mapped = any_filter::map(path).value();
    const auto copied = mapped.copy();
    ASSERT_FALSE(copied) << kind;
    EXPECT_EQ(copied.error().code, errc::corrupt);
    EXPECT_TRUE(copied.error().detail.starts_with(path)) << copied.error().detail;
  }
}

// Its checksums are right, and what they are of is not.
TEST(mapped_any_filter, whose_content_breaks_its_kinds_rules_is_not_copied) {
  auto f = any_filter::make({.kind = "windowed-bloom",
                             .target = {.capacity = 100, .fpr = 0.01},
                             .shape = {{"slices", 2}}})  // cells of four bits, three of them slices
               .value();
  for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(f.add(i));
  auto bytes = f.to_bytes().value();
  const auto body = bytes.begin() + static_cast<std::ptrdiff_t>(get<std::uint64_t>(bytes, at::body_offset));
  const auto cell = std::find_if(
      body, bytes.end(), [](std::byte b) { return std::popcount(static_cast<unsigned>(b & std::byte{7})) == 1; });
  ASSERT_NE(cell, bytes.end());
  *cell = (*cell & std::byte{0xf0}) | std::byte{8};
  ASSERT_TRUE(repair(bytes));
  const auto viewed = any_filter::view(bytes).value();
  EXPECT_EQ(code_of(viewed.copy()), errc::corrupt);
  EXPECT_EQ(code_of(viewed.verify()), errc::corrupt);
  EXPECT_EQ(code_of(any_filter::from_bytes(bytes)), errc::corrupt);
}

TEST(mapped_any_filter, that_was_never_sealed_is_copied_without_being_called_verified) {
  const temp_dir dir;
  const std::string path = saved(*find_kind("bloom").value(), dir);
  { const auto left_open = map_writable<bloom>(path).value(); }
  const auto mapped = any_filter::map(path, {.recover = true}).value();
  EXPECT_FALSE(mapped.origin().verified);
  const auto copy = mapped.copy().value();
  EXPECT_FALSE(copy.origin().verified);
  EXPECT_FALSE(copy.origin().sealed);
  EXPECT_TRUE(copy.may_contain(sample_key(7)));
}

TEST(mapped_any_filter, takes_part_in_a_merge_on_the_other_side) {
  const temp_dir dir;
  const make_options options{.kind = "bloom", .target = {.capacity = 100, .fpr = 1e-6}};
  auto there = any_filter::make(options).value();
  ASSERT_TRUE(there.add("alice"));
  ASSERT_TRUE(there.save(dir / "f"));
  auto here = any_filter::make(options).value();
  ASSERT_TRUE(here.merge(any_filter::map(dir / "f").value()));
  EXPECT_TRUE(here.may_contain("alice"));
}

TEST(mapped_any_filter, that_is_damaged_is_not_merged) {
  const temp_dir dir;
  const make_options options{.kind = "quotient", .target = {.capacity = 300, .fpr = 0.01}};
  auto there = any_filter::make(options).value();
  for (std::uint64_t i = 0; i < 250; ++i) ASSERT_TRUE(there.add(i));
  auto bytes = there.to_bytes().value();
  bytes[static_cast<std::size_t>(get<std::uint64_t>(bytes, at::body_offset)) + 77] ^= std::byte{0xff};
  write_bytes(dir / "f", bytes);
  auto here = any_filter::make(options).value();
  for (std::uint64_t i = 1000; i < 1100; ++i) ASSERT_TRUE(here.add(i));
  const auto before = here.to_bytes().value();
  const auto damaged = any_filter::map(dir / "f").value();
  EXPECT_EQ(code_of(here.merge(damaged)), errc::corrupt);
  EXPECT_EQ(here.to_bytes().value(), before);
}

TEST(mapped_any_filter, what_it_is_converted_to_does_not_need_the_map) {
  const temp_dir dir;
  auto f = any_filter::make({.target = {.capacity = 100, .fpr = 1e-6}, .format = "parquet"}).value();
  ASSERT_TRUE(f.add("alice"));
  auto native = std::move(f).convert("native");
  ASSERT_TRUE(native) << native.error().detail;
  ASSERT_TRUE(native->save(dir / "f"));
  auto back = any_filter::map(dir / "f").value().convert("parquet");
  ASSERT_TRUE(back) << back.error().detail;
  EXPECT_FALSE(back->is_mapped());
  EXPECT_TRUE(back->may_contain("alice"));
  EXPECT_FALSE(back->may_contain("bob"));
}

TEST(mapped_any_filter, verify_finds_a_page_that_changed) {
  const temp_dir dir;
  const std::string path = saved(*find_kind("bloom").value(), dir);
  const auto f = any_filter::map(path).value();
  auto bytes = read_bytes(path);
  bytes[static_cast<std::size_t>(get<std::uint64_t>(bytes, at::body_offset)) + 77] ^= std::byte{1};
  write_bytes(path, bytes);
  const auto verified = f.verify();
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().code, errc::corrupt);
  EXPECT_TRUE(verified.error().detail.starts_with(path)) << verified.error().detail;
  EXPECT_EQ(code_of(any_filter::load(path)), errc::corrupt);
  EXPECT_EQ(code_of(f.copy()), errc::corrupt) << "what can be changed has been checked";
  EXPECT_TRUE(any_filter::map(path)) << "its pages are not read";
}

TEST(mapped_any_filter, bytes_are_viewed_where_they_lie) {
  for (const kind_row& each : kinds()) {
    const auto bytes = sample_of(each.kind.name, 2000).to_bytes().value();
    std::vector<std::uint64_t> room(bytes.size() / 8 + 2);
    auto* const begin = reinterpret_cast<std::byte*>(room.data());
    std::copy(bytes.begin(), bytes.end(), begin);
    const auto f = any_filter::view({begin, bytes.size()});
    ASSERT_TRUE(f) << f.error().detail;
    EXPECT_TRUE(f->is_mapped());
    EXPECT_TRUE(f->verify());
    EXPECT_TRUE(f->may_contain(sample_key(7)));
    EXPECT_EQ(f->to_bytes().value(), bytes);
    std::copy(bytes.begin(), bytes.end(), begin + 1);
    EXPECT_EQ(code_of(any_filter::view({begin + 1, bytes.size()})), errc::invalid_argument) << each.kind.name;
  }
}

TEST(mapped_any_filter, other_formats_are_not_mapped) {
  const temp_dir dir;
  const auto f = any_filter::make({.target = {.capacity = 100, .fpr = 0.01}, .format = "guava"}).value();
  ASSERT_TRUE(f.save(dir / "f"));
  const auto mapped = any_filter::map(dir / "f", {.format = "guava"});
  EXPECT_EQ(code_of(mapped), errc::unsupported);
  EXPECT_EQ(mapped.error().detail, dir / "f" + ": only native files are mapped, and this is a guava file: load it");
}

TEST(mapped_any_filter, options_mean_what_they_mean_when_a_file_is_opened) {
  const temp_dir dir;
  const secret given = secret::random().value();
  const auto f =
      any_filter::make(
          {.kind = "bloom", .target = {.capacity = 100, .fpr = 0.01}, .hash = hash_id::siphash_2_4, .secret = given})
          .value();
  ASSERT_TRUE(f.save(dir / "f"));
  EXPECT_EQ(code_of(any_filter::map(dir / "f")), errc::secret_required);
  EXPECT_TRUE(any_filter::map(dir / "f", {.secret = given}));
  EXPECT_EQ(code_of(any_filter::map(dir / "f", {.secret = given, .hash = "xxh64"})), errc::invalid_argument);
  EXPECT_EQ(code_of(any_filter::map(dir / "f", {.secret = given, .max_bytes = 100})), errc::too_large);
  EXPECT_EQ(code_of(any_filter::map(dir / "absent")), errc::io);
  write_bytes(dir / "empty", {});
  EXPECT_EQ(code_of(any_filter::map(dir / "empty")), errc::not_recognised);
}

TEST(copied_any_filter, of_a_foreign_format_is_written_as_the_first_is) {
  auto f = any_filter::make({.target = {.capacity = 100, .fpr = 0.01}, .format = "guava"}).value();
  ASSERT_TRUE(f.add("alice"));
  auto copy = f.copy().value();
  EXPECT_EQ(copy.format(), "guava");
  EXPECT_EQ(copy.to_bytes().value(), f.to_bytes().value());
  ASSERT_TRUE(copy.add("bob"));
  EXPECT_FALSE(f.may_contain("bob"));
}

}  // namespace
}  // namespace seen::testing
