// The keys behind the golden digests, and a way to pin thousands of digests in one number.
#pragma once

#include <seen/hash/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace seen::testing {

/// The key of a given length used by the golden tables: byte i is 7 + 131·i mod 256, so that every value occurs.
inline std::vector<std::byte> golden_key(std::size_t length) {
  std::vector<std::byte> key(length);
  for (std::size_t i = 0; i < length; ++i) key[i] = static_cast<std::byte>(7 + 131 * i);
  return key;
}

/// A key of bytes mostly from 0x80 up, for hashes that know signed bytes: byte i is 0x80 + 17·i + length mod 256.
inline std::vector<std::byte> high_key(std::size_t length) {
  std::vector<std::byte> key(length);
  for (std::size_t i = 0; i < length; ++i) key[i] = static_cast<std::byte>(0x80 + 17 * i + length);
  return key;
}

/// Digests of keys of some length with two seeds: of high_key, and of as many bytes 0xff.
struct tail_golden {
  std::uint32_t high, ones, high_seeded, ones_seeded;
};

/// Compares a 32-bit hash with goldens of the lengths 0, 1, …; seeds 0 and 0x9747b28c.
template <class Hash>
void check_tails(std::span<const tail_golden> goldens, Hash hash) {
  for (std::size_t n = 0; n < goldens.size(); ++n) {
    const std::vector<std::byte> high = high_key(n), ones(n, std::byte{0xff});
    EXPECT_EQ(hash(high, 0), goldens[n].high) << n;
    EXPECT_EQ(hash(ones, 0), goldens[n].ones) << n;
    EXPECT_EQ(hash(high, 0x9747'b28c), goldens[n].high_seeded) << n;
    EXPECT_EQ(hash(ones, 0x9747'b28c), goldens[n].ones_seeded) << n;
  }
}

/// Folds hash(golden_key(n)) for n = 0 .. lengths − 1 into one word: a = (rotl(a, 5) ^ hash) · (2^64 / golden ratio).
template <class Hash>
std::uint64_t folded_digests(std::size_t lengths, Hash hash) {
  std::uint64_t a = 0;
  for (std::size_t n = 0; n < lengths; ++n)
    a = (std::rotl(a, 5) ^ hash(bytes_view(golden_key(n)))) * 0x9e3779b97f4a7c15;
  return a;
}

}  // namespace seen::testing
