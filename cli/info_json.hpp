// What there is to say of a filter, as members of a JSON document: `seen info --json`, and whatever says the same elsewhere.
#pragma once

#include <seen/filter_info.hpp>
#include <seen/registry.hpp>

#include "json.hpp"

namespace seen::cli {

/// Adds what the filter is, whatever file it lies in; returns the document.
json& add_filter(json& document, const filter_info& info);
/// Adds everything but the file's own name and length; returns the document.
json& add_info(json& document, const filter_info& info);

[[nodiscard]] double bits_per_key(const filter_info& info);
/// The variant that a field of the shape chooses, where it has a name; null otherwise.
[[nodiscard]] const kind_variant* variant_of(const filter_info& info, const named_field& field);

}  // namespace seen::cli
