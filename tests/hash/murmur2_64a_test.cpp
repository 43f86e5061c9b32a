// MurmurHash64A: our own code, pinned at every tail length against another implementation.
//
// The goldens were computed with libstdc++ 12, whose std::_Hash_bytes is this function where size_t has 64 bits:
//   row n: _Hash_bytes(key, n, 0xc6a4a7935bd1e995) of n bytes, byte i being 0x80 | (17·i + n mod 128), and of n bytes 0xff
#include "hash/murmur2_64a.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>

namespace seen {
namespace {

std::uint64_t hashed(std::string_view key, std::uint64_t seed = 0xc6a4'a793'5bd1'e995) {
  return murmur2_64a(std::as_bytes(std::span(key)), seed);
}

TEST(murmur2_64a, known_answers) {
  EXPECT_EQ(hashed(""), 0x1ab1'1ea5'a7b2'c56e);
  EXPECT_EQ(hashed("a"), 0x4292'cee2'27b9'150a);
  EXPECT_EQ(hashed("key-0"), 0x815e'faa2'a76f'e5a3);
  EXPECT_EQ(hashed("", 0), 0x0000'0000'0000'0000);
  EXPECT_EQ(hashed("a", 0), 0x0717'17d2'd36b'6b11);
  EXPECT_EQ(hashed("key-0", 0), 0xf1f0'5840'6992'5b07);
}

constexpr std::array<std::array<std::uint64_t, 2>, 32> goldens{{
    {0x1ab1'1ea5'a7b2'c56e, 0x1ab1'1ea5'a7b2'c56e}, {0x3575'4fc0'6e5e'31a3, 0xef5f'27ae'10fd'1fb8},
    {0xc75e'f4a8'f9ac'f4d9, 0x84a0'19d3'73ab'0b4d}, {0x6ffb'ddb7'e845'a0ef, 0x9dc1'1e43'c05b'62fc},
    {0x0a23'4b1f'69e7'11ad, 0x0dfc'c4cf'5376'9d1e}, {0x34ce'd981'ff2d'6502, 0x491e'fb9d'31c4'f631},
    {0xdb39'93e2'1028'58b1, 0xdff5'1999'63b7'62f0}, {0x93d1'a264'9e21'50da, 0x02e7'56ea'2aa8'adcf},
    {0x6598'959d'3442'4979, 0x99ed'c884'b9ac'a96f}, {0x3a01'9406'952c'9625, 0xfe27'0f5a'459e'e127},
    {0xa906'b70b'88de'5835, 0x40a9'2dd8'c812'2dd6}, {0x92e6'a53e'2a8e'9439, 0x4f42'da57'e8ac'1f8c},
    {0x8d66'fc02'fb2c'f269, 0xf150'4607'1b14'a198}, {0xcae9'9622'6885'6bb8, 0x416c'a298'4559'204d},
    {0x39a3'dabb'b8eb'a2ee, 0xe35c'09bd'aa87'cfb8}, {0x5157'8bd9'fd2a'e6ee, 0x5ab0'8c61'456f'74ff},
    {0xddd9'68d8'dd1f'416f, 0x0ee8'09e1'9e7f'3a3c}, {0x4315'a77d'cbb8'a88b, 0x63d6'8b67'30d4'f911},
    {0xa0bf'21c5'1c4a'6d0e, 0x5589'eff1'87ec'4419}, {0x193b'ed3c'8318'931d, 0x276c'5efc'e46f'6cc8},
    {0x3163'e00a'b131'b919, 0x70ec'3bad'36b1'd4b6}, {0xa61b'17d4'c979'033c, 0xfb19'a18b'b973'955c},
    {0x24d5'd9c9'2bf7'd130, 0xe74f'60df'8661'1b32}, {0xc7f6'36e1'7082'c595, 0x59e7'09b8'17fb'00e3},
    {0x4734'133d'e175'60aa, 0x23d1'8eed'6290'c747}, {0x000f'33dc'16eb'9e5b, 0x7290'de8c'4955'f157},
    {0x14f4'ab09'f7f5'277a, 0xe7a8'8890'f485'db6b}, {0x4ec0'b9c1'67ee'6456, 0x5baa'8b65'4ee7'e7ea},
    {0x3a8e'341f'dceb'66a9, 0x82d0'fd7d'8915'd754}, {0x2410'babb'8c9b'0495, 0xd45d'c0f1'aa11'220a},
    {0x7d98'501a'e39a'c27c, 0x9667'f730'd4e4'159e}, {0xdd6e'8734'36a2'a5e9, 0xc490'49ca'caa5'24dd},
}};

TEST(murmur2_64a, case_24_tails_of_every_length_with_high_bytes) {
  for (std::size_t n = 0; n < goldens.size(); ++n) {
    std::string rising, all_ones(n, '\xff');
    for (std::size_t i = 0; i < n; ++i) rising += static_cast<char>(0x80 | ((17 * i + n) & 0x7f));
    EXPECT_EQ(hashed(rising), goldens[n][0]) << n;
    EXPECT_EQ(hashed(all_ones), goldens[n][1]) << n;
  }
}

}  // namespace
}  // namespace seen
