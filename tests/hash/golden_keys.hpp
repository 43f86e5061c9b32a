// The keys behind the golden digests, and a way to pin thousands of digests in one number.
#pragma once

#include <seen/hash/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seen::testing {

/// The key of a given length used by the golden tables: byte i is 7 + 131·i mod 256, so that every value occurs.
inline std::vector<std::byte> golden_key(std::size_t length) {
  std::vector<std::byte> key(length);
  for (std::size_t i = 0; i < length; ++i) key[i] = static_cast<std::byte>(7 + 131 * i);
  return key;
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
