// MD5, which pybloom before release 4 cuts into positions. [RFC 1321]
//
//   b' = b + rotl(a + f_t(b,c,d) + K_t + w_{s(t)}, r_t)        f, s and the rotations change every 16 of the 64 rounds
//
// K_t is floor(2^32·|sin(t + 1)|).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "hash/block_digest.hpp"

namespace seen::inline v1 {
namespace detail {

struct md5_core {
  using word = std::uint32_t;
  static constexpr std::size_t block_bytes = 64, digest_bytes = 16;
  static constexpr bool is_big = false;
  static constexpr std::array<word, 4> initial{0x6745'2301, 0xefcd'ab89, 0x98ba'dcfe, 0x1032'5476};
  static constexpr std::array<word, 64> sines{
      0xd76a'a478, 0xe8c7'b756, 0x2420'70db, 0xc1bd'ceee, 0xf57c'0faf, 0x4787'c62a, 0xa830'4613, 0xfd46'9501,
      0x6980'98d8, 0x8b44'f7af, 0xffff'5bb1, 0x895c'd7be, 0x6b90'1122, 0xfd98'7193, 0xa679'438e, 0x49b4'0821,
      0xf61e'2562, 0xc040'b340, 0x265e'5a51, 0xe9b6'c7aa, 0xd62f'105d, 0x0244'1453, 0xd8a1'e681, 0xe7d3'fbc8,
      0x21e1'cde6, 0xc337'07d6, 0xf4d5'0d87, 0x455a'14ed, 0xa9e3'e905, 0xfcef'a3f8, 0x676f'02d9, 0x8d2a'4c8a,
      0xfffa'3942, 0x8771'f681, 0x6d9d'6122, 0xfde5'380c, 0xa4be'ea44, 0x4bde'cfa9, 0xf6bb'4b60, 0xbebf'bc70,
      0x289b'7ec6, 0xeaa1'27fa, 0xd4ef'3085, 0x0488'1d05, 0xd9d4'd039, 0xe6db'99e5, 0x1fa2'7cf8, 0xc4ac'5665,
      0xf429'2244, 0x432a'ff97, 0xab94'23a7, 0xfc93'a039, 0x655b'59c3, 0x8f0c'cc92, 0xffef'f47d, 0x8584'5dd1,
      0x6fa8'7e4f, 0xfe2c'e6e0, 0xa301'4314, 0x4e08'11a1, 0xf753'7e82, 0xbd3a'f235, 0x2ad7'd2bb, 0xeb86'd391,
  };

  static void compress(std::array<word, 4>& state, const std::array<word, 16>& block) noexcept {
    constexpr int rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    auto [a, b, c, d] = state;
    for (std::size_t t = 0; t < 64; ++t) {
      const std::size_t quarter = t / 16;
      const word mixed = quarter == 0   ? (b & c) | (~b & d)
                         : quarter == 1 ? (d & b) | (~d & c)
                         : quarter == 2 ? b ^ c ^ d
                                        : c ^ (b | ~d);
      const std::size_t from = quarter == 0 ? t : quarter == 1 ? 5 * t + 1 : quarter == 2 ? 3 * t + 5 : 7 * t;
      const word next = b + std::rotl(a + mixed + sines[t] + block[from % 16], rotations[quarter][t % 4]);
      a = d, d = c, c = b, b = next;
    }
    const std::array<word, 4> last{a, b, c, d};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += last[i];
  }
};

}  // namespace detail

using md5 = detail::block_digest<detail::md5_core>;

}  // namespace seen::inline v1
