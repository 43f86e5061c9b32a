// Text in an HTML page. Whatever came from outside (names of files, metadata, fields of other libraries' headers) goes through
// `html`: it cannot end an element or an attribute, and holds no character that HTML or XML forbids.
#pragma once

#include <string>
#include <string_view>

namespace seen::cli {

/// Text as the content of an element or of an attribute in quotes. What is not UTF-8 is shown as `seen info` shows keys; control
/// characters, and those that turn the direction of a line around, become U+FFFD.
[[nodiscard]] std::string html(std::string_view text);

}  // namespace seen::cli
