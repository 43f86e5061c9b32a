// JSON in foreign files. What comes in is hostile.
//
// json::parse reads one document into a tree of values. It is as strict as RFC 8259, refuses nesting beyond 32 levels
// and keys that come twice, and keeps numbers as they are written, since 2^53 is not enough for a seed. What it takes in
// memory is bounded by the text: beside one array of digits, which takes a byte each, there may be 1000 values.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seen::inline v1::foreign {

namespace json {

enum class type : std::uint8_t { null, boolean, number, string, array, object };

/// A JSON value.
class value {
 public:
  type kind = type::null;
  bool truth = false;        ///< of a boolean
  std::string text;          ///< of a string, unescaped; of a number, its digits; of an array of digits, all of them
  std::vector<value> items;  ///< of an object or another array, in the order of the file
  std::vector<std::string> names;  ///< of an object's items

  /// The member of this name, or null where it is not an object or has none.
  [[nodiscard]] const value* find(std::string_view name) const noexcept;
  /// A string's text, or nothing.
  [[nodiscard]] std::optional<std::string_view> as_text() const noexcept;
  /// A number that is a whole one from 0 to 2^64 - 1, or nothing.
  [[nodiscard]] std::optional<std::uint64_t> as_u64() const noexcept;
};

/// One document, with nothing but white space around it.
[[nodiscard]] result<value> parse(std::string_view text);

/// Text in quotation marks, escaped where it has to be.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace json

}  // namespace seen::inline v1::foreign
