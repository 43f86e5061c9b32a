#include "formats/encodings/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "formats/encodings/base64.hpp"

namespace seen::inline v1::foreign {
namespace json {

const value* value::find(std::string_view name) const noexcept {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? nullptr : &items[static_cast<std::size_t>(found - names.begin())];
}

std::optional<std::string_view> value::as_text() const noexcept {
  if (kind != type::string) return {};
  return text;
}

std::optional<std::uint64_t> value::as_u64() const noexcept {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  if (kind != type::number) return {};
  const auto [stopped, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc() || stopped != end) return {};
  return number;
}

namespace {

constexpr int deepest = 32;
constexpr int most_values = 1000;

class parser {
 public:
  explicit parser(std::string_view text) : text_(text) {}

  result<value> document() {
    value v;
    skip_space();
    if (parse_value(v, 0)) skip_space();
    if (complaint_.empty() && at_ != text_.size()) fail("something follows the document");
    if (!complaint_.empty()) return {errc::corrupt, "JSON: offset " + std::to_string(at_) + ": " + complaint_};
    return v;
  }

 private:
  bool fail(const char* complaint) {
    if (complaint_.empty()) complaint_ = complaint;
    return false;
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  bool parse_value(value& v, int depth) {
    if (depth > deepest) return fail("nested too deeply");
    if (++values_ > most_values) return fail("more values than any filter has");
    switch (peek()) {
      case '{':
        return parse_object(v, depth);
      case '[':
        return parse_array(v, depth);
      case '"':
        v.kind = type::string;
        return parse_string(v.text);
      default:
        break;
    }
    if (take("null")) return true;
    v.truth = take("true");
    if (v.truth || take("false")) {
      v.kind = type::boolean;
      return true;
    }
    v.kind = type::number;
    return parse_number(v.text);
  }

  bool parse_object(value& v, int depth) {
    v.kind = type::object;
    ++at_;
    skip_space();
    if (take('}')) return true;
    do {
      skip_space();
      std::string name;
      if (peek() != '"') return fail("a name in quotation marks was expected");
      if (!parse_string(name)) return false;
      if (v.find(name) != nullptr) return fail("a name comes twice");
      skip_space();
      if (!take(':')) return fail("a colon was expected");
      skip_space();
      v.names.push_back(std::move(name));
      if (!parse_value(v.items.emplace_back(), depth + 1)) return false;
      skip_space();
    } while (take(','));
    return take('}') || fail("a comma or } was expected");
  }

  bool parse_array(value& v, int depth) {
    v.kind = type::array;
    ++at_;
    skip_space();
    if (take(']')) return true;
    if (peek() >= '0' && peek() <= '9') return parse_digits(v.text);
    do {
      skip_space();
      if (!parse_value(v.items.emplace_back(), depth + 1)) return false;
      skip_space();
    } while (take(','));
    return take(']') || fail("a comma or ] was expected");
  }

  // [0, 1, 1, …]: the bits of a filter, as some write them.
  bool parse_digits(std::string& to) {
    do {
      skip_space();
      if (peek() < '0' || peek() > '9') return fail("a digit was expected");
      to += text_[at_++];
      skip_space();
    } while (take(','));
    return take(']') || fail("a comma or ] was expected: an array of numbers has one digit each");
  }

  bool take_digits() {
    const std::size_t begin = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ != begin;
  }
  bool parse_number(std::string& to) {
    const std::size_t begin = at_;
    (void)take('-');
    if (!take('0') && !take_digits()) return fail("no value begins so");
    if (take('.') && !take_digits()) return fail("a digit was expected");
    if (take('e') || take('E')) {
      if (!take('+')) (void)take('-');
      if (!take_digits()) return fail("a digit was expected");
    }
    to = text_.substr(begin, at_ - begin);
    return true;
  }

  bool parse_string(std::string& to) {
    ++at_;
    while (true) {
      const std::size_t end = text_.find_first_of("\"\\", at_);
      if (end == std::string_view::npos) return fail("a string does not end");
      const std::string_view plain = text_.substr(at_, end - at_);
      if (std::any_of(plain.begin(), plain.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
        return fail("a control character in a string");
      }
      to += plain;
      at_ = end + 1;
      if (text_[end] == '"') return true;
      if (!parse_escape(to)) return false;
    }
  }
  bool parse_escape(std::string& to) {
    constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    const char c = peek();
    const std::size_t known = names.find(c);
    if (c != '\0' && known != std::string_view::npos) {
      ++at_;
      to += meanings[known];
      return true;
    }
    if (!take('u')) return fail("an unknown escape");
    std::uint32_t unit = 0, low = 0;
    if (!parse_unit(unit)) return false;
    if (unit >= 0xd800 && unit < 0xdc00) {
      if (!take("\\u") || !parse_unit(low) || low < 0xdc00 || low > 0xdfff) return fail("half a surrogate pair");
      unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    } else if (unit >= 0xdc00 && unit < 0xe000) {
      return fail("half a surrogate pair");
    }
    append_utf8(to, unit);
    return true;
  }
  bool parse_unit(std::uint32_t& unit) {
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (digits.size() != 4 || failed != std::errc() || end != digits.data() + 4)
      return fail("four digits were expected");
    at_ += 4;
    return true;
  }
  static void append_utf8(std::string& to, std::uint32_t c) {
    const auto put = [&](std::uint32_t byte) { to += static_cast<char>(byte); };
    if (c < 0x80) return put(c);
    if (c < 0x800) {
      put(0xc0 | c >> 6);
    } else {
      if (c < 0x10000) {
        put(0xe0 | c >> 12);
      } else {
        put(0xf0 | c >> 18);
        put(0x80 | (c >> 12 & 0x3f));
      }
      put(0x80 | (c >> 6 & 0x3f));
    }
    put(0x80 | (c & 0x3f));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int values_ = 0;
  std::string complaint_;
};

}  // namespace

result<value> parse(std::string_view text) {
  return parser(text).document();
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += to_hex(std::as_bytes(std::span(&c, 1)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace json

}  // namespace seen::inline v1::foreign
