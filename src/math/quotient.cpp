// Quotient filters: rate, and shape for a target. The formulas are explained in math/quotient.hpp.
#include <seen/base/bits.hpp>
#include <seen/base/text.hpp>
#include <seen/math/quotient.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace seen::inline v1::math {
namespace {

constexpr std::uint64_t too_many = std::numeric_limits<std::uint64_t>::max();

// The fewest blocks that so many keys fill to 0.9: ceil(n/57.6).
std::uint64_t blocks_for_load(std::uint64_t keys) noexcept {
  return keys / 288 * 5 + ceil_div(keys % 288 * 5, 288);
}

// The fewest blocks with n/(64·blocks·2^r) ≤ fpr.
std::uint64_t blocks_for_rate(const target& t, std::uint32_t r) noexcept {
  const double blocks = std::ceil(std::ldexp(static_cast<double>(t.capacity) / t.fpr, -static_cast<int>(6 + r)));
  return blocks < 0x1p63 ? static_cast<std::uint64_t>(blocks) : too_many;
}

}  // namespace

double quotient_fpr(std::uint64_t blocks, std::uint32_t r, std::uint64_t keys) noexcept {
  if (blocks == 0) return keys == 0 ? 0 : 1;
  const double one_of = std::ldexp(1 / static_cast<double>(blocks), -static_cast<int>(6 + r));
  return -std::expm1(static_cast<double>(keys) * std::log1p(-one_of));
}

result<void> check_quotient_shape(std::uint64_t blocks, std::uint64_t r) {
  const auto out_of = [](const char* what, std::uint64_t is, std::uint64_t most) {
    return error{errc::invalid_argument,
                 std::string(what) + " is " + std::to_string(is) + "; it must be from 1 to " + std::to_string(most)};
  };
  if (blocks < 1 || blocks > max_quotient_blocks) return out_of("blocks", blocks, max_quotient_blocks);
  if (r < 1 || r > max_remainder_bits) return out_of("remainder-bits", r, max_remainder_bits);
  const std::string both = "blocks " + std::to_string(blocks) + " and remainder-bits " + std::to_string(r);
  if (blocks >= std::uint64_t{1} << (58 - r)) {
    return {errc::invalid_argument, both + " tell more apart than the 64 bits of a digest"};
  }
  const std::uint64_t bytes = quotient_bytes(blocks, static_cast<std::uint32_t>(r));
  if (bytes > max_bits / 8 || bytes > std::size_t(-1) / 2) {
    return {errc::too_large, both + " need " + readable_bytes(static_cast<double>(bytes)) + "; the limit is " +
                                 (bytes > max_bits / 8 ? "128 GiB (2^40 bits)" : "what this machine can address")};
  }
  return {};
}

result<quotient_shape> quotient_shape_for(const target& t, const quotient_shape& wishes) {
  if (auto ok = check(t); !ok) return ok.error();
  const std::uint64_t for_load = blocks_for_load(t.capacity);
  const auto fewest = [&](std::uint32_t r) { return std::max(for_load, blocks_for_rate(t, r)); };

  quotient_shape found = wishes;
  if (wishes.blocks != 0 && wishes.remainder_bits == 0) {
    found.remainder_bits = 1;
    while (found.remainder_bits < max_remainder_bits && fewest(found.remainder_bits) > wishes.blocks &&
           wishes.blocks < std::uint64_t{1} << (57 - found.remainder_bits)) {
      ++found.remainder_bits;
    }
  } else if (wishes.blocks == 0 && wishes.remainder_bits != 0) {
    found.blocks = fewest(std::min(wishes.remainder_bits, max_remainder_bits));
  } else if (wishes.blocks == 0) {
    double least = std::numeric_limits<double>::infinity();  // bytes of all blocks
    for (std::uint32_t r = 1; r <= max_remainder_bits; ++r) {
      const std::uint64_t blocks = fewest(r);
      if (blocks >= std::uint64_t{1} << (58 - r)) continue;
      const double bytes = static_cast<double>(quotient_blocks(blocks)) * (18 + 8 * r);
      if (bytes < least) {
        least = bytes;
        found = {.blocks = blocks, .remainder_bits = r};
      }
    }
    if (found.blocks == 0) {
      return {errc::invalid_argument, detail::wish(t) + ": fingerprints of 64-bit digests give no rate so low"};
    }
    if (8 * least > static_cast<double>(max_bits)) return detail::too_many_bits(t, 8 * least);
  }
  if (auto ok = check_quotient_shape(found.blocks, found.remainder_bits); !ok) {
    return ok.error().prefixed(detail::wish(t) + ": ");
  }
  if (for_load > found.blocks) {
    return {errc::invalid_argument, detail::wish(t) + ": " + std::to_string(found.blocks) +
                                        (found.blocks == 1 ? " block holds" : " blocks hold") + " at most " +
                                        std::to_string(found.blocks * 576 / 10) + " keys"};
  }
  if (fewest(found.remainder_bits) > found.blocks) {
    return {errc::invalid_argument, detail::wish(t) + ": blocks " + std::to_string(found.blocks) +
                                        " and remainder-bits " + std::to_string(found.remainder_bits) +
                                        " give a rate of " +
                                        readable(quotient_fpr(found.blocks, found.remainder_bits, t.capacity), 3)};
  }
  return found;
}

}  // namespace seen::inline v1::math
