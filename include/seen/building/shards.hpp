// Shards: a static filter in equal parts, which are built one by one and asked as one.
//
//   digest d ──┬── top b bits: its shard s, of S = 2^b      body  [ tables of the kind ][ one seed byte per shard ]
//              ├── d times a number of places, high half           S times the same size
//              │     ──► where to look: monotone, so sorted digests build in order
//              └── d·M(seed of s) ──┬─► low half: offsets, coefficients
//                                   └─► high half, of it the low bits: fingerprint, one more offset
//
// A shard has an S-th of all places. S is a power of two so that one product, d·(places of all), gives the shard and
// the place in it.
//
// A shard whose keys cannot be arranged is tried again with its next seed. The seed changes the multiplier M and with
// it everything that is drawn from the product. The place stays, and with it the order of the digests. One 128-bit
// product is enough for all that a lookup draws beyond its place: digests are hashes already, and the numbers drawn,
// the top of the low half and the bottom of the high half, lie in the middle of the product and depend on every bit of
// d.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::building {

/// The same value, which the compiler now takes as it is and in a register: g++ 12 shifts half of a 128-bit product by
/// way of memory, and takes sums of addresses apart.
template <class T>
[[nodiscard, gnu::always_inline]] inline T in_register(T value) noexcept {
  asm("" : "+r"(value));
  return value;
}

/// M of a seed: odd, and for two seeds far apart, so that digests near one another are drawn apart by the next one.
/// (With steps of 8 two of 10^8 that share all their slots would share them with every seed.) The constants are part of
/// the file format: the classic filter's multiplier [Steele & Vigna 2022] and, made even, 2^64 over the golden ratio
/// [Knuth 1973, 6.4].
[[nodiscard]] constexpr std::uint64_t seed_multiplier(std::uint8_t seed) noexcept {
  return 0xf1357aea2e62a9c5 + seed * std::uint64_t{0x9e3779b97f4a7c14};
}
/// All of them: looking one up is cheaper than computing it.
inline constexpr std::array<std::uint64_t, 256> seed_multipliers = [] {
  std::array<std::uint64_t, 256> all{};
  for (std::size_t seed = 0; seed < all.size(); ++seed) all[seed] = seed_multiplier(static_cast<std::uint8_t>(seed));
  return all;
}();

/// A digest as its shard sees it.
struct shard_digest {
  std::uint64_t shard = 0;
  std::uint64_t value = 0;       ///< d
  std::uint64_t multiplier = 0;  ///< M of the shard's seed

  /// d·M in two halves; the low bits of the high one are the fingerprint.
  struct halves {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };
  /// Both at once: where a product has 128 bits it is one multiplication, which the compiler does not see in two.
  [[nodiscard, gnu::always_inline]] halves product() const noexcept {
#ifdef __SIZEOF_INT128__
    const uint128 both = static_cast<uint128>(value) * multiplier;
    return {in_register(static_cast<std::uint64_t>(both)), static_cast<std::uint64_t>(both >> 64)};
#else
    return {value * multiplier, mulhi(value, multiplier)};
#endif
  }
};

/// The shard of a digest, of `shards` in all: a power of two.
[[nodiscard]] constexpr std::uint64_t shard_of(std::uint64_t digest, std::uint64_t shards) noexcept {
  return mulhi(digest, shards);
}
/// Bytes of a body: tables and seeds in whole words. The empty filter has one word, so that its body is not empty.
[[nodiscard]] constexpr std::uint64_t shard_body_bytes(std::uint64_t table_bytes, std::uint64_t shards) noexcept {
  return std::max<std::uint64_t>(8, round_up(table_bytes + shards, 8));
}

// Where the digests of a batch lie. `are_several`: each says its shard; `is_first`: all are of the only shard;
// `are_sorted`: they ascend, so that neighbours touch the same lines and none need be asked for.

/// Finds the shard of a digest among several.
struct shard_locator {
  static constexpr bool are_several = true, is_first = false, are_sorted = false;
  const std::uint64_t* multipliers = nullptr;  ///< one per shard: seeds are not looked at per key
  std::uint32_t shift = 0;                     ///< 64 - b, b being at least 1

  [[nodiscard, gnu::always_inline]] shard_digest operator()(digest d) const noexcept {
    const std::uint64_t shard = d.value >> shift;
    return {shard, d.value, multipliers[shard]};
  }
};

/// Everything is in the only shard, whose multiplier is known.
struct lone_shard {
  static constexpr bool are_several = false, is_first = true, are_sorted = false;
  std::uint64_t multiplier = 0;

  [[nodiscard, gnu::always_inline]] shard_digest operator()(digest d) const noexcept {
    return {0, d.value, multiplier};
  }
};

/// All digests are of one shard, as the builder has them.
struct own_shard {
  static constexpr bool are_several = false, is_first = false, are_sorted = true;
  std::uint64_t shard = 0;
  std::uint64_t multiplier = 0;

  [[nodiscard, gnu::always_inline]] shard_digest operator()(digest d) const noexcept {
    return {shard, d.value, multiplier};
  }
};

/// A piece of the body.
struct body_piece {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

}  // namespace seen::inline v1::building
