#include "json_text.hpp"

#include <cstdint>

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

void append_hex(std::string& to, bytes_view bytes) {
  for (const std::byte b : bytes) {
    const auto c = std::to_integer<unsigned char>(b);
    to += digits[c >> 4];
    to += digits[c & 15];
  }
}

}  // namespace

bool is_utf8(bytes_view bytes) noexcept {
  const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); };
  for (std::size_t i = 0; i < bytes.size();) {
    const std::uint32_t first = at(i++);
    if (first < 0x80) continue;
    const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || bytes.size() - i < more) return false;
    std::uint32_t code = first & (0x3fU >> more);
    for (std::size_t end = i + more; i < end; ++i) {
      if ((at(i) & 0xc0) != 0x80) return false;
      code = code << 6 | (at(i) & 0x3f);
    }
    constexpr std::uint32_t smallest[] = {0, 0x80, 0x800, 0x1'0000};
    if (code < smallest[more] || code > 0x10'ffff || (code >= 0xd800 && code < 0xe000)) return false;
  }
  return true;
}

std::string hex_digits(bytes_view bytes) {
  std::string text;
  append_hex(text, bytes);
  return text;
}

void append_json_bytes(std::string& to, const char* name, bytes_view bytes, bool as_hex) {
  to += '"';
  to += name;
  if (as_hex || !is_utf8(bytes)) {
    to += "_hex\": \"";
    append_hex(to, bytes);
  } else {
    to += "\": \"";
    for (const std::byte b : bytes) {
      const auto c = std::to_integer<unsigned char>(b);
      if (c < 0x20 || c == '"' || c == '\\') {
        append_escaped(to, c);
      } else {
        to += static_cast<char>(c);
      }
    }
  }
  to += '"';
}

}  // namespace seen::cli
