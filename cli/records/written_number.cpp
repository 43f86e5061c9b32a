// Days of a date by the proleptic Gregorian calendar, as std::chrono has it.
#include "records/written_number.hpp"

#include <charconv>
#include <chrono>
#include <cstddef>

namespace seen::cli {
namespace {

// Exactly so many digits off the front.
std::optional<std::int64_t> take_digits(std::string_view& text, std::size_t digits) noexcept {
  std::int64_t number = 0;
  if (text.size() < digits) return {};
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return {};
    number = 10 * number + (c - '0');
  }
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, char wanted) noexcept {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

// ".25" of so many parts; 0 where there is nothing. Digits that the unit has no room for must be zeros.
std::optional<std::int64_t> take_fraction(std::string_view& text, std::int64_t unit) noexcept {
  if (!take(text, '.')) return 0;
  std::int64_t parts = 0;
  if (text.empty()) return {};
  while (!text.empty()) {
    const auto digit = take_digits(text, 1);
    if (!digit || (unit == 1 && *digit != 0)) return {};
    if (unit == 1) continue;
    unit /= 10;
    parts += *digit * unit;
  }
  return parts;
}

std::optional<std::int64_t> take_date(std::string_view& text) noexcept {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, '-')) return {};
  const auto month = take_digits(text, 2);
  if (!month || !take(text, '-')) return {};
  const auto day = take_digits(text, 2);
  if (!day) return {};
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return {};
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::optional<std::int64_t> take_time(std::string_view& text, std::int64_t unit) noexcept {
  const auto hours = take_digits(text, 2);
  if (!hours || !take(text, ':')) return {};
  const auto minutes = take_digits(text, 2);
  if (!minutes || !take(text, ':')) return {};
  const auto seconds = take_digits(text, 2);
  if (!seconds || *hours > 23 || *minutes > 59 || *seconds > 59) return {};
  const auto parts = take_fraction(text, unit);
  if (!parts) return {};
  return (3600 * *hours + 60 * *minutes + *seconds) * unit + *parts;
}

std::optional<std::int64_t> parse_decimal(std::string_view text, std::int64_t unit) noexcept {
  const bool negative = take(text, '-');
  const std::size_t point = text.find('.');
  std::int64_t whole = 0, all = 0;
  const char* const end = text.data() + point;
  if (point == text.npos || point == 0) return {};
  const auto read = std::from_chars(text.data(), end, whole);
  if (read.ec != std::errc() || read.ptr != end || whole < 0) return {};
  text.remove_prefix(point);
  const auto parts = take_fraction(text, unit);
  if (!parts || __builtin_mul_overflow(whole, unit, &all) || __builtin_add_overflow(all, *parts, &all)) return {};
  return negative ? -all : all;
}

}  // namespace

std::optional<std::int64_t> written_number::parse(std::string_view text) const noexcept {
  std::optional<std::int64_t> number;
  if (of == kind::flag) return text == "true" ? std::optional(1) : text == "false" ? std::optional(0) : std::nullopt;
  if (of == kind::date) number = take_date(text);
  if (of == kind::time) number = take_time(text, unit);
  if (of == kind::decimal) return parse_decimal(text, unit);
  if (of == kind::timestamp) {
    const auto days = take_date(text);
    if (!days || !(take(text, ' ') || take(text, 'T'))) return {};
    const auto since_midnight = take_time(text, unit);
    std::int64_t all = 0;
    if (!since_midnight || __builtin_mul_overflow(86'400 * *days, unit, &all)) return {};
    if (!__builtin_add_overflow(all, *since_midnight, &all)) number = all;
  }
  return text.empty() ? number : std::nullopt;
}

const char* written_number::in_words() const noexcept {
  switch (of) {
    case kind::flag:
      return ", nor true or false";
    case kind::date:
      return ", nor a date like 2020-01-31";
    case kind::time:
      return ", nor a time like 12:30:00";
    case kind::timestamp:
      return ", nor a time like 2020-01-31 12:30:00";
    case kind::decimal:
      return ", nor a decimal number that the column has room for";
    case kind::whole:
      break;
  }
  return "";
}

}  // namespace seen::cli
