// Checks a target, and says why one cannot be met. The formulas are explained in math/sizing.hpp.
#include <seen/base/text.hpp>
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

std::string wish(const target& t) {
  return exactly(t.capacity) + (t.capacity == 1 ? " key" : " keys") + " at fpr " + exactly(t.fpr);
}

error too_many_bits(const target& t, double bits) {
  // Three digits do not tell a size just past the limit from the limit.
  const bool narrowly = bits < 1.01 * static_cast<double>(max_bits);
  const std::string need =
      narrowly ? std::to_string(static_cast<std::uint64_t>(std::ceil(bits))) + " bits" : readable_bytes(bits / 8);
  return {errc::too_large, wish(t) + " need " + need + "; the limit is 128 GiB (2^40 bits)"};
}

}  // namespace detail

error about_target(const target& t, const error& e) {
  return e.bytes == 0 ? e : e.prefixed(detail::wish(t) + " ");
}

result<void> check_fpr(double fpr) {
  if (fpr > 0 && fpr < 1) return {};
  return {errc::invalid_argument, "fpr " + exactly(fpr) + " is not a probability strictly between 0 and 1"};
}

result<void> check_given_fpr(double fpr) {
  return fpr == 0 ? result<void>() : check_fpr(fpr);
}

result<void> check(const target& t) {
  if (t.capacity == 0) return {errc::invalid_argument, "capacity 0 is not a number of keys from 1 up"};
  if (auto fine = check_fpr(t.fpr); !fine) return fine;
  if (const double collisions = equal_digest_fpr(t.capacity); collisions > t.fpr) {
    return {errc::too_large, detail::wish(t) + ": equal 64-bit digests alone give a rate of " +
                                 readable(collisions, 3) + ", above the " + exactly(t.fpr) + " asked for"};
  }
  return {};
}

}  // namespace seen::inline v1::math
