// Shards: a static filter in equal parts, which are built one by one and asked as one.
//
//   digest d ── d·S ──┬── high half: its shard s                  body  [ tables of the kind ][ one seed byte a shard ]
//                     └── low half: inner digest x                        S times the same size
//                           ├── x                             ──► where to look: monotone, so sorted digests build in order
//                           └── (x ^ x >> 32)·M(seed of s) ──┬─► low half: offsets, coefficients
//                                                            └─► high half: fingerprint
//
// A key's shard takes the high bits of its digest, so that the shard's own tables must not use them again: the low half
// of the product has what is left, spread over 64 bits once more. One shard is the filter itself: x = d, and the product
// is spared.
//
// A shard whose keys cannot be arranged is tried again with its next seed. The seed changes the multiplier M and with it
// everything that is drawn from the product; where to look stays, and with it the order of the digests. The two halves
// of one 128-bit product are enough for everything a lookup draws beyond its place: digests are hashes already, and the
// middle of the product (the low bits of the high half) depends on every bit of x.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace seen {
inline namespace v1 {
namespace detail {

/// M of a seed: odd, and for two seeds far apart, so that digests near one another are drawn apart by the next one. (With
/// steps of 8 two of 10^8 that share all their slots would share them with every seed.) The constants are part of the file
/// format: the classic filter's multiplier [Steele & Vigna 2022] and, made even, 2^64 over the golden ratio [Knuth 1973, 6.4].
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t seed_multiplier(std::uint8_t seed) noexcept {
  return 0xf1357aea2e62a9c5 + seed * std::uint64_t{0x9e3779b97f4a7c14};
}

/// A digest as its shard sees it.
struct shard_digest {
  std::uint64_t shard = 0;
  std::uint64_t inner = 0;       ///< x: says where
  std::uint64_t multiplier = 0;  ///< M of the shard's seed

  /// (x ^ x >> 32)·M in two halves; the low bits of the high one are the fingerprint.
  struct halves {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };
  /// Both at once: where a product has 128 bits it is one multiplication, which the compiler does not see in two.
  [[nodiscard, gnu::always_inline]] halves product() const noexcept {
    const std::uint64_t mixed = inner ^ inner >> 32;
#ifdef __SIZEOF_INT128__
    const uint128 both = static_cast<uint128>(mixed) * multiplier;
    return {static_cast<std::uint64_t>(both), static_cast<std::uint64_t>(both >> 64)};
#else
    return {mixed * multiplier, mulhi(mixed, multiplier)};
#endif
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t low() const noexcept {
    return product().low;
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t high() const noexcept {
    return product().high;
  }
};

/// The shard of a digest, of `shards` in all.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t shard_of(std::uint64_t digest,
                                                                   std::uint64_t shards) noexcept {
  return mulhi(digest, shards);
}
/// What is left of the digest for the shard; monotone within one shard.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t inner_of(std::uint64_t digest,
                                                                   std::uint64_t shards) noexcept {
  return digest * shards;
}

/// Bytes of a body: tables and seeds in whole words; the empty filter has one word, so that it is something.
[[nodiscard]] constexpr std::uint64_t shard_body_bytes(std::uint64_t table_bytes, std::uint64_t shards) noexcept {
  return std::max<std::uint64_t>(8, round_up(table_bytes + shards, 8));
}

/// Finds the shard of a digest, among `shards`. Out-of-order hardware looks as many keys ahead as their instructions fit
/// its window: in tables beyond the cache each one that is spared here shows.
struct shard_locator {
  const std::byte* seeds = nullptr;  ///< one a shard
  std::uint64_t shards = 0;

  [[nodiscard, gnu::always_inline]] shard_digest operator()(digest d) const noexcept {
#ifdef __SIZEOF_INT128__
    const uint128 both = static_cast<uint128>(d.value) * shards;
    const auto shard = static_cast<std::uint64_t>(both >> 64), inner = static_cast<std::uint64_t>(both);
#else
    const std::uint64_t shard = shard_of(d.value, shards), inner = inner_of(d.value, shards);
#endif
    return {shard, inner, seed_multiplier(std::to_integer<std::uint8_t>(seeds[shard]))};
  }
};

/// A piece of the body.
struct body_piece {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// How many keys there are and how they fall into shards.
struct shard_counts {
  std::uint64_t keys = 0;     ///< different digests, of all shards together
  std::uint64_t shards = 0;   ///< 0 where there are no keys
  std::uint64_t largest = 0;  ///< keys of the fullest shard

  friend bool operator==(const shard_counts&, const shard_counts&) = default;
};

}  // namespace detail
}  // namespace v1
}  // namespace seen
