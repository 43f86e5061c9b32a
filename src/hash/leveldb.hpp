// The hash of LevelDB's Bloom filters, a Murmur of 32 bits, and RocksDB's copy of it.
//
//   h = seed ^ length·M                          M = 0xc6a4a793
//   4 bytes ─► w (little-endian): h = (h + w)·M;  h ^= h >> 16
//   the last 1..3 bytes: h = (h + b0 + b1·2^8 + b2·2^16)·M;  h ^= h >> 24
//
// RocksDB's copy takes the last bytes for signed: from 0x80 up they count 256 less. So the two differ only for a key that
// is not a whole number of words and ends in such a byte.
#pragma once

#include <seen/hash/hash.hpp>

#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

namespace detail {

/// Tail is what a byte of the tail is taken for.
template <class Tail>
[[nodiscard]] inline std::uint32_t leveldb_hash(bytes_view key, std::uint32_t seed) noexcept {
  constexpr std::uint32_t multiplier = 0xc6a4'a793;
  const std::byte* at = key.data();
  std::size_t left = key.size();
  std::uint32_t h = seed ^ static_cast<std::uint32_t>(key.size() * multiplier);
  for (; left >= 4; at += 4, left -= 4) {
    h = (h + load_le<std::uint32_t>(at)) * multiplier;
    h ^= h >> 16;
  }
  if (left == 0) return h;
  for (std::size_t i = 0; i < left; ++i) h += static_cast<std::uint32_t>(static_cast<Tail>(at[i])) << (8 * i);
  h *= multiplier;
  return h ^ (h >> 24);
}

}  // namespace detail

/// LevelDB's hash.
[[nodiscard]] inline std::uint32_t leveldb_32(bytes_view key, std::uint32_t seed) noexcept {
  return detail::leveldb_hash<std::uint8_t>(key, seed);
}

/// RocksDB's, whose last bytes are signed.
[[nodiscard]] inline std::uint32_t rocksdb_32(bytes_view key, std::uint32_t seed) noexcept {
  return detail::leveldb_hash<std::int8_t>(key, seed);
}

/// The seed that the Bloom filters of both hash with.
inline constexpr std::uint32_t leveldb_bloom_seed = 0xbc9f'1d34;

}  // namespace seen::inline v1
