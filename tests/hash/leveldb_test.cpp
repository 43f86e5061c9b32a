// The hashes of LevelDB's and RocksDB's Bloom filters: our own code, pinned at every tail length.
//
// The goldens were computed with the libraries' own util/hash.cc: LevelDB 1.22 and RocksDB 10.4.2.
#include "hash/leveldb.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::high_key;

TEST(leveldb_hash, known_answers) {
  EXPECT_EQ(leveldb_32(as_key(""), leveldb_bloom_seed), 0xbc9f'1d34);
  EXPECT_EQ(leveldb_32(as_key("a"), leveldb_bloom_seed), 0x286e'9db0);
  EXPECT_EQ(leveldb_32(as_key("key-0"), leveldb_bloom_seed), 0x78a0'46a8);
  EXPECT_EQ(rocksdb_32(as_key("key-0"), leveldb_bloom_seed), 0x78a0'46a8);
}

// LevelDB, RocksDB; the same of keys of ff.
constexpr std::uint32_t goldens[32][4] = {
    {0xbc9f'1d34, 0xbc9f'1d34, 0xbc9f'1d34, 0xbc9f'1d34}, {0xfd03'8f05, 0x585b'fca0, 0xc20e'0a90, 0x1d66'774f},
    {0x58f9'5fa4, 0x0cbe'ccf0, 0xce11'360d, 0x81d6'a342}, {0x43db'f973, 0x64a1'6654, 0x3755'9553, 0x581b'023c},
    {0x3426'8892, 0x3426'8892, 0x6cc1'7294, 0x6cc1'7294}, {0x8b5e'c708, 0xe6b7'3465, 0x7f83'495b, 0xdadb'b6fe},
    {0xb58b'66ae, 0x6950'd372, 0xde15'7816, 0x91da'e559}, {0xfa09'b1c2, 0x1acf'1e22, 0x581c'1aab, 0x78e1'878b},
    {0x1e19'a68b, 0x1e19'a68b, 0x2abc'303f, 0x2abc'303f}, {0xbb7e'6263, 0xbb7e'6263, 0x23d3'7259, 0x7f2b'df05},
    {0x3a8c'65e2, 0x3a8c'65e2, 0x02f5'4257, 0xb6ba'afe3}, {0x3d51'41fa, 0x3d51'41fa, 0x91fd'afc6, 0xb2c3'1ce5},
    {0xc147'c339, 0xc147'c339, 0x46c5'2317, 0x46c5'2317}, {0x8b12'35f6, 0x8b12'35f6, 0x7054'd794, 0xcbad'442f},
    {0x5d8c'c671, 0x5d8c'c671, 0x8b75'36e0, 0x3f3a'a354}, {0x3f00'31a1, 0x3f00'31a1, 0x862b'351b, 0xa6f0'a23b},
    {0x1052'0f35, 0x1052'0f35, 0x9752'dd90, 0x9752'dd90}, {0xffa1'40e5, 0x5af9'ad40, 0x8546'd622, 0xe09f'4347},
    {0x6cae'31bd, 0x2073'9ef1, 0x27e0'47b9, 0xdba5'b445}, {0x582b'1378, 0x78f0'8058, 0x6ad7'da61, 0x8b9d'4780},
    {0x373c'e4d1, 0x373c'e4d1, 0xa48f'7c53, 0xa48f'7c53}, {0x47da'171d, 0xa332'84f9, 0xb6f8'876a, 0x1250'f4ce},
    {0xd050'6fdc, 0x8415'dc88, 0x6884'e7d3, 0x1c4a'54a7}, {0x0a45'867d, 0xbe0a'f3c9, 0x865b'bd70, 0xa721'2a51},
    {0xff7b'7f33, 0xff7b'7f33, 0x5a34'10a5, 0x5a34'10a5}, {0xc1bd'07a0, 0xc1bd'07a0, 0xc698'f380, 0x21f1'6067},
    {0xe2cd'd676, 0xe2cd'd676, 0x544c'3cfd, 0x0811'a9a1}, {0x55c6'aec2, 0x55c6'aec2, 0x04b3'05af, 0x2578'728e},
    {0x10d4'806f, 0x10d4'806f, 0x4eaa'0019, 0x4eaa'0019}, {0x96f4'9270, 0x96f4'9270, 0xc900'7d3e, 0x2458'ead3},
    {0x9d8b'dfb3, 0xf5f8'dfdb, 0xce5a'edb0, 0x8220'5afc}, {0xdbcd'98b3, 0xa13a'98c9, 0xd3bd'369e, 0xf482'a3b9},
};

TEST(leveldb_hash, case_24_tails_of_high_bytes_are_the_libraries_own) {
  for (std::size_t n = 0; n < 32; ++n) {
    const std::vector<std::byte> ones(n, std::byte{0xff});
    EXPECT_EQ(leveldb_32(high_key(n), leveldb_bloom_seed), goldens[n][0]) << n;
    EXPECT_EQ(rocksdb_32(high_key(n), leveldb_bloom_seed), goldens[n][1]) << n;
    EXPECT_EQ(leveldb_32(ones, leveldb_bloom_seed), goldens[n][2]) << n;
    EXPECT_EQ(rocksdb_32(ones, leveldb_bloom_seed), goldens[n][3]) << n;
  }
}

}  // namespace
}  // namespace seen
