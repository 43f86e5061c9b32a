// Kits that ask the same of every kind, by name: a filter of any kind comes out of the registry, so a test is compiled once
// and not once per kind. Tests about types (concepts, copies, concurrent forms) use all_filters.hpp instead.
#pragma once

#include <seen/registry.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/all_filters.hpp"

namespace seen::testing {

/// A test with the name of a kind: INSTANTIATE_TEST_SUITE_P(all, x, ::testing::ValuesIn(kind_list()), kind_in_name).
class kind_test : public ::testing::TestWithParam<std::string_view> {
 protected:
  static const kind_row& row() { return *find_kind(GetParam()).value(); }
};

/// The names of all kinds the library knows.
inline std::vector<std::string_view> kind_list() {
  std::vector<std::string_view> names;
  for (const kind_row& each : kinds()) names.push_back(each.kind.name);
  return names;
}
/// container_filters and flat_filters, by name.
inline constexpr std::string_view container_kinds[] = {"bloom", "quotient", "scalable-bloom"};
inline constexpr std::string_view flat_kinds[] = {"bloom", "blocked-bloom"};

/// How gtest names the instances.
inline std::string kind_in_name(const ::testing::TestParamInfo<std::string_view>& info) {
  return kind_names::of(info.param);
}

/// A filter of a kind that holds sample_key(0) .. sample_key(keys - 1); `how` may choose a hash and its key.
inline any_filter sample_of(std::string_view kind, std::uint64_t keys, double fpr = 0.01, make_options how = {}) {
  how.kind = kind;
  how.target = {.capacity = keys == 0 ? 1 : keys, .fpr = fpr};
  const auto fill = [&](auto into) {
    for (const auto& key : sample_keys(keys)) EXPECT_TRUE(into.add(key)) << kind;
    return into;
  };
  if (find_kind(kind).value()->build != nullptr) return fill(any_builder::make(how).value()).finish().value();
  return fill(any_filter::make(how).value());
}

}  // namespace seen::testing
