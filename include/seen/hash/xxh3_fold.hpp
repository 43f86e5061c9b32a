// XXH3 with a path of its own for keys of 8 bytes, integers among them: the default hash.
//
//   8 bytes, or an integer x     d = fold(x ^ s, G) · C         fold(a, b): the low and the high half of a·b, xored
//   anything else                XXH3-64 with the seed          s: splitmix64(seed);  G: 2^64 over the golden ratio
//
// The path is a 128-bit product, an xor and a multiplication: a third of XXH3's instructions for 8 bytes. Of a single
// lookup in the cache XXH3 was half, so every kind is faster with it. It is the same for the bytes of an integer as for
// the integer, so that 42 and its 8 little-endian bytes are one key in every language.
//
// What it is good for, and what not. The high half of the product carries every bit of the key down, the multiplication
// carries it up; s keeps 0 from being the key whose digest is 0. On sequences, strides, pairs, pointers, doubles, times,
// addresses and text of 8 bytes every kind's rate is that of the model (tests/rates/structured_test.cpp). The *lowest*
// bits of the digest are those of the fold alone: as evenly spread as others, but not independent of the highest ones.
// Index rules take their bits from above or from a product (docs/hashes.md). It does not flip every bit half the time, and
// like XXH3 it is not keyed: whoever may choose the keys can find some that meet. Use SipHash against strangers.
#pragma once

#include <seen/hash/hash.hpp>
#include <seen/hash/xxh3.hpp>

#include <concepts>
#include <cstdint>
#include <span>

namespace seen::inline v1 {

/// XXH3-64 but for keys of 8 bytes and integers, which take one folded product: the default hash of every filter.
class xxh3_fold {
 public:
  static constexpr hash_id id = hash_id::xxh3_fold;
  static constexpr bool is_keyed = false;
  static constexpr bool is_avalanching = false;  // text is; integers reach every bit, but not half the time
  using digest_type = digest;

  constexpr explicit xxh3_fold(std::uint64_t seed = 0) noexcept : seed_(seed), flip_(splitmix64(seed)) {}

  [[nodiscard]] digest operator()(bytes_view key) const noexcept {
    if (key.size() == 8) return (*this)(integer_key{load_le<std::uint64_t>(key.data())});
    if (seed_ == 0) return digest(XXH3_64bits(key.data(), key.size()));  // a constant secret: a tenth faster (Zen 5)
    return digest(XXH3_64bits_withSeed(key.data(), key.size(), seed_));
  }

  [[nodiscard]] constexpr digest operator()(integer_key key) const noexcept {
    return digest(folded_product(key.value ^ flip_, golden) * multiplier);
  }

  /// The same by products of 32 bits, of which compilers make vectors.
  [[nodiscard]] constexpr digest in_halves(integer_key key) const noexcept {
    constexpr std::uint64_t low = 0xffff'ffff, g0 = golden & low, g1 = golden >> 32;
    const std::uint64_t x = key.value ^ flip_, x0 = x & low, x1 = x >> 32;
    const std::uint64_t b = x1 * g0 + (x0 * g0 >> 32), c = x0 * g1 + (b & low);
    return digest((x * golden ^ (x1 * g1 + (b >> 32) + (c >> 32))) * multiplier);
  }

  /// Many integers at once, by vectors where the machine has a multiplication of 64-bit lanes.
  void hash_many(std::span<const std::uint64_t> keys, std::span<digest> digests) const noexcept;

  [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }

  /// The sentence alone would not tell it from XXH3: its first eight characters take the other path.
  [[nodiscard]] std::uint64_t check() const noexcept {
    return (*this)(as_key(hash_check_text)).value ^ (*this)(as_key(hash_check_text.substr(0, 8))).value;
  }

  [[nodiscard]] static result<xxh3_fold> restore(const hash_identity& stored, const secret* given) {
    return restore_hash<xxh3_fold>(stored, given);
  }

 private:
  static constexpr std::uint64_t golden = 0x9e37'79b9'7f4a'7c15, multiplier = 0xf135'7aea'2e62'a9c5;
  std::uint64_t seed_;
  std::uint64_t flip_;
};

static_assert(hash_function<xxh3_fold>);

/// What filters hash with unless told otherwise.
using default_hash = xxh3_fold;

/// The function itself if `h` is the default one, or was chosen at run time and is; else null.
template <hash_function H>
[[nodiscard]] const default_hash* as_default(const H& h) noexcept {
  if constexpr (std::same_as<H, default_hash>) {
    return &h;
  } else if constexpr (requires { h.template get_if<default_hash>(); }) {
    return h.template get_if<default_hash>();
  } else {
    return nullptr;
  }
}

}  // namespace seen::inline v1
