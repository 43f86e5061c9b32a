// MurmurHash3 x64-128: our own code, pinned at every tail length against another implementation.
//
// The goldens were computed with the Python package mmh3 5.3:
//   mmh3.hash64(bytes((7 + 131 * i) & 255 for i in range(length)), seed, x64arch=True, signed=False)
#include <seen/hash/murmur3.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::folded_digests;
using testing::golden_key;
using words = std::array<std::uint64_t, 2>;

words murmur3(std::string_view key, std::uint64_t seed = 0) {
  return murmur3_x64_128_words(as_key(key), seed);
}

TEST(murmur3, known_answers) {
  EXPECT_EQ(murmur3(""), (words{0, 0}));
  EXPECT_EQ(murmur3("a"), (words{0x8555'5565'f659'7889, 0xe6b5'3a48'510e'895a}));
  EXPECT_EQ(murmur3("key-0"), (words{0xcaa5'6e2e'1cfe'5b91, 0xb4e4'c67c'908b'b009}));
}

struct golden {
  std::size_t length;
  words seed_0, seed_9747b28c;
};

constexpr golden goldens[] = {
    {0, {0x0000'0000'0000'0000, 0x0000'0000'0000'0000}, {0x392b'208a'1daa'bbb3, 0x93b0'608f'e302'957a}},
    {1, {0xc427'909d'8972'bd17, 0x5c15'702a'45b1'99dd}, {0x9358'a8cb'6563'40b3, 0x6782'3113'28d3'b7ca}},
    {2, {0xc7ef'01aa'fcc0'2c2e, 0x39cf'd0af'8c12'5252}, {0xf7ba'ffc8'd99e'138e, 0xf82a'081b'4352'63c4}},
    {3, {0x4d7c'3716'4fa8'b60f, 0xba01'5102'7032'3c87}, {0x81d6'1a0c'4726'dd8c, 0x29aa'8b59'762b'19cb}},
    {4, {0xfd25'3479'1d5c'6116, 0x1852'0607'53f5'b484}, {0xd28a'e9c3'3448'0e4e, 0xb5a7'22db'8df9'a978}},
    {5, {0x7944'fb5e'0e42'2295, 0xc5fb'8722'5ed3'4c8e}, {0x27ae'59ec'3df8'60b1, 0x034f'7b59'a861'b74a}},
    {6, {0x0467'09be'7723'd7cd, 0x467d'90d0'c162'35c9}, {0x4e54'85b5'47d3'85be, 0xb7cc'b082'3642'4260}},
    {7, {0x53ce'58e5'f46a'e429, 0x813c'0eb3'0cc1'c009}, {0x9e54'df21'8607'4fb7, 0x8d0b'47f0'411a'af18}},
    {8, {0x370e'7eb5'461d'75c1, 0x1083'e0b6'd433'e8a9}, {0x1866'a148'8b43'5a03, 0x97a0'9236'5f79'3548}},
    {9, {0xa4c3'1532'1c71'69ab, 0x4ba1'acb0'f3ef'cfd4}, {0x4286'd86a'6514'949e, 0x0968'19f5'e665'2072}},
    {10, {0x3509'5350'f5fe'1aae, 0x4309'b849'9af6'a413}, {0x965d'8a54'c8da'8451, 0x0caa'1c34'839e'a34c}},
    {11, {0x8556'1000'671c'bd77, 0x6a82'dd61'c9cd'5183}, {0xa423'98a2'45b0'8342, 0x76fa'532c'107a'270e}},
    {12, {0xc191'504a'e80c'93ba, 0x00ca'5889'beda'810d}, {0x7851'784b'7fea'52e2, 0x7133'99e1'1842'90ca}},
    {13, {0xda94'4f7e'23b5'1215, 0xf652'd2f0'453a'be4a}, {0xa461'c787'5033'a775, 0x2431'8887'3081'f3b1}},
    {14, {0x4166'ab2c'31fd'3a82, 0xe037'289c'eb5b'7cc9}, {0x0ea2'eea1'2756'a6c0, 0x3f1a'166e'05bb'79e0}},
    {15, {0x8f9c'0b1b'212e'e2dd, 0xea58'5d52'9cf0'2a44}, {0xa514'8fe9'69dd'419a, 0xab00'444f'fc93'f568}},
    {16, {0xa323'622a'b3f0'3159, 0x874d'22b8'63f2'dad9}, {0x4142'c773'79cd'3437, 0xfdac'3fa9'cdc8'a35e}},
    {17, {0x805d'4770'5da2'1561, 0xc7f0'fba9'610e'725b}, {0xc8ba'7744'b3f0'8c8b, 0x738a'4aa5'ea9b'bd50}},
    {18, {0xc9d4'a85d'e8ec'a5c4, 0x9fb7'84db'e212'9d10}, {0xf05a'1d3c'67a9'9d5e, 0xeae3'5a55'601c'f4e7}},
    {19, {0x12ed'0c76'd4fb'55ac, 0x1662'b4b9'd481'de52}, {0x12d8'0a93'fb14'68f0, 0xcb89'c015'a3ef'f6fb}},
    {20, {0x1847'11ac'36a1'fbe2, 0x2abb'e1ab'2413'0896}, {0xd379'4490'e319'bef2, 0x510a'5e28'9005'1bf3}},
    {21, {0xc8d3'0888'a436'aa81, 0xff1c'33e1'7180'29d8}, {0x139d'478f'3881'1dba, 0xb450'5acb'3724'2734}},
    {22, {0x3cab'76eb'b9b9'd1ac, 0x9ea3'4378'fa8a'21d4}, {0x5166'd4ee'405a'bbf8, 0x38f5'349d'29bd'03d5}},
    {23, {0x0a1e'8e2f'c7b5'6bfe, 0xf567'6875'4c42'f8dd}, {0xdc03'2f3d'c36b'fa56, 0x5486'66ff'a3d6'204e}},
    {24, {0x9259'50ab'9072'1f8e, 0x0859'02e5'65cf'2a75}, {0x5e3a'efc6'527c'231c, 0xcd43'4c74'cc4d'3ac8}},
    {25, {0xc3ff'0f93'7921'c367, 0x217a'5c20'5d1b'54ec}, {0xb23d'd6be'acbf'8855, 0x8149'ae51'f1da'eb1e}},
    {26, {0x4709'ab34'2586'fe65, 0x3fad'44ec'cfb6'd8c6}, {0x7a72'5570'5ddc'4a6c, 0x7f54'eebd'8faf'e7c9}},
    {27, {0x61e4'c3c6'80e9'c424, 0xfe57'da08'00fe'cbc9}, {0x4357'69d7'b71a'5358, 0x49f0'35a7'66a1'a065}},
    {28, {0x03c0'ecaf'6d24'283a, 0xda35'344e'13ca'2b5a}, {0x281a'1172'9292'63ad, 0x710a'80dc'324f'2479}},
    {29, {0xeb98'c918'2c33'da4e, 0x5c69'fb18'7582'e2b8}, {0x9c80'efad'87a4'1929, 0x53e8'5b70'fb6e'f4f5}},
    {30, {0x506a'c952'3551'df9e, 0xea4b'fea4'50dd'c66c}, {0x9c3e'fbd7'0ed6'd11c, 0xd0dc'1202'e342'1681}},
    {31, {0x4149'0b6a'cb87'b232, 0xc614'0fce'75b1'c563}, {0x5e59'9654'c3ae'203d, 0x7d26'70dd'c517'9d3a}},
    {32, {0x4695'd67c'ced3'bf33, 0x4ad0'dc3d'0865'398a}, {0xbcdc'ae07'1720'c9fe, 0x61f8'b2b3'2d99'82db}},
    {47, {0x117d'e100'3d04'6604, 0x79c6'9939'1375'ede8}, {0x175a'ada6'7ed1'ce50, 0xc40f'0997'f69e'f525}},
    {48, {0xf5af'5b64'8d0d'3030, 0xa923'3a90'4c23'4ca0}, {0x2493'8fef'0cb0'3ee9, 0xf17e'e19c'e29e'078b}},
    {49, {0x2878'd783'89ad'9139, 0xe943'a257'8d03'06bb}, {0xd5be'41e5'7392'bcbb, 0x30da'6a41'3245'be40}},
    {255, {0xdd43'622f'7edb'd077, 0x5237'ff4e'add4'0438}, {0x9535'e752'cf22'6dc6, 0x43b7'307d'f46a'd7bb}},
    {256, {0x5fed'c2bc'56c7'1536, 0xb142'b57e'a36c'c6a6}, {0x5c30'dee9'f766'65c5, 0x6196'863e'bb1c'13e1}},
};

