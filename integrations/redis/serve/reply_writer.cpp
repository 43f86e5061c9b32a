#include "serve/reply_writer.hpp"

#include <seen/base/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

namespace seen::redis {

// Room for so many bytes; null where there is none, and from then on.
char* reply_writer::room(std::size_t bytes) noexcept {
  const std::span<char> free = broken_ ? std::span<char>() : to_->free_room(bytes);
  broken_ = free.empty();
  return free.data();
}

void reply_writer::text(std::string_view some) noexcept {
  if (some.empty()) return;
  char* const to = room(some.size());
  if (to == nullptr) return;
  std::memcpy(to, some.data(), some.size());
  to_->grow(some.size());
}

void reply_writer::head(char kind, std::int64_t number) {
  constexpr std::size_t longest = 24;
  char* const begin = room(longest);
  if (begin == nullptr) return;
  *begin = kind;
  char* end = std::to_chars(begin + 1, begin + longest, number).ptr;
  *end++ = '\r';
  *end++ = '\n';
  to_->grow(static_cast<std::size_t>(end - begin));
}

void reply_writer::line(char kind, std::string_view words) {
  char* const begin = room(words.size() + 3);
  if (begin == nullptr) return;
  *begin = kind;
  // What quotes a client's words must not end the line early.
  char* end = std::replace_copy_if(
      words.begin(), words.end(), begin + 1, [](char c) { return c == '\r' || c == '\n'; }, ' ');
  *end++ = '\r';
  *end++ = '\n';
  to_->grow(words.size() + 3);
}

void reply_writer::boolean(bool yes) {
  if (!resp3_) return integer(yes ? 1 : 0);
  text(yes ? "#t\r\n" : "#f\r\n");
}

void reply_writer::real(double number) {
  const std::string digits = std::isinf(number) ? (number > 0 ? "inf" : "-inf") : exactly(number);
  if (resp3_) return line(',', digits);
  bytes(digits);
}

void reply_writer::bytes(std::string_view some) {
  head('$', static_cast<std::int64_t>(some.size()));
  text(some);
  text("\r\n");
}

}  // namespace seen::redis
