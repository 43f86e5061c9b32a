// Fingerprint bits and their rates; the width of slots, and what a table of them may be. The formulas are explained in math/fingerprints.hpp.
#include <seen/base/text.hpp>
#include <seen/math/fingerprints.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace seen::inline v1::math {

double fingerprint_fpr(std::uint32_t bits) noexcept {
  return std::ldexp(1.0, -static_cast<int>(bits));
}

double fingerprint_model_fpr(std::uint32_t bits, std::uint64_t keys) noexcept {
  return keys == 0 ? 0 : fingerprint_fpr(bits) + equal_digest_fpr(keys);
}

std::uint32_t fingerprint_bits(double fpr) noexcept {
  int bits = 0;
  while (std::ldexp(fpr, bits) < 1) ++bits;
  return static_cast<std::uint32_t>(bits);
}

result<std::uint32_t> slot_width_for(const target& t, std::uint32_t wished) {
  if (auto fine = check(t); !fine) return fine.error();
  if (wished != 0 && !is_slot_width(wished)) {
    return {errc::invalid_argument, "fingerprint-bits is " + std::to_string(wished) + "; it must be 8, 16 or 32"};
  }
  if (wished != 0) return wished;
  for (const std::uint32_t width : slot_widths) {
    if (fingerprint_fpr(width) <= t.fpr) return width;
  }
  constexpr std::uint32_t most = slot_widths.back();
  return {errc::invalid_argument, detail::wish(t) + ": fingerprints of " + std::to_string(most) +
                                      " bits give no rate below " + readable(fingerprint_fpr(most), 3)};
}

result<void> check_slot_tables(std::uint64_t keys, std::uint64_t width, std::uint64_t shards, std::uint64_t slots) {
  if (!is_slot_width(width)) {
    return {errc::invalid_argument, "fingerprint-bits is " + std::to_string(width) + "; it must be 8, 16 or 32"};
  }
  if (!is_shard_count(shards)) {
    return {errc::invalid_argument,
            "shards is " + std::to_string(shards) + "; it must be a power of two, at most 2^24"};
  }
  if ((keys == 0) != (shards == 0) || (keys == 0) != (slots == 0)) {
    return {errc::invalid_argument, std::to_string(keys) + " keys in " + std::to_string(shards) + " shards of " +
                                        std::to_string(slots) + " slots; all three are 0, or none is"};
  }
  if (slots > max_shard_slots) {
    return {errc::too_large, "a shard of " + std::to_string(slots) + " slots; it must have fewer than 2^32"};
  }
  const std::uint64_t bytes = slots * (width / 8) * shards;
  if (bytes > std::min<std::uint64_t>(max_bits / 8, std::numeric_limits<std::size_t>::max() / 2)) {
    return {errc::too_large, std::to_string(shards) + " shards of " + std::to_string(slots) + " slots of " +
                                 std::to_string(width) +
                                 " bits are more than 2^40 bits, or than this machine can address"};
  }
  if (keys > slots * shards) {
    return {errc::invalid_argument,
            std::to_string(keys) + " keys do not fit " + std::to_string(slots * shards) + " slots"};
  }
  return {};
}

}  // namespace seen::inline v1::math
