// FNV-1, and MurmurHash3 of a key with a byte after it: pinned at every length of tail, with bytes from 0x80 on.
//
// The goldens come from Go: hash/fnv's New64 and New32, and Locations of bits-and-blooms/bloom v3.7.1, which gives the
// sums of four words that the package itself makes of a key; the four sums of a key are folded into one word.
#include "hash/fnv1.hpp"

#include <seen/hash/murmur3.hpp>

#include <bit>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace seen {
namespace {

// Bytes 0x80 + 17·i + length, or all 0xff.
std::string high_key(std::size_t length, bool ones) {
  std::string key;
  for (std::size_t i = 0; i < length; ++i) key += static_cast<char>(ones ? 0xff : 0x80 + 17 * i + length);
  return key;
}

struct golden {
  std::uint64_t fnv1_64;
  std::uint32_t fnv1_32;
  std::uint64_t locations;
};

constexpr golden ascending[] = {
    {0xcbf2'9ce4'8422'2325, 0x811c'9dc5, 0x12cc'0ab8'32a7'dd1b},  // 0
    {0xaf63'bd4c'8601'b75e, 0x050c'5d9e, 0x5317'f4be'813a'e42f},  // 1
    {0x0832'0607'b4ea'9394, 0x8f77'5eb4, 0xaee9'f112'11ee'1efe},  // 2
    {0xd790'4c18'6a95'a9e5, 0x45e5'd4a5, 0x417b'33e3'3bd9'46cd},  // 3
    {0xd450'3a7d'14f5'1779, 0xf4c0'1819, 0x3915'2233'e812'ea10},  // 4
    {0xc75a'8f82'1698'4536, 0x52ae'4636, 0x6719'cab8'7f23'b725},  // 5
    {0x83ae'386d'da1a'966c, 0x442f'ec8c, 0x351f'2a39'f44b'6482},  // 6
    {0x85d9'42b6'4b10'35f1, 0x0411'13f1, 0xc4f3'3a08'c736'2923},  // 7
    {0xa527'a47c'7bd5'8d75, 0x7f69'da95, 0xdc2a'5fa6'31e8'7476},  // 8
    {0x957e'ad84'fb6b'3cde, 0xbbef'125e, 0x69f5'977f'89d2'fae1},  // 9
    {0x2c3a'ef4c'6c7a'36a4, 0xbe7a'03c4, 0xd897'3409'5119'41be},  // 10
    {0x5059'630e'316e'6cad, 0x2b05'cfad, 0xe65e'7555'65ef'f714},  // 11
    {0x9768'e61c'd659'23a9, 0x284f'9f49, 0xc546'2797'87a8'e5fe},  // 12
    {0x0d02'b583'1383'e286, 0xbc6d'c5c6, 0x0078'053c'c6a9'da79},  // 13
    {0x07ff'1aed'8c6f'5ecc, 0x6e5a'256c, 0x27f8'a292'2aed'ec15},  // 14
    {0x2ff7'e1a7'8a09'e679, 0x64a5'c7b9, 0x8f8d'cc88'21ca'4601},  // 15
    {0x4835'8c0c'a70d'8965, 0x229c'5805, 0x8ad3'8b62'd94b'6e2f},  // 16
    {0xe12f'3cfd'8dd4'08be, 0x8f14'c17e, 0x3f61'24c8'5a70'5326},  // 17
    {0xac3a'7adc'5e0d'af14, 0xf27f'2f34, 0xbb8e'b13d'b1b8'67f9},  // 18
    {0xc327'0374'26b2'cf15, 0xfd34'2555, 0xdfb4'c323'a9ad'cfcb},  // 19
    {0x767f'9edf'17dc'82d9, 0xac89'b5f9, 0xbbdc'd5fb'3dce'fb4f},  // 20
    {0x6ec7'73f2'638d'8956, 0xd2bb'cf96, 0xa221'd569'bcb3'5f78},  // 21
    {0x4875'c344'fb12'210c, 0xde1d'c5ac, 0xcad2'1f08'fe94'a560},  // 22
    {0x9c34'540b'14d4'7a61, 0xc583'4321, 0x186f'99ec'bb10'908f},  // 23
    {0x16fd'9c1e'c5dc'fdd5, 0x4a9b'2a75, 0xf7ca'96ba'3f4a'30e8},  // 24
    {0x0c84'43b2'60dc'b0be, 0x55df'b0be, 0x4f77'034a'c6fc'd517},  // 25
    {0x8033'3cd0'fe0f'4ec4, 0xc3d1'fb64, 0x484b'ded7'1811'e60d},  // 26
    {0xcf79'566c'469f'a57d, 0xa0fb'b47d, 0x61cb'acc3'13a1'ff14},  // 27
    {0x67f5'285c'6ceb'5889, 0xb076'a829, 0x06a5'a80b'043f'837e},  // 28
    {0x7724'cacc'4941'fa26, 0x7d40'1d26, 0xf0b3'3a9d'6fc4'6119},  // 29
    {0x9b6f'2f24'12e0'fe6c, 0x1740'b50c, 0x8ecc'afc8'2913'942a},  // 30
    {0x8081'a999'bfe2'8b69, 0xe0ba'e5e9, 0x6b61'8798'0c49'4d68},  // 31
};

constexpr golden all_ones[] = {
    {0xcbf2'9ce4'8422'2325, 0x811c'9dc5, 0x12cc'0ab8'32a7'dd1b},  // 0
    {0xaf63'bd4c'8601'b720, 0x050c'5de0, 0xc96f'299f'bbb8'7822},  // 1
    {0x0831'c907'b4ea'2b9f, 0xd277'c75f, 0x867e'3a44'3de5'bbd1},  // 2
    {0xd6c4'3718'69e8'1fd2, 0xb18e'da72, 0x678e'c4d0'6532'7d1e},  // 3
    {0xd789'707b'f56e'1129, 0xf5e1'e189, 0x4133'2e9b'9f0d'ad75},  // 4
    {0xac9b'4ba2'0a07'2854, 0x9b96'0a54, 0x55a3'85fe'a8ff'0266},  // 5
    {0x5309'd857'0a29'8643, 0x4132'42c3, 0x2db2'5a53'da4d'8e63},  // 6
    {0x4340'dee6'448f'2326, 0x651f'1806, 0x8ae8'cbe6'2dcc'8777},  // 7
    {0xd65d'e746'7f38'b96d, 0x35f2'd18d, 0x1f43'a86d'af7d'd3dc},  // 8
    {0x7a49'69ca'2d63'14c8, 0x7a3f'e008, 0x9941'2ae2'c7f9'a00d},  // 9
    {0x2dd3'8a8b'1f5c'4f27, 0x7a8d'ac67, 0xd905'c9ba'47d6'ca1a},  // 10
    {0x3ac3'9166'49da'7fba, 0x5406'66da, 0x7cbc'3920'1938'bfe5},  // 11
    {0xb4cf'cacf'7e47'09f1, 0x2013'e9d1, 0x3e1c'afcf'd751'dede},  // 12
    {0x841f'8f93'92b5'e47c, 0x5059'14fc, 0xe3df'6580'4e10'c18a},  // 13
    {0x3785'73c2'4b13'3e4b, 0x783c'084b, 0xd719'a5bd'9b8e'26af},  // 14
    {0x6b01'fe25'91b2'd98e, 0x9181'0eee, 0xb89a'1602'c420'8ff1},  // 15
    {0x873c'67d6'92e7'acb5, 0xfc2a'8055, 0x2350'1ba8'd6a1'24b7},  // 16
    {0xb351'269b'9faa'7770, 0x4be8'0530, 0x5d4b'8c6b'c147'5405},  // 17
    {0x5d5c'0a70'4ea8'f3af, 0xae40'2a6f, 0xa412'785b'87c3'156b},  // 18
    {0x4c59'6bd5'a916'12a2, 0xbe02'cc42, 0x37dd'98ae'1b3d'7077},  // 19
    {0xd204'de0e'5081'a9b9, 0x6067'8b19, 0x9d07'a4bd'4052'6849},  // 20
    {0x5fef'0b52'cc53'65a4, 0xdbff'f8a4, 0xa5bb'ea99'a435'18d3},  // 21
    {0x5695'e1b1'31b5'b553, 0xf7f4'6ad3, 0xfc96'7c6a'b0f0'0975},  // 22
    {0xd663'd317'77c3'1cf6, 0x28c4'2ad6, 0x0293'e006'430c'389a},  // 23
    {0x0ebc'a6e0'808a'36fd, 0x02cf'6e1d, 0x018b'f239'1bd7'182e},  // 24
    {0x94c6'8c7a'6adb'6f18, 0x898a'5758, 0x4ae8'c79c'1587'b3a4},  // 25
    {0xa8cf'cc03'92dd'c537, 0xdcc7'7f77, 0x894e'112b'83af'f8b3},  // 26
    {0xb6dc'e112'8ed6'1c8a, 0x050d'a8aa, 0x4727'18e9'9bd5'1097},  // 27
    {0x8f6e'fc88'b5d2'7e81, 0x9e80'8361, 0x9dce'53fe'75c3'849c},  // 28
    {0x8c15'9d4c'f4ac'f5cc, 0xe54e'd14c, 0x064a'f496'990a'f9d6},  // 29
    {0xb5b0'15c3'c1e5'a95b, 0x4713'7a5b, 0x385d'dc43'2928'ef5c},  // 30
    {0x9fde'56a2'793e'c55e, 0x3ea9'9dbe, 0x3de8'c646'c0f5'db8f},  // 31
};

TEST(fnv1, known_answers) {
  EXPECT_EQ(fnv1_64(as_key("")), 0xcbf2'9ce4'8422'2325);
  EXPECT_EQ(fnv1_64(as_key("a")), 0xaf63'bd4c'8601'b7be);
  EXPECT_EQ(fnv1_64(as_key("key-0")), 0xd5b4'0871'fdc9'1661);
}

TEST(fnv1, case_24_every_tail_with_high_bytes) {
  for (std::size_t length = 0; length < 32; ++length) {
    for (const bool ones : {false, true}) {
      const golden& expected = ones ? all_ones[length] : ascending[length];
      const std::string key = high_key(length, ones);
      EXPECT_EQ(fnv1_64(as_key(key)), expected.fnv1_64) << length;
      EXPECT_EQ(fnv1_32(as_key(key)), expected.fnv1_32) << length;
    }
  }
}

TEST(murmur3_four_words, case_24_every_tail_with_high_bytes) {
  for (std::size_t length = 0; length < 32; ++length) {
    for (const bool ones : {false, true}) {
      const std::string key = high_key(length, ones);
      const auto h = murmur3_x64_128_four_words(as_key(key));
      std::uint64_t folded = 0;
      for (const std::uint64_t each : {h[0], h[1] + h[3], h[0] + 2 * h[3], h[1] + 3 * h[2]}) {
        folded = std::rotl(folded, 7) + each;
      }
      EXPECT_EQ(folded, (ones ? all_ones[length] : ascending[length]).locations) << length;
    }
  }
}

TEST(murmur3_four_words, are_those_of_the_key_and_of_the_longer_key) {
  for (std::size_t length = 0; length < 70; ++length) {
    const std::string key = high_key(length, false);
    const auto four = murmur3_x64_128_four_words(as_key(key));
    const auto first = murmur3_x64_128_words(as_key(key)), second = murmur3_x64_128_words(as_key(key + '\1'));
    EXPECT_EQ(four, (std::array<std::uint64_t, 4>{first[0], first[1], second[0], second[1]})) << length;
  }
}

}  // namespace
}  // namespace seen
