// JSON text: the documents of `--json`, and the keys that `seen query --json` prints by the million.
//
// A value is its own text. A member of an object goes on a line of its own, indented by two; so does the text of a value
// inside it, line by line, since no string holds a newline that is not escaped.
#pragma once

#include <seen/base/bits.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output.hpp"

namespace seen::cli {

/// A JSON value, which objects and arrays grow into: json::object().add("keys", 3u).add("file", "a.seen").
class json {
 public:
  json() = default;  ///< null
  json(std::same_as<bool> auto yes) : text_(yes ? "true" : "false") {}
  template <std::unsigned_integral Number>
  json(Number number) requires(!std::same_as<Number, bool>) : text_(std::to_string(number)) {}
  /// The fewest digits that are exactly it, with a point or an exponent; infinity and NaN become null.
  json(double number);
  /// What is not UTF-8 in a text becomes U+FFFD.
  json(std::string_view text);
  json(const char* text) : json(std::string_view(text)) {}
  json(const std::string& text) : json(std::string_view(text)) {}

  static json object() { return json({}, "{}"); }
  static json array() { return json({}, "[]"); }
  template <class Range>
  static json array_of(const Range& values) {
    json all = array();
    for (const auto& each : values) all.push(each);
    return all;
  }

  /// Another member of an object; the name must be new.
  json& add(std::string_view name, const json& value);
  /// Another element of an array.
  json& push(const json& value);

  /// The text on lines of their own, without a newline at the end.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The same on one line.
  [[nodiscard]] std::string line() const;

 private:
  struct as_is {};
  json(as_is, std::string text) : text_(std::move(text)) {}

  void append(const std::string& inner);

  std::string text_ = "null";
};

/// The name of a member whose value is bytes.
class json_name {
 public:
  explicit json_name(const std::string& name) : text('"' + name + "\": \""), hex('"' + name + "_hex\": \"") {}

  phrase text, hex;  ///< what stands before the value: `"name": "` and `"name_hex": "`
};

/// Appends `"name": "text"`, or `"name_hex": "…"` where the bytes are not UTF-8 or `as_hex` is asked for.
void append_json_bytes(output& to, const json_name& name, bytes_view bytes, bool as_hex = false);

/// True if the bytes are UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(bytes_view bytes) noexcept;

/// The bytes as hexadecimal digits.
[[nodiscard]] std::string hex_digits(bytes_view bytes);

}  // namespace seen::cli
