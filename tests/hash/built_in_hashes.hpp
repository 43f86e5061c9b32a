// The list every test that is true of all hashes runs over: one line per built-in function.
#pragma once

#include <seen/hash/fnv1a.hpp>
#include <seen/hash/murmur3.hpp>
#include <seen/hash/siphash.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/hash/xxh64.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace seen::testing {

using built_in_hashes =
    ::testing::Types<xxh3_fold, xxh3_64, xxh64, murmur3_x64_128, fnv1a_64, fnv1a_64_splitmix, siphash_2_4, siphash_1_3>;

/// All but raw FNV-1a and the default, which folds integers: the functions every bit of whose digests is as good as random.
using avalanching_hashes =
    ::testing::Types<xxh3_64, xxh64, murmur3_x64_128, fnv1a_64_splitmix, siphash_2_4, siphash_1_3>;

/// Names typed tests after the hash: "xxh3_64".
struct hash_names {
  template <class H>
  static std::string GetName(int) {
    std::string name = name_of(H::id);
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
  }
};

/// A secret made of a number.
inline secret numbered_secret(std::uint64_t number) {
  secret made;
  store_le(made.bytes.data(), number);
  store_le(made.bytes.data() + 8, ~number);
  return made;
}

/// The function H with some seed or secret, different for different numbers where H has any.
template <class H>
H numbered_hash(std::uint64_t number) {
  if constexpr (H::is_keyed) {
    return H(numbered_secret(number));
  } else {
    return H(detail::check_seed(detail::traits_of<H>, number) ? number : 0);
  }
}

}  // namespace seen::testing
