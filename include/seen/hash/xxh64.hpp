// XXH64, the hash of Apache Parquet's split-block filters (seed 0). For anything new XXH3 is faster on short keys.
// The function is the xxHash library's (Yann Collet, BSD-2), inlined.
#pragma once

#include <seen/hash/hash.hpp>
#include <seen/hash/xxh3.hpp>  // brings in <xxhash.h>

#include <cstdint>

namespace seen {
inline namespace v1 {

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

  [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }

  [[nodiscard]] static result<xxh64> restore(const hash_identity& stored, const secret* key) {
    return restore_hash<xxh64>(stored, key);
  }

 private:
  std::uint64_t seed_;
};

static_assert(hash_function<xxh64>);

}  // namespace v1
}  // namespace seen
