// A reader of JSON that builds nothing: it steps over values, and checks them [RFC 8259].
//
//   at ──► {"a": [1, "x\n"], "b": …}
//
// Every call begins at `at` and leaves it behind what it read; false means that the document is wrong there, and problem()
// says how. Nesting costs a bit per level and no stack, up to a limit. Strings are looked through eight bytes at a time.
#pragma once

#include <seen/base/bits.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "records/scratch.hpp"

namespace seen::cli {

/// A position in a document.
class json_scanner {
 public:
  /// How many objects and arrays may lie in one another.
  static constexpr std::size_t deepest = 1024;

  /// A string between its quotes, as it is written.
  struct string {
    bytes_view written;
    bool escaped = false;  ///< it holds backslashes
  };

  explicit json_scanner(bytes_view document) noexcept
      : begin_(reinterpret_cast<const char*>(document.data())), at_(begin_), end_(begin_ + document.size()) {}

  /// The next character that is not a blank; 0 at the end. (A zero byte is no JSON either.)
  char peek() noexcept;
  /// Steps over this character if it is the next.
  bool accept(char c) noexcept;
  /// True at the end of the document: nothing but blanks follows.
  bool ends() noexcept;

  bool read_string(string& to) noexcept;
  /// A member's name and the colon.
  bool read_name(string& to) noexcept;
  /// Behind a value in an object or array: a comma, and then there is `more`, or the closing bracket.
  bool read_comma(char closing, bool& more) noexcept;
  /// A number, true, false or null as it is written.
  bool read_word(bytes_view& to) noexcept;
  /// Any value, whatever is in it.
  bool skip() noexcept;

  /// Fails: "character 7: what is wrong".
  bool fail(const char* what) noexcept;
  [[nodiscard]] std::string problem() const;

 private:
  bool read_escape() noexcept;
  bool read_hex4(unsigned& to) noexcept;
  bool read_number() noexcept;
  bool skip_digits() noexcept;
  bool skip_opening(bool& is_object, bool& closed) noexcept;

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* what_ = nullptr;
};

/// The text that a string stands for, in UTF-8.
[[nodiscard]] bytes_view json_text(const json_scanner::string& from, scratch& room);

}  // namespace seen::cli
