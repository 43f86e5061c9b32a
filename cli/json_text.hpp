// Keys in JSON: one short function for the millions of them; whole documents are nlohmann's business.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/bits.hpp>

#include <nlohmann/json.hpp>
#include <string>

namespace seen::cli {

/// Appends `"name": "text"`, or `"name_hex": "…"` where the bytes are not UTF-8 or `as_hex` is asked for.
void append_json_bytes(std::string& to, const char* name, bytes_view bytes, bool as_hex = false);

/// A parameter's value: a whole number, or a real one.
[[nodiscard]] inline nlohmann::ordered_json json_value(const named_field& field) {
  if (field.type == field_type::real) return field.as_real();
  return field.value;
}

/// True if the bytes are UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(bytes_view bytes) noexcept;

/// The bytes as hexadecimal digits.
[[nodiscard]] std::string hex_digits(bytes_view bytes);

}  // namespace seen::cli
