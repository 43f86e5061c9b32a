// SHA-1, which pybloom cuts into positions. [FIPS 180-4]
//
//   w_t = rotl(w_{t-3} ^ w_{t-8} ^ w_{t-14} ^ w_{t-16}, 1)                      from t = 16 on
//   T = rotl(a, 5) + f_t(b,c,d) + e + K_t + w_t                                  f and K change every 20 of the 80 rounds
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "hash/block_digest.hpp"

namespace seen::inline v1 {
namespace detail {

struct sha1_core {
  using word = std::uint32_t;
  static constexpr std::size_t block_bytes = 64, digest_bytes = 20;
  static constexpr bool is_big = true;
  static constexpr std::array<word, 5> initial{0x6745'2301, 0xefcd'ab89, 0x98ba'dcfe, 0x1032'5476, 0xc3d2'e1f0};

  static word mixed(std::size_t t, word b, word c, word d) noexcept {
    if (t < 20) return (b & c) ^ (~b & d);
    return t >= 40 && t < 60 ? (b & c) ^ (b & d) ^ (c & d) : b ^ c ^ d;
  }
  static void compress(std::array<word, 5>& state, const std::array<word, 16>& block) noexcept {
    constexpr std::array<word, 4> constants{0x5a82'7999, 0x6ed9'eba1, 0x8f1b'bcdc, 0xca62'c1d6};
    std::array<word, 80> w;
    auto [a, b, c, d, e] = state;
    for (std::size_t t = 0; t < w.size(); ++t) {
      w[t] = t < 16 ? block[t] : std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
      const word next = std::rotl(a, 5) + mixed(t, b, c, d) + e + constants[t / 20] + w[t];
      e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
    }
    const std::array<word, 5> last{a, b, c, d, e};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += last[i];
  }
};

}  // namespace detail

using sha1 = detail::block_digest<detail::sha1_core>;

}  // namespace seen::inline v1
