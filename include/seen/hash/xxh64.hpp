// XXH64, the hash of Apache Parquet's split-block filters (seed 0). For anything new XXH3 is faster on short keys.
//
// Bytes go to the xxHash library (Yann Collet, BSD-2), inlined. An integer is a key of exactly 8 bytes, one round and the
// finish; written out, the compiler makes vectors of many of them:
//
//   h = (s + P5 + 8) ^ rotl(value·P2, 31)·P1               s: the seed;  Pi: XXH64's primes
//   h = rotl(h, 27)·P1 + P4
//   h = (h ^ h >> 33)·P2;  h = (h ^ h >> 29)·P3;  h ^= h >> 32
#pragma once

#include <seen/hash/hash.hpp>
#include <seen/hash/xxh3.hpp>  // brings in <xxhash.h>

#include <bit>
#include <cstdint>
#include <span>

namespace seen::inline v1 {

/// XXH64 with a 64-bit seed.
class xxh64 {
 public:
  static constexpr hash_id id = hash_id::xxh64;
  static constexpr bool is_keyed = false;
  static constexpr bool is_avalanching = true;
  using digest_type = digest;

  constexpr explicit xxh64(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  [[nodiscard]] digest operator()(bytes_view key) const noexcept {
    return digest(XXH64(key.data(), key.size(), seed_));
  }

  [[nodiscard]] constexpr digest operator()(integer_key key) const noexcept {
    constexpr std::uint64_t p1 = 0x9e37'79b1'85eb'ca87, p2 = 0xc2b2'ae3d'27d4'eb4f, p3 = 0x1656'67b1'9e37'79f9;
    constexpr std::uint64_t p4 = 0x85eb'ca77'c2b2'ae63, p5 = 0x27d4'eb2f'1656'67c5;
    std::uint64_t h = (seed_ + p5 + 8) ^ (std::rotl(key.value * p2, 31) * p1);  // 8: the length of the key
    h = std::rotl(h, 27) * p1 + p4;
    h = (h ^ (h >> 33)) * p2;
    h = (h ^ (h >> 29)) * p3;
    return digest(h ^ (h >> 32));
  }

  /// Hashes the integer keys[i] (in 64-bit two's complement) to digests[i], with the vectors the machine has.
  void hash_many(std::span<const std::uint64_t> keys, std::span<digest> digests) const noexcept;

  [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }

  [[nodiscard]] static result<xxh64> restore(const hash_identity& stored, const secret* given) {
    return restore_hash<xxh64>(stored, given);
  }

 private:
  std::uint64_t seed_;
};

static_assert(hash_function<xxh64>);

}  // namespace seen::inline v1
