// MurmurHash3 x64-128 (Austin Appleby, public domain algorithm), the hash of bits-and-blooms, Guava and many others.
//
//   16 bytes ─► k1, k2 (little-endian words)        h1 = h2 = seed
//   h1 ^= k1·C1 rotl 31 ·C2;  h1 = (h1 rotl 27 + h2)·5 + 0x52dce729
//   h2 ^= k2·C2 rotl 33 ·C1;  h2 = (h2 rotl 31 + h1)·5 + 0x38495ab5
//   the last 0..15 bytes, zero-filled, only do the xor; then the length, and both words are finalised.
//
// Cassandra's looks alike and is not: it sign-extends the tail bytes. The seed is 32 bits wide. As a native hash the
// digest is the first word; foreign formats want both.
#pragma once

#include <seen/hash/hash.hpp>
#include <seen/hash/tail.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace seen {
inline namespace v1 {

/// Murmur3's 64-bit finaliser: a bijection in which every input bit reaches every output bit.
[[nodiscard]] constexpr std::uint64_t fmix64(std::uint64_t x) noexcept {
  x = (x ^ (x >> 33)) * 0xff51'afd7'ed55'8ccd;
  x = (x ^ (x >> 33)) * 0xc4ce'b9fe'1a85'ec53;
  return x ^ (x >> 33);
}

/// The two 64-bit words of MurmurHash3 x64-128. The usual seed has 32 bits; some peers start from a full 64-bit word.
[[nodiscard]] inline std::array<std::uint64_t, 2> murmur3_x64_128_words(bytes_view key,
                                                                        std::uint64_t seed = 0) noexcept {
  constexpr std::uint64_t c1 = 0x87c3'7b91'1142'53d5;
  constexpr std::uint64_t c2 = 0x4cf5'ad43'2745'937f;
  const auto mix1 = [](std::uint64_t word) { return std::rotl(word * c1, 31) * c2; };
  const auto mix2 = [](std::uint64_t word) { return std::rotl(word * c2, 33) * c1; };

  std::uint64_t h1 = seed;
  std::uint64_t h2 = seed;
  const std::byte* at = key.data();
  std::size_t left = key.size();
  for (; left >= 16; at += 16, left -= 16) {
    h1 ^= mix1(load_le<std::uint64_t>(at));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dc'e729;
    h2 ^= mix2(load_le<std::uint64_t>(at + 8));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x3849'5ab5;
  }
  if (left >= 8) {  // the tail; a word of zeros mixes to zero, so missing words need no care
    h1 ^= mix1(load_le<std::uint64_t>(at));
    h2 ^= mix2(load_tail(at + 8, left - 8));
  } else {
    h1 ^= mix1(load_tail(at, left));
  }

  h1 ^= key.size();
  h2 ^= key.size();
  h1 += h2;
  h2 += h1;
  h1 = fmix64(h1);
  h2 = fmix64(h2);
  h1 += h2;
  h2 += h1;
  return {h1, h2};
}

/// MurmurHash3 x64-128, first word. The seed is 32 bits wide; a wider one is refused with std::invalid_argument.
class murmur3_x64_128 {
 public:
  static constexpr hash_id id = hash_id::murmur3_x64_128;
  static constexpr bool is_keyed = false;
  static constexpr bool is_avalanching = true;
  static constexpr int seed_bits = 32;
  using digest_type = digest;

  explicit murmur3_x64_128(std::uint64_t seed = 0) : seed_(detail::checked_seed<murmur3_x64_128>(seed)) {}

  [[nodiscard]] digest operator()(bytes_view key) const noexcept {
    return digest(murmur3_x64_128_words(key, seed_)[0]);
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  [[nodiscard]] static result<murmur3_x64_128> restore(const hash_identity& stored, const secret* key) {
    return restore_hash<murmur3_x64_128>(stored, key);
  }

 private:
  std::uint64_t seed_;
};

static_assert(hash_function<murmur3_x64_128>);

}  // namespace v1
}  // namespace seen
