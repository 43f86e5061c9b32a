// Text of numbers by std::to_chars, which knows no locale.
#include <seen/base/text.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>

namespace seen::inline v1 {
namespace {

// 1e-06 -> 1e-6, 1e+18 -> 1e18
std::string with_short_exponent(std::string text) {
  if (const auto e = text.find('e'); e != std::string::npos) {
    const std::size_t from = e + (text[e + 1] == '-' ? 2 : 1);
    text.erase(from, text.find_first_not_of("+0", from) - from);
  }
  return text;
}

// to_chars with what it is given: a format and a precision, or neither.
template <class... How>
std::string text_of(double number, How... how) {
  std::array<char, 400> text;  // the largest double has 309 digits
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, how...).ptr;
  return with_short_exponent(std::string(text.data(), end));
}

}  // namespace

std::string readable(double number, int digits) {
  return text_of(number, std::chars_format::general, digits);
}

std::string exactly(double number) {
  return text_of(number);
}

std::string exactly(std::uint64_t number) {
  const std::string digits = std::to_string(number), shortest = exactly(static_cast<double>(number));
  // The 53 bits of a double are enough where what is below the top 53 is zero.
  const bool is_a_double = std::bit_width(number >> std::countr_zero(number | std::uint64_t{1} << 63)) <= 53;
  return is_a_double && shortest.size() < digits.size() ? shortest : digits;
}

std::string readable_bytes(double bytes) {
  constexpr std::array units{" bytes", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB", " ZiB", " YiB"};
  std::size_t unit = 0;
  while (bytes >= (unit == 0 ? 1024 : 999.5) && unit + 1 < units.size()) {  // three digits, but for bytes
    bytes /= 1024;
    ++unit;
  }
  return (unit == 0 ? text_of(bytes, std::chars_format::fixed, 0) : readable(bytes, 3)) + units[unit];
}

void append_name(std::string& list, std::string_view name) {
  if (!list.empty()) list += ", ";
  list += name;
}

}  // namespace seen::inline v1
