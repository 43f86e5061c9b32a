// XXPH3, RocksDB's preview of XXH3: our own code, pinned at every tail length and every way through it.
//
// The goldens were computed with RocksDB 10.4.2's own util/xxph3.h.
#include "hash/xxh3_preview.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::folded_digests;
using testing::high_key;

TEST(xxh3_preview, known_answers) {
  EXPECT_EQ(xxh3_preview(as_key("")), 0x5342'c301'0fe1'dd04);
  EXPECT_EQ(xxh3_preview(as_key("a")), 0x88d8'68bf'6076'81c7);
  EXPECT_EQ(xxh3_preview(as_key("key-0")), 0x77aa'4d22'bca3'3e29);
}

TEST(xxh3_preview, every_length_up_to_two_blocks_is_pinned) {
  EXPECT_EQ(folded_digests(2100, xxh3_preview), 0xb5a4'040f'70bc'7bd3);
}

// The key of high bytes; the same of keys of ff.
constexpr std::uint64_t goldens[32][2] = {
    {0x5342'c301'0fe1'dd04, 0x5342'c301'0fe1'dd04}, {0x47fa'358f'0bd3'3124, 0x9b5c'd4aa'7bd8'ec28},
    {0x8607'a8e7'cbf1'f41f, 0x34cc'3157'a0ec'1dc0}, {0x493c'3890'74fa'1826, 0xf862'f39f'9e1f'1056},
    {0xbf00'eaec'5417'ef1d, 0x1f4a'a6ea'c65c'320d}, {0xd998'bbe8'75f5'03a2, 0x452c'ce3d'4570'63c1},
    {0x81c7'cd0b'7ded'cb42, 0x9f96'4b8b'5608'92f2}, {0xdc66'a0f1'e454'e53e, 0x858f'8517'cb0c'f7e3},
    {0x1fa2'28a7'6c65'c072, 0xb4bd'4497'35b5'b10d}, {0x38da'ff4b'0d80'5f3e, 0x4e5e'6e27'4c71'04a3},
    {0xac14'7df8'fd77'1db4, 0x64b4'd5d8'c4d2'31a5}, {0xfea3'64fd'6578'88e9, 0x7b0b'3d8a'4595'63fc},
    {0x262b'e5e4'7758'a09e, 0x9161'a53b'4db4'7d54}, {0x8bc8'f5eb'8c17'b50f, 0xf504'cf60'7c55'4dc0},
    {0x766e'a3fd'8bf9'ffba, 0x0b5b'3712'2cd3'cb8b}, {0x61b7'a4d7'1fca'3494, 0x21b1'9ec3'e471'e851},
    {0xb95d'aa0b'c6e7'69d1, 0x3808'0675'5bff'f6fe}, {0x054a'1f23'97f0'aeba, 0xf4b5'3703'9899'6b6c},
    {0x3fd1'30f2'23b6'5cc3, 0x927f'5385'c572'7ca5}, {0x47a6'c94d'0638'3bac, 0xb588'08d4'5281'9f5a},
    {0x6159'c341'c8e2'645f, 0x40de'2883'8ec6'f36e}, {0x7abb'6451'a36d'7059, 0xbfe5'fa3e'9ddb'3c0a},
    {0x353f'8dfa'29af'd1f7, 0x5d74'1148'0db2'5ac6}, {0x92cb'6bd3'84b4'1930, 0x0c75'dc54'2279'e5ff},
    {0x359a'b2e3'78f6'ac61, 0xa3e1'e679'3c84'5736}, {0xace5'80e5'2653'2ab9, 0x3ca2'ed13'dad8'dcf1},
    {0xe2c1'a0df'af40'6daf, 0x5bc5'15e2'a139'c52e}, {0x0dbf'f119'd017'57e5, 0x5e5b'4ec1'f634'7fbc},
    {0xe9fa'e030'9f1f'b27f, 0xc41f'8122'1438'8d7b}, {0x595d'0b27'8728'dbe5, 0x6ab4'3528'd9d8'21c0},
    {0xfcd7'cfd6'6139'a3bc, 0x0901'00ee'cdae'21d5}, {0xc33e'f754'a5ff'a9cd, 0x4dc6'eb1e'a3a0'29a1},
};

// Not inlined: g++ 12 knows that the keys below have 31 bytes at most, and warns of the words of longer ones.
[[gnu::noinline]] std::uint64_t digest_of(bytes_view key) {
  return xxh3_preview(key);
}

TEST(xxh3_preview, case_24_tails_of_high_bytes_are_the_librarys_own) {
  for (std::size_t n = 0; n < 32; ++n) {
    const std::vector<std::byte> ones(n, std::byte{0xff});
    EXPECT_EQ(digest_of(high_key(n)), goldens[n][0]) << n;
    EXPECT_EQ(digest_of(ones), goldens[n][1]) << n;
  }
}

}  // namespace
}  // namespace seen
