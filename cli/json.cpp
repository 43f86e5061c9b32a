// Numbers and strings as RFC 8259 has them. Bytes that are not UTF-8 cannot stand in JSON.
#include "json.hpp"

#include <array>
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

// Ones for each of sixteen bytes that does not stand in a string of JSON as it is, or is not ASCII. (Signed: what is beyond ASCII
// is below zero.)
using sixteen [[gnu::vector_size(16)]] = signed char;
sixteen copy_sixteen(char* to, const std::byte* from) noexcept {
  sixteen text;
  std::memcpy(&text, from, sizeof text);
  std::memcpy(to, &text, sizeof text);
  return (text < 0x20) | (text == '"') | (text == '\\');
}

// Copies the bytes if all of them are ASCII that needs no escape. The last sixteen overlap those before.
bool copy_plain(char* to, bytes_view bytes) noexcept {
  if (bytes.size() >= sizeof(sixteen)) {
    const std::size_t last = bytes.size() - sizeof(sixteen);
    sixteen odd = copy_sixteen(to + last, bytes.data() + last);
    for (std::size_t i = 0; i < last; i += sizeof odd) odd |= copy_sixteen(to + i, bytes.data() + i);
    std::array<std::uint64_t, 2> both;
    std::memcpy(both.data(), &odd, sizeof odd);
    return (both[0] | both[1]) == 0;
  }
  bool odd = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto c = std::to_integer<unsigned char>(bytes[i]);
    odd |= c < 0x20 || c >= 0x80 || c == '"' || c == '\\';
    to[i] = static_cast<char>(c);
  }
  return !odd;
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

void append_json_bytes(output& to, const json_name& name, bytes_view bytes, bool as_hex) {
  // Most text stands in JSON as it is: it is copied on the way to finding out, behind the place of its name.
  const std::size_t before = name.text.size();
  if (!as_hex) {
    char* const place = to.room(before + bytes.size() + 1) + before;
    if (copy_plain(place, bytes)) {
      std::memcpy(place - before, name.text.data(), before);
      place[bytes.size()] = '"';
      to.filled(before + bytes.size() + 1);
      return;
    }
  }
  std::string text;
  const bool is_hex = as_hex || !is_utf8(bytes);
  if (is_hex) {
    append_hex(text, bytes);
  } else {
    for (const std::byte b : bytes) append_character(text, std::to_integer<unsigned char>(b));
  }
  to.append(is_hex ? name.hex : name.text);
  to.append(text);
  to.append('"');
}

}  // namespace seen::cli
