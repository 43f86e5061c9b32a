// What is taken off a text before it is a key: blanks, a carriage return, capitals.
#pragma once

#include <seen/base/bits.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "records/scratch.hpp"

namespace seen::cli {

/// A byte-order mark in UTF-8, which some programs put at the beginning of a file.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

[[nodiscard]] inline std::string_view as_text(bytes_view bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[nodiscard]] inline bool ends_in_return(bytes_view text) noexcept {
  return !text.empty() && text.back() == std::byte{'\r'};
}
[[nodiscard]] inline bytes_view without_return(bytes_view text) noexcept {
  return ends_in_return(text) ? text.first(text.size() - 1) : text;
}

[[nodiscard]] inline bytes_view without_mark(bytes_view text) noexcept {
  return as_text(text).starts_with(byte_order_mark) ? text.subspan(byte_order_mark.size()) : text;
}

/// Without spaces, tabs, carriage returns, vertical tabs and form feeds at both ends.
[[nodiscard]] inline bytes_view trimmed(bytes_view text) noexcept {
  constexpr std::string_view blanks = " \t\r\v\f";
  const std::string_view view = as_text(text);
  const std::size_t first = view.find_first_not_of(blanks);
  if (first == view.npos) return text.first(0);
  return text.subspan(first, view.find_last_not_of(blanks) + 1 - first);
}

/// With small letters for A to Z. Letters beyond ASCII stay as they are.
[[nodiscard]] inline bytes_view lowered(bytes_view text, scratch& room) {
  std::byte* const to = room.room(text.size());
  std::transform(text.begin(), text.end(), to, [](std::byte b) {
    const auto c = std::to_integer<unsigned char>(b);
    return static_cast<std::byte>(c + (static_cast<unsigned char>(c - 'A') < 26 ? 32 : 0));
  });
  room.keep(text.size());
  return {to, text.size()};
}

}  // namespace seen::cli
