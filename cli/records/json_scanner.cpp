// Backslashes are checked when a string is stepped over, so that resolving them cannot fail.
#include "records/json_scanner.hpp"

#include <algorithm>
#include <bit>

namespace seen::cli {
namespace {

constexpr std::uint64_t in_every_byte(std::uint64_t byte) noexcept {
  return 0x0101'0101'0101'0101 * byte;
}

// The high bit of every byte that may be a quote, a backslash or a control character, and of no byte before the first
// that is one. (x - 1) & ~x marks zeros, and after a zero perhaps others.
constexpr std::uint64_t marks_in_string(std::uint64_t word) noexcept {
  const auto zeros = [](std::uint64_t x) { return (x - in_every_byte(1)) & ~x; };
  const std::uint64_t controls = (word - in_every_byte(0x20)) & ~word;
  return (zeros(word ^ in_every_byte('"')) | zeros(word ^ in_every_byte('\\')) | controls) & in_every_byte(0x80);
}

bool is_json_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

// The value of four digits that were checked.
unsigned hex4(const char* digits) noexcept {
  unsigned value = 0;
  for (int i = 0; i < 4; ++i) {
    const auto c = static_cast<unsigned char>(digits[i]);
    value = value * 16 + (c <= '9' ? c - '0' : (c | 32u) - 'a' + 10);
  }
  return value;
}

char* put_utf8(unsigned code, char* to) noexcept {
  const auto put = [&](unsigned bits) { *to++ = static_cast<char>(bits); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6), put(0x80 | (code & 63));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
  } else {
    put(0xf0 | code >> 18), put(0x80 | (code >> 12 & 63)), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
  }
  return to;
}

constexpr bool is_high_surrogate(unsigned code) noexcept {
  return code >= 0xd800 && code < 0xdc00;
}
constexpr bool is_low_surrogate(unsigned code) noexcept {
  return code >= 0xdc00 && code < 0xe000;
}

}  // namespace

bool json_scanner::fail(const char* what) noexcept {
  what_ = what;
  return false;
}

std::string json_scanner::problem() const {
  return "is no JSON: character " + std::to_string(at_ - begin_ + 1) + ": " + what_;
}

char json_scanner::peek() noexcept {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  return at_ != end_ ? *at_ : '\0';
}

bool json_scanner::accept(char c) noexcept {
  if (peek() != c || at_ == end_) return false;
  ++at_;
  return true;
}

bool json_scanner::ends() noexcept {
  return peek() == '\0' && at_ == end_;
}

bool json_scanner::read_hex4(unsigned& to) noexcept {
  const auto is_hex = [](char c) { return is_json_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); };
  if (end_ - at_ < 4 || !std::all_of(at_, at_ + 4, is_hex)) return fail("\\u needs four hexadecimal digits");
  to = hex4(at_);
  at_ += 4;
  return true;
}

// Behind a backslash.
bool json_scanner::read_escape() noexcept {
  constexpr std::string_view known = "\"\\/bfnrt";
  if (at_ == end_) return fail("a string does not end");
  if (known.find(*at_) != known.npos) {
    ++at_;
    return true;
  }
  if (*at_ != 'u') return fail("no such escape");
  ++at_;
  unsigned code = 0, low = 0;
  if (!read_hex4(code)) return false;
  if (is_low_surrogate(code)) return fail("half of a surrogate pair");
  if (!is_high_surrogate(code)) return true;
  if (end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u') return fail("half of a surrogate pair");
  at_ += 2;
  if (!read_hex4(low)) return false;
  return is_low_surrogate(low) || fail("half of a surrogate pair");
}

bool json_scanner::read_string(string& to) noexcept {
  if (!accept('"')) return fail("a string should be here");
  const char* const from = at_;
  to.escaped = false;
  for (;;) {
    while (end_ - at_ >= 8) {
      const std::uint64_t marks = marks_in_string(load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(at_)));
      if (marks == 0) {
        at_ += 8;
        continue;
      }
      at_ += std::countr_zero(marks) / 8;
      break;
    }
    if (at_ == end_) return fail("a string does not end");
    const char c = *at_;
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20) return fail("a control character in a string");
    ++at_;
    if (c != '\\') continue;
    to.escaped = true;
    if (!read_escape()) return false;
  }
  to.written = {reinterpret_cast<const std::byte*>(from), static_cast<std::size_t>(at_ - from)};
  ++at_;
  return true;
}

