// The portable lab format's own sizing: its document's formula to the last bit, in integers.
//
//   m = ceil(−n·ln p/(ln 2)²)                k = round(m/n·ln 2), at most 30, at least 1
//
// It is bloom_shape_for but for two things. The document caps k and leaves m as it is, where a native filter grows until
// the rate holds: beyond p = 2^-30.5 the rate is missed, and so it is above 2^-0.5, where k would be 0. (A file of no
// probes says yes to everything, and no reader takes one.) And m is the formula's for any n, where native sizes may be a
// bit larger, since they count bits per key in units of 2^-40.
//
// The formula is never a whole number: n·log2(1/p)/ln 2 is irrational for every double p. So its ceiling is well defined, and
// here it takes no logarithm of a library, whose last bit differs between machines:
//
//   p ≤ 1/2     log2(1/p) to 53 digits after the point by squaring (log2_digits, math/sizing.hpp)
//   p > 1/2     d = 1 − p is exact. d ← 2d − d² squares p; s times, until d ≥ 1/2: log2(1/p) = log2(1/(1 − d))/2^s. d has 64
//               significant digits throughout, so a p next to 1 loses none.
//
// The relative error is below 2^-51, like that of the formula in doubles: the result is the formula's ceiling, and so is that of
// any other careful program, unless the formula is closer than m·2^-50 to a whole number. That happens to one target in 10^5
// at 2^32 bits and to one in 10^8 at 10^7 bits; two programs may then differ by one bit. Nothing depends on it, since the
// file holds m.
#pragma once

#include <seen/math/bloom.hpp>

#include <cstdint>

namespace seen::inline v1::math {

/// Bits and probes of a portable filter for a target, as the format's document has them. Refuses what is no target, and more
/// than max_portable_bits; not a rate that equal digests alone exceed.
[[nodiscard]] result<bloom_shape> portable_shape_for(const target& t);

}  // namespace seen::inline v1::math
