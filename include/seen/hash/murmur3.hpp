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

#include <seen/base/bits.hpp>
#include <seen/hash/hash.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace seen::inline v1 {

/// Murmur3's 64-bit finaliser: a bijection in which every input bit reaches every output bit.
[[nodiscard]] constexpr std::uint64_t fmix64(std::uint64_t x) noexcept {
  x = (x ^ (x >> 33)) * 0xff51'afd7'ed55'8ccd;
  x = (x ^ (x >> 33)) * 0xc4ce'b9fe'1a85'ec53;
  return x ^ (x >> 33);
}

namespace detail {

/// MurmurHash3 x64-128 in the making: blocks of two words, then the words of what is left of the key, zero-filled.
struct murmur3_state {
  std::uint64_t h1, h2;

  static std::uint64_t mix1(std::uint64_t word) noexcept { return std::rotl(word * c1, 31) * c2; }
  static std::uint64_t mix2(std::uint64_t word) noexcept { return std::rotl(word * c2, 33) * c1; }

  void absorb(std::uint64_t k1, std::uint64_t k2) noexcept {
    h1 ^= mix1(k1);
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dc'e729;
    h2 ^= mix2(k2);
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x3849'5ab5;
  }
  /// All whole blocks of a key; returns what is left.
  bytes_view absorb(bytes_view key) noexcept {
    const std::byte* at = key.data();
    std::size_t left = key.size();
    for (; left >= 16; at += 16, left -= 16) absorb(load_le<std::uint64_t>(at), load_le<std::uint64_t>(at + 8));
    return {at, left};
  }
  /// A word of zeros mixes to zero, so missing words need no care.
  [[nodiscard]] std::array<std::uint64_t, 2> finish(std::uint64_t k1, std::uint64_t k2,
                                                    std::size_t size) const noexcept {
    std::uint64_t a = h1 ^ mix1(k1) ^ size;
    std::uint64_t b = h2 ^ mix2(k2) ^ size;
    a += b;
    b += a;
    a = fmix64(a);
    b = fmix64(b);
    a += b;
    b += a;
    return {a, b};
  }

  static constexpr std::uint64_t c1 = 0x87c3'7b91'1142'53d5;
  static constexpr std::uint64_t c2 = 0x4cf5'ad43'2745'937f;
};

/// The tail as a number, little-endian.
inline constexpr auto plain_tail = [](const std::byte* from, std::size_t n) noexcept {
  return n == 8 ? load_le<std::uint64_t>(from) : load_tail(from, n);
};

/// The two words of fewer than 16 bytes; tail_word(from, n) is what word n <= 8 of them make.
template <class TailWord>
[[nodiscard]] inline std::array<std::uint64_t, 2> tail_words(bytes_view left, TailWord tail_word) noexcept {
  if (left.size() < 8) return {tail_word(left.data(), left.size()), 0};
  return {tail_word(left.data(), 8), tail_word(left.data() + 8, left.size() - 8)};
}

/// MurmurHash3 x64-128 with a given idea of what word the last n <= 8 bytes make.
template <class TailWord>
[[nodiscard]] inline std::array<std::uint64_t, 2> murmur3_x64_128_with(bytes_view key, std::uint64_t seed,
                                                                       TailWord tail_word) noexcept {
  murmur3_state state{seed, seed};
  const auto [k1, k2] = tail_words(state.absorb(key), tail_word);
  return state.finish(k1, k2, key.size());
}

}  // namespace detail

/// The two 64-bit words of MurmurHash3 x64-128. The usual seed has 32 bits; some peers start from a full 64-bit word.
[[nodiscard]] inline std::array<std::uint64_t, 2> murmur3_x64_128_words(bytes_view key,
                                                                        std::uint64_t seed = 0) noexcept {
  return detail::murmur3_x64_128_with(key, seed, detail::plain_tail);
}

/// The words of a key, and those of the key with a byte 1 after it, as bits-and-blooms wants them. The blocks are read once.
[[nodiscard]] inline std::array<std::uint64_t, 4> murmur3_x64_128_four_words(bytes_view key) noexcept {
  detail::murmur3_state state{0, 0};
  const bytes_view left = state.absorb(key);
  auto [k1, k2] = detail::tail_words(left, detail::plain_tail);
  const auto first = state.finish(k1, k2, key.size());
  (left.size() < 8 ? k1 : k2) |= std::uint64_t{1} << (8 * (left.size() % 8));
  if (left.size() == 15) {
    state.absorb(k1, k2);
    k1 = k2 = 0;
  }
  const auto second = state.finish(k1, k2, key.size() + 1);
  return {first[0], first[1], second[0], second[1]};
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

  [[nodiscard]] static result<murmur3_x64_128> restore(const hash_identity& stored, const secret* given) {
    return restore_hash<murmur3_x64_128>(stored, given);
  }

 private:
  std::uint64_t seed_;
};

static_assert(hash_function<murmur3_x64_128>);

}  // namespace seen::inline v1
