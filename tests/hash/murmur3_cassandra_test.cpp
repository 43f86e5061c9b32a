// Cassandra's MurmurHash3 x64-128, against Cassandra's own: MurmurHash.hash3_x64_128 of cassandra-all 4.1.7, seed 0.
#include "hash/murmur3_cassandra.hpp"

#include <seen/hash/key.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "golden_keys.hpp"

namespace seen {
namespace {

using words = std::array<std::uint64_t, 2>;

struct golden {
  words high, ones;  // testing::high_key, and as many bytes 0xff
};

constexpr golden goldens[] = {
    {{0x0000'0000'0000'0000, 0x0000'0000'0000'0000}, {0x0000'0000'0000'0000, 0x0000'0000'0000'0000}},
    {{0xe585'cbe3'2277'f22f, 0xb71c'919f'cac9'b713}, {0xc25a'0889'4c50'6b7f, 0xac0b'bee7'ce75'42c7}},
    {{0x73d0'9dfe'cf10'48c2, 0x3104'1001'e9d1'7956}, {0x5587'a07c'1016'f56f, 0x6e4b'edf1'f553'6971}},
    {{0x6b4a'd250'4610'14b0, 0x85af'92e2'1726'2d06}, {0x80f4'44d9'60a5'152d, 0x7a62'03e2'8a39'defd}},
    {{0x556c'814b'b07f'05eb, 0x2978'dd10'85c6'2072}, {0x6545'c20b'9560'7a50, 0x335e'd84f'b162'5689}},
    {{0xa836'529d'0dd2'460e, 0x950b'3242'612e'c6f1}, {0x84e9'2195'fc84'3f98, 0x1652'0ff9'9acc'0461}},
    {{0x0ff6'2027'6167'df00, 0x1b06'f8ef'2228'b451}, {0x1d50'899e'b848'7ed1, 0x6aea'51d1'058f'1832}},
    {{0xde37'f082'3b53'7284, 0x348d'86fb'88aa'2f7f}, {0x4372'd2da'163b'e786, 0x248d'a71d'7fc1'fb49}},
    {{0x1afb'0e4c'f46d'b752, 0x4c0f'7e97'68dc'da41}, {0x6221'6939'2ffa'4693, 0x1165'5778'66e3'd30a}},
    {{0x28be'3fab'4eee'8599, 0x7c17'a2d7'8b1f'2c3e}, {0x750c'e211'aa5d'd8c6, 0xc98f'414e'd50d'a9f8}},
    {{0xb75b'1dd2'9bb7'ddf4, 0xa382'2460'd50c'd4c8}, {0xe049'f2c2'b54b'a5d3, 0x5067'd8f8'2a72'7f89}},
    {{0x30f2'1862'5c72'666a, 0x3300'9f96'1c41'a73d}, {0x433c'5413'2216'84a2, 0x2f36'a836'975f'f61d}},
    {{0xe5ef'da07'1306'acf6, 0xc1a1'6da7'9a0f'9e71}, {0x4b83'4b12'09f7'c0c5, 0x027a'a1a8'1026'2527}},
    {{0x7cd8'af83'1083'cc12, 0xd0af'6ab5'2b88'f83e}, {0x4af8'8abf'fd3d'c687, 0x37e8'16b5'a275'6df2}},
    {{0x0b1c'df8f'7ca8'ca47, 0x20b7'0536'4493'7afd}, {0x9ece'495e'9897'9fde, 0x4a59'3f02'727d'738c}},
    {{0x0818'9483'f587'b28a, 0x8b42'a8f6'ebd5'7850}, {0xe187'e84e'fa24'f091, 0x5536'ce97'7875'b220}},
    {{0x450f'2fbb'69ba'd3bd, 0x7fc3'4381'828e'08e8}, {0xd8ce'73d7'a39a'46e6, 0xd0ac'179d'2650'b632}},
    {{0x30e0'aac9'fbfb'a5ae, 0xc9de'3b1e'7ff0'16da}, {0xc6b5'a455'05a4'008d, 0x375f'26a8'72ca'a07a}},
    {{0x10c1'a3f1'25cb'637e, 0x227b'8d54'60e3'38a1}, {0xed12'9c1c'1e15'dbd2, 0xaed0'547f'6d12'8992}},
    {{0x82bf'2d20'2b63'7726, 0x99fa'35df'1990'4937}, {0x2a93'd319'07bb'd001, 0xe4c8'f54c'c9bb'9a18}},
    {{0xd381'8368'88c7'9890, 0xc777'bdb5'0d86'168d}, {0x611a'059d'63d2'054b, 0x2045'7b5a'cf6f'683c}},
    {{0xfe9a'e99d'2d04'add9, 0x846c'b20f'03d2'8b91}, {0xb497'9dab'5d1e'b11a, 0xb277'df92'5c3e'd4c7}},
    {{0x4f8a'7b7e'be41'54f9, 0xe35b'ec93'5d13'b8ea}, {0x01c3'b4f9'aba0'f8fd, 0xe57f'a20b'4f8e'031e}},
    {{0x855a'1c04'bd69'0a01, 0x6254'f06b'd4dc'82ac}, {0x1ae6'ebcd'9ffb'2660, 0xdb9b'e84b'c7e5'22dc}},
    {{0x63d8'8798'f664'3da0, 0xe5b6'1494'1dee'a23b}, {0x34f6'425d'9852'd4e1, 0xccfc'5012'71eb'e1b1}},
    {{0xf3c7'86fa'ce1d'd419, 0xb523'7767'583f'd1cc}, {0x8a2a'60cf'7336'cd74, 0x342f'6336'a954'3b0c}},
    {{0x4a1b'7c3c'77db'8f06, 0xe30b'74a9'0fa8'c801}, {0xab10'022a'40f0'6160, 0x8964'bc71'6ce1'0c41}},
    {{0xd236'600b'a6cc'c16b, 0x7c8e'6007'0e8b'46d1}, {0x11e2'e05f'cfae'91f7, 0x6cbc'cb12'e1d2'1ada}},
    {{0xa174'b04c'c689'dbb2, 0xa99f'cfcc'fb38'430a}, {0xb6b1'73e3'2c20'b651, 0x6022'f1cc'd504'b731}},
    {{0xd8b3'a31b'b8a3'1944, 0x3bf7'd018'08b6'a5c8}, {0x8d26'05c7'f771'52f7, 0xcdfa'f2df'2b3e'2e81}},
    {{0x99c8'eb1c'1ad0'd6c8, 0xf2c5'21e4'c22b'30e2}, {0x0ca6'6666'5a4e'0874, 0x2d32'633e'9161'ab77}},
    {{0xb904'db51'c480'6207, 0x0ea5'0b74'ffb4'27eb}, {0xceba'6eb5'148c'8c58, 0x61fd'b48b'4ad6'9ff8}},
};

TEST(murmur3_cassandra, ascii_keys_hash_as_everywhere) {
  for (const char* const key : {"", "a", "key-0", "a key of more than sixteen bytes"}) {
    EXPECT_EQ(murmur3_x64_128_cassandra_words(as_key(key)), murmur3_x64_128_words(as_key(key))) << key;
  }
}

TEST(murmur3_cassandra, case_24_every_tail_with_bytes_from_0x80_up) {
  for (std::size_t n = 0; n < std::size(goldens); ++n) {
    EXPECT_EQ(murmur3_x64_128_cassandra_words(testing::high_key(n)), goldens[n].high) << n;
    EXPECT_EQ(murmur3_x64_128_cassandra_words(std::vector<std::byte>(n, std::byte{0xff})), goldens[n].ones) << n;
  }
}

}  // namespace
}  // namespace seen
