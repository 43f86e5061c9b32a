// SipHash-2-4 and 1-3: our own code, pinned at every tail length against another implementation.
//
// The goldens are for the key 00 01 .. 0f and the inputs 00 01 .. of the SipHash paper (whose appendix A ends in
// a129ca6149be45e5 for 15 bytes). Computed with the Python package siphash24 1.9, of which 1-3 agrees with CPython's
// own string hash; siphash_sodium_test.cpp compares 2-4 with libsodium.
#include <seen/hash/siphash.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::folded_digests;

secret secret_of(std::uint64_t k0, std::uint64_t k1) {
  secret made;
  store_le(made.bytes.data(), k0);
  store_le(made.bytes.data() + 8, k1);
  return made;
}

const secret counting = secret_of(0x0706'0504'0302'0100, 0x0f0e'0d0c'0b0a'0908);
const secret falling = secret_of(0xf8f9'fafb'fcfd'feff, 0xf0f1'f2f3'f4f5'f6f7);

TEST(siphash, known_answers) {
  const siphash_2_4 bbloom(secret_of(0xdead'beaf, 0xfaeb'daed));  // the fixed key of Go's bbloom
  EXPECT_EQ(hash_key(bbloom, "").value, 0x7d9e'47f5'7dc5'78b5);
  EXPECT_EQ(hash_key(bbloom, "a").value, 0x687d'fe48'1796'28ab);
  EXPECT_EQ(hash_key(bbloom, "key-0").value, 0xd51d'8f97'3f50'3e77);
}

struct golden {
  std::uint64_t siphash_2_4, siphash_1_3;
};

constexpr golden goldens[] = {
    {0x726f'db47'dd0e'0e31, 0xabac'0158'050f'c4dc}, {0x74f8'39c5'93dc'67fd, 0xc9f4'9bf3'7d57'ca93},
    {0x0d6c'8009'd9a9'4f5a, 0x82cb'9b02'4dc7'd44d}, {0x8567'6696'd7fb'7e2d, 0x8bf8'0ab8'e7dd'f7fb},
    {0xcf27'94e0'2771'87b7, 0xcf75'5760'88d3'8328}, {0x1876'5564'cd99'a68d, 0xdef9'd52f'4953'3b67},
    {0xcbc9'466e'58fe'e3ce, 0xc50d'2b50'c59f'22a7}, {0xab02'00f5'8b01'd137, 0xd392'7d98'9bb1'1140},
    {0x93f5'f579'9a93'2462, 0x3690'9511'8d29'9a8e}, {0x9e00'82df'0ba9'e4b0, 0x25a4'8eb3'6c06'3de4},
    {0x7a5d'bbc5'94dd'b9f3, 0x79de'85ee'92ff'097f}, {0xf4b3'2f46'226b'ada7, 0x70c1'18c1'f94d'c352},
    {0x751e'8fbc'860e'e5fb, 0x78a3'84b1'57b4'd9a2}, {0x14ea'5627'c084'3d90, 0x306f'760c'1229'ffa7},
    {0xf723'ca90'8e7a'f2ee, 0x605a'a111'c0f9'5d34}, {0xa129'ca61'49be'45e5, 0xd320'd86d'2a51'9956},
    {0x3f2a'cc7f'57c2'9bdb, 0xcc4f'dd1a'7d90'8b66}, {0x699a'e9f5'2cbe'4794, 0x9cf2'6890'63db'd80c},
    {0x4bc1'b3f0'968d'd39c, 0x8ffc'389c'b473'e63e}, {0xbb6d'c91d'a779'61bd, 0xf21f'9de5'8d29'7d1c},
    {0xbed6'5cf2'1aa2'ee98, 0xc0dc'2f46'a6cc'e040}, {0xd0f2'cbb0'2e3b'67c7, 0xb992'abfe'2b45'f844},
    {0x9353'6795'e3a3'3e88, 0x7ffe'7b9b'a320'872e}, {0xa80c'038c'cd5c'cec8, 0x525a'0e7f'dae6'c123},
    {0xb8ad'50c6'f649'af94, 0xf464'aeb2'6734'9c8c}, {0xbce1'92de'8a85'b8ea, 0x45cd'5928'705b'0979},
    {0x17d8'35b8'5bbb'15f3, 0x3a3e'35e3'ca99'13a5}, {0x2f2e'6163'076b'cfad, 0xa91d'c74e'4ade'3b35},
    {0xde4d'aaac'a71d'c9a5, 0xfb0b'ed02'ef6c'd00d}, {0xa6a2'5066'8795'6571, 0x88d9'3cb4'4ab1'e1f4},
    {0xad87'a353'5c49'ef28, 0x540f'11d6'43c5'e663}, {0x32d8'92fa'd841'c342, 0x2370'dd1f'8c21'd1bc},
    {0x7127'512f'72f2'7cce, 0x8115'7b6c'16a7'b60d},
};

TEST(siphash, digests_are_pinned_for_every_tail_length) {
  for (std::size_t length = 0; length < std::size(goldens); ++length) {
    std::vector<std::byte> input(length);
    for (std::size_t i = 0; i < length; ++i) input[i] = static_cast<std::byte>(i);
    EXPECT_EQ(hash_key(siphash_2_4(counting), input).value, goldens[length].siphash_2_4) << length;
    EXPECT_EQ(hash_key(siphash_1_3(counting), input).value, goldens[length].siphash_1_3) << length;
  }
}

TEST(siphash, digests_of_all_lengths_to_600_are_pinned) {  // past 255 only the low byte of the length is hashed
  const auto folded = [](auto h) { return folded_digests(600, [h](bytes_view key) { return h(key).value; }); };
  EXPECT_EQ(folded(siphash_2_4(counting)), 0x9a70'b0ff'01b3'bb77);
  EXPECT_EQ(folded(siphash_1_3(counting)), 0x256a'2f49'70c6'aa5d);
  EXPECT_EQ(folded(siphash_2_4(falling)), 0xd759'7556'0458'9f5d);
  EXPECT_EQ(folded(siphash_1_3(falling)), 0x20bc'a9f2'59c2'6598);
}

TEST(siphash, every_bit_of_the_secret_matters) {
  const auto key = testing::golden_key(9);
  const auto usual = siphash_1_3(counting)(key);
  for (std::size_t bit = 0; bit < 128; ++bit) {
    secret other = counting;
    other.bytes[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    EXPECT_NE(siphash_1_3(other)(key), usual) << bit;
  }
}

TEST(siphash, keeps_its_secret_and_has_no_seed) {
  EXPECT_EQ(siphash_2_4(falling).secret(), falling);
  EXPECT_EQ(siphash_2_4(falling).seed(), 0u);
}

TEST(secret, random_secrets_differ) {
  const auto a = secret::random();
  const auto b = secret::random();
  ASSERT_TRUE(a && b);
  EXPECT_NE(*a, *b);
  EXPECT_NE(*a, secret{});
}

}  // namespace
}  // namespace seen
