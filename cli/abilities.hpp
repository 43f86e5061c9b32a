// Abilities of kinds, asked of the registry: the verbs know no kind by name.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <string>
#include <string_view>

namespace seen::cli {

/// Something a kind can or cannot do.
using ability = bool plan_row::*;

/// True if the registry says so of this kind, or does not know the kind: a foreign format may bring one of its own.
[[nodiscard]] bool kind_can(std::string_view kind, ability what);

/// "cuckoo, quotient": the kinds that can; empty where none can.
[[nodiscard]] std::string kinds_that_can(ability what);

/// The error of a filter whose kind cannot do it, with those that can: "a bloom filter cannot remove keys; …".
[[nodiscard]] result<void> require(std::string_view kind, ability what, const char* in_words);

}  // namespace seen::cli
