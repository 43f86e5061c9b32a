// Five characters mean something to HTML, and some bytes are characters that no page may hold.
#include "html.hpp"

#include <cstddef>
#include <span>

#include "json.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

constexpr std::string_view unshowable = "\xef\xbf\xbd";

// The length of a character at the front that is replaced: C1 controls (c2 80 … c2 9f), marks and overrides of direction
// (U+200E, U+200F, U+202A … U+202E, U+2066 … U+2069), U+FFFE and U+FFFF. 0: it may stay.
std::size_t forbidden_at(std::string_view rest) {
  const auto at = [&](std::size_t i) { return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0u; };
  if (at(0) == 0xc2 && at(1) < 0xa0) return 2;
  if (at(0) == 0xe2 && at(1) == 0x80 && (at(2) == 0x8e || at(2) == 0x8f || (at(2) >= 0xaa && at(2) <= 0xae))) return 3;
  if (at(0) == 0xe2 && at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9) return 3;
  if (at(0) == 0xef && at(1) == 0xbf && at(2) >= 0xbe) return 3;
  return 0;
}

}  // namespace

std::string html(std::string_view text) {
  const bytes_view bytes = std::as_bytes(std::span(text.data(), text.size()));
  const std::string printable = is_utf8(bytes) ? std::string(text) : shown(bytes);
  std::string safe;
  for (std::size_t i = 0; i < printable.size(); ++i) {
    const auto c = static_cast<unsigned char>(printable[i]);
    if (const std::size_t length = forbidden_at(std::string_view(printable).substr(i)); length != 0) {
      safe += unshowable;
      i += length - 1;
    } else if (c < 0x20 || c == 0x7f) {
      safe += unshowable;
    } else if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '"') {
      safe += "&quot;";
    } else if (c == '\'') {
      safe += "&#39;";
    } else {
      safe += static_cast<char>(c);
    }
  }
  return safe;
}

}  // namespace seen::cli
