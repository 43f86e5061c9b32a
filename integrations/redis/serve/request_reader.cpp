#include "serve/request_reader.hpp"

#include "table/words.hpp"

namespace seen::redis {
namespace {

constexpr std::size_t longest_number = 32;  // characters of a line that says how many

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

// Reads what follows a backslash between double quotes, at `i`, and leaves `i` on its last character.
char escaped(std::string_view line, std::size_t& i) {
  if (line[i] == 'x' && i + 2 < line.size() && hex_digit(line[i + 1]) >= 0 && hex_digit(line[i + 2]) >= 0) {
    const int value = 16 * hex_digit(line[i + 1]) + hex_digit(line[i + 2]);
    i += 2;
    return static_cast<char>(value);
  }
  switch (line[i]) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return line[i];
  }
}

// A quoted word from after its quote at `i`, which is left after the closing one. Nothing if that is missing, or something touches it.
std::optional<std::string> quoted(std::string_view line, std::size_t& i) {
  const char quote = line[i++];
  std::string word;
  for (; i < line.size() && line[i] != quote; ++i) {
    const bool escapes = line[i] == '\\' && i + 1 < line.size() && (quote == '"' || line[i + 1] == '\'');
    if (escapes) ++i;
    word += escapes && quote == '"' ? escaped(line, i) : line[i];
  }
  if (i == line.size()) return {};
  ++i;
  if (i < line.size() && !is_space(line[i])) return {};
  return word;
}

std::optional<std::vector<std::string>> words_of_line(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t i = 0;;) {
    while (i < line.size() && is_space(line[i])) ++i;
    if (i == line.size()) return words;
    std::string word;
    while (i < line.size() && !is_space(line[i])) {
      if (line[i] != '"' && line[i] != '\'') {
        word += line[i++];
        continue;
      }
      const auto rest = quoted(line, i);
      if (!rest) return {};
      word += *rest;
      break;
    }
    words.push_back(std::move(word));
  }
}

}  // namespace

request_reader::outcome request_reader::refuse(std::string_view why) {
  wrong_ = "ERR Protocol error: " + std::string(why);
  return outcome::wrong;
}

void request_reader::next() noexcept {
  constexpr std::size_t kept = 1024;
  at_ = left_ = 0;
  counted_ = false;
  expected_.reset();
  places_.clear();
  typed_.clear();
  words_.clear();
  if (places_.capacity() <= kept) return;
  std::vector<place>().swap(places_);
  std::vector<std::string_view>().swap(words_);
}

std::size_t request_reader::memory() const noexcept {
  return places_.capacity() * sizeof(place) + words_.capacity() * sizeof(std::string_view);
}

std::optional<std::string_view> request_reader::line_at(std::string_view bytes) const noexcept {
  const std::size_t end = bytes.substr(0, at_ + longest_number + 2).find("\r\n", at_);
  if (end == bytes.npos) return {};
  return bytes.substr(at_, end - at_);
}

request_reader::outcome request_reader::read(std::string_view bytes) {
  if (bytes.empty()) return outcome::incomplete;
  return bytes[0] == '*' ? read_array(bytes) : read_line(bytes);
}

request_reader::outcome request_reader::read_line(std::string_view bytes) {
  const std::size_t end = bytes.find('\n', at_);
  if (end == bytes.npos || end > bounds_->line) {
    at_ = bytes.size();
    return at_ > bounds_->line ? refuse("too big inline request") : outcome::incomplete;
  }
  const std::size_t length = end != 0 && bytes[end - 1] == '\r' ? end - 1 : end;
  auto words = words_of_line(bytes.substr(0, length));
  if (!words) return refuse("unbalanced quotes in request");
  typed_ = std::move(*words);
  words_.assign(typed_.begin(), typed_.end());
  at_ = end + 1;
  return outcome::whole;
}

request_reader::outcome request_reader::read_array(std::string_view bytes) {
  // How many words, or how long the next one is: a line of a sign and a number.
  const auto number = [&](std::string_view what, std::int64_t most, std::int64_t& to) {
    const auto line = line_at(bytes);
    if (!line && bytes.size() - at_ >= longest_number + 2) {
      return refuse("too big " + std::string(what == "multibulk" ? "mbulk" : what) + " count string");
    }
    if (!line) return outcome::incomplete;
    const auto read = whole_number(line->substr(1));
    if (!read || *read > most) return refuse("invalid " + std::string(what) + " length");
    to = *read;
    at_ += line->size() + 2;
    return outcome::whole;
  };
  if (!counted_) {
    std::int64_t count = 0;
    const outcome had = number("multibulk", static_cast<std::int64_t>(bounds_->items), count);
    if (had != outcome::whole) return had;
    counted_ = true;
    left_ = count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  while (left_ != 0) {
    if (!expected_) {
      if (at_ == bytes.size()) return outcome::incomplete;
      if (bytes[at_] != '$') {
        const char got = bytes[at_] >= ' ' && bytes[at_] < '\x7f' ? bytes[at_] : '?';
        return refuse(std::string("expected '$', got '") + got + "'");
      }
      std::int64_t length = 0;
      const outcome had = number("bulk", static_cast<std::int64_t>(bounds_->item), length);
      if (had != outcome::whole) return had;
      if (length < 0) return refuse("invalid bulk length");
      expected_ = static_cast<std::size_t>(length);
      if (at_ + *expected_ + 2 > bounds_->request) return refuse("too big request");
    }
    if (bytes.size() - at_ < *expected_ + 2) return outcome::incomplete;
    if (bytes.substr(at_ + *expected_, 2) != "\r\n") return refuse("a bulk string is longer than its length says");
    places_.push_back({at_, *expected_});
    at_ += *expected_ + 2;
    expected_.reset();
    --left_;
  }
  words_.reserve(places_.size());
  for (const place& each : places_) words_.push_back(bytes.substr(each.begin, each.size));
  return outcome::whole;
}

}  // namespace seen::redis
