// MetroHash64: our own code, pinned at every tail length against another implementation.
//
// The goldens were computed with the Python package metrohash 0.4.1:
//   row n: hash64_int(key, 1337) of n bytes, byte i being 0x80 | (17·i + n mod 128), and of n bytes 0xff
#include "hash/metro64.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>

namespace seen {
namespace {

std::uint64_t hashed(std::string_view key) {
  return metro64(std::as_bytes(std::span(key)), 1337);
}

TEST(metro64, known_answers) {
  EXPECT_EQ(hashed(""), 0xe2f7'00c7'be59'6c30);
  EXPECT_EQ(hashed("a"), 0xd924'f06e'8070'3f5f);
  EXPECT_EQ(hashed("key-0"), 0x2741'ef3e'7ffa'968a);
}

constexpr std::array<std::array<std::uint64_t, 2>, 32> goldens{{
    {0xe2f7'00c7'be59'6c30, 0xe2f7'00c7'be59'6c30}, {0x683a'c1bb'cdf5'27c7, 0xe5c0'248c'9ed3'5da1},
    {0x8483'f86e'f0e3'e6d6, 0xfcbe'3ba9'7491'08e3}, {0x4832'da22'256f'cace, 0x7482'b78d'96c8'b232},
    {0x735c'6203'3855'c50b, 0x9a2e'6d51'383f'4df2}, {0x468e'2f5e'3421'e680, 0x7679'3c2d'39b9'a016},
    {0xe78a'a809'8964'3170, 0xee32'9d5e'6d1f'6cc2}, {0xa590'327e'2295'defb, 0xc7cb'6ed5'42d2'18c0},
    {0xdd47'e087'd91a'7298, 0x0a93'1a18'8ac4'41fe}, {0x5ad7'7986'1f56'305e, 0x77b9'6787'843a'ab92},
    {0x7e5b'2687'7846'b596, 0x9c0e'0d60'e7b3'c9b6}, {0xefa9'8fd9'99c7'bfe6, 0xa562'49bc'6d61'2afa},
    {0xb03b'aa4a'636c'268e, 0xe5b0'95b6'a5ea'3a8e}, {0x4c6a'6eb8'9612'8896, 0x8bef'54b3'd956'b1d4},
    {0x4fe1'f00c'537f'e43f, 0x0d93'279d'bcb9'ed39}, {0x8c26'5ba3'c2c1'b955, 0x65fb'f3ef'1bd3'9cea},
    {0xc8c5'95f8'8c57'76c8, 0x40d2'0e93'c76f'442c}, {0x1e24'27b5'3232'1918, 0x3821'0f29'936f'e40f},
    {0x3f9b'48c6'01bb'12c6, 0x5411'731e'e37f'7c67}, {0x99a1'595d'8179'da3a, 0xbdd6'569d'dfdf'ddd1},
    {0x9b85'a028'4d55'667e, 0xde4b'5a93'7bf7'e45e}, {0xeda4'1156'0eec'2b5d, 0x9a23'1cb0'2daa'3ba9},
    {0x622b'37fb'711f'ee7d, 0x8c02'57a0'f767'8c55}, {0xb01e'19a6'19cc'bece, 0x8ccb'1e31'9705'726c},
    {0x9024'f6e1'3928'85ea, 0xad63'2fe8'd82c'675c}, {0x0bd7'1c4f'61da'4d3e, 0x7a55'e02c'7df9'd6f3},
    {0x9eb6'f07e'bc49'822e, 0xfdc7'6011'bf98'cf44}, {0xa61c'968c'e0dd'aad3, 0xca2e'4464'5168'68d4},
    {0xc73c'4542'7fb8'd681, 0xfc7e'c22d'a9b5'18c6}, {0x4c19'6db5'1be0'c3c2, 0x455c'c9a0'cfdf'df2a},
    {0x344e'8702'ebb8'6a9f, 0xf82b'e13a'35e2'500d}, {0x576f'abd8'71f4'450c, 0x434b'0707'fc54'9999},
}};

TEST(metro64, case_24_tails_of_every_length_with_high_bytes) {
  for (std::size_t n = 0; n < goldens.size(); ++n) {
    std::string rising, all_ones(n, '\xff');
    for (std::size_t i = 0; i < n; ++i) rising += static_cast<char>(0x80 | ((17 * i + n) & 0x7f));
    EXPECT_EQ(hashed(rising), goldens[n][0]) << n;
    EXPECT_EQ(hashed(all_ones), goldens[n][1]) << n;
  }
}

// From 32 bytes up there are four lanes.
TEST(metro64, known_answers_of_long_keys) {
  EXPECT_EQ(hashed(std::string(32, '\xff')), 0x1d59'7588'17da'9059);
  EXPECT_EQ(hashed(std::string(33, '\xff')), 0xa9db'129c'a74d'4505);
  EXPECT_EQ(hashed(std::string(47, '\xff')), 0x989b'f1bd'2875'5c4d);
  EXPECT_EQ(hashed(std::string(63, '\xff')), 0xe128'db14'2278'd200);
  EXPECT_EQ(hashed(std::string(64, '\xff')), 0xb815'8b26'a151'b2c9);
  EXPECT_EQ(hashed(std::string(65, '\xff')), 0x4b9e'2d81'4d63'78b3);
  EXPECT_EQ(hashed(std::string(127, '\xff')), 0x63a4'0716'd5cf'7370);
}

}  // namespace
}  // namespace seen
