// The ribbon filter in numbers: how many slots each layer has.
//
// A key answers with r bits: rate 2^-r, lower bound r bits per key. The rest of a filter is slots without a row, the bits that
// say which buckets were bumped (1/128 of a bit per slot, whatever r), and the last layer's margin.
//
//   layer 0   a·n slots, a < 1: keys compete for slots, and slots are all but full   ┐ one bit for 128 slots says
//   layer 1   the keys that were bumped, in 0.96 slots each                          ┘ whether its first 32 are bumped
//   layer 2   the keys bumped twice; nothing is bumped here, so it is up to a tenth larger than its keys
//
// Share of the keys that layer 0 bumps, and what slots, bits and bumped keys come to, in units of the lower bound (measured
// at 2·10^5 keys, 20 sets; the standard deviation of the number of bumped keys is 0.1 to 0.4·sqrt(n)):
//
//   a            0.93    0.94    0.95    0.96    0.97    0.98    1.00    1.01    1.03    1.04    1.05
//   bumped       7.1 %   6.1 %   5.2 %   4.3 %   3.3 %   2.5 %   1.2 %   0.75 %  0.23 %  0.12 %  0.06 %
//   r = 1        1.008   1.008   1.009   1.009   1.010   1.012   1.020   1.025   1.040   1.049   1.059
//   r = 8        1.002   1.002   1.003   1.003   1.004   1.006   1.013   1.019   1.033   1.042   1.052
//   ns to band   59      57      55      53      50      47      40      37      29      26      23
//
// Wider buckets with a byte each, which is what BuRR's figures for r = 8 suggest, measured 1.14 at r = 1 (2048 slots, the
// widest a byte can pay for); two bits for 256 slots 1.011; one bit for 128 is the best of some forty that were tried.
//
//   setting    a                                           of the bound at 10^6 keys, r = 1 … 32
//   compact    0.93 (r = 1), 0.96 (r = 2), 0.97            1.010, 1.008, 1.007 … 1.005
//   balanced   1.01                                        1.027, 1.023, … 1.019
//   fast       1.04 (r = 1), 1.05                          1.051, 1.056, … 1.052
//
// A last layer of n keys fails with odds that fall e-fold for each percent of room, and rise with n. Room for
// 6.25 % + 0.78 % for each doubling beyond 1024 keys leaves 1 to 5 % of failures, each mended by the next seed (measured up
// to 10^4 keys). Below, n + 1 + n/24 slots: a set of a few keys succeeds with every second seed.
//
// Small sets have one layer with as many slots as it needs, to the slot. From 1024 keys on the layers are the one, two or
// three that come to the fewest slots. Everything is in whole numbers, so that every language comes to the same.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/math/shards.hpp>
#include <seen/math/sizing.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace seen::inline v1 {

/// The purpose a ribbon filter is built for; the bytes differ, the answers' rate does not.
enum class ribbon_setting : std::uint32_t {
  unset = 0,     ///< not chosen: plan takes fast
  compact = 1,   ///< at most 1.01 of the lower bound at 10^6 keys
  balanced = 2,  ///< 1.02 to 1.03
  fast = 3,      ///< at most 1.06: built in two thirds of the time, and few keys are looked for twice
};

namespace math {

/// Slots that share a bump bit.
inline constexpr std::uint64_t ribbon_bucket = 128;
/// Keys that begin in so many of the first slots of a bumped bucket are in the next layer.
inline constexpr std::uint64_t ribbon_bumped_slots = 32;
/// The most fingerprint bits.
inline constexpr std::uint32_t ribbon_max_bits = 32;

/// Slots a key may begin at: a query reads two blocks, so the last 64 slots are not among them. One, in a single block.
[[nodiscard]] constexpr std::uint64_t ribbon_starts(std::uint64_t slots) noexcept {
  return slots > 64 ? slots - 64 : 1;
}
/// How many coefficients of 64 a layer of fewer slots has no slots for.
[[nodiscard]] constexpr std::uint32_t ribbon_drop(std::uint64_t slots) noexcept {
  return slots < 64 ? static_cast<std::uint32_t>(64 - slots) : 0;
}
/// Bytes of a layer's slots.
[[nodiscard]] constexpr std::uint64_t ribbon_layer_bytes(std::uint64_t slots, std::uint32_t bits) noexcept {
  return ceil_div(slots * bits, 8);
}
/// Bytes of the bump bits of a layer, which are read four at a time.
[[nodiscard]] constexpr std::uint64_t ribbon_bump_bytes(std::uint64_t slots) noexcept {
  return 4 * ceil_div(slots, 32 * ribbon_bucket);
}

/// The layers of one shard.
struct ribbon_layers {
  std::array<std::uint64_t, 3> slots{};  ///< 0: there is no such layer
  std::uint32_t bits = 0;                ///< r

