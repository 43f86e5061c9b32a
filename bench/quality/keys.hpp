// Keys with little in them, as programs have them: what a hash must make look random.
//
//   set          key number i                                              length
//   integers     i, 8 bytes little-endian                                  8
//   big-endian   i, 8 bytes big-endian                                     8
//   stride 2^20  i·2^20, little-endian                                     8
//   decimal      "0", "1", … "12345"                                       1 to 7
//   addresses    "https://example.org/users/12345"                         27 to 32
//   sparse       16 bytes with at most three bits set                      16
//   orders       six words of 4 bytes, each one of eight small numbers     24
//   zeros        i zero bytes                                              0 to 4095, and no more keys than that
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace seen::quality {

struct key_set {
  std::string name;
  std::vector<std::string> keys;
};

inline std::string bytes_of(std::uint64_t word) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(word >> (8 * i) & 0xff);
  return bytes;
}

inline std::vector<std::string> sparse_keys(std::size_t length, std::size_t count) {
  std::vector<std::string> keys;
  const std::size_t bits = 8 * length;
  const auto with = [&](std::initializer_list<std::size_t> set) {
    std::string key(length, '\0');
    for (const std::size_t bit : set) key[bit / 8] = static_cast<char>(key[bit / 8] | 1 << (bit % 8));
    if (keys.size() < count) keys.push_back(std::move(key));
  };
  with({});
  for (std::size_t a = 0; a < bits; ++a) with({a});
  for (std::size_t a = 0; a < bits; ++a) {
    for (std::size_t b = 0; b < a; ++b) with({a, b});
  }
  for (std::size_t a = 0; a < bits && keys.size() < count; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (std::size_t c = 0; c < b; ++c) with({a, b, c});
    }
  }
  return keys;
}

/// All sets, with so many keys each where there are so many (at most 2^18).
inline std::vector<key_set> key_sets(std::size_t count) {
  std::vector<key_set> sets(8);
  const char* const names[] = {"integers",  "big-endian", "stride 2^20", "decimal",
                               "addresses", "sparse",     "orders",      "zeros"};
  for (std::size_t i = 0; i < sets.size(); ++i) sets[i].name = names[i];
  for (std::uint64_t i = 0; i < count; ++i) {
    sets[0].keys.push_back(bytes_of(i));
    sets[1].keys.push_back(bytes_of(byteswap(i)));
    sets[2].keys.push_back(bytes_of(i << 20));
    sets[3].keys.push_back(std::to_string(i));
    sets[4].keys.push_back("https://example.org/users/" + std::to_string(i));
    std::string order;
    for (int word = 0; word < 6; ++word) order += bytes_of(i >> (3 * word) & 7).substr(0, 4);
    sets[6].keys.push_back(std::move(order));
    if (i < 4096) sets[7].keys.push_back(std::string(static_cast<std::size_t>(i), '\0'));
  }
  sets[5].keys = sparse_keys(16, count);
  return sets;
}

}  // namespace seen::quality
