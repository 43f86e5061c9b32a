// What is done to every filter that came out of hostile bytes: if any of it crashes, the decoder let too much in.
#pragma once

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hostile/ways.hpp"
#include "support/error_code.hpp"
#include "support/kind_samples.hpp"
#include "support/native_image.hpp"

namespace seen::testing {

/// Query, add, info, save, destroy (failure case 22), and whatever else a holder of the filter may call.
inline void exercise(any_filter f) {
  const auto keys = sample_keys(20, 5);
  std::vector<bytes_view> views;
  for (const auto& key : keys) views.push_back(std::as_bytes(std::span(key)));
  std::array<bool, 20> answers{};
  std::size_t found = 0;
  for (const auto& key : keys) found += f.may_contain(key);
  ASSERT_EQ(f.may_contain_many(views, answers), found);
  ASSERT_EQ(f.may_contain(42), f.may_contain(std::uint64_t{42}));

  const filter_info before = f.info();
  ASSERT_FALSE(before.kind.empty());
  const auto bytes = f.to_bytes();
  ASSERT_TRUE(bytes) << bytes.error().detail;
  const open_options again{.format = std::string(f.format())};
  auto copy = any_filter::from_bytes(*bytes, again);
  // A keyed filter does not write its secret unless it came with one.
  ASSERT_TRUE(copy || copy.error().code == errc::secret_required) << copy.error().detail;
  if (copy) {
    ASSERT_EQ(copy->to_bytes().value(), *bytes);
    (void)copy->merge(f);
    (void)copy->intersect(f);
    (void)copy->shrink_to_fpr(0.1);
    (void)copy->info();
    (void)copy->clear();
  }
  if (f.add("alice")) {
    ASSERT_TRUE(f.may_contain("alice"));
    const auto again_there = f.test_and_add("alice");
    ASSERT_TRUE(again_there ? *again_there : again_there.error().code == errc::full);
    const bool forgets = f.advance(0).has_value();  // its window may be smaller than this batch
    if (auto added = f.add_many(views)) {
      ASSERT_TRUE(forgets || f.may_contain_many(views, answers) == views.size());
    } else {
      // No room, or a chain that cannot have another link.
      ASSERT_TRUE(added.error().code == errc::full || added.error().code == errc::too_large) << added.error().detail;
    }
    (void)f.count("alice");
    (void)f.advance(~std::uint64_t{0} / 2);
    ASSERT_TRUE(f.to_bytes());
  }
  (void)f.remove("alice");
  (void)f.add(digest(~std::uint64_t{0}));
  (void)f.may_contain(digest(~std::uint64_t{0}));
  (void)f.info();
}

/// Opens bytes in every way a program that knows the kind can, and as any_filter, which is returned where it opens.
inline std::optional<any_filter> open_every_way(std::string_view kind, const byte_vector& bytes, bool& taken,
                                                const open_options& options = {}) {
  const typed_ways& ways = ways_into(kind);
  const auto owned = ways.from_bytes(bytes, options);
  const auto viewed = ways.view(bytes, options);
  // view and verify together promise what from_bytes does.
  if (viewed.opened) {
    EXPECT_TRUE(!viewed.sealed || viewed.whole.has_value() == owned.has_value());
  } else {
    EXPECT_FALSE(owned) << viewed.opened.error().detail;
  }
  auto any = any_filter::from_bytes(bytes, options);
  // any_filter knows every kind and built-in hash: it takes what one type takes.
  EXPECT_TRUE(!owned || any) << any.error().detail;
  taken = owned.has_value();
  if (any) return std::move(*any);
  return std::nullopt;
}

/// open_every_way, and whatever opens is used. True if from_bytes of the type took them.
inline bool open_and_exercise(std::string_view kind, const byte_vector& bytes, const open_options& options = {}) {
  bool taken = false;
  if (auto any = open_every_way(kind, bytes, taken, options)) exercise(std::move(*any));
  return taken;
}

}  // namespace seen::testing
