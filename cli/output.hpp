// Standard output in large pieces, with every failure noticed.
//
// A reader that goes away (seen query … | head) ends the command at once and quietly, by SIGPIPE as with grep; main
// sees to that. A full disk is an error like any other.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace seen::cli {

/// Text that is printed again and again: a short one is copied as if it were of the most bytes, in two moves.
class phrase {
 public:
  static constexpr std::size_t short_bytes = 32;

  explicit phrase(std::string_view text = {}) : text_(text), size_(text.size()) {
    text_.resize(std::max(size_, short_bytes));
  }

  [[nodiscard]] const char* data() const noexcept { return text_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::string text_;  // and zeros, up to so many bytes
  std::size_t size_;
};

/// Text and bytes on their way to standard output.
class output {
 public:
  void append(const phrase& text) {
    char* const place = room(std::max(text.size(), phrase::short_bytes));
    std::memcpy(place, text.data(), phrase::short_bytes);
    if (text.size() > phrase::short_bytes) [[unlikely]]
      std::memcpy(place, text.data(), text.size());
    filled(text.size());
  }
  void append(std::string_view text) {
    if (text.empty()) return;  // the empty key may have no address
    std::memcpy(room(text.size()), text.data(), text.size());
    filled(text.size());
  }
  void append(char c) {
    *room(1) = c;
    filled(1);
  }
  void append(bytes_view bytes) { append(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())); }

  /// A place for so many bytes behind what was appended; filled() says how many of them are to be kept.
  [[nodiscard]] char* room(std::size_t bytes) {
    if (bytes > capacity_ - size_) [[unlikely]]
      grow(bytes);
    return waiting_.get() + size_;
  }
  void filled(std::size_t bytes) noexcept { size_ += bytes; }

  /// Bytes that wait to be written.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Writes everything appended so far.
  [[nodiscard]] result<void> flush();

 private:
  void grow(std::size_t bytes);

  std::unique_ptr<char[]> waiting_;
  std::size_t size_ = 0, capacity_ = 0;
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
