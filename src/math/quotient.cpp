// Quotient filters: rate, and shape for a target. The formulas are explained in math/quotient.hpp.
#include <seen/base/text.hpp>
#include <seen/math/quotient.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace seen::inline v1::math {

double quotient_fpr(std::uint32_t q, std::uint32_t r, std::uint64_t keys) noexcept {
  return -std::expm1(static_cast<double>(keys) * std::log1p(-std::ldexp(1.0, -static_cast<int>(q + r))));
}

double quotient_fpr_bound(std::uint32_t q, std::uint32_t r, std::uint64_t keys) noexcept {
  return std::ldexp(static_cast<double>(keys), -static_cast<int>(q + r));
}

result<void> check_quotient_shape(std::uint64_t q, std::uint64_t r) {
  const auto out_of = [](const char* what, std::uint64_t is, std::uint32_t least, std::uint32_t most) {
    return error{errc::invalid_argument, std::string(what) + " is " + std::to_string(is) + "; it must be from " +
                                             std::to_string(least) + " to " + std::to_string(most)};
  };
  if (q < min_quotient_bits || q > max_quotient_bits) {
    return out_of("quotient-bits", q, min_quotient_bits, max_quotient_bits);
  }
  if (r < 1 || r > max_remainder_bits) return out_of("remainder-bits", r, 1, max_remainder_bits);
  const std::string both = "quotient-bits " + std::to_string(q) + " and remainder-bits " + std::to_string(r);
  if (q + r > 64) return {errc::invalid_argument, both + " are more than the 64 of a digest"};
  const std::uint64_t bytes = quotient_bytes(static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(r));
  if (bytes > max_bits / 8 || bytes > std::size_t(-1) / 2) {
    return {errc::too_large, both + " need " + readable_bytes(static_cast<double>(bytes)) + "; the limit is " +
                                 (bytes > max_bits / 8 ? "128 GiB (2^40 bits)" : "what this machine can address")};
  }
  return {};
}

result<quotient_shape> quotient_shape_for(const target& t, const quotient_shape& wishes) {
  if (auto ok = check(t); !ok) return ok.error();
  const auto fits = [&](std::uint32_t q) { return t.capacity <= quotient_capacity(q); };
  const auto holds = [&](std::uint32_t q, std::uint32_t r) { return quotient_fpr_bound(q, r, t.capacity) <= t.fpr; };

  std::uint32_t q = wishes.quotient_bits, r = wishes.remainder_bits;
  if (q == 0) {
    const std::uint32_t widest = r == 0 ? max_remainder_bits : std::min(r, max_remainder_bits);
    q = min_quotient_bits;
    while (q < max_quotient_bits && (!fits(q) || !holds(q, widest))) ++q;
    if (!fits(q)) {
      const double bits_of_slot = 3.25;  // with the smallest remainder; nothing of that size is to be had anyway
      return detail::too_many_bits(t, static_cast<double>(t.capacity) * bits_of_slot);
    }
  }
  if (r == 0 && q <= max_quotient_bits) {
    r = 1;
    while (r < std::min(max_remainder_bits, 64 - q) && !holds(q, r)) ++r;
  }
  if (auto ok = check_quotient_shape(q, r); !ok) {
    return ok.error().prefixed(detail::wish(t) + ": ");
  }
  if (!fits(q)) {
    return {errc::invalid_argument, detail::wish(t) + ": quotient-bits " + std::to_string(q) + " hold at most " +
                                        std::to_string(quotient_capacity(q)) + " keys"};
  }
  if (!holds(q, r)) {
    return {errc::invalid_argument, detail::wish(t) + ": quotient-bits " + std::to_string(q) + " and remainder-bits " +
                                        std::to_string(r) + " give a rate of " +
                                        readable(quotient_fpr(q, r, t.capacity), 3)};
  }
  return quotient_shape{.quotient_bits = q, .remainder_bits = r};
}

}  // namespace seen::inline v1::math
