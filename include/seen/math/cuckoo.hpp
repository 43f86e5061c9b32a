// The cuckoo filter in numbers.
//
// A key has a fingerprint of f bits in one of two buckets of b slots. An absent key meets at most 2b fingerprints and
// equals each with probability 2^-f:
//
//   rate ≤ 1 − (1 − 2^-f)^(2b) ≤ 2b/2^f,  bits a key = f/load       [Fan, Andersen, Kaminsky, Mitzenmacher 2014]
//   f = ceil(log2(2b/p)): 10 bits at 1 % (10.5 a key at a load of 95 %), 13 at 0.1 % (13.7)
//
// Limits: a fingerprint takes all 2^f values here; where 0 marks an empty slot it is one in 2^f − 1.
#pragma once

#include <cmath>
#include <cstdint>

namespace seen {
inline namespace v1 {
namespace math {

/// The textbook bound 2b/2^f, for a full table.
[[nodiscard]] inline double cuckoo_fpr_bound(std::uint32_t slots, std::uint32_t fingerprint_bits) noexcept {
  return std::ldexp(2.0 * slots, -static_cast<int>(fingerprint_bits));
}

/// The rate when a share `load` of the slots is taken: 1 − (1 − 2^-f)^(2b·load).
[[nodiscard]] inline double cuckoo_fpr(std::uint32_t slots, std::uint32_t fingerprint_bits, double load) noexcept {
  if (load <= 0) return 0;
  return -std::expm1(2.0 * slots * load * std::log1p(-std::ldexp(1.0, -static_cast<int>(fingerprint_bits))));
}

/// The fewest fingerprint bits with 2b/2^f ≤ fpr, for 0 < fpr; exact, without a logarithm.
[[nodiscard]] inline std::uint32_t cuckoo_fingerprint_bits(double fpr, std::uint32_t slots) noexcept {
  int bits = 0;
  while (std::ldexp(fpr, bits) < 2.0 * slots) ++bits;
  return static_cast<std::uint32_t>(bits);
}

/// The bits a key at a load: f/load.
[[nodiscard]] inline double cuckoo_bits_per_key(std::uint32_t fingerprint_bits, double load) noexcept {
  return fingerprint_bits / load;
}

}  // namespace math
}  // namespace v1
}  // namespace seen
