// XXH64: pinned at every branch of the algorithm.
//
// The goldens were computed with the Python package xxhash 4.1 (libxxhash 0.8.4):
//   xxhash.xxh64_intdigest(bytes((7 + 131 * i) & 255 for i in range(length)), seed=seed)
#include <seen/hash/xxh64.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::folded_digests;
using testing::golden_key;

constexpr std::uint64_t golden_ratio = 0x9e37'79b9'7f4a'7c15;
constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();

TEST(xxh64, known_answers) {
  EXPECT_EQ(hash_key(xxh64{}, "").value, 0xef46'db37'51d8'e999);
  EXPECT_EQ(hash_key(xxh64{}, "a").value, 0xd24e'c4f1'a98c'6e5b);
  EXPECT_EQ(hash_key(xxh64{}, "key-0").value, 0x12da'f067'15ff'a373);
}

struct golden {
  std::size_t length;
  std::uint64_t seed_0, seed_golden_ratio, seed_all_ones;
};

// Four lanes from 32 bytes up; the tail goes by 8, by 4 and by single bytes.
constexpr golden goldens[] = {
    {0, 0xef46'db37'51d8'e999, 0xc434'9fc9'3c01'0000, 0x298f'4c84'b24f'5380},
    {1, 0xa96c'7f0c'e858'bbb7, 0x5858'8242'2a61'65e7, 0xd7f4'6261'ba7c'5b95},
    {2, 0xc22c'6a70'ad56'bba6, 0x44c4'3596'a630'7bb0, 0xdcdb'adee'8ad3'9708},
    {3, 0xbed4'3740'ee63'32bb, 0x45fa'1406'538f'a168, 0x5012'7e93'a7b8'310d},
    {4, 0xfa21'2ae4'4b3b'b23d, 0xa651'07f2'2943'365a, 0x7ebc'e9bb'e6f6'eebd},
    {5, 0xd339'dcc9'ac8e'6776, 0xf51e'da3a'20de'9b88, 0xcd85'6d2e'5f2c'6a31},
    {6, 0x71ca'bdc8'5da7'ffa0, 0x98a1'ac7c'3d68'2ea3, 0xadb0'20ff'5ac9'd69d},
    {7, 0x2744'460d'd675'd2c0, 0xc9b6'37e2'c459'9de2, 0x6f09'93bd'5d62'3d42},
    {8, 0x994b'676b'71ce'94dd, 0xce59'2d5f'53e1'92ec, 0x2347'0c12'9cfb'3dc4},
    {9, 0x572b'84c1'8b98'3af8, 0x5495'aa79'6de8'ab73, 0x26f2'6e40'2d3e'77e0},
    {10, 0x0828'3fd4'0ee4'f8c9, 0xe6cc'9d68'b5c8'6e85, 0xb266'0576'9a45'1f2b},
    {11, 0x97f0'78da'7a1a'590c, 0x2fa6'f52e'4189'33c2, 0xd7cc'beaa'd611'69a4},
    {12, 0xb92f'588c'e720'786e, 0xbc37'a5ae'4314'1b1a, 0x612c'418a'90c4'b80d},
    {13, 0xdadc'8a62'55b4'829b, 0x5110'6c87'c69e'fbbc, 0xb407'0a14'f812'3476},
    {14, 0x5742'6937'7227'd80a, 0xd69e'2779'b97f'9fb4, 0x5406'06cc'59ff'a3b0},
    {15, 0x09e6'451e'd2ff'8b1d, 0x47a8'57d1'f90c'35e1, 0xf4e3'f407'fef3'0b4c},
    {16, 0x94ad'0095'e72b'24d5, 0x3f8f'ea7c'86a0'4013, 0x3dae'65fb'7937'58c3},
    {17, 0x1464'f2ef'f23b'5fe1, 0xe504'4d20'5f3d'2f74, 0xc196'2166'9aa3'e9f1},
    {18, 0x712c'39f6'd1ed'935e, 0x2964'f8e2'5c31'3203, 0xfc79'7c4c'43f0'86a3},
    {19, 0x83ef'9c75'8393'e89d, 0x0e78'cb51'35b4'c3a9, 0x6121'f9cd'df2f'2c2e},
    {20, 0x6782'2fa8'0e0c'8933, 0x2089'b3f0'a3e0'6b52, 0x80f4'0f7d'7f44'4be8},
    {21, 0xfa6d'e19e'99ff'8d43, 0x4c5f'5040'98bb'185f, 0xd62c'b94f'77ce'50ee},
    {22, 0xa8d0'ae04'd798'85f2, 0x7818'd3bb'cb7e'8870, 0x045a'ecf4'beca'fd44},
    {23, 0xcf65'b695'86b0'5fab, 0x5285'1d89'b911'76ae, 0x303a'9a94'f70f'475b},
    {24, 0x0a3b'0194'f3af'e0b8, 0x46bb'11c8'b3c8'286c, 0x8bb7'e199'61e7'd5bb},
    {25, 0xe0fd'072f'ff81'1c86, 0x9e06'd7d3'8793'6a68, 0xd953'e00a'58e4'9975},
    {26, 0xc4f7'372a'7fb8'f247, 0xa5a4'c5ac'ca34'0975, 0x1055'8ad2'76eb'925d},
    {27, 0xfee2'6cac'05ae'ecf0, 0x5978'98b7'ede6'df74, 0xdadc'0f91'6a38'058f},
    {28, 0x01a6'f3d2'24fa'7d3b, 0x5d7c'5f4f'3b88'b60f, 0xc9dc'4b18'4508'd78c},
    {29, 0x161a'3bc9'8afc'f092, 0x93d1'6c09'7875'b61b, 0x9d34'76a9'5c0d'3a48},
    {30, 0x3f87'96d7'bfaa'aa08, 0x60f6'e17b'4635'ac7a, 0xf86c'5353'b770'fb5c},
    {31, 0x6711'd55e'306b'5d8f, 0x24c4'e99a'b040'4b5e, 0x0559'625f'4e0a'fe08},
    {32, 0x07f7'b8e3'bc5d'6e25, 0x046e'99bb'da1a'814b, 0xd5db'58b1'a19e'efb2},
    {33, 0x09f8'5eeb'4e1c'be9f, 0xd7fe'2bfe'e6e4'cded, 0x303c'4a23'2c3b'd093},
    {34, 0x3528'4e7f'91dd'1ae5, 0x5a01'95b6'c5df'bd17, 0x9e34'c9f6'0e9d'6fb3},
    {35, 0x25cc'31e4'544b'c8c9, 0x4d30'dc49'ec67'5e3d, 0xc368'377e'6350'b63a},
    {36, 0xe7ac'6252'22f2'b655, 0x44a5'1e89'fa88'bfcc, 0xb748'680c'd7eb'0370},
    {37, 0x1d8c'3a22'1508'5739, 0xd4b6'8474'4f94'a1af, 0x708b'b52e'ecb7'1bf6},
    {38, 0x1fb3'064e'd36c'675f, 0xb273'5a72'2b02'8678, 0xb23f'6e00'1461'6770},
    {39, 0xb13c'137a'0fb7'01c3, 0x5fed'1b08'fdcb'15f5, 0x2aee'a2a9'bc73'ade7},
    {40, 0xd251'5017'7ba4'6490, 0x09ea'e257'f223'9c63, 0x7126'3e98'354a'3147},
    {63, 0xb7c9'968c'066c'b6a5, 0xbd45'7f9e'a471'80c8, 0x5b30'f335'7336'19ab},
    {64, 0x50d4'159a'0411'632e, 0xa768'f350'a8e4'fcf6, 0xb597'13be'e12a'76bd},
    {65, 0xd277'176b'ff86'3efc, 0xfe99'ab21'e40d'4b0c, 0x176d'9661'0b7f'90d1},
    {95, 0x928c'35b9'89d3'c594, 0x028e'6fae'ca32'4f57, 0xf08b'dcbf'7148'9f8a},
    {96, 0x18c8'f362'eb73'5341, 0x01a1'8acc'd4cb'50af, 0x0566'dcc7'f19c'5bdd},
    {97, 0x7683'defa'1456'dab5, 0x90c8'f5ae'688c'ef2a, 0x6e83'9db2'8975'9e15},
    {1024, 0x5960'af0c'625a'cfb7, 0xfe42'6926'c35c'85aa, 0x36c2'c6c8'b079'bcc9},
};

TEST(xxh64, digests_are_pinned_at_every_branch_boundary) {
  for (const golden& g : goldens) {
    const auto key = golden_key(g.length);
    EXPECT_EQ(hash_key(xxh64(), key).value, g.seed_0) << g.length;
    EXPECT_EQ(hash_key(xxh64(golden_ratio), key).value, g.seed_golden_ratio) << g.length;
    EXPECT_EQ(hash_key(xxh64(all_ones), key).value, g.seed_all_ones) << g.length;
  }
}

TEST(xxh64, digests_of_all_lengths_to_600_are_pinned) {
  const auto folded = [](std::uint64_t seed) {
    return folded_digests(600, [h = xxh64(seed)](bytes_view key) { return h(key).value; });
  };
  EXPECT_EQ(folded(0), 0x8245'1a86'865a'6b73);
  EXPECT_EQ(folded(1), 0xf8f1'c3ed'2b66'8ce4);
  EXPECT_EQ(folded(golden_ratio), 0x8174'9a76'7eeb'7cf7);
  EXPECT_EQ(folded(all_ones), 0x4b49'02d5'52ee'203d);
}

}  // namespace
}  // namespace seen
