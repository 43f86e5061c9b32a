// Numbers and strings as RFC 8259 has them. Bytes that are not UTF-8 cannot stand in JSON.
#include "json.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace seen::cli {
namespace {

constexpr char digits[] = "0123456789abcdef";

void append_escaped(std::string& to, unsigned char c) {
  switch (c) {
    case '"':
    case '\\':
      to += '\\';
      to += static_cast<char>(c);
      return;
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    default:
      to += "\\u00";
      to += digits[c >> 4];
      to += digits[c & 15];
  }
}

void append_character(std::string& to, unsigned char c) {
  if (c < 0x20 || c == '"' || c == '\\') {
    append_escaped(to, c);
  } else {
    to += static_cast<char>(c);
  }
}

void append_hex(std::string& to, bytes_view bytes) {
  for (const std::byte b : bytes) {
    const auto c = std::to_integer<unsigned char>(b);
    to += digits[c >> 4];
    to += digits[c & 15];
  }
}

// Zero if each of eight bytes is ASCII that stands in a string of JSON as it is. (Every subtraction borrows only from a byte
// that is marked itself, so what it does to the bytes above changes nothing.)
constexpr std::uint64_t not_plain(std::uint64_t word) noexcept {
  constexpr std::uint64_t ones = 0x0101'0101'0101'0101, high = 0x80 * ones;
  const std::uint64_t quote = word ^ '"' * ones, backslash = word ^ '\\' * ones;
  return (word | (word - 0x20 * ones) | (quote - ones) | (backslash - ones)) & high;
}

// Copies the bytes if all of them are ASCII that needs no escape.
bool copy_plain(char* to, bytes_view bytes) noexcept {
  std::size_t i = 0;
  std::uint64_t odd = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const auto word = load_le<std::uint64_t>(bytes.data() + i);
    odd |= not_plain(word);
    std::memcpy(to + i, bytes.data() + i, 8);
  }
  for (; i < bytes.size(); ++i) {
    const auto c = std::to_integer<unsigned char>(bytes[i]);
    odd |= c < 0x20 || c >= 0x80 || c == '"' || c == '\\';
    to[i] = static_cast<char>(c);
  }
  return odd == 0;
}

// How many of the first bytes are one character; 0 where they are not.
std::size_t character_length(bytes_view bytes) noexcept {
  const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); };
  const std::uint32_t first = at(0);
  if (first < 0x80) return 1;
  const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  if (first < 0xc2 || first > 0xf4 || bytes.size() <= more) return 0;
  std::uint32_t code = first & (0x3fU >> more);
  for (std::size_t i = 1; i <= more; ++i) {
    if ((at(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (at(i) & 0x3f);
  }
  constexpr std::uint32_t smallest[] = {0, 0x80, 0x800, 0x1'0000};
  if (code < smallest[more] || code > 0x10'ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  return 1 + more;
}

}  // namespace

json::json(double number) {
  if (!std::isfinite(number)) return;
  char buffer[32];
  // Readers tell a real number by its point or exponent. One of usual size is written without an exponent.
  const double size = std::abs(number);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e15);
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific);
  text_.assign(buffer, end.ptr);
  if (text_.find_first_of(".e") == std::string::npos) text_ += ".0";
}

json::json(std::string_view text) {
  text_ = '"';
  for (bytes_view rest = std::as_bytes(std::span(text)); !rest.empty();) {
    const std::size_t length = character_length(rest);
    if (length == 1) append_character(text_, std::to_integer<unsigned char>(rest[0]));
    if (length == 0) text_ += "\xef\xbf\xbd";
    if (length > 1) text_.append(reinterpret_cast<const char*>(rest.data()), length);
    rest = rest.subspan(length == 0 ? 1 : length);
  }
  text_ += '"';
}

json& json::add(std::string_view name, const json& value) {
  append(json(name).text_ + ": " + value.text_);
  return *this;
}

json& json::push(const json& value) {
  append(value.text_);
  return *this;
}

// Before the closing bracket, one level further in.
void json::append(const std::string& inner) {
  const char bracket = text_.back();
  const bool is_first = text_.size() == 2;
  text_.resize(text_.size() - (is_first ? 1 : 2));
  text_ += is_first ? "\n  " : ",\n  ";
  for (const char c : inner) {
    text_ += c;
    if (c == '\n') text_ += "  ";
  }
  text_ += '\n';
  text_ += bracket;
}

std::string json::line() const {
  std::string line;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] != '\n') {
      line += text_[i];
      continue;
    }
    if (line.back() == ',') line += ' ';
    while (text_[i + 1] == ' ') ++i;
  }
  return line;
}

bool is_utf8(bytes_view bytes) noexcept {
  while (!bytes.empty()) {
    const std::size_t length = character_length(bytes);
    if (length == 0) return false;
    bytes = bytes.subspan(length);
  }
  return true;
}

std::string hex_digits(bytes_view bytes) {
  std::string text;
  append_hex(text, bytes);
  return text;
}

void append_json_bytes(output& to, std::string_view name, bytes_view bytes, bool as_hex) {
  to.append('"');
  to.append(name);
  constexpr std::string_view before = "\": \"";
  // Most text stands in JSON as it is: it is copied on the way to finding out.
  char* const place = to.room(before.size() + bytes.size() + 1);
  if (!as_hex && copy_plain(place + before.size(), bytes)) {
    std::memcpy(place, before.data(), before.size());
    place[before.size() + bytes.size()] = '"';
    to.filled(before.size() + bytes.size() + 1);
    return;
  }
  std::string text;
  if (as_hex || !is_utf8(bytes)) {
    append_hex(text, bytes);
    to.append("_hex");
  } else {
    for (const std::byte b : bytes) append_character(text, std::to_integer<unsigned char>(b));
  }
  to.append(before);
  to.append(text);
  to.append('"');
}

}  // namespace seen::cli
