// MD5 and the SHA functions: known answers, and a golden value for every length through two blocks of the widest one.
// The values are Python's hashlib's. Of each digest its words of eight bytes (little-endian, the last one short in
// SHA-1) are xored, so that one number stands for all of it.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hash/md5.hpp"
#include "hash/sha1.hpp"
#include "hash/sha2.hpp"

namespace seen {
namespace {

template <class Digest>
std::string hex_of(std::string_view text) {
  std::string hex;
  for (const std::byte b : detail::digest_of<Digest>(std::as_bytes(std::span(text)))) {
    hex += "0123456789abcdef"[static_cast<unsigned>(b) >> 4];
    hex += "0123456789abcdef"[static_cast<unsigned>(b) & 15];
  }
  return hex;
}

template <class Digest>
std::uint64_t folded(bytes_view message) {
  const auto digest = detail::digest_of<Digest>(message);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    sum ^= static_cast<std::uint64_t>(digest[i]) << (8 * (i % 8));
  }
  return sum;
}

TEST(digests, known_answers) {
  EXPECT_EQ(hex_of<md5>(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(hex_of<md5>("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(hex_of<sha1>(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex_of<sha1>("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex_of<sha256>(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex_of<sha256>("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_of<sha384>(""),
            "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b");
  EXPECT_EQ(hex_of<sha384>("abc"),
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7");
  EXPECT_EQ(hex_of<sha512>(""),
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47"
            "417a81a538327af927da3e");
  EXPECT_EQ(hex_of<sha512>("abc"),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d442364"
            "3ce80e2a9ac94fa54ca49f");
}

struct golden {
  std::uint64_t md5, sha1, sha256, sha384, sha512;
};

// Message n: bytes 0x80 + 17·i + n mod 256, of lengths 0, 1, 2, …
constexpr std::array rising{
    golden{0x7af0f86341859d3d, 0x9d530bcb081bb447, 0x298e5a1d75e870fa, 0x6b4fa238392ecceb, 0x887a2414684ed115},
    golden{0x0d69691f0a348ec9, 0xdefd34ffb3ec93b4, 0x6909ad5b329d823c, 0xe49debdeaf9aaff1, 0x11858aeca3b5b4a9},
    golden{0x830b9b807fb83844, 0xf341489261ca9a27, 0xae50bd025bb2ff63, 0x7bb655cea2a09daf, 0xfcc64dc23e97b80f},
    golden{0x06e5c6430b438aae, 0xb02e8ebf78ff5594, 0xe32fb1cfe9781191, 0x2c32490674596708, 0x82ad5782e15b1f69},
    golden{0x8095c6df43e7e392, 0xbf7e4d2723159fea, 0x9de029f348104bfc, 0x7b4b2b149b0eb7cc, 0x2b2d51751985004c},
    golden{0xfb3b2adfbd0ccd32, 0x10dc936f0f3abd98, 0xb65bc523d1113fe0, 0x4c909aff17e63d04, 0x6fa9de901e9b3f23},
    golden{0xb5ac8895bba67229, 0x4f21b93a5c819a3f, 0xe8a954fdc8669ac0, 0x139aba332651ddda, 0xf005d581daf850c0},
    golden{0x025263e47359af60, 0x50f606abef554161, 0xfbd708b654ef95b2, 0x3ea6cd3ff7af907b, 0x6d6cba75bbf67fa7},
    golden{0x37872d5d97f61557, 0x97594b626052aa33, 0xd4cd9c15897c0b2c, 0xef7c72e1570e9fef, 0xce1475144debe9e6},
    golden{0x74e5ae874b04148f, 0xd33dab57483fef64, 0x704bcd2bccb2c2f5, 0xb9ad63d4a5395e94, 0x2d7ef6618ba6ca82},
    golden{0x47c378a3119216d1, 0x3edaa3141e2d12e8, 0xa72ce04ee1397227, 0xa9c9035d3dc1eb9a, 0xe8187bfb8d070da6},
    golden{0x0d6b47f70e55e3bb, 0xae3c30d1d998cee0, 0x1b4946f5c0064eed, 0xda582749cd6d7b6a, 0x5a66230e17c3a8e2},
    golden{0x29effc01667f994b, 0xaca53cc129273796, 0xb57d79c810330912, 0xd7cb8948c0bd4748, 0xc4b4082f76e70494},
    golden{0x19ebe1d2b271f45e, 0xa8e710478c28d68f, 0xccd31d0b64b401ec, 0xb6d58d5b1a65a660, 0x98014d0c35565c59},
    golden{0xee1d32c12b390152, 0x79acabd81ddc8c18, 0xce26fa0ea2fc093b, 0x1c95e433e4a4b5e8, 0xfcce37aa34b1bcf4},
    golden{0xbfc7baa8b17ae692, 0x4f12e625e7a8c98e, 0x11eef847f7403799, 0x62b2f0fb72c6762d, 0x751eac095d6965a7},
    golden{0x6689b23a273b98d7, 0xd60dbc90b86f93ac, 0xd254dab608f57214, 0x1fdef45b23d9a54e, 0xc9809a80c6643074},
    golden{0x2d5022bcafcf339a, 0x5e64a135a9139945, 0x4ed2aa7c8a816eb7, 0x2457c57d35be8bac, 0x6e662660eac179d3},
    golden{0x4e213dc13823af47, 0xddc795c4586dd190, 0x803b22793722333e, 0xe605df0d408bce36, 0x69370306f2d935e8},
    golden{0x582bea76d99967f6, 0x346783ef8131d9bd, 0xc44d619d163728f4, 0x5b83ddfbaa4024cc, 0x4b15df6d97845b0e},
    golden{0x6c7677c0d5e3426f, 0x91f7d7e556f07a68, 0xc855c4b8c9af1fbb, 0x49bcf6b7e07cfd87, 0x0e094b311b785041},
    golden{0x28290a625f4ea289, 0xd4233c9c84a6dbdb, 0x9f0316689dde9e20, 0x50c9232ae8c6810b, 0xf411621cfdde4590},
    golden{0xa1eb287f62889a8e, 0x344d5c7cec77b44f, 0x1e49091b79dca069, 0xd8f1e91a9b4136af, 0x415cda14bda4bcf8},
    golden{0xd46cd045d73070b8, 0x59d559ceaaac4c0b, 0x1c53496e4ca1643b, 0x3b0d22fa32a476be, 0x031527c0c1b88429},
    golden{0x2f796cdb41db55b0, 0x16ee6c134e5d691e, 0x2306c0f1d8361f27, 0xf2656243058de1e6, 0x5bf30f38c00c7115},
    golden{0xd8b6652a3d384dd8, 0xe94b9e61386fee18, 0x1372c899b0b6837c, 0x9d65624cbde6463a, 0xf167bfd3fbf5feb4},
    golden{0x54b9424e9cd4a536, 0xdf4ff6c86c5dfaae, 0x478a51b0e2b3ae79, 0x1d7c89f299ea09d7, 0xb1e106eaa3f80495},
    golden{0x2e8d6a6d2e185683, 0x6955b9a141dc1c45, 0xebcada48f7cffe69, 0xac214987d4118ed7, 0x0325d396f0eb3bd5},
    golden{0x60567a685e45bf95, 0x16d6460826739e36, 0xf42ab48c111c95c9, 0xfc63727269139cb3, 0xde61b2fc9c8e8365},
    golden{0xd3ca506bbd448120, 0xb604edad1811467a, 0x18101ead1f133694, 0x045a11553b1b2a06, 0x4d3d0b8a1081c260},
    golden{0x6e95fa8649ca4ecc, 0xb9a87dbf1ed914c4, 0x9ce917ccdba6a962, 0xc723e44e3426c983, 0x302ca7a4d390534f},
    golden{0x25a060286c51c14d, 0x631e8857fb20f176, 0xc0ede9890f98da5b, 0xe94018f5503e069e, 0xdaf4d04c8ed73b7c},
    golden{0x33f4d77e95630e3d, 0x629f23d29a01f32d, 0x5899dc024f5499f0, 0xaeed6f325ae785ab, 0x35796110a51e3f5c},
    golden{0x1a22a19a7418ab3c, 0x98f9308bc1da1620, 0xef01d3f31be27fd8, 0x1367b668c090de4a, 0xc3d8eb8f961e963f},
    golden{0x76c64d2beb750715, 0x824407b9056ccac6, 0xcbff325975af28b8, 0xac3e5f2bdaf061df, 0xeffaa5f113a3dc50},
    golden{0xd9c873404956b43f, 0xa6f7c1c8f9b5bdcf, 0xafb204cdb41aaffa, 0x39fe402d5634ca49, 0xb4753ceb20536491},
    golden{0xb4093d67a275e7ab, 0x0276569e1ca97a2e, 0x4c7db0c47b0e3cc8, 0x7f3e58752992b312, 0xab1ed52d0affed59},
    golden{0x43facdd4b370acc8, 0xabef349602d54185, 0x6d7a06bdd2db5b1d, 0xdc42cbaa99e4c542, 0x5bb7e89ce4dc5aed},
    golden{0x71f7db882297ed55, 0x98f73fd9c9b51d5c, 0x11da0af01a930d92, 0xb67c145071bbb688, 0xaedf1e87ee0260df},
    golden{0x19dd3ba3c2b3e035, 0x2a5b19804ec81153, 0x4912c235714fcbe2, 0x4287ac1f7b591851, 0xc14bc0627521b0fe},
    golden{0xec0c433054b9904b, 0x9fc7c6e59e64af8d, 0x329cbfdb3272dbb3, 0x62f3359a61250b33, 0x49b5499de7d190da},
    golden{0x83a1066a7efef9b1, 0xfcdba05d471918ee, 0x8d3c31953c280037, 0x7ae79ca18c704863, 0x73562b4fc4932c72},
    golden{0xb3e343fc774fb520, 0xdf3bc4b756ab43af, 0xa413cfc865df8333, 0xca23acd333e3e819, 0x31064983e0f79343},
    golden{0xf5bf592cc54c1fff, 0x4a33d50e56c8932f, 0x361cddef431bcbf7, 0x3b174b8e89d2718e, 0x66de37bca9c7f78c},
    golden{0x6c553d532564f952, 0x3eb3f517179360bb, 0x77c0d9334ece7865, 0x9711cdbaca15fc69, 0xd988eaf07214a288},
    golden{0xe4f052cead3c735c, 0xa1f75f001ab7e4dc, 0xada405f55920ebb1, 0xf4134b065faadd56, 0x29c3d984fb5a26f3},
    golden{0x658d7fbb1a544db2, 0xac6114a793cfe5a1, 0x9fe204cbb02c59d7, 0x8a0957a105c697d3, 0x755ba408bbe26d25},
    golden{0x887f7b0df8306df6, 0x4596a4f3b402b304, 0xddf2197aa82eb23d, 0x263700747f634f32, 0x15b303ce62aa602b},
    golden{0x17939368d98ecb3c, 0x7fe7f4ee0bd762fd, 0x730f3d68704b54b1, 0x94e9a286a04572bf, 0x7cd850bb50bc644b},
    golden{0xe1979dc5b97ff53d, 0x4313349d49fe294f, 0xafbc234b594abe3a, 0x4cdc0297f95d2070, 0xd8f3547e560ab8cd},
    golden{0x1b4dd7b74b92db58, 0xb048be29bf3d595f, 0x49b3fa83d00504ce, 0xdf4b7c272641f155, 0x16315ea2641aeaeb},
    golden{0x8054f4f7a24ca015, 0xf6b352aac2e13a35, 0xe91eab8d0fd3f331, 0x9754a120af17d4f8, 0xc50f914915466313},
    golden{0x91b6aec0d78ddf4a, 0xdf8d558b2b6d6bef, 0x11501948dfcd1888, 0xf44fd32b9c50faa9, 0x68a1f41cd59530a5},
    golden{0xa9f4ffab25525f27, 0xa3da6d873c75e42a, 0xc9a6fb9e0093c042, 0xcaba676d36f6b3d9, 0x47911d0129d6f565},
    golden{0x591ee1b8a9205a1d, 0x554efddae70121a5, 0x6fa376afa4b4baa1, 0x708b316a4f9d688d, 0xa77797c91d6f7ab9},
    golden{0xa400a6f9b008dfcd, 0x4f5e3ac6b3a3bc07, 0x3fca9564843f1353, 0x229c46c4211b6112, 0x1d50774eee9a75ca},
    golden{0xbf4acfcf84c2ea9e, 0xd64a82a393ad2a94, 0xaccdd37ac9383c4c, 0x40888ca808de9c8a, 0x9245443319acb88f},
    golden{0x4fcd7c6ba41466b1, 0x6eefaa9c145de645, 0xf9b88804b2c55af9, 0x9895e7db2eae5529, 0xcfb9bb09ba153099},
    golden{0xe93ac25b69e7f562, 0x6daccef63e3d3258, 0x811b6ca31e75dd1c, 0x5d87455474b65df5, 0x742870db73b1af2b},
    golden{0x0271c209c356ab63, 0x83e637acab328d86, 0x22f5476cc0dbf207, 0x02013768a8ac7c90, 0x56101803adce26fc},
    golden{0x351b9b048ee6bfea, 0x3012b79faa3bb334, 0x4ec7d2cd5688d82b, 0x1883373908eb0b33, 0x5acbcf506c0bef6d},
    golden{0x5e50daa97f7cb436, 0x7888fa31ffb21571, 0x4aec88e4d30862cb, 0x19e595154f196b95, 0x5484c31acda2269d},
    golden{0xae78023a5645ce39, 0xf3741ecdb28cff73, 0xafee79494870d238, 0x7d27c0fb14a7c198, 0x7d47270f1e349bf0},
    golden{0x804073adf8d0a512, 0x41668017e159ff03, 0x0dfde8bc0c10f3f3, 0x6295ded5a52ab5e1, 0x2ea1bf29464d5839},
    golden{0xc824c7d791f0b53d, 0x59cedd211376013e, 0x3884d5fccd80f689, 0x51b3b3d272d14647, 0xcb5c9830fd5f2ce8},
    golden{0x1482b45052231d38, 0xfc56b6937982c5d7, 0xe59d671aac5f2f09, 0xb88233fb4b1de97f, 0x59038e7a5a2d632d},
    golden{0x2bd03263401dee67, 0x33412e227df4a20a, 0x06a4021ec9065b4b, 0x9ebfa95599bb9fcf, 0xc0c8961ebee884ca},
    golden{0xc519cc831c2f31b1, 0xd7854588cdc3efda, 0x1f3810b11a4ecae4, 0x57653c86011ceb03, 0xe9739a41219bc5aa},
    golden{0x5143531d011c809e, 0x6d2942e7cacfc88d, 0x8b4dfe6587712108, 0x17a27acdce879386, 0x30c2af327119594b},
    golden{0x0f5c72f4d2df2f0e, 0x1441f09f10d49681, 0xf23793d528fc570c, 0xa12f0711cb04daa1, 0x2a4dc387f6765d86},
    golden{0xeaf644635f7e7fbd, 0x7893ae2212c5c6b3, 0x9c666f50dfe04905, 0x71c52bab58683e33, 0xe0ad77dec6e37b3a},
    golden{0xaadea4ac277267f5, 0x4d7e62dbdc3bcf55, 0x9dc9f71b2361d2f0, 0xeb55359285c3fd2c, 0x4e672b07021bb3a3},
    golden{0x86de8e60d11284b1, 0xa910eae19d552d1d, 0x35d27d32848abec2, 0xf4ddb1e63002f8fd, 0xb9773557a399afe5},
    golden{0xe356178d29f4bbf3, 0x4381c13fb081e5e5, 0x5039b6c1639caecc, 0xc01bd213e0c9c683, 0x2249998ebb7c27fd},
    golden{0x63a83328ad3371b8, 0x8129cc66e8422743, 0xa3ed7eb09ddc373f, 0xc83744a53d99f851, 0x8faed2fb97cce7bc},
    golden{0x88844c4beafdf312, 0x92e46773e4ba2c32, 0x8be4f7160036ac5b, 0xcad447fcb0a6bd77, 0xebc8fed59ff45bd6},
    golden{0x1a56cecb1bea6e5b, 0x48a1a4da64b3251c, 0x02f785b4866cf539, 0xd6a68710cf6fd144, 0x47bb1d186f0854a8},
    golden{0xdb236b65627145a0, 0xc269b84a89224f52, 0xa69a3c1e2131287e, 0x825afaeed2d1c2c7, 0xc71e83bd9fd9d15d},
    golden{0xafeef0a1a7d4cc98, 0x98c6618511f62471, 0x4a5ee839030bf21e, 0x150f4cbe397d68ed, 0xdde92db84ba4d2e7},
    golden{0x7d25b59b4da6a1da, 0x00ae10c57bc8b7eb, 0x68f08cb06d05dd53, 0xaa592a680db832d8, 0x47bb89f50506ded0},
    golden{0x99654415541444a9, 0x440e5f8a7545ab74, 0x9981dbfa5ab4abe4, 0xbfa708e5bfe9c06c, 0x2a5a06c3a4f48e93},
    golden{0x5fd8ec2b954931d4, 0x2dae64386d8085d5, 0x879c130d3ad0fdf7, 0x2d4dfcbbdfed0956, 0xa6c278c0bd2417f2},
    golden{0x41d308c7ff1d0343, 0x3b55e842cd827d6f, 0xa401ac1b9801eef1, 0xa062f36f8f72d20c, 0x1b87217f255a1222},
    golden{0xe340bcb1b7a7046f, 0x9287d915c0a45848, 0x845265caa5863cdd, 0x3b5d63ba7e7f25aa, 0xa5b4386266d8b280},
    golden{0x4b8f7bb56ed46889, 0x24b8f9679a47b8db, 0x9985f1c8244b5aee, 0x1a8c41774a46f63c, 0x7dfd77d4774337a5},
    golden{0x984f9e46537f7177, 0xcd026481c1867a6c, 0x18cbe2349ab2f085, 0x006503e200f1d0ad, 0x5b96932272a389b8},
    golden{0xcaf2f5b2b13bda8e, 0x83f6c310c41dddd0, 0x2a5d276a20f23084, 0x3e039919aa44ea1f, 0x1c351ecbe304df5f},
    golden{0xca1cddaf06308396, 0xe796d7f5535ec222, 0x29d547e33ba91ca5, 0x2a7db499fd4fb6c7, 0x1fdfdcf8a467ba51},
    golden{0x406e251066eb8d73, 0x52baee21da2ed978, 0xacd80686d83fc51c, 0x5913e3faa1de0d42, 0xee19023784db1549},
    golden{0xf864bb37fc2d00c1, 0x2c43907ee78c99a6, 0x0aafa51061ae6928, 0xce84ce11fb05b5fb, 0x9bad7d7bbf01079f},
    golden{0xc294db47315e0cd7, 0x2ae6642eec97987a, 0xa075b59623c60299, 0x096e18175b243d1c, 0xb40f033894a69e93},
    golden{0x36a3e2b6ee341821, 0x7e03cc64bbafdd98, 0xc19f71ccdff6d88d, 0xfc7071b459873793, 0x4edf0678b87a4d53},
    golden{0x15d96f6411c7b580, 0xd7ab41ff55cc1543, 0x0945da75e360b299, 0x84b156c908143e72, 0x49cefbf05594c65a},
    golden{0xe76c5a9fef0a52a1, 0xc7b94a053f7353ba, 0xc3d549c6d990c346, 0xad43ac353e5b4f16, 0x31a8ecad133ad58e},
    golden{0x542f5f203ef44e44, 0xc452d6f0dfcf0d7d, 0x9689837612333d9d, 0x4cd09b596901a4ff, 0x5fec81d413266f14},
    golden{0xd9b1b56688e639c3, 0x2aeb4d69ceaf5745, 0x4244307e65d66cd2, 0x78c11b3c65aa8e8c, 0x2dfe5df34ec69d3f},
    golden{0x571d12836a448205, 0xe6aa6cf28bcf5c11, 0x77f820282612a18d, 0x7e854b85deee07b7, 0x245c5c893697be82},
    golden{0x934990371ac1a812, 0x720f3caf1fedc0cc, 0x889decfcfbee2d80, 0x00b5b0021b57516a, 0xbc44c23695e8251c},
    golden{0x6dac4a1c61a2d6f9, 0x432195b863aa1ce2, 0x43f2b2b074a69e30, 0x62acdcec0d701a53, 0x5213545bdab2b192},
    golden{0xe798b2d73d39d4b3, 0x210504af70ffb399, 0x452c5c4438197804, 0xe785d9ac69f644b3, 0x8db6bf66299fe0af},
    golden{0x94fb28f03889ceab, 0x717c12b786fdf1ed, 0xf6858a2fcb0d77aa, 0x11dff98ab47ae336, 0x3c1c587912fa4299},
    golden{0x370395217e898cb6, 0x11fc93637b60e5de, 0x1a905a92b3424855, 0xd53e3c60e9dd1bd8, 0x4bdef6d0e5ce27b2},
    golden{0x17aa5308024d275c, 0x1420d1cf1e147e20, 0x7dd8fd910422c8e4, 0x3954a309f4123123, 0xa11a04a8bb549034},
    golden{0xa4ad7a34b496168f, 0x53e421caf1a06c79, 0x272c7e10290cabe4, 0x014e8a98325d66a4, 0x6db47a0542a9c94a},
    golden{0xcf62ecce1eea814c, 0x4320cac0005a7c48, 0x8c570bed3fcbecd2, 0x6de847eece6619f5, 0xcbeffa48a68bc6fb},
    golden{0x479e1e2f282b7c9e, 0xcee5a8bb39f89e81, 0x471e1a9f09591abc, 0x3d6cccd2d919720b, 0x22a4a98d6ef42b48},
    golden{0xc215f0dcc4fc9aea, 0x91e5e6ebd0a715fd, 0x2511eb70f09ba4d7, 0x3e5defb824deb44f, 0x5b164642d90657bb},
    golden{0x7248e9d4568b0cd7, 0xecb9c51fb86e9de6, 0x5333e91e0d036c29, 0xbd71350f21340c88, 0x9726c69c9cbac7ec},
    golden{0x565e085f3455654d, 0x4017b1d01b21c438, 0x5e493d6bfe008820, 0xe1cea53d787152b1, 0xe13ec334d935a24d},
    golden{0x555c49f71a26eca8, 0xdfde03b62188b754, 0xa860dc727b8007e7, 0x4819d28229f19618, 0x67ff9903da2aaeb3},
    golden{0x00e4002e81b6ffcd, 0x9dad1a432c3cf804, 0xd675e8d291567b7a, 0x217aa0657cdda32e, 0x48b70dcb8ddab6ab},
    golden{0x69937397320386d1, 0xac7fc9364269fbb7, 0xa409c2c8725c4f46, 0x6f5d73180c89e9bf, 0x2501e4acbaa7e9d9},
    golden{0xac22bb46298ba640, 0x02334f8220817c9c, 0x9aea72345d1b535f, 0x0eee2387142d5936, 0x13f321d310be78df},
    golden{0xe711b6fdfc7f1cc1, 0xe18ad54eac730c15, 0x169552b75e3838d7, 0x4b823fc39b37fa1c, 0xe4e5614857dc61a9},
    golden{0x8201d9574a8e5b09, 0x3513bc911f65d371, 0xe4e3d5377668162a, 0x0b252d34ae947d66, 0xe03316a4335e2e2f},
    golden{0xea4a918c71c00133, 0x64fdee68310b0fb2, 0x8f3c8c5e3b8b14be, 0xadc63bc62fabc56c, 0x4e2108ab28415d6e},
    golden{0x6899d04639a8baa8, 0xf3def74644148ec1, 0xa13369a3105852a6, 0x0f23d4d7c25d3156, 0x2dbcc65f54f5aa65},
    golden{0x3bcba2fc29f275c1, 0xf79c1eddaba0fca2, 0x9aaf27b6acdcb265, 0x1ba684f1d9a4fe01, 0xebc84d43676058bb},
    golden{0x0709dc36c57ff27a, 0xfd12d1428b57ad07, 0x891f76a65659d258, 0x8f044c23f3bc580a, 0x551f46bbccf4d6ad},
    golden{0xb24004ef6885a8d4, 0xe5e52c21a98f4bde, 0xdf0e286226bdcb0c, 0xd6d2aa0316290f1a, 0x4011fafa78475a35},
    golden{0xe1845daa0e7d1c46, 0x79932042766d2b2b, 0x1f8b22d20c373439, 0x48a236dda3944cfe, 0xd4c0e96af1e2f8a5},
    golden{0xc0de149b2e34113a, 0xb2435e73a0d3aae1, 0x84f47e6dfa54668f, 0x2968d3fc7a996b56, 0x1be2f043b75fcb36},
    golden{0x4fcd44ae5da5f330, 0x2dc24701bc98ccb4, 0xde0990ca30161f19, 0x54f23a8f7d8a7fd4, 0x742d8adb90003553},
    golden{0x31e69fada3a2fa1d, 0xe26384b216325c49, 0x6861ab487e43330b, 0x6cdc1591e83b029e, 0x3a347a1f00617545},
    golden{0xf76bbb8555874b54, 0x0e012082bc57972a, 0x3dac4a947f61039b, 0xd7de0e2528eb24c6, 0x2122af1e25865fcb},
    golden{0xba039a19940cfec4, 0x9aed9ed507526358, 0x925ffe78ebbf26c9, 0x0466f4c1de9a4638, 0x4f76d9c529aeb62d},
    golden{0xdbd53c5e010b701e, 0xdb2059b54ce537fd, 0x8d054dc4c0709061, 0x33bb0e9aa01fc8a0, 0xc659040b0c6c095c},
    golden{0x2b080003095bf889, 0x6662b899f34b7aa3, 0x8bc67f91bd86d5be, 0xe7df509d1d46165e, 0x6939118666f5ac88},
    golden{0x0ae75596fa48ae99, 0xae34fdee1b25ff4e, 0xef35ab7dbc2a256a, 0xdff54745d9e0585b, 0x4ccdfdb8232cc9e0},
    golden{0x620c409f13e7533c, 0xa1067bc1538033d9, 0x497ce3e346a648f8, 0x343e79ef443abf4d, 0x1d243a475a537d69},
    golden{0xe236e9b2b47f9630, 0xd31b4c49b02505f3, 0x9a802d894fbe280e, 0x12be51e21d7e89f9, 0x4267d1677e307896},
};
// All bytes 0xff.
constexpr std::array ones{
    golden{0x7af0f86341859d3d, 0x9d530bcb081bb447, 0x298e5a1d75e870fa, 0x6b4fa238392ecceb, 0x887a2414684ed115},
    golden{0xaac67c54f34b93c1, 0x9c750dccaa18e47f, 0x89d17e981e14f62c, 0x84224e8bbf5277bd, 0x637bb4aa24fc4ec9},
    golden{0x54eebb34877f4676, 0x12c4747946aeba69, 0x8b77a5578c87778b, 0x8b18528c353503cd, 0x81bd45947b8e9c3f},
    golden{0x79f5525ae0ea2187, 0xad4a885bf3a4c6e6, 0x3d57f8b49d59278f, 0x0651f6d3450ec6e8, 0x54637a81d6d7bafd},
    golden{0x4c2f3a5822c46aaa, 0x052306093dae9ffe, 0x1820673eec143f2a, 0x1abe4604f35573e9, 0x7b0bcaf04f0cdb5d},
    golden{0x67b9f561f190b234, 0xd32341dba58d1f12, 0x84aaefa4e4a8d6f8, 0xe336cf988a695069, 0x11fafdcfcff8ddbc},
    golden{0x04f79f1a13744d90, 0x0c223665c6074d2a, 0x3541719e4ce923a3, 0xf3064388d6e9bab0, 0x75e1dd2e6b84c417},
    golden{0xb6c2348a7d074e49, 0xf6affdf3f18a9f73, 0x45ccca886607228f, 0xf9b5bd6502ed6b0d, 0xbd6cb42db0d73a77},
    golden{0x676605bb9ace6b6e, 0x19a88dd0678e4c61, 0xc4560eca82e30947, 0x16c667886af105bb, 0xb5bd9f5b3b69de37},
    golden{0x042eda10ae7101a4, 0xc4b7b2f43899e37d, 0xb5ef308b0d0f7e9f, 0x96ab3abffd56d7d7, 0x172798ae44b2f44f},
    golden{0xc117fc23414f3621, 0x8f49eb099fe583a7, 0x6b7b61f907cf7121, 0x55536418e674b145, 0x3f8d9f4a3f554581},
    golden{0x66a182679a9ea5e6, 0x1e154d5ececab0b3, 0xbf4f0b666179a3ee, 0x8deb6e604502549b, 0x18933cf5ec8a207d},
    golden{0x377e8c79c438ba7f, 0xe6d5a6543a75aaff, 0x96d428184acadb54, 0x867bb72530c9f05b, 0xab7efd0d8309d58a},
    golden{0x2ffb9106a66c9ada, 0x77bba0a361b554fd, 0x115564222b2a3580, 0x71a5f593279115d7, 0x834ace1187419c72},
    golden{0x778ac05ce9bc781c, 0x4d10f9c24ff26040, 0x0ccf58fc1246dc3c, 0x8a6dba7255440dd9, 0x1aa5c7c63bb6c321},
    golden{0x299d59d42951e6f3, 0xf19f1b43ea4dc05d, 0x02ec2cf4f4287175, 0x0991556c96bd29e8, 0x2757f5d80fc31445},
    golden{0x23ceb7c6735a859f, 0xa3a4ea2583144b84, 0x45820079b0285d24, 0x305bf2fe39c7b09d, 0x1c2199131b5c64c2},
    golden{0xd9dc09a32db98f7c, 0xa724ce1d88263237, 0x417f9e4cfd7dd5cd, 0x783f14f13daa6fee, 0xc57928938c010020},
    golden{0x688a6c2728a6b970, 0xeee30f198f5c6c67, 0x3cff8d300ee23402, 0x3cc7a3cae0a2c227, 0x487ebc6eed383e09},
    golden{0x7bfcbd302579d12d, 0x1299a8b2030cd380, 0x5c804ec251e9bfc0, 0xfd4a13616aa2eb35, 0x234a6ce57369a5ca},
    golden{0xbbe7094fce6f1d84, 0x9f211ccbda79748f, 0x3881353c917b6e1e, 0xa6342a606e92185a, 0x66944c5d30d0066f},
    golden{0x39e634f1b656efcd, 0x18b6d7bc540fcff2, 0xf7c5a334ee9db2cc, 0x8bea20adc07fe01b, 0x886b186fd3d4c08c},
    golden{0x079950f0fc0da33e, 0x3c9386ab779f5724, 0x975ec39718ed21b3, 0xdc384af9cae0a8d3, 0x0fb6604d7d0167b8},
    golden{0xbb8d70a00c495bcf, 0x8a78c8d9e6cc0db9, 0xc25be5c81b92542a, 0x6f32e00438c3d056, 0x4e5e787220693437},
    golden{0xfb29d9f33097788e, 0x20dfb939332fbe51, 0xf6c6ebab51d2c3d7, 0x86a364429569abca, 0xb8b19f281cc97024},
    golden{0x7cc37a51e477ff6f, 0xb321ce568166c482, 0x324db7795c2e1192, 0xbf7585f9401ad236, 0xb9fa1302c83dde57},
    golden{0x040e11e2162ac38d, 0x0b3ce5b1befc5529, 0x05496df87f5ac792, 0x84d66f88b0382532, 0xf4e0122dbc45a7dd},
    golden{0x3b0259d965481e5d, 0xc452fd6424a9f4f0, 0x3ba23ff9333de046, 0x4268531d99caf3cb, 0xcd65495d6015c4ac},
    golden{0x7e7788e69cfb5df8, 0x1fd51df6c4e1bcf4, 0x36b71e51485d1b8e, 0xe89362d9f29b2b5d, 0x0e64ba41f0807286},
    golden{0xd7eb4701335b9fb1, 0x6a8aa1436f939d81, 0xacf3ad6c00eed644, 0x5589fb782727cc8e, 0xac703646489ff2b9},
    golden{0x26162a907d8ee45d, 0xa99293dee2b05263, 0xb2b6d6c6b3e5311c, 0x10a8d2c0727b9e7b, 0x149ccb775afc7a4e},
    golden{0xc3a1429bbf8c5ec2, 0x6d7dc48bc39e30ad, 0xa49f3367838c6935, 0xf4c7599ed6d9f4e8, 0x29aae0fac49c58e7},
};

void check(bytes_view message, const golden& expected) {
  EXPECT_EQ(folded<md5>(message), expected.md5) << message.size();
  EXPECT_EQ(folded<sha1>(message), expected.sha1) << message.size();
  EXPECT_EQ(folded<sha256>(message), expected.sha256) << message.size();
  EXPECT_EQ(folded<sha384>(message), expected.sha384) << message.size();
  EXPECT_EQ(folded<sha512>(message), expected.sha512) << message.size();
}

TEST(digests, case_24_every_length_of_bytes_beyond_ascii) {
  for (std::size_t n = 0; n < rising.size(); ++n) {
    std::vector<std::byte> message(n);
    for (std::size_t i = 0; i < n; ++i) message[i] = static_cast<std::byte>(0x80 + 17 * i + n);
    check(message, rising[n]);
  }
  for (std::size_t n = 0; n < ones.size(); ++n) check(std::vector<std::byte>(n, std::byte{0xff}), ones[n]);
}

TEST(digests, a_copy_that_has_taken_a_prefix_goes_on_from_there) {
  std::vector<std::byte> message(300, std::byte{0xa5});
  for (std::size_t cut = 0; cut <= message.size(); cut += 7) {
    sha512 begun;
    begun.update(bytes_view(message).first(cut));
    sha512 copy = begun;
    copy.update(bytes_view(message).subspan(cut));
    EXPECT_EQ(copy.finish(), detail::digest_of<sha512>(message)) << cut;
  }
}

}  // namespace
}  // namespace seen
