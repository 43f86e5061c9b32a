// SHA-256, SHA-384 and SHA-512, which pybloom cuts into positions. [FIPS 180-4]
//
//   w_t = σ1(w_{t-2}) + w_{t-7} + σ0(w_{t-15}) + w_{t-16}                       from t = 16 on
//   T1 = h + Σ1(e) + Ch(e,f,g) + K_t + w_t,  T2 = Σ0(a) + Maj(a,b,c);           e = d + T1, a = T1 + T2
//
// One body for words of 32 and 64 bits: the constants are the fractions of cube roots (K) and square roots (the state) of
// the first primes, of which the narrow functions take the upper half.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "hash/block_digest.hpp"

namespace seen::inline v1 {
namespace detail {

inline constexpr std::array<std::uint64_t, 80> sha2_cube_roots{
    0x428a'2f98'd728'ae22, 0x7137'4491'23ef'65cd, 0xb5c0'fbcf'ec4d'3b2f, 0xe9b5'dba5'8189'dbbc, 0x3956'c25b'f348'b538,
    0x59f1'11f1'b605'd019, 0x923f'82a4'af19'4f9b, 0xab1c'5ed5'da6d'8118, 0xd807'aa98'a303'0242, 0x1283'5b01'4570'6fbe,
    0x2431'85be'4ee4'b28c, 0x550c'7dc3'd5ff'b4e2, 0x72be'5d74'f27b'896f, 0x80de'b1fe'3b16'96b1, 0x9bdc'06a7'25c7'1235,
    0xc19b'f174'cf69'2694, 0xe49b'69c1'9ef1'4ad2, 0xefbe'4786'384f'25e3, 0x0fc1'9dc6'8b8c'd5b5, 0x240c'a1cc'77ac'9c65,
    0x2de9'2c6f'592b'0275, 0x4a74'84aa'6ea6'e483, 0x5cb0'a9dc'bd41'fbd4, 0x76f9'88da'8311'53b5, 0x983e'5152'ee66'dfab,
    0xa831'c66d'2db4'3210, 0xb003'27c8'98fb'213f, 0xbf59'7fc7'beef'0ee4, 0xc6e0'0bf3'3da8'8fc2, 0xd5a7'9147'930a'a725,
    0x06ca'6351'e003'826f, 0x1429'2967'0a0e'6e70, 0x27b7'0a85'46d2'2ffc, 0x2e1b'2138'5c26'c926, 0x4d2c'6dfc'5ac4'2aed,
    0x5338'0d13'9d95'b3df, 0x650a'7354'8baf'63de, 0x766a'0abb'3c77'b2a8, 0x81c2'c92e'47ed'aee6, 0x9272'2c85'1482'353b,
    0xa2bf'e8a1'4cf1'0364, 0xa81a'664b'bc42'3001, 0xc24b'8b70'd0f8'9791, 0xc76c'51a3'0654'be30, 0xd192'e819'd6ef'5218,
    0xd699'0624'5565'a910, 0xf40e'3585'5771'202a, 0x106a'a070'32bb'd1b8, 0x19a4'c116'b8d2'd0c8, 0x1e37'6c08'5141'ab53,
    0x2748'774c'df8e'eb99, 0x34b0'bcb5'e19b'48a8, 0x391c'0cb3'c5c9'5a63, 0x4ed8'aa4a'e341'8acb, 0x5b9c'ca4f'7763'e373,
    0x682e'6ff3'd6b2'b8a3, 0x748f'82ee'5def'b2fc, 0x78a5'636f'4317'2f60, 0x84c8'7814'a1f0'ab72, 0x8cc7'0208'1a64'39ec,
    0x90be'fffa'2363'1e28, 0xa450'6ceb'de82'bde9, 0xbef9'a3f7'b2c6'7915, 0xc671'78f2'e372'532b, 0xca27'3ece'ea26'619c,
    0xd186'b8c7'21c0'c207, 0xeada'7dd6'cde0'eb1e, 0xf57d'4f7f'ee6e'd178, 0x06f0'67aa'7217'6fba, 0x0a63'7dc5'a2c8'98a6,
    0x113f'9804'bef9'0dae, 0x1b71'0b35'131c'471b, 0x28db'77f5'2304'7d84, 0x32ca'ab7b'40c7'2493, 0x3c9e'be0a'15c9'bebc,
    0x431d'67c4'9c10'0d4c, 0x4cc5'd4be'cb3e'42b6, 0x597f'299c'fc65'7e2a, 0x5fcb'6fab'3ad6'faec, 0x6c44'198c'4a47'5817,
};
/// Of the first 16 primes; SHA-384 begins with the second half.
inline constexpr std::array<std::uint64_t, 16> sha2_square_roots{
    0x6a09'e667'f3bc'c908, 0xbb67'ae85'84ca'a73b, 0x3c6e'f372'fe94'f82b, 0xa54f'f53a'5f1d'36f1,
    0x510e'527f'ade6'82d1, 0x9b05'688c'2b3e'6c1f, 0x1f83'd9ab'fb41'bd6b, 0x5be0'cd19'137e'2179,
    0xcbbb'9d5d'c105'9ed8, 0x629a'292a'367c'd507, 0x9159'015a'3070'dd17, 0x152f'ecd8'f70e'5939,
    0x6733'2667'ffc0'0b31, 0x8eb4'4a87'6858'1511, 0xdb0c'2e0d'64f9'8fa7, 0x47b5'481d'befa'4fa4,
};

template <class Word>
struct sha2_rotations;
template <>
struct sha2_rotations<std::uint32_t> {
  static constexpr std::size_t rounds = 64;
  static constexpr int sum_0[] = {2, 13, 22}, sum_1[] = {6, 11, 25}, mix_0[] = {7, 18, 3}, mix_1[] = {17, 19, 10};
};
template <>
struct sha2_rotations<std::uint64_t> {
  static constexpr std::size_t rounds = 80;
  static constexpr int sum_0[] = {28, 34, 39}, sum_1[] = {14, 18, 41}, mix_0[] = {1, 8, 7}, mix_1[] = {19, 61, 6};
};

template <class Word, std::size_t DigestBytes, std::size_t FirstRoot>
struct sha2_core {
  using word = Word;
  using rotations = sha2_rotations<Word>;
  static constexpr std::size_t block_bytes = 16 * sizeof(Word);
  static constexpr std::size_t digest_bytes = DigestBytes;
  static constexpr bool is_big = true;

