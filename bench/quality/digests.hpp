// Questions to a hash that the tests of bit sequences do not ask, after those of SMHasher (Appleby 2016), each as p-values:
//
//   avalanche      flip a bit of the key: does every bit of the digest flip half the time?
//   independence   and any two bits of it independently of each other?
//   collisions     are there as many equal digests, of all bits, the upper and the lower half, as birthdays make?
//   windows        are the values of every 12 neighbouring bits of the digest, at all rotations, equally frequent?
//   seeds          flip a bit of the seed: does every bit of the digest flip half the time?
#pragma once

#include <seen/base/bits.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "quality/nist.hpp"

namespace seen::quality {

/// A hash function: digests of `bits` bits, in the lower ones.
struct hash_function {
  std::string name;
  int bits = 64;
  int seed_bits = 0;  ///< 0: it takes none
  std::function<std::uint64_t(bytes_view, std::uint64_t seed)> of;
  bool integers_only = false;  ///< it hashes keys of 8 bytes, and no others
};

[[nodiscard]] p_values avalanche(const hash_function& h);
[[nodiscard]] p_values independence(const hash_function& h);
[[nodiscard]] p_values seeds(const hash_function& h);
/// Of the digests of different keys.
[[nodiscard]] p_values collisions(const std::vector<std::uint64_t>& digests, int bits);
[[nodiscard]] p_values windows(const std::vector<std::uint64_t>& digests, int bits);

}  // namespace seen::quality
