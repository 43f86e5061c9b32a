// What a target may be, and what is said of one that cannot be met. The formulas are explained in math/sizing.hpp.
#include <seen/math/sizing.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

namespace seen::inline v1::math {

double lower_bound_bits(std::uint64_t keys, double fpr) noexcept {
  return keys == 0 ? 0 : static_cast<double>(keys) * -std::log2(fpr);
}

double equal_digest_fpr(std::uint64_t keys) noexcept {
  return static_cast<double>(keys) * equal_digest;
}

bool digests_collide_noticeably(const target& t) noexcept {
  return equal_digest_fpr(t.capacity) > 0.02 * t.fpr;
}

namespace detail {

std::string number(double x, int digits) {
  char buffer[32];
  const auto end = digits == 0 ? std::to_chars(buffer, buffer + sizeof buffer, x)
                               : std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, digits);
  std::string text(buffer, end.ptr);
  if (const auto e = text.find('e'); e != std::string::npos) {
    const std::size_t from = e + (text[e + 1] == '-' ? 2 : 1);
    text.erase(from, text.find_first_not_of("+0", from) - from);
  }
  return text;
}

std::string number(std::uint64_t n) {
  const std::string digits = std::to_string(n), shortest = number(static_cast<double>(n));
  const bool same =
      n < std::uint64_t{1} << 53 || std::size_t(std::countr_zero(n)) + 53 >= std::size_t(std::bit_width(n));
  return same && shortest.size() < digits.size() ? shortest : digits;
}

std::string size(double bytes) {
  constexpr const char* units[] = {" bytes", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB", " ZiB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit < std::size(units) - 1) bytes /= 1024, ++unit;
  return number(bytes, 3) + units[unit];
}

std::string wish(const target& t) {
  return number(t.capacity) + (t.capacity == 1 ? " key" : " keys") + " at fpr " + number(t.fpr);
}

error too_many_bits(const target& t, double bits) {
  // Three digits do not tell a size just past the limit from the limit.
  const bool narrowly = bits < 1.01 * static_cast<double>(max_bits);
  const std::string need =
      narrowly ? std::to_string(static_cast<std::uint64_t>(std::ceil(bits))) + " bits" : size(bits / 8);
  return {errc::too_large, wish(t) + " need " + need + "; the limit is 128 GiB (2^40 bits)"};
}

}  // namespace detail

error about_target(const target& t, const error& e) {
  if (e.code != errc::no_memory || !e.detail.starts_with("need ")) return e;
  return e.prefixed(detail::wish(t) + " ");
}

result<void> check_fpr(double fpr) {
  if (fpr > 0 && fpr < 1) return {};
  return {errc::invalid_argument, "fpr " + detail::number(fpr) + " is not a probability strictly between 0 and 1"};
}

result<void> check(const target& t) {
  if (t.capacity == 0) return {errc::invalid_argument, "capacity 0 is not a number of keys from 1 up"};
  if (auto fine = check_fpr(t.fpr); !fine) return fine;
  if (const double collisions = equal_digest_fpr(t.capacity); collisions > t.fpr) {
    return {errc::too_large, detail::wish(t) + ": equal 64-bit digests alone give a rate of " +
                                 detail::number(collisions, 3) + ", above the " + detail::number(t.fpr) + " asked for"};
  }
  return {};
}

}  // namespace seen::inline v1::math
