// Fingerprint bits and their rates. The formulas are explained in math/fingerprints.hpp.
#include <seen/math/fingerprints.hpp>

#include <cmath>
#include <cstdint>

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

}  // namespace seen::inline v1::math