  static constexpr Word upper(std::uint64_t root) noexcept {
    return static_cast<Word>(root >> (64 - 8 * sizeof(Word)));
  }
  static constexpr std::array<Word, 8> initial = [] {
    std::array<Word, 8> state{};
    for (std::size_t i = 0; i < 8; ++i) state[i] = upper(sha2_square_roots[FirstRoot + i]);
    return state;
  }();

  static Word rotated(Word x, const int (&by)[3]) noexcept {
    return std::rotr(x, by[0]) ^ std::rotr(x, by[1]) ^ std::rotr(x, by[2]);
  }
  static Word mixed(Word x, const int (&by)[3]) noexcept {
    return std::rotr(x, by[0]) ^ std::rotr(x, by[1]) ^ (x >> by[2]);
  }

  static void compress(std::array<Word, 8>& state, const std::array<Word, 16>& block) noexcept {
    std::array<Word, rotations::rounds> w;
    for (std::size_t t = 0; t < w.size(); ++t) {
      w[t] = t < 16 ? block[t]
                    : mixed(w[t - 2], rotations::mix_1) + w[t - 7] + mixed(w[t - 15], rotations::mix_0) + w[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < w.size(); ++t) {
      const Word choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
      const Word first = h + rotated(e, rotations::sum_1) + choice + upper(sha2_cube_roots[t]) + w[t];
      const Word second = rotated(a, rotations::sum_0) + majority;
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const std::array<Word, 8> next{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] += next[i];
  }
};

}  // namespace detail

using sha256 = detail::block_digest<detail::sha2_core<std::uint32_t, 32, 0>>;
using sha384 = detail::block_digest<detail::sha2_core<std::uint64_t, 48, 8>>;
using sha512 = detail::block_digest<detail::sha2_core<std::uint64_t, 64, 0>>;

}  // namespace seen::inline v1