  [[nodiscard]] constexpr std::uint32_t count() const noexcept {
    return slots[0] == 0 ? 0 : slots[1] == 0 ? 1 : slots[2] == 0 ? 2 : 3;
  }
  /// True where all layers are whole blocks, and at least two of them: what vectors can be loaded from.
  [[nodiscard]] constexpr bool wide() const noexcept { return slots[0] >= 128 && slots[0] % 64 == 0; }
  [[nodiscard]] constexpr std::uint64_t total() const noexcept { return slots[0] + slots[1] + slots[2]; }
  [[nodiscard]] constexpr std::uint64_t solution_bytes() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t m : slots) sum += ribbon_layer_bytes(m, bits);
    return sum;
  }
  /// The last layer bumps nothing, and has no bits.
  [[nodiscard]] constexpr std::uint64_t bump_bytes() const noexcept {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i + 1 < count(); ++i) sum += ribbon_bump_bytes(slots[i]);
    return sum;
  }

  friend bool operator==(const ribbon_layers&, const ribbon_layers&) = default;
};

/// The largest integer whose square is at most n.
[[nodiscard]] constexpr std::uint64_t integer_sqrt(std::uint64_t n) noexcept {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= n) root |= bit;
  }
  return root;
}

/// The fewest slots of a layer that bumps nothing, to the slot; `keys` ≤ 2^41.
[[nodiscard]] constexpr std::uint64_t ribbon_least_slots(std::uint64_t keys) noexcept {
  if (keys < 1024) return keys + 1 + keys / 24;
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(keys)) - 11;
  return keys + keys * (8 + doublings) / 128;
}

/// Slots of a layer that bumps nothing; `keys` ≤ 2^41. Below 1024 keys as few as it needs, or whole blocks where a filter
/// of this one layer stays within 5/4 of the lower bound, or 64 bytes, with them.
[[nodiscard]] constexpr std::uint64_t ribbon_last_slots(std::uint64_t keys, std::uint32_t bits) noexcept {
  const std::uint64_t least = ribbon_least_slots(keys), whole = round_up(least, 64);
  if (keys >= 1024) return whole;
  const std::uint64_t body = round_up(ribbon_layer_bytes(whole, bits) + 1, 8);
  return whole >= 128 && (body <= 64 || body * 32 <= keys * bits * 5) ? whole : least;
}

namespace detail {

// Slots per key and bumped keys per key, in units of 2^-16; and how many sixteenths of sqrt(keys) may be bumped beyond the mean,
// four to five standard deviations: the next seed bumps other keys for other coefficients, but where keys begin, and so
// how they crowd, stays.
struct ribbon_load {
  std::uint64_t slots;
  std::uint64_t bumped;
  std::uint64_t spread;
};

inline constexpr ribbon_load load_093{60948, 4630, 8}, load_096{62915, 2785, 15}, load_097{63570, 2205, 17},
    load_101{66191, 498, 24}, load_104{68157, 85, 14}, load_105{68813, 43, 12};

[[nodiscard]] constexpr ribbon_load load_of(ribbon_setting setting, std::uint32_t bits) noexcept {
  switch (setting) {
    case ribbon_setting::compact:
      return bits == 1 ? load_093 : bits == 2 ? load_096 : load_097;
    case ribbon_setting::balanced:
      return load_101;
    default:
      return bits == 1 ? load_104 : load_105;
  }
}

// The last 64 slots of a layer begin no row: 32 slots and 16 keys more than the shares say.
[[nodiscard]] constexpr std::uint64_t bumping_slots(std::uint64_t keys, ribbon_load load) noexcept {
  return std::max<std::uint64_t>(128, round_up((keys * load.slots >> 16) + 32, 64));
}
[[nodiscard]] constexpr std::uint64_t bumped_keys(std::uint64_t keys, ribbon_load load, std::uint64_t spread) noexcept {
  return (keys * load.bumped >> 16) + (integer_sqrt(keys) * spread >> 4) + 16;
}
[[nodiscard]] constexpr std::uint64_t whole_last_slots(std::uint64_t keys, std::uint32_t bits) noexcept {
  return std::max<std::uint64_t>(128, round_up(ribbon_last_slots(keys, bits), 64));
}

}  // namespace detail

/// The layers for a shard of `keys` keys, at most 2^40, from 1 up.
[[nodiscard]] constexpr ribbon_layers ribbon_layers_for(std::uint64_t keys, std::uint32_t bits,
                                                        ribbon_setting setting) noexcept {
  ribbon_layers best{{ribbon_last_slots(keys, bits), 0, 0}, bits};
  if (keys < 1024) return best;
  const auto load = detail::load_of(setting, bits);
  const std::uint64_t first = detail::bumping_slots(keys, load),
                      second_keys = detail::bumped_keys(keys, load, load.spread);
  const ribbon_layers two{{first, detail::whole_last_slots(second_keys, bits), 0}, bits};
  if (two.total() < best.total()) best = two;
  // In layer 1 the next seed moves the keys too, so a little room is enough.
  const std::uint64_t third_keys = detail::bumped_keys(second_keys, detail::load_096, 4);
  const ribbon_layers three{
      {first, detail::bumping_slots(second_keys, detail::load_096), detail::whole_last_slots(third_keys, bits)}, bits};
  if (three.total() < best.total()) best = three;
  return best;
}

/// Refuses what is not a ribbon: unknown widths and settings, layers that no query could read, more than 2^40 bits.
result<void> check(const ribbon_layers& l, ribbon_setting setting, std::uint64_t keys, std::uint64_t shards);

}  // namespace math
}  // namespace seen::inline v1
