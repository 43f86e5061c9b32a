// Standard output in large pieces, with every failure noticed.
//
// A reader that goes away (seen query … | head) ends the command at once and quietly, by SIGPIPE as with grep; main
// sees to that. A full disk is an error like any other.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <string>
#include <string_view>

namespace seen::cli {

/// Text and bytes on their way to standard output.
class output {
 public:
  void append(std::string_view text) { waiting_.append(text); }
  void append(char c) { waiting_.push_back(c); }
  void append(bytes_view bytes) { waiting_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); }
  [[nodiscard]] std::string& text() noexcept { return waiting_; }

  /// Writes everything appended so far.
  [[nodiscard]] result<void> flush();

 private:
  std::string waiting_;
};

/// Writes `text` to standard output.
[[nodiscard]] result<void> print(std::string_view text);

/// How wide the terminal behind a descriptor is; 0 where there is none, or it does not say.
[[nodiscard]] std::size_t columns_of(int descriptor) noexcept;

/// True if standard output is a terminal.
[[nodiscard]] bool stdout_is_terminal() noexcept;

/// True if standard output is read by someone while it is written: a terminal, a pipe or a socket.
[[nodiscard]] bool stdout_is_watched() noexcept;

}  // namespace seen::cli
