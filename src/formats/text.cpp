#include "formats/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

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

namespace {

constexpr std::string_view alphabets[2] = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"};

// The value of a letter in either alphabet; 64 of what is no letter.
constexpr std::array<std::uint8_t, 256> values = [] {
  std::array<std::uint8_t, 256> value{};
  value.fill(64);
  for (const std::string_view letters : alphabets) {
    for (std::size_t i = 0; i < 64; ++i) value[static_cast<unsigned char>(letters[i])] = static_cast<std::uint8_t>(i);
  }
  return value;
}();

}  // namespace

std::string to_base64(bytes_view bytes, base64_alphabet alphabet) {
  const std::string_view letters = alphabets[static_cast<std::size_t>(alphabet)];
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) three = three << 8 | (j < count ? static_cast<std::uint32_t>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? letters[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t letters = i + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const std::uint8_t value = j < letters ? values[static_cast<unsigned char>(text[i + j])] : std::uint8_t{0};
      if (value > 63) return {};
      three = three << 6 | value;
    }
    for (std::size_t j = 0; j + 1 < letters; ++j) bytes.push_back(static_cast<std::byte>(three >> (16 - 8 * j)));
    if (letters < 4 && (three & (letters == 3 ? 0xffU : 0xffffU)) != 0) return {};  // bits that no encoder writes
  }
  return bytes;
}

std::string to_hex(bytes_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte b : bytes) {
    text += digits[static_cast<std::size_t>(b) >> 4];
    text += digits[static_cast<std::size_t>(b) & 15];
  }
  return text;
}

std::optional<std::vector<std::byte>> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return {};
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes.push_back(static_cast<std::byte>(high << 4 | low));
  }
  return bytes;
}

}  // namespace seen::inline v1::foreign
