// Filters of other libraries are combined only where they hash alike, down to the last parameter: whatever two of one
// format differ in, combining them is refused, with a message that names both, or loses no key.
#include <seen/registry.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error_code.hpp"
#include "support/foreign_choices.hpp"
#include "support/native_image.hpp"

namespace seen::testing {
namespace {

constexpr std::uint64_t some = 15;  // keys of each side

// Keys of eight bytes are text to some, and integers, or what they are cut to, to others: all of them differ in the first.
std::string key(std::uint64_t i) {
  return {static_cast<char>('A' + i), static_cast<char>('a' + i), 'k', 'e', 'y', '.', '.', '!'};
}

struct candidate {
  std::string name;
  any_filter filter;  // empty
};

void add_keys(any_filter& f, std::uint64_t from) {
  for (std::uint64_t i = from; i < from + some; ++i) ASSERT_TRUE(f.add(key(i))) << i;
}

std::uint64_t lost_of(const any_filter& f, std::uint64_t from) {
  std::uint64_t lost = 0;
  for (std::uint64_t i = from; i < from + some; ++i) lost += !f.may_contain(key(i));
  return lost;
}

// Two names that differ, between "here" and "there"; or this kind does not have the operation.
void expect_both_sides_named(const error& refused, const std::string& which) {
  if (refused.code == errc::unsupported) return;
  EXPECT_EQ(refused.code, errc::incompatible) << which << refused.detail;
  const std::size_t colon = refused.detail.rfind(": "), here = refused.detail.find(" here"),
                    there = refused.detail.rfind(" there");
  ASSERT_TRUE(colon != std::string::npos && here != std::string::npos && there != std::string::npos && here < there)
      << which << refused.detail;
  const std::string left = refused.detail.substr(colon + 2, here - colon - 2);
  const std::size_t begin = refused.detail.find_first_not_of(" ,;", here + 5);
  EXPECT_NE(left, refused.detail.substr(begin, there - begin)) << which << refused.detail;
}

// Filters that forget, are finished, or have no room for the keys of both, are nothing to try this with.
bool holds_what_it_takes(const any_filter& f) {
  auto copy = f.copy();
  for (std::uint64_t i = 0; i < 2 * some; ++i) {
    if (!copy || !copy->add(key(i))) return false;
  }
  return lost_of(*copy, 0) + lost_of(*copy, some) == 0;
}

// Libraries have smallest sizes of their own.
std::optional<any_filter> made(const format_row& format, const foreign_choice& choice) {
  for (const std::uint64_t capacity : {40u, 1000u}) {
    auto f = any_filter::make(choice.making(format.name, {.capacity = capacity, .fpr = 0.05}));
    if (f && holds_what_it_takes(*f)) return std::move(*f);
  }
  return {};
}

void expect_refused_or_whole(const candidate& a, const candidate& b) {
  const std::string which = std::string(a.filter.format()) + ": " + a.name + " with " + b.name + ": ";
  any_filter here = a.filter.copy().value(), there = b.filter.copy().value();
  add_keys(here, 0);
  add_keys(there, some);
  const byte_vector before = here.to_bytes().value();
  if (auto merged = here.merge(there)) {
    EXPECT_EQ(lost_of(here, 0), 0u) << which;
    EXPECT_EQ(lost_of(here, some), 0u) << which << "the keys of the other";
  } else {
    expect_both_sides_named(merged.error(), which);
    EXPECT_EQ(here.to_bytes().value(), before) << which << "refused, and changed";
  }
  any_filter common = a.filter.copy().value(), same = b.filter.copy().value();
  add_keys(common, 0);
  add_keys(same, 0);
  if (auto met = common.intersect(same)) {
    EXPECT_EQ(lost_of(common, 0), 0u) << which << "intersected";
  } else {
    expect_both_sides_named(met.error(), which);
  }
}

class foreign_algebra : public ::testing::TestWithParam<const format_row*> {};
std::vector<const format_row*> formats_made() {
  std::vector<const format_row*> all;
  for (const format_row* each : formats().subspan(1)) {
    if (each->make != nullptr) all.push_back(each);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(all, foreign_algebra, ::testing::ValuesIn(formats_made()), [](const auto& info) {
  std::string name(info.param->name);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST_P(foreign_algebra, every_pair_of_choices_is_refused_or_loses_no_key) {
  std::vector<candidate> all;
  for (const foreign_choice& each : choices_of(*GetParam())) {
    if (auto f = made(*GetParam(), each)) all.push_back({each.name(), std::move(*f)});
  }
  ASSERT_FALSE(all.empty());
  for (const candidate& a : all) {
    for (const candidate& b : all) expect_refused_or_whole(a, b);
  }
}

// Whatever the file says of its hash: every byte near its ends is changed, and what still opens is held against the whole
// one. Keys, seeds, flags and shapes are all found this way.
TEST_P(foreign_algebra, a_file_with_one_byte_changed_is_refused_or_loses_no_key) {
  constexpr std::size_t near = 72;
  for (const foreign_choice& each : choices_of(*GetParam())) {
    if (each.seed != 0) continue;
    auto f = made(*GetParam(), each);
    if (!f) continue;
    const byte_vector bytes = f->to_bytes().value();
    auto reopened = any_filter::from_bytes(bytes, each.opening(GetParam()->name));
    ASSERT_TRUE(reopened) << each.name() << reopened.error().detail;
    const candidate whole{each.name() + " as it is", std::move(*f)}, read{each.name() + " read", std::move(*reopened)};
    if (holds_what_it_takes(read.filter)) expect_refused_or_whole(whole, read);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      if (at >= near && at + near < bytes.size()) continue;
      byte_vector changed = bytes;
      changed[at] ^= std::byte{1};
      auto opened = any_filter::from_bytes(changed, each.opening(GetParam()->name));
      if (!opened || !holds_what_it_takes(*opened)) continue;
      expect_refused_or_whole(whole,
                              {each.name() + " with byte " + std::to_string(at) + " changed", std::move(*opened)});
    }
  }
}

// The second of the two keys of its SipHash is in the file, and nowhere in what a hash is called.
TEST(rust_bloomfilter_merge, refuses_another_second_hash_key_and_says_that_something_differs) {
  auto a = any_filter::make({.target = {.capacity = 400, .fpr = 0.01}, .format = "rust-bloomfilter"}).value();
  byte_vector bytes = a.to_bytes().value();
  for (std::size_t i = 29; i < 45; ++i) bytes[i] = static_cast<std::byte>(i);
  auto b = any_filter::from_bytes(bytes, {.format = "rust-bloomfilter"}).value();
  const auto refused = a.merge(b);
  ASSERT_EQ(code_of(refused), errc::incompatible);
  expect_both_sides_named(refused.error(), "");
  EXPECT_EQ(code_of(a.intersect(b)), errc::incompatible);
}

TEST(leveldb_merge, of_a_filter_made_here_with_one_that_was_read_says_which_is_finished) {
  auto made = any_filter::make({.target = {.capacity = 50, .fpr = 0.01}, .format = "leveldb"}).value();
  ASSERT_TRUE(made.add("a"));
  const auto read = any_filter::from_bytes(made.to_bytes().value(), {.format = "leveldb"}).value();
  const auto refused = made.merge(read);
  ASSERT_EQ(code_of(refused), errc::incompatible);
  EXPECT_EQ(refused.error().detail,
            "merge: one takes keys, and one is finished: bloom (leveldb), made anew here, bloom (leveldb), read there");
}

// Ten thousand times the slots that any machine fills: they are looked for, and taken as keys come.
TEST(boomfilters_inverse, takes_memory_for_its_slots_only_where_there_is_some) {
  const std::string_view limit = sizeof(std::size_t) < sizeof(std::uint64_t)
                                     ? "of memory or more; a program of 32 bits has"
                                     : "of memory; this machine has";
  for (const std::uint64_t slots : {std::uint64_t{900'000'000}, std::uint64_t{4'294'967'295}}) {
    auto made =
        any_filter::make({.target = {.capacity = slots, .fpr = 0.01}, .format = "boomfilters", .variant = "inverse"});
    if (!made) {
      EXPECT_EQ(made.error().code, errc::no_memory);
      EXPECT_NE(made.error().detail.find(limit), std::string::npos) << made.error().detail;
      continue;
    }
    EXPECT_TRUE(made->add("a key"));
    EXPECT_TRUE(made->may_contain("a key"));
    EXPECT_FALSE(made->may_contain("another"));
  }
}

}  // namespace
}  // namespace seen::testing
