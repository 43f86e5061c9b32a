// Filters of any kind in a file that keys are added to where it lies: the file becomes what save would have written, pages
// are checked before they are touched, and whatever is left unsealed has lost no key.
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/error_code.hpp"
#include "support/kind_samples.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

constexpr std::uint64_t keys_before = 200'000;  // several pages

struct writable_any_filter : ::testing::Test {
  // Calls test(kind's name, path of a fresh file) for every kind whose bits only go up.
  template <class Test>
  void for_every_kind(Test test) {
    int kinds_tested = 0;
    for (const kind_row& each : kinds()) {
      if (each.map_writable == nullptr) continue;
      ++kinds_tested;
      SCOPED_TRACE(each.kind.name);
      const std::string path = dir / std::string(each.kind.name);
      ASSERT_TRUE(sample_of(each.kind.name, keys_before).save(path));
      test(each.kind.name, path);
    }
    EXPECT_EQ(kinds_tested, 4);
  }
  temp_dir dir;
};

std::vector<std::string> new_keys(std::uint64_t n) {
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; i < n; ++i) keys.push_back("new-" + std::to_string(i));
  return keys;
}

std::vector<bytes_view> views_of(const std::vector<std::string>& keys) {
  std::vector<bytes_view> views;
  for (const std::string& key : keys) views.push_back(std::as_bytes(std::span(key)));
  return views;
}

TEST_F(writable_any_filter, the_sealed_file_is_what_save_would_have_written) {
  for_every_kind([](std::string_view, const std::string& path) {
    auto expected = any_filter::load(path).value();
    auto here = any_filter::map_writable(path).value();
    EXPECT_TRUE(here.is_mapped());
    EXPECT_TRUE(here.is_writable_map());
    const auto both = [&](auto add) { return add(expected), add(here); };
    const auto keys = new_keys(100);
    const std::vector<std::uint64_t> integers{1, 2, 1u << 31};
    both([](any_filter& f) { ASSERT_TRUE(f.add("alice")); });
    both([](any_filter& f) { ASSERT_FALSE(f.test_and_add("bob").value()); });
    both([](any_filter& f) { ASSERT_TRUE(f.test_and_add("bob").value()); });
    both([&](any_filter& f) { ASSERT_TRUE(f.add_many(views_of(keys))); });
    both([&](any_filter& f) { ASSERT_TRUE(f.add_many(std::span<const std::uint64_t>(integers))); });
    both([](any_filter& f) { ASSERT_TRUE(f.add(digest(0x123456789abcdef))); });
    ASSERT_TRUE(here.sync());
    ASSERT_TRUE(here.seal());
    EXPECT_EQ(read_bytes(path), expected.to_bytes().value());
    both([](any_filter& f) { ASSERT_TRUE(f.add("after the seal")); });
    EXPECT_EQ(code_of(any_filter::load(path)), errc::unsealed);
    ASSERT_TRUE(here.seal());
    EXPECT_EQ(read_bytes(path), expected.to_bytes().value());
  });
}

TEST_F(writable_any_filter, without_an_add_nothing_is_written) {
  for_every_kind([](std::string_view, const std::string& path) {
    const auto bytes = read_bytes(path);
    auto here = any_filter::map_writable(path).value();
    EXPECT_EQ(read_bytes(path), bytes);
    ASSERT_TRUE(here.seal());
    EXPECT_EQ(read_bytes(path), bytes);
  });
}

TEST_F(writable_any_filter, left_unsealed_it_holds_every_key_and_is_sealed_by_the_next) {
  for_every_kind([](std::string_view, const std::string& path) {
    auto expected = any_filter::load(path).value();
    {
      auto here = any_filter::map_writable(path).value();
      ASSERT_TRUE(here.add("alice"));
    }
    EXPECT_EQ(code_of(any_filter::map_writable(path)), errc::unsealed);
    const open_options recover{.recover = true};
    EXPECT_TRUE(any_filter::map(path, recover).value().may_contain("alice"));
    auto again = any_filter::map_writable(path, recover).value();
    EXPECT_FALSE(again.origin().sealed);
    ASSERT_TRUE(again.add("bob"));
    ASSERT_TRUE(again.seal());
    ASSERT_TRUE(expected.add("alice"));
    ASSERT_TRUE(expected.add("bob"));
    EXPECT_EQ(read_bytes(path), expected.to_bytes().value());
  });
}

