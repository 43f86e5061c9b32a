// SipHash, the keyed hash: for keys chosen by people who want the filter to fail [Aumasson, Bernstein 2012].
//
//   v0..v3 = secret ^ constants;   for each 8-byte word m:  v3 ^= m, C rounds, v0 ^= m
//   the last word holds the remaining 0..7 bytes and, in its top byte, the length;   v2 ^= 0xff, D rounds
//   digest = v0 ^ v1 ^ v2 ^ v3
//
// Without the 128-bit secret nobody can predict a digest, hence neither fill the filter nor find keys it wrongly says
// "maybe" to. SipHash-2-4 is the conservative choice; 1-3 is what Rust and Python use for their tables, and costs
// about as much as byte-wise FNV-1a on 16-byte keys.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/hash/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

namespace detail {

/// SipHash in the making: whole words, then the word of what is left of the key, zero-filled, and the length of all.
template <int C, int D>
class siphash_state {
 public:
  explicit siphash_state(const secret& given) noexcept {
    const auto k0 = load_le<std::uint64_t>(given.bytes.data()), k1 = load_le<std::uint64_t>(given.bytes.data() + 8);
    // The constants spell "somepseudorandomlygeneratedbytes".
    v0 = k0 ^ 0x736f'6d65'7073'6575, v1 = k1 ^ 0x646f'7261'6e64'6f6d;
    v2 = k0 ^ 0x6c79'6765'6e65'7261, v3 = k1 ^ 0x7465'6462'7974'6573;
  }

  void absorb(std::uint64_t word) noexcept {
    v3 ^= word;
    for (int i = 0; i < C; ++i) round();
    v0 ^= word;
  }
  /// All whole words of a key; returns what is left.
  bytes_view absorb(bytes_view key) noexcept {
    const std::byte* at = key.data();
    std::size_t left = key.size();
    for (; left >= 8; at += 8, left -= 8) absorb(load_le<std::uint64_t>(at));
    return {at, left};
  }
  [[nodiscard]] digest finish(std::uint64_t tail, std::uint64_t size) noexcept {
    absorb(tail | size << 56);
    v2 ^= 0xff;
    for (int i = 0; i < D; ++i) round();
    return digest(v0 ^ v1 ^ v2 ^ v3);
  }

 private:
  void round() noexcept {
    v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
    v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
  }

  std::uint64_t v0, v1, v2, v3;
};

}  // namespace detail

/// SipHash with C rounds per word and D at the end, keyed with a 128-bit secret.
template <int C, int D>
class siphash_c_d {
  static_assert((C == 2 && D == 4) || (C == 1 && D == 3), "files can name SipHash-2-4 and SipHash-1-3 only");

 public:
  static constexpr hash_id id = C == 2 ? hash_id::siphash_2_4 : hash_id::siphash_1_3;
  static constexpr bool is_keyed = true;
  static constexpr bool is_avalanching = true;
  using digest_type = digest;
  using state = detail::siphash_state<C, D>;

  explicit siphash_c_d(const seen::secret& secret) noexcept : secret_(secret) {}

  [[nodiscard]] digest operator()(bytes_view key) const noexcept {
    state begun = start();
    const bytes_view left = begun.absorb(key);
    return begun.finish(load_tail(left.data(), left.size()), key.size());
  }

  /// The hash in the making, for keys that come in pieces.
  [[nodiscard]] state start() const noexcept { return state(secret_); }

  /// 0: a keyed hash has a secret instead.
  [[nodiscard]] std::uint64_t seed() const noexcept { return 0; }

  /// The secret it was made with.
  [[nodiscard]] const seen::secret& secret() const noexcept { return secret_; }

  [[nodiscard]] static result<siphash_c_d> restore(const hash_identity& stored, const seen::secret* secret) {
    return restore_hash<siphash_c_d>(stored, secret);
  }

 private:
  seen::secret secret_;
};

/// SipHash-2-4: the conservative keyed hash.
using siphash_2_4 = siphash_c_d<2, 4>;

/// SipHash-1-3: the fast keyed hash.
using siphash_1_3 = siphash_c_d<1, 3>;

static_assert(hash_function<siphash_2_4> && hash_function<siphash_1_3>);

}  // namespace seen::inline v1
