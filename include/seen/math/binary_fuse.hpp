// The binary fuse filter in numbers.
//
// A table of S segments of L = 2^k slots; a key has a slot in each of `arity` segments in a row. Of such a table the middle
// can be peeled up to 0.917 keys per slot with three slots per key, 0.977 with four, as L and S grow [Walzer 2021,
// "Peeling close to the orientability threshold"]: 1.091 and 1.024 slots per key. How many more a finite segment needs was
// measured: with C = S − arity + 1 segments to begin in and b slots per key,
//
//   C ≥ b·n/L − e                  e = 3/8 (three slots), 6/8 (four): the last segments carry some keys of their own
//
// succeeds with the first seed nine times in ten at C near 110. Segments must not be too short either: with three slots
// two keys have all of them in common with odds near 0.44·n/L², hence n ≤ L²/9 (with four other small knots, n ≤ L²/2); and beyond
// n = 256·L b was not measured for k < 14. From k = 14 on b hardly falls any more, and is kept the same: then the shortest segment
// is taken that n ≤ L² allows, since the window in which a table is built grows with L. (At 2·10^7 keys one of k = 18 takes four times
// as long to build as one of k = 14, and is 0.4 % smaller at best.) One segment to begin in (C = 1: a key's slots lie anywhere in three or four blocks) needs
// 1.23 or 1.30 slots per key and some, and is the best of small tables whose n is just below what L carries.
//
//   k              0  1  2  3  4  5   6   7   8    9   10   11    12 │  3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18
//   n at C = 1     at most                                           │  b in thousandths
//   three slots    –  1  3 10 23 61 137 292 598 1218 2463 4962  9960 │ 2200 1680 1150 1190 1185 1180 1172 1155 1135 1125 1115 1114 …
//   four slots     –  2  6 18 41 88 184 376 763 1548 3110 6252 12552 │ 1400 1370 1270 1220 1175 1142 1114 1090 1072 1062 1052 1052 …
//
// Planned is the k with the fewest slots, the smaller where two have as many. [Graf & Lemire 2022] take
// L = 2^floor(ln n/ln 3.33 + 2.25) and max(1.125, 0.875 + 0.25·ln 10^6/ln n) slots per key (four: 2^floor(ln n/ln 2.91 − 0.5),
// max(1.075, 0.77 + 0.305·ln(6·10^5)/ln n)), rounded up to whole segments. Ours are 0 to 6 % smaller from 10^4 to 10^5 keys, within 1 %
// at 10^6, and 1 to 2 % smaller beyond 10^7; L is half of theirs or less, so that a build is more at home in the cache; and there is no n like
// 11461 … 11521 at which the first seed fails one time in three. The first seed succeeds 85 to 100 times of 100 (measured: 300 sets
// at each of 113 sizes from 1 to 30,000, 10 at each of 20 up to 4.4 million).
#pragma once

#include <seen/base/bits.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::math {

/// The shortest segment, and the longest: offsets have at least one bit, and three of them are taken from one product.
inline constexpr std::uint64_t min_segment_length = 2;
inline constexpr std::uint64_t max_segment_length = std::uint64_t{1} << 18;

/// The table of one shard.
struct binary_fuse_shape {
  std::uint64_t segment_length = 0;  ///< slots, a power of two
  std::uint64_t segments = 0;        ///< from arity up; 0 for no keys

  friend bool operator==(const binary_fuse_shape&, const binary_fuse_shape&) = default;
};

namespace detail {

// These were measured; see the top of this file.
struct fuse_sizing {
  std::array<std::uint32_t, 13> single;     // keys at C = 1, by k
  std::array<std::uint32_t, 19> per_mille;  // b by k; 0: too short for any
  std::uint64_t eighths;                    // e
  std::uint64_t crowd;                      // n is at most L²/crowd
};
inline constexpr fuse_sizing fuse_sizing_3{.single = {0, 1, 3, 10, 23, 61, 137, 292, 598, 1218, 2463, 4962, 9960},
                                           .per_mille = {0, 0, 0, 2200, 1680, 1150, 1190, 1185, 1180, 1172, 1155, 1135,
                                                         1125, 1115, 1114, 1114, 1114, 1114, 1114},
                                           .eighths = 3,
                                           .crowd = 9};
inline constexpr fuse_sizing fuse_sizing_4{.single = {0, 2, 6, 18, 41, 88, 184, 376, 763, 1548, 3110, 6252, 12552},
                                           .per_mille = {0, 0, 0, 1400, 1370, 1270, 1220, 1175, 1142, 1114, 1090, 1072,
                                                         1062, 1052, 1052, 1052, 1052, 1052, 1052},
                                           .eighths = 6,
                                           .crowd = 2};

}  // namespace detail

/// The table for `keys` < 2^32 keys, `arity` 3 or 4, enlarged `growth` times by a sixteenth.
[[nodiscard]] constexpr binary_fuse_shape binary_fuse_shape_for(std::uint32_t arity, std::uint64_t keys,
                                                                unsigned growth = 0) noexcept {
  if (keys == 0) return {};
  const detail::fuse_sizing& sizing = arity == 3 ? detail::fuse_sizing_3 : detail::fuse_sizing_4;
  binary_fuse_shape best;
  for (std::size_t k = 0; k < sizing.per_mille.size(); ++k) {
    const std::uint64_t length = std::uint64_t{1} << k;
    std::uint64_t begins = 0;
    if (k < sizing.single.size() && keys <= sizing.single[k]) {
      begins = 1;
    } else if (sizing.per_mille[k] != 0 && (k >= 14 || keys <= 256 * length) &&
               keys <= length * length / sizing.crowd) {
      const std::uint64_t slots = ceil_div(keys * sizing.per_mille[k], 1000), spared = length * sizing.eighths / 8;
      begins = std::max<std::uint64_t>(2, ceil_div(slots - std::min(slots, spared), length));
    } else {
      continue;
    }
    const binary_fuse_shape found{length, begins + arity - 1};
    if (best.segments == 0 || found.segments * length < best.segments * best.segment_length) best = found;
  }
  best.segments += growth * ceil_div(best.segments, 16);
  return best;
}

}  // namespace seen::inline v1::math