bool json_scanner::read_name(string& to) noexcept {
  if (peek() != '"') return fail("a name should be here");
  return read_string(to) && (accept(':') || fail("a colon should be here"));
}

bool json_scanner::read_comma(char closing, bool& more) noexcept {
  more = accept(',');
  return more || accept(closing) ||
         fail(closing == '}' ? "a comma or } should be here" : "a comma or ] should be here");
}

bool json_scanner::skip_digits() noexcept {
  const char* const from = at_;
  while (at_ != end_ && is_json_digit(*at_)) ++at_;
  return at_ != from || fail("a digit should be here");
}

bool json_scanner::read_number() noexcept {
  if (at_ != end_ && *at_ == '-') ++at_;
  if (at_ != end_ && *at_ == '0') {
    ++at_;
  } else if (!skip_digits()) {
    return false;
  }
  if (at_ != end_ && *at_ == '.') {
    ++at_;
    if (!skip_digits()) return false;
  }
  if (at_ != end_ && (*at_ | 32) == 'e') {
    ++at_;
    if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    return skip_digits();
  }
  return true;
}

bool json_scanner::read_word(bytes_view& to) noexcept {
  const char c = peek();
  const char* const from = at_;
  if (c == '-' || is_json_digit(c)) {
    if (!read_number()) return false;
  } else {
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    const std::string_view word = rest.starts_with("true")    ? "true"
                                  : rest.starts_with("false") ? "false"
                                  : rest.starts_with("null")  ? "null"
                                                              : "";
    if (word.empty()) return fail("a value should be here");
    at_ += word.size();
  }
  to = {reinterpret_cast<const std::byte*>(from), static_cast<std::size_t>(at_ - from)};
  return true;
}

// Behind { or [; of an object the first name as well.
bool json_scanner::skip_opening(bool& is_object, bool& closed) noexcept {
  is_object = *at_++ == '{';
  closed = accept(is_object ? '}' : ']');
  string name;
  return closed || !is_object || read_name(name);
}

bool json_scanner::skip() noexcept {
  std::array<std::uint64_t, deepest / 64> objects{};  // a bit per level: set for an object
  std::size_t depth = 0;
  string text;
  bytes_view word;
  for (;;) {
    const char c = peek();
    bool closed = true;
    if (c == '{' || c == '[') {
      if (depth == deepest) return fail("nested too deeply");
      bool is_object = false;
      if (!skip_opening(is_object, closed)) return false;
      if (!closed) {
        const std::uint64_t bit = std::uint64_t{1} << depth % 64;
        std::uint64_t& level = objects[depth++ / 64];
        level = is_object ? level | bit : level & ~bit;
      }
    } else if (c == '"') {
      if (!read_string(text)) return false;
    } else if (!read_word(word)) {
      return false;
    }
    if (!closed) continue;  // its first value
    for (bool more = false; !more;) {
      if (depth == 0) return true;
      const bool in_object = (objects[(depth - 1) / 64] >> (depth - 1) % 64 & 1) != 0;
      if (!read_comma(in_object ? '}' : ']', more)) return false;
      if (!more) --depth;
      if (more && in_object && !read_name(text)) return false;
    }
  }
}

bytes_view json_text(const json_scanner::string& from, scratch& room) {
  if (!from.escaped) return from.written;
  const auto* at = reinterpret_cast<const char*>(from.written.data());
  const char* const end = at + from.written.size();
  std::byte* const begin = room.room(from.written.size());  // no escape is shorter than what it stands for
  auto* to = reinterpret_cast<char*>(begin);
  while (at != end) {
    const char* const backslash = std::find(at, end, '\\');
    to = std::copy(at, backslash, to);
    if (backslash == end) break;
    at = backslash + 2;
    switch (backslash[1]) {
      case 'b':
        *to++ = '\b';
        break;
      case 'f':
        *to++ = '\f';
        break;
      case 'n':
        *to++ = '\n';
        break;
      case 'r':
        *to++ = '\r';
        break;
      case 't':
        *to++ = '\t';
        break;
      case 'u': {
        unsigned code = hex4(at);
        at += 4;
        if (is_high_surrogate(code)) {
          code = 0x10000 + ((code & 0x3ff) << 10 | (hex4(at + 2) & 0x3ff));
          at += 6;
        }
        to = put_utf8(code, to);
        break;
      }
      default:
        *to++ = backslash[1];
    }
  }
  const auto size = static_cast<std::size_t>(reinterpret_cast<std::byte*>(to) - begin);
  room.keep(size);
  return {begin, size};
}

}  // namespace seen::cli
