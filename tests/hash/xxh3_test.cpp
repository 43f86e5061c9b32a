// XXH3-64: pinned at every branch of the algorithm, and the integer path against the library.
//
// The goldens were computed with the Python package xxhash 4.1 (libxxhash 0.8.4):
//   xxhash.xxh3_64_intdigest(bytes((7 + 131 * i) & 255 for i in range(length)), seed=seed)
#include <seen/hash/xxh3.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

#include "../support/key_shapes.hpp"
#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::folded_digests;
using testing::golden_key;

constexpr std::uint64_t golden_ratio = 0x9e37'79b9'7f4a'7c15;
constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();

TEST(xxh3_64, known_answers) {
  EXPECT_EQ(hash_key(xxh3_64{}, "").value, 0x2d06'8005'38d3'94c2);
  EXPECT_EQ(hash_key(xxh3_64{}, "a").value, 0xe6c6'32b6'1e96'4e1f);
  EXPECT_EQ(hash_key(xxh3_64{}, "key-0").value, 0x819f'6b51'706f'0178);
}

struct golden {
  std::size_t length;
  std::uint64_t seed_0, seed_golden_ratio, seed_all_ones;
};

// XXH3 changes its course at 1, 4, 9, 17, 33, 65, 97, 129 and 241 bytes; between 129 and 240 every 16 bytes, beyond
// 240 every 64 (a stripe) and every 1024 (a block).
constexpr golden goldens[] = {
    {0, 0x2d06'8005'38d3'94c2, 0x602b'0e2c'd666'2c8b, 0x4c09'3276'ae47'a555},
    {1, 0x4c5c'ca45'd0f4'811f, 0x2f3a'cd38'05f8'1de3, 0x36ce'6de3'f8ce'2550},
    {2, 0x29c6'0963'cbfa'4e6e, 0x28a7'b77c'08c0'91eb, 0x3c22'fbf2'e52c'4222},
    {3, 0x6e3e'2670'e611'06ac, 0xbc74'611d'87f6'59e0, 0x4e70'4406'273a'2f10},
    {4, 0x5c4c'6313'3443'd03f, 0x6c37'5317'7c60'7de4, 0x7d3c'9760'7226'7e11},
    {5, 0x49f5'eb31'1128'0b63, 0xc527'066b'4c49'6b85, 0xf9ce'6a22'e619'e421},
    {7, 0x46a5'c724'd51f'e43f, 0x3e79'41a4'5217'9655, 0xd6dd'a6d2'27cb'596b},
    {8, 0xf9fd'4dd0'b04d'78f5, 0xbc72'd053'1396'303f, 0xcdb4'15ea'db92'd8c2},
    {9, 0x7c20'df97'12c2'6edf, 0x93c5'aa00'6102'daf5, 0xdaa2'4bb1'5e66'f8c7},
    {12, 0x16d2'dff5'4dc2'ee45, 0xfe7f'fcdd'4d01'fe31, 0x9d39'c238'1979'5e86},
    {15, 0xb345'a7b2'698b'a575, 0x0829'33f8'51ba'6e46, 0xf219'3b52'8742'd238},
    {16, 0x86ab'f6ba'ccea'0858, 0x69d0'01b1'6ecf'450a, 0x3f04'5151'0585'cff3},
    {17, 0xb58b'f5dc'5022'd071, 0xb7c9'9d19'be27'eb69, 0x397b'bd72'2a5d'5277},
    {24, 0x08ce'26a7'964b'a200, 0x4bb8'532c'0f76'4b96, 0x737d'f689'365c'f240},
    {31, 0x4844'2fcd'5518'b086, 0x4d0c'a634'ab4c'a4f4, 0x6194'ca17'6ff8'96bb},
    {32, 0xe371'2ed8'4c04'a66e, 0xe5fb'38c8'1d49'c6f5, 0xcb9c'aa17'8b18'5b77},
    {33, 0xa4de'e99b'093e'1f73, 0x5a46'a370'c351'46ac, 0x52b2'3336'1d73'2e92},
    {48, 0xd8d1'caaa'06ae'1e99, 0xb6bb'2844'b1f4'f204, 0x6f0f'f0af'014e'697b},
    {63, 0x30ca'01f6'3dcc'223b, 0x9294'4c1b'6245'dd77, 0x23a9'e046'5720'3f05},
    {64, 0x1291'd2d4'0423'30dd, 0x543f'a55d'8db0'3991, 0xf6ff'5ad3'57d3'8ec6},
    {65, 0x97c6'bf83'217e'5ec9, 0xf3ef'e405'59a7'6a28, 0x8983'ca26'f868'72b1},
    {80, 0xc50c'581c'f16b'1ed6, 0x3ece'3407'cc66'467e, 0x12c9'dd9c'3bd8'c383},
    {95, 0x31bc'9169'70f3'868d, 0xa6a6'f329'4496'7813, 0xd3fa'673b'6427'a12f},
    {96, 0x8129'6929'fc06'3365, 0x260f'2886'3562'3ee8, 0xba85'dfc9'36a1'd32b},
    {97, 0xf145'a45b'658a'b9dd, 0x5881'7b2a'6ec0'ed2e, 0xa92b'24b7'9c58'4a09},
    {112, 0xc787'b705'cf40'bb90, 0xd9d2'd133'216d'e047, 0x56bc'35f6'41d9'53ee},
    {127, 0xed4c'f621'0402'0db5, 0x1255'7eb9'b4c6'd9c6, 0x493e'd38b'dabb'f626},
    {128, 0x10d1'7f72'c0cc'ba41, 0x49b8'1c6e'0abb'9305, 0x8ceb'4f7c'4ceb'ff08},
    {129, 0x1648'bdc3'db49'd1a2, 0x5e38'31b2'2181'0b00, 0x7706'f67e'f1f6'cba6},
    {130, 0xc65f'0f54'5fa9'6def, 0xbc83'3091'd767'1743, 0x3e8a'b148'ef48'7fce},
    {143, 0xd05c'ed59'8f7f'87b3, 0x83c8'b9b7'2442'a01f, 0x8f60'17b9'd0d6'f421},
    {144, 0xb46d'bfc6'd9e3'1aba, 0xb726'49ca'087f'f203, 0x9303'f16b'0789'664c},
    {145, 0x3641'1de3'3538'4cfb, 0x6017'baae'0c7e'f5f3, 0x15fb'c84e'99db'84e1},
    {160, 0x655c'8dc3'3b4b'4c4a, 0x3c40'f880'a7d4'1ebf, 0xfd08'0cd6'0f3a'429c},
    {191, 0x1e15'709a'dd65'c517, 0x5a0e'b117'e5ab'ff89, 0x6a49'f2ff'bcfd'5a52},
    {192, 0xdaf6'4f63'dc7d'5e36, 0x8a25'c40e'51dd'909b, 0xd835'76bb'3782'107c},
    {193, 0x5c67'0acc'bc81'7674, 0x46c2'1b11'4708'aa16, 0xeeec'b14b'57af'7fdb},
    {208, 0x11e0'0ce0'3c5e'cd6c, 0xcd34'0a34'45db'e833, 0x109f'd0dc'051f'9807},
    {239, 0xf0d1'5481'9adb'16cd, 0x23ad'00de'a6ed'6611, 0xfbdf'cb70'df9a'1a3f},
    {240, 0xb6cf'af34'3fab'81e6, 0x76a7'3ec2'6433'f82c, 0x44c6'095d'2215'69f6},
    {241, 0x956c'ae59'2c67'279e, 0x2be2'36ba'3bac'f75c, 0xc895'ed9e'5802'44d6},
    {255, 0x64a6'0730'25eb'7929, 0x4075'22ce'8ddf'4b58, 0x7cf7'5a59'5a30'b0f7},
    {256, 0xb15e'5507'33c5'dfac, 0x9299'9d62'f081'5eef, 0x72db'bc40'bb89'f1ea},
    {257, 0x87b3'bf2d'941c'f085, 0x49d4'4ae5'6fae'6e04, 0x514d'7102'44f7'4dcd},
    {511, 0x5a17'da92'4907'228a, 0x4978'd24e'e755'5891, 0xbdee'eb93'6f71'c7fa},
    {512, 0xa0e9'790e'b939'90d7, 0x3638'5c68'aa67'55ea, 0x5460'f964'4d7b'0eb7},
    {513, 0x9848'28b9'efd0'42cb, 0xf624'8b1a'08da'e670, 0x4135'c35a'6116'6bfc},
    {767, 0xe938'bc93'd79d'4ba1, 0xfb0e'a9b4'6306'bbe7, 0x6abb'2ee2'36b1'b4df},
    {1023, 0xa94f'fcd2'2543'68e4, 0x4de0'0b8b'a99f'e3ea, 0x7479'1d4a'ea82'4bbc},
    {1024, 0x70bd'377d'9574'f4bb, 0xd8cf'6b46'4541'f232, 0xcbb7'e3e7'86ba'8e7d},
    {1025, 0x66c4'487c'41e1'27a7, 0x8dc3'a55e'9c26'd886, 0x48b8'f100'bc04'7e95},
    {1087, 0x3a38'8886'0f73'973f, 0x6e8d'344d'238d'e5c8, 0xbf2e'69fb'c22e'07aa},
    {1088, 0xf43d'c77e'28a9'acbc, 0x0505'12fe'2d81'f442, 0xee85'06e4'0b49'304e},
    {1089, 0x313b'c7ee'32bb'fa2e, 0x17f1'3a2e'c540'01fa, 0x705c'8c32'8cbb'9f21},
    {2047, 0xded1'f434'a151'0c6a, 0x30d2'806c'6f0f'f0d5, 0x870f'1c28'af64'5921},
    {2048, 0x8b46'caa6'7dab'3a30, 0x9f2f'0261'a259'2b60, 0x3a21'7634'08c8'6ba7},
    {2049, 0x581c'd184'fd9b'76c5, 0xb13b'8b38'2256'117c, 0xa0c6'db0c'e6d8'a504},
    {4096, 0x9ddd'66c1'4af0'daff, 0xc7bc'989f'5d54'7a4d, 0x4a70'4e40'16d5'f3b0},
};

TEST(xxh3_64, digests_are_pinned_at_every_branch_boundary) {
  for (const golden& g : goldens) {
    const auto key = golden_key(g.length);
    EXPECT_EQ(hash_key(xxh3_64(), key).value, g.seed_0) << g.length;
    EXPECT_EQ(hash_key(xxh3_64(golden_ratio), key).value, g.seed_golden_ratio) << g.length;
    EXPECT_EQ(hash_key(xxh3_64(all_ones), key).value, g.seed_all_ones) << g.length;
  }
}

TEST(xxh3_64, digests_of_all_lengths_to_2100_are_pinned) {
  const auto folded = [](std::uint64_t seed) {
    return folded_digests(2100, [h = xxh3_64(seed)](bytes_view key) { return h(key).value; });
  };
  EXPECT_EQ(folded(0), 0x7303'c943'b52b'bf91);
  EXPECT_EQ(folded(1), 0xd364'b7c6'414f'8ad1);
  EXPECT_EQ(folded(golden_ratio), 0xbcb6'268d'20f2'680b);
  EXPECT_EQ(folded(all_ones), 0x7f8f'c878'f092'd8b5);
}

TEST(xxh3_64, integer_digests_are_pinned) {
  EXPECT_EQ(hash_key(xxh3_64{}, 0).value, 0xc77b'3abb'6f87'acd9);
  EXPECT_EQ(hash_key(xxh3_64{}, 42).value, 0xd5a6'f8c8'38df'27c8);
  EXPECT_EQ(hash_key(xxh3_64{}, -1).value, 0x5111'c7e4'7d78'4413);
  EXPECT_EQ(hash_key(xxh3_64{golden_ratio}, 0).value, 0x1a00'6557'2063'04f9);
  EXPECT_EQ(hash_key(xxh3_64{golden_ratio}, 42).value, 0xfc72'f81e'1561'6341);
  EXPECT_EQ(hash_key(xxh3_64{golden_ratio}, -1).value, 0x8ae6'9d40'26ba'9e1e);
}

TEST(xxh3_64, integer_path_equals_the_library_for_every_seed) {
  const auto expect_equal = [](std::uint64_t seed, std::uint64_t value) {
    std::array<std::byte, 8> bytes;
    store_le(bytes.data(), value);
    ASSERT_EQ(xxh3_64(seed)(integer_key{value}).value, XXH3_64bits_withSeed(bytes.data(), 8, seed))
        << "seed " << seed << " value " << value;
  };
  testing::rng random(1);
  for (int i = 0; i < 100'000; ++i) expect_equal(random(), random());
  for (int s = 0; s < 64; ++s) {
    for (int v = 0; v < 64; ++v) {
      expect_equal(std::uint64_t{1} << s, std::uint64_t{1} << v);
      expect_equal(~(std::uint64_t{1} << s), ~(std::uint64_t{1} << v));
    }
  }
  for (const std::uint64_t seed : {std::uint64_t{0}, golden_ratio, all_ones}) {
    for (std::uint64_t value = 0; value < 1000; ++value) expect_equal(seed, value);
  }
}

TEST(xxh3_64, integers_hash_at_compile_time) {
  static_assert(xxh3_64{}(integer_key{42}).value == 0xd5a6'f8c8'38df'27c8);
}

TEST(xxh3_64, the_seed_changes_the_digest_of_the_empty_key) {
  EXPECT_NE(hash_key(xxh3_64(1), ""), hash_key(xxh3_64(2), ""));
}

}  // namespace
}  // namespace seen
