// A field of a filter's shape as a JSON value.
#pragma once

#include <seen/any_filter.hpp>

#include "json.hpp"

namespace seen::cli {

/// A whole number, or a real one.
[[nodiscard]] inline json json_value(const named_field& field) {
  return field.type == field_type::real ? json(field.as_real()) : json(field.value);
}

}  // namespace seen::cli
