// Lines for stderr are written in one piece, and without control characters: a file may be called anything.
#include "words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/core.h>
#include <new>
#include <system_error>
#include <unistd.h>

#include "json.hpp"

namespace seen::cli {
namespace {

// Tells the user how to go on after an error, in terms of the command line; nothing if the error ends with such words in brackets.
const char* hint(const error& e) {
  if (e.detail.ends_with(')')) return "";
  switch (e.code) {
    case errc::exists:
      return " (-f overwrites it)";
    case errc::secret_required:
      return " (--secret-file FILE)";
    case errc::not_recognised:
      return " (--format NAME; see `seen formats`)";
    case errc::unsealed:
      return " (seen verify --recover FILE)";
    default:
      return "";
  }
}

// One call, so that lines of several processes on one terminal do not mix.
void write_line(std::string line) {
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  line += '\n';
  static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
}

bool in_json = false;

void tell(bool quiet, const char* what, const char* prefix, std::string_view text) {
  if (quiet) return;
  if (!in_json) return write_line(prefix + std::string(text));
  write_line(json::object().add(what, text).line());
}

// Commas between the thousands of the digits before `end`.
void group(std::string& text, std::size_t end) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  while (end > first + 3) text.insert(end -= 3, 1, ',');
}

}  // namespace

void speak_json() {
  in_json = true;
}

json error_in_json(const error& e) {
  return json::object().add("code", name_of(e.code)).add("message", e.detail + hint(e));
}

void report(const error& e) noexcept {
  try {
    if (in_json) return write_line(json::object().add("error", error_in_json(e)).line());
    write_line("seen: " + e.detail + hint(e));
  } catch (const std::bad_alloc&) {  // perhaps what is to be reported
    constexpr std::string_view line = "seen: out of memory\n";
    static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
  }
}

void remark(bool quiet, std::string_view text) {
  tell(quiet, "remark", "seen: ", text);
}

void warn(bool quiet, std::string_view text) {
  tell(quiet, "warning", "seen: warning: ", text);
}

error about(const std::string& name, const error& e) {
  return e.prefixed(name + ": ");
}

error cannot_write(const std::string& name, const error& e) {
  if (e.code == errc::exists) return e;
  const std::string what = name + ": cannot be written: ";
  if (e.code == errc::busy) return {e.code, what + "another process is writing it", e.system};
  if (e.system != 0) return {e.code, what + std::generic_category().message(e.system), e.system};
  return e.prefixed(what);
}

std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  group(text, text.size());
  return text;
}

std::string grouped(double x, int decimals) {
  std::string text = fmt::format("{:.{}f}", x, decimals);
  group(text, std::min(text.find('.'), text.size()));
  return text;
}

std::string key_count(double keys, bool exact) {
  // A filter whose bits are all set holds infinitely many, by its fill.
  if (!(keys < 0x1p63)) return "too many to tell";
  return (exact ? "" : "about ") + grouped(static_cast<std::uint64_t>(std::llround(keys)));
}

std::string keys_in_words(std::uint64_t n) {
  return grouped(n) + (n == 1 ? " key" : " keys");
}

std::string short_number(double x) {
  return readable(x, 3);
}

std::string wrapped(const std::string& first, std::string_view text, std::size_t width) {
  std::string lines = first;
  std::size_t column = first.size();
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (column + word.size() >= width && column > first.size()) {
      lines.back() = '\n';
      lines.append(first.size(), ' ');
      column = first.size();
    }
    lines.append(word) += ' ';
    column += word.size() + 1;
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  lines.back() = '\n';
  return lines;
}

std::string shown(bytes_view key) {
  constexpr std::size_t most = 60;
  bytes_view part = key.first(std::min(key.size(), most));
  const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(part[i]); };
  if (is_utf8(key)) {
    while (part.size() < key.size() && (std::to_integer<unsigned>(key[part.size()]) & 0xc0) == 0x80) {
      part = part.first(part.size() - 1);  // not in the middle of a character
    }
  }
  const bool is_text = is_utf8(part);
  std::string text = "\"";
  for (std::size_t i = 0; i < part.size(); ++i) {
    const unsigned c = at(i);
    // U+0080..U+009F, in UTF-8 c2 80..c2 9f, are control characters too: some terminals obey them.
    const bool second_controls =
        (c == 0xc2 && i + 1 < part.size() && at(i + 1) < 0xa0) || (c >= 0x80 && c < 0xa0 && i > 0 && at(i - 1) == 0xc2);
    if (c == '"' || c == '\\') text += '\\';
    if (c < 0x20 || c == 0x7f || (c >= 0x80 && !is_text) || second_controls) {
      text += fmt::format("\\x{:02x}", c);
    } else {
      text += static_cast<char>(c);
    }
  }
  return text + (key.size() > part.size() ? "…\"" : "\"");
}

}  // namespace seen::cli
