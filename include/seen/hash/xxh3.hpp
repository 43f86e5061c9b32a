// XXH3-64: about 2 ns for short keys, passes every test we have, and everyone has it. The default hash is XXH3 but for
// keys of 8 bytes (hash/xxh3_fold.hpp).
//
// Bytes go to the xxHash library (Yann Collet, BSD-2), inlined. Integers take a path of their own: of XXH3's many
// branches a key of exactly 8 bytes always meets the same one, and with the length known it is two multiplications:
//
//   x = rotl(value, 32) ^ (F − s)          F: words 1 and 2 of XXH3's default secret, xored
//   x ^= rotl(x, 49) ^ rotl(x, 24)         s: the seed, with its byte-reversed low half xored into its high half
//   x *= M;  x ^= (x >> 35) + 8            F − s does not depend on the key: computed once, in the constructor
//   x *= M;  x ^= x >> 28
//
// The compiler vectorises it, and it equals XXH3_64bits_withSeed over the 8 little-endian bytes for every seed.
// XXH3 is not a keyed hash: a secret seed does not stop an adversary. Use SipHash for that.
#pragma once

#include <seen/hash/hash.hpp>

#ifdef XXH_INLINE_ALL
#include <xxhash.h>
#else
#define XXH_INLINE_ALL
#include <xxhash.h>
#undef XXH_INLINE_ALL
#endif

#include <bit>
#include <cstdint>
#include <span>

namespace seen::inline v1 {

/// XXH3-64 with a 64-bit seed.
class xxh3_64 {
 public:
  static constexpr hash_id id = hash_id::xxh3_64;
  static constexpr bool is_keyed = false;
  static constexpr bool is_avalanching = true;
  using digest_type = digest;

  constexpr explicit xxh3_64(std::uint64_t seed = 0) noexcept : seed_(seed), flip_(secret_words_1_2 - folded(seed)) {}

  [[nodiscard]] digest operator()(bytes_view key) const noexcept {
    return digest(XXH3_64bits_withSeed(key.data(), key.size(), seed_));
  }

  [[nodiscard]] constexpr digest operator()(integer_key key) const noexcept {
    constexpr std::uint64_t multiplier = 0x9fb2'1c65'1e98'df25;  // XXH3's PRIME_MX2
    std::uint64_t x = std::rotl(key.value, 32) ^ flip_;
    x ^= std::rotl(x, 49) ^ std::rotl(x, 24);
    x *= multiplier;
    x ^= (x >> 35) + 8;  // 8: the length of the key
    x *= multiplier;
    return digest(x ^ (x >> 28));
  }

  /// Hashes the integer keys[i] (in 64-bit two's complement) to digests[i], with the vectors the machine has.
  void hash_many(std::span<const std::uint64_t> keys, std::span<digest> digests) const noexcept;

  [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }

  [[nodiscard]] static result<xxh3_64> restore(const hash_identity& stored, const secret* given) {
    return restore_hash<xxh3_64>(stored, given);
  }

 private:
  // Bytes 8..15 and 16..23 of XXH3's default secret as little-endian words, xored.
  static constexpr std::uint64_t secret_words_1_2 = 0x1cad'21f7'2c81'017c ^ 0xdb97'9083'e96d'd4de;

  static constexpr std::uint64_t folded(std::uint64_t seed) noexcept {
    return seed ^ (std::uint64_t{byteswap(static_cast<std::uint32_t>(seed))} << 32);
  }

  std::uint64_t seed_;
  std::uint64_t flip_;
};

static_assert(hash_function<xxh3_64>);

}  // namespace seen::inline v1