// A flipped bit under a new checksum would be gone for good.
TEST_F(writable_any_filter, a_damaged_page_is_found_before_it_is_touched_and_stays_found) {
  for_every_kind([](std::string_view, const std::string& path) {
    const auto good = read_bytes(path);
    auto bad = good;
    const std::size_t at = good.size() / 2;
    bad[at] ^= std::byte{0x10};
    write_bytes(path, bad);
    auto here = any_filter::map_writable(path).value();
    const auto all = new_keys(1000);  // they touch every page
    const auto refused = here.add_many(views_of(all));
    EXPECT_EQ(code_of(refused), errc::corrupt);
    EXPECT_EQ(read_bytes(path), bad) << "nothing was written, and the file is sealed";
    // Keys that do not touch that page go in, and the damage is found as before.
    std::uint64_t added = 0;
    for (const std::string& key : all) added += here.add(key).has_value();
    EXPECT_LT(added, all.size());
    ASSERT_TRUE(here.seal());
    const auto loaded = any_filter::load(path);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, errc::corrupt);
    EXPECT_NE(loaded.error().detail.find("do not match their checksum"), std::string::npos) << loaded.error().detail;
  });
}

TEST_F(writable_any_filter, whatever_would_lose_or_move_bits_is_refused) {
  for_every_kind([](std::string_view kind, const std::string& path) {
    const auto bytes = read_bytes(path);
    auto here = any_filter::map_writable(path).value();
    EXPECT_EQ(code_of(here.clear()), errc::unsupported);
    EXPECT_EQ(code_of(here.remove("x")), errc::unsupported);
    EXPECT_EQ(code_of(here.shrink_to_fpr(0.5)), errc::unsupported);
    EXPECT_EQ(code_of(here.merge(sample_of(kind, keys_before))), errc::unsupported);
    EXPECT_EQ(code_of(here.intersect(sample_of(kind, keys_before))), errc::unsupported);
    EXPECT_EQ(read_bytes(path), bytes);
    auto mapped = any_filter::map(path).value();
    EXPECT_EQ(code_of(mapped.add("x")), errc::unsupported);
    EXPECT_EQ(code_of(mapped.test_and_add("x")), errc::unsupported);
    EXPECT_EQ(code_of(mapped.seal()), errc::unsupported);
    EXPECT_EQ(code_of(mapped.sync()), errc::unsupported);
  });
}

TEST_F(writable_any_filter, a_copy_is_a_filter_of_its_own_at_any_time) {
  for_every_kind([](std::string_view, const std::string& path) {
    auto here = any_filter::map_writable(path).value();
    const auto check = [&] {
      auto copy = here.copy().value();
      EXPECT_FALSE(copy.is_mapped());
      EXPECT_TRUE(copy.add("bob"));
      EXPECT_EQ(here.to_bytes().value() == copy.to_bytes().value(), here.may_contain("bob"));
      return copy;
    };
    check();
    ASSERT_TRUE(here.add("alice"));
    EXPECT_EQ(code_of(here.verify()), errc::unsealed);
    EXPECT_TRUE(check().may_contain("alice"));
    ASSERT_TRUE(here.seal());
    EXPECT_TRUE(here.verify());
    EXPECT_TRUE(check().may_contain("alice"));
  });
}

TEST_F(writable_any_filter, one_writer_at_a_time) {
  for_every_kind([](std::string_view, const std::string& path) {
    auto here = any_filter::map_writable(path).value();
    EXPECT_EQ(code_of(any_filter::map_writable(path)), errc::busy);
  });
}

TEST_F(writable_any_filter, a_file_that_was_replaced_meanwhile_is_told) {
  for_every_kind([](std::string_view kind, const std::string& path) {
    auto here = any_filter::map_writable(path).value();
    ASSERT_TRUE(here.add("alice"));
    ASSERT_TRUE(sample_of(kind, 100).save(path));
    EXPECT_EQ(code_of(here.seal()), errc::io);
  });
}

TEST_F(writable_any_filter, other_kinds_and_formats_are_refused) {
  for (const kind_row& each : kinds()) {
    if (each.map_writable != nullptr) continue;
    const std::string path = dir / std::string(each.kind.name);
    ASSERT_TRUE(sample_of(each.kind.name, 100).save(path));
    const auto bytes = read_bytes(path);
    EXPECT_EQ(code_of(any_filter::map_writable(path)), errc::unsupported) << each.kind.name;
    EXPECT_EQ(read_bytes(path), bytes);
  }
  auto foreign = any_filter::make({.target = {.capacity = 100, .fpr = 0.01}, .format = "dcso"}).value();
  ASSERT_TRUE(foreign.save(dir / "dcso"));
  EXPECT_EQ(code_of(any_filter::map_writable(dir / "dcso", {.format = "dcso"})), errc::unsupported);
}

}  // namespace
}  // namespace seen::testing
