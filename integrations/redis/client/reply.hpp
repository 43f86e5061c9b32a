// reply: what a server replies to a command, in RESP2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seen::redis::client {

struct reply {
  enum class kind : std::uint8_t { null, status, error, integer, text, array };

  kind is = kind::null;
  std::int64_t number = 0;
  std::string text = {};  ///< of a status, an error or a text
  std::vector<reply> elements = {};

  [[nodiscard]] bool is_error() const noexcept { return is == kind::error; }
  [[nodiscard]] bool is_integer() const noexcept { return is == kind::integer; }
  [[nodiscard]] bool is_text() const noexcept { return is == kind::text; }
  [[nodiscard]] bool is_array() const noexcept { return is == kind::array; }
  [[nodiscard]] bool is_status(std::string_view word) const noexcept { return is == kind::status && text == word; }
  friend bool operator==(const reply&, const reply&) = default;

  /// An error that begins with this word: "MOVED", "ERR".
  [[nodiscard]] bool is_error(std::string_view word) const noexcept {
    return is_error() && text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
  }

  /// For messages: the error as the server wrote it, or what sort of reply came, not too long.
  [[nodiscard]] std::string in_words() const {
    constexpr std::size_t most = 200;
    const auto line = [](const std::string& from) { return from.substr(0, most); };
    switch (is) {
      case kind::error:
        return line(text);
      case kind::status:
        return "the status \"" + line(text) + '"';
      case kind::integer:
        return "the number " + std::to_string(number);
      case kind::text:
        return "a text of " + std::to_string(text.size()) + " bytes";
      case kind::array:
        return "an array of " + std::to_string(elements.size());
      case kind::null:
        break;
    }
    return "nothing";
  }
};

}  // namespace seen::redis::client
