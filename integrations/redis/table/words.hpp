// Words of a command, as commands read them: numbers, options, and the errors that a client may know by heart.
#pragma once

#include <seen/base/bits.hpp>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace seen::redis {

inline constexpr std::string_view wrong_type = "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr std::string_view not_found = "ERR not found";
inline constexpr std::string_view item_exists = "ERR item exists";
inline constexpr std::string_view unknown_argument = "Unknown argument received";
inline constexpr std::string_view no_memory = "ERR Insufficient memory to create filter";

/// ASCII letters without case, as the protocol has it.
[[nodiscard]] inline bool same_word(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

/// A whole number in its one usual form: no plus, no leading zero, no space.
[[nodiscard]] inline std::optional<std::int64_t> whole_number(std::string_view word) noexcept {
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (wrong != std::errc() || end != word.data() + word.size()) return {};
  const bool leading = word.size() > 1 && (word[0] == '0' || (word[0] == '-' && (word[1] == '0')));
  if (leading) return {};
  return number;
}

/// A number that is not NaN.
[[nodiscard]] inline std::optional<double> real_number(std::string_view word) noexcept {
  double number = 0;
  const auto [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (wrong == std::errc::result_out_of_range && end == word.data() + word.size()) return HUGE_VAL;
  if (wrong != std::errc() || end != word.data() + word.size() || std::isnan(number)) return {};
  return number;
}

[[nodiscard]] inline bytes_view as_item(std::string_view word) noexcept {
  return {reinterpret_cast<const std::byte*>(word.data()), word.size()};
}
[[nodiscard]] inline std::string_view as_word(bytes_view bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline std::vector<bytes_view> as_items(std::span<const std::string_view> words) {
  std::vector<bytes_view> items;
  items.reserve(words.size());
  for (const std::string_view word : words) items.push_back(as_item(word));
  return items;
}

}  // namespace seen::redis
