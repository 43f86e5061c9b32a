// SipHash-2-4 against libsodium's crypto_shorthash: an independent implementation, with random keys and secrets.
#include <seen/hash/siphash.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <sodium.h>
#include <vector>

#include "../support/key_shapes.hpp"

namespace seen {
namespace {

static_assert(crypto_shorthash_KEYBYTES == sizeof(secret) && crypto_shorthash_BYTES == 8);

TEST(siphash_sodium, siphash_2_4_equals_libsodium_for_random_keys_and_secrets) {
  testing::rng random(24);
  for (std::size_t length = 0; length < 300; ++length) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<std::byte> key(length);
      for (auto& b : key) b = static_cast<std::byte>(random());
      secret k;
      for (auto& b : k.bytes) b = static_cast<std::byte>(random());

      std::array<std::byte, 8> theirs;
      crypto_shorthash(reinterpret_cast<unsigned char*>(theirs.data()),
                       reinterpret_cast<const unsigned char*>(key.data()), length,
                       reinterpret_cast<const unsigned char*>(k.bytes.data()));
      ASSERT_EQ(hash_key(siphash_2_4(k), key).value, load_le<std::uint64_t>(theirs.data())) << length;
    }
  }
}

}  // namespace
}  // namespace seen
