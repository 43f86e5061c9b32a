// Integers never pass through a double on their way: 2^53 + 1 must stay what it is.
#include "numbers.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace seen::cli {
namespace {

std::string quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// A whole number; the sign where the type has one, nothing before or after.
template <class Int>
std::optional<Int> whole(std::string_view text, int base = 10) {
  Int value{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, base);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

// A decimal fraction with an optional exponent: no sign, no "inf", no "nan", no hexadecimal.
std::optional<double> decimal(std::string_view text) {
  if (text.empty() || !(is_digit(text[0]) || text[0] == '.')) return std::nullopt;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

// A real number in any of the ways to write one: 0.001, 0.1%, 1/1000, 2^-10, with a sign where it is plain.
std::optional<double> fraction(std::string_view text) {
  const auto slash = text.find('/'), power = text.find('^');
  if (slash != std::string_view::npos) {
    const auto above = decimal(text.substr(0, slash)), below = decimal(text.substr(slash + 1));
    if (above && below) return *above / *below;
    return std::nullopt;
  }
  if (power != std::string_view::npos) {
    const auto base = decimal(text.substr(0, power));
    const auto exponent = whole<int>(text.substr(power + 1));
    if (base && exponent) return std::pow(*base, *exponent);
    return std::nullopt;
  }
  if (!text.empty() && text.back() == '%') {
    // "0.7%" is read as 0.7e-2: dividing by 100 afterwards could be off by a last digit.
    const std::string_view percent = text.substr(0, text.size() - 1);
    if (percent.find_first_of("eE") == std::string_view::npos) return decimal(std::string(percent) + "e-2");
    const auto number = decimal(percent);
    return number ? std::optional(*number / 100) : std::nullopt;
  }
  if (!text.empty() && text[0] == '-') {
    const auto number = decimal(text.substr(1));
    return number ? std::optional(-*number) : std::nullopt;
  }
  return decimal(text);
}

struct unit {
  int tens = 0;  // times 10^tens
  int twos = 0;  // times 2^twos
};

// "", "k", "KB", "Ki", "KiB", … up to E.
std::optional<unit> unit_of(std::string_view suffix) {
  if (suffix.empty()) return unit{};
  constexpr std::string_view letters = "KMGTPE";
  const auto step = letters.find(suffix[0] == 'k' ? 'K' : suffix[0]);
  if (step == std::string_view::npos) return std::nullopt;
  const int thousands = static_cast<int>(step) + 1;
  suffix.remove_prefix(1);
  if (suffix.empty() || suffix == "B") return unit{.tens = 3 * thousands};
  if (suffix == "i" || suffix == "iB") return unit{.twos = 10 * thousands};
  return std::nullopt;
}

}  // namespace

result<std::uint64_t> parse_count(std::string_view text) {
  const error not_a_number{errc::invalid_argument, quoted(text) + " is not a number like 1000000, 1e6, 1M or 1Mi"};
  const error too_large{errc::invalid_argument, quoted(text) + " is beyond 2^64 - 1"};

  std::uint64_t digits = 0;
  int scale = 0;  // the value is digits·10^scale·2^twos
  std::size_t at = 0;
  bool any = false, point = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    any = true;
    scale -= point;
    if (__builtin_mul_overflow(digits, std::uint64_t{10}, &digits) ||
        __builtin_add_overflow(digits, static_cast<std::uint64_t>(text[at] - '0'), &digits)) {
      return too_large;
    }
  }
  if (!any) return not_a_number;
  std::string_view rest = text.substr(at);
  // "1E9" is a power of ten, "1E" and "1EiB" are exa.
  if (rest.size() > 1 && (rest[0] == 'e' || rest[0] == 'E') &&
      (is_digit(rest[1]) || rest[1] == '+' || rest[1] == '-')) {
    std::size_t end = 2;
    while (end < rest.size() && is_digit(rest[end])) ++end;
    const std::size_t begin = rest[1] == '+' ? 2 : 1;
    const auto exponent = whole<int>(rest.substr(begin, end - begin));
    if (!exponent || *exponent > 1000 || *exponent < -1000) return not_a_number;
    scale += *exponent;
    rest.remove_prefix(end);
  }
  const auto suffix = unit_of(rest);
  if (!suffix) return not_a_number;
  scale += suffix->tens;
  if (digits == 0) return std::uint64_t{0};
  for (int i = 0; i < suffix->twos; ++i) {
    if (__builtin_mul_overflow(digits, std::uint64_t{2}, &digits)) return too_large;
  }
  for (; scale > 0; --scale) {
    if (__builtin_mul_overflow(digits, std::uint64_t{10}, &digits)) return too_large;
  }
  for (; scale < 0; ++scale) {
    if (digits % 10 != 0) return {errc::invalid_argument, quoted(text) + " is not a whole number"};
    digits /= 10;
  }
  return digits;
}

result<std::uint64_t> parse_duration(std::string_view text) {
  constexpr std::string_view letters = "smhdw";
  constexpr std::uint64_t seconds[] = {1, 60, 3600, 86'400, 604'800};
  const auto unit = text.empty() ? std::string_view::npos : letters.find(text.back());
  auto number = parse_count(unit == std::string_view::npos ? text : text.substr(0, text.size() - 1));
  if (!number) return {number.error().code, quoted(text) + " is not a duration like 90s, 15m, 1h, 7d or 3600"};
  std::uint64_t all = *number;
  if (unit != std::string_view::npos && __builtin_mul_overflow(all, seconds[unit], &all)) {
    return {errc::invalid_argument, quoted(text) + " is beyond 2^64 - 1 seconds"};
  }
  return all;
}

result<double> parse_real(std::string_view text) {
  const auto number = fraction(text);
  if (!number || !std::isfinite(*number)) {
    return {errc::invalid_argument, quoted(text) + " is not a number like 2, 0.5, 1/3, 10% or 2^-3"};
  }
  return *number;
}

result<double> parse_rate(std::string_view text) {
  const auto rate = fraction(text);
  if (!rate) return {errc::invalid_argument, quoted(text) + " is not a rate like 0.001, 0.1%, 1/1000 or 2^-10"};
  if (!(*rate > 0 && *rate < 1)) {
    return {errc::invalid_argument, quoted(text) + " is not a probability strictly between 0 and 1"};
  }
  return *rate;
}

result<std::uint64_t> parse_seed(std::string_view text) {
  const bool hexadecimal = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  const auto value = hexadecimal ? whole<std::uint64_t>(text.substr(2), 16) : whole<std::uint64_t>(text);
  if (!value) return {errc::invalid_argument, quoted(text) + " is not a 64-bit integer"};
  return *value;
}

}  // namespace seen::cli
