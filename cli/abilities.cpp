// A plan of any size tells what a kind can do: abilities do not depend on the size.
#include "abilities.hpp"

#include <seen/base/text.hpp>

namespace seen::cli {
namespace {

bool row_can(const kind_row& row, ability what) {
  const auto plan = row.plan({.capacity = 1000, .fpr = 0.01});
  return plan && (*plan).*what;
}

}  // namespace

bool kind_can(std::string_view kind, ability what) {
  const auto row = find_kind(kind);
  return !row || row_can(**row, what);
}

std::string kinds_that_can(ability what) {
  std::string names;
  for (const kind_row& each : kinds()) {
    if (row_can(each, what)) append_name(names, each.kind.name);
  }
  return names;
}

result<void> require(std::string_view kind, ability what, const char* in_words) {
  if (kind_can(kind, what)) return {};
  const std::string able = kinds_that_can(what);
  return {errc::unsupported, "a " + std::string(kind) + " filter cannot " + in_words + "; " +
                                 (able.empty() ? "no kind can yet" : "kinds that can: " + able)};
}

}  // namespace seen::cli