TEST(murmur3, both_words_are_pinned_for_every_tail_length) {
  for (const golden& g : goldens) {
    const auto key = golden_key(g.length);
    EXPECT_EQ(murmur3_x64_128_words(key), g.seed_0) << g.length;
    EXPECT_EQ(murmur3_x64_128_words(key, 0x9747'b28c), g.seed_9747b28c) << g.length;
  }
}

// Keys of 0..31 bytes 0xff: an implementation that sign-extends its tail bytes (Cassandra's) differs from length 1 on.
constexpr words goldens_ff[] = {
    {0x0000'0000'0000'0000, 0x0000'0000'0000'0000}, {0x47da'3778'a4e2'90ec, 0xfa2f'1714'3880'ce2e},
    {0x200a'dd3d'2159'ecda, 0x4273'9c03'4924'b6d8}, {0x131d'c007'46d0'3897, 0xec78'5d6b'622f'645f},
    {0x43da'45eb'3466'4641, 0xc715'5748'4587'8f6c}, {0xbe54'd555'836a'ef13, 0x1488'c6a5'f8a7'dda2},
    {0x458f'6013'f637'5c8c, 0xf32a'e70c'7a8b'f088}, {0x2209'5c47'6595'b04b, 0xab4f'2b43'548f'db79},
    {0xa0e4'b27a'1aba'ed73, 0x6921'12c9'6b4a'46af}, {0xaf8b'4e33'fb20'6352, 0x73fd'b038'3892'c275},
    {0xe9f3'bd48'b381'd244, 0xd306'9a63'ab42'ebf4}, {0x4356'557f'ac43'eac1, 0xb963'4bd9'bc13'f5b2},
    {0x2bda'a2c1'd445'bbc9, 0x0379'81d2'26d3'cbb9}, {0x1c77'b1f6'ed6d'3036, 0x1839'c3bd'e2c5'0c63},
    {0xc8ce'64e9'98c8'b101, 0xf3e7'39dc'dbc5'21a1}, {0x2c9d'1a48'cb13'ee54, 0x080e'9aeb'b472'3701},
    {0xd8ce'73d7'a39a'46e6, 0xd0ac'179d'2650'b632}, {0x93b3'db80'aa4d'392f, 0xfc12'd348'8581'444c},
    {0x5e04'1683'898d'2f4e, 0x8f50'c150'd6b7'72c2}, {0xfa8c'35f5'5b5a'adfc, 0xccbd'dba6'd379'dc6e},
    {0x9e0b'99eb'8313'b766, 0x6b93'9faa'd7b0'c4fa}, {0x3b9c'3a2e'c30e'24fa, 0x93cb'06c9'c8b4'fe12},
    {0x5978'61cc'eb30'95bb, 0x119f'7459'bfbd'7a25}, {0xf402'22d1'b34f'094c, 0x70d5'8ee4'e280'e2f5},
    {0xc791'65ee'b64b'ee2e, 0xe38f'ccdb'6ef7'5aa0}, {0xb66c'f496'ed95'4248, 0xbb81'a251'1dfa'0b18},
    {0x3278'139d'a283'e460, 0xb4df'5019'022d'24eb}, {0x6d5a'd32c'6850'f8e6, 0xce51'5915'30cf'b0fa},
    {0xd97d'd173'2b22'd08f, 0x1f61'6a85'c9fa'27d4}, {0x185e'12c4'a5a8'6802, 0x879c'30fe'ed6c'959b},
    {0xdd1a'c424'1c3d'6228, 0x0e1c'f645'cc40'e1c5}, {0x7fac'6e54'6e44'ff6f, 0xa9d8'3807'b918'71d2},
};

TEST(murmur3, tail_bytes_from_0x80_up_are_not_sign_extended) {
  for (std::size_t length = 0; length < std::size(goldens_ff); ++length) {
    EXPECT_EQ(murmur3(std::string(length, '\xff')), goldens_ff[length]) << length;
  }
}

TEST(murmur3, both_words_of_all_lengths_to_600_are_pinned) {
  const auto folded = [](std::uint64_t seed, std::size_t word) {
    return folded_digests(600, [=](bytes_view key) { return murmur3_x64_128_words(key, seed)[word]; });
  };
  EXPECT_EQ(folded(0, 0), 0x145d'41a9'8f47'9118);
  EXPECT_EQ(folded(0, 1), 0xbbd8'9502'3993'9e12);
  EXPECT_EQ(folded(1, 0), 0x3330'4e59'4472'e4dc);
  EXPECT_EQ(folded(1, 1), 0xcd77'2771'df17'afcd);
  EXPECT_EQ(folded(0x9747'b28c, 0), 0x96d4'acbc'd55e'bf43);
  EXPECT_EQ(folded(0x9747'b28c, 1), 0x8c8b'b6d7'855c'a504);
  EXPECT_EQ(folded(0xffff'ffff, 0), 0x3edb'758d'ec91'6ac7);
  EXPECT_EQ(folded(0xffff'ffff, 1), 0x7781'5ba3'f0a1'bc2d);
}

TEST(murmur3, the_digest_is_the_first_word) {
  const auto key = golden_key(21);
  EXPECT_EQ(murmur3_x64_128(0x9747'b28c)(key).value, murmur3_x64_128_words(key, 0x9747'b28c)[0]);
}

TEST(murmur3, a_seed_wider_than_32_bits_is_refused) {
  EXPECT_EQ(murmur3_x64_128(0xffff'ffff).seed(), 0xffff'ffff);
  EXPECT_THROW(murmur3_x64_128(0x1'0000'0000), std::invalid_argument);
}

}  // namespace
}  // namespace seen
