// hash_identity: which function turned the keys of a filter into digests.
//
//   id         encoding    keyed   seed    check
//   xxh3-fold  bytes       no      42      made of the hash of "have I seen this before?"
//
// A filter asked with another function than it was built with would lose keys silently, so the identity travels with
// the filter: compared on merge, written to the file. `check` catches at open what the numbers cannot: a wrong secret,
// or an implementation that computes something else under the same name. The secret itself is not part of it.
#pragma once

#include <seen/base/result.hpp>
#include <seen/hash/key.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace seen::inline v1 {

/// The hash functions a file can name. The numbers are part of the file format: never renumber.
enum class hash_id : std::uint16_t {
  xxh3_64 = 1,
  xxh64 = 2,
  murmur3_x64_128 = 3,
  fnv1a_64 = 4,
  fnv1a_64_splitmix = 5,
  siphash_2_4 = 6,
  siphash_1_3 = 7,
  xxh3_fold = 8,
  // Of other libraries' files; no native file names them.
  fnv1_64 = 0x100,
  fnv1_32 = 0x101,
  murmur2_64a = 0x102,
  murmur2_32 = 0x103,
  murmur2_32_hadoop = 0x104,
  murmur3_x86_32_spark = 0x105,
  murmur3_x64_128_cassandra = 0x106,
  lookup3 = 0x107,
  metro64 = 0x108,
  leveldb_32 = 0x109,
  rocksdb_32 = 0x10a,
  xxh3_preview = 0x10b,
  fmix64 = 0x10c,
  salted_digest = 0x10d,
  first_user = 0x8000,  ///< from here up the program that opens the file must supply the function
};

/// Which function turns keys into digests: filters with equal identities give equal digests. Holds no secret.
struct hash_identity {
  hash_id id = hash_id::xxh3_fold;
  key_encoding encoding = key_encoding::bytes;
  bool keyed = false;       ///< needs a secret
  std::uint64_t seed = 0;   ///< 0 when keyed
  std::uint64_t check = 0;  ///< the hash of `hash_check_text`, or what the function has in its place (check_of)

  friend bool operator==(const hash_identity&, const hash_identity&) = default;
};

/// The sentence that hash_identity::check is made of.
inline constexpr std::string_view hash_check_text = "have I seen this before?";

namespace detail {

struct hash_name {
  hash_id id;
  const char* name;
};

inline constexpr std::array hash_names{
    hash_name{hash_id::xxh3_fold, "xxh3-fold"},
    hash_name{hash_id::xxh3_64, "xxh3-64"},
    hash_name{hash_id::xxh64, "xxh64"},
    hash_name{hash_id::murmur3_x64_128, "murmur3-x64-128"},
    hash_name{hash_id::fnv1a_64, "fnv1a-64"},
    hash_name{hash_id::fnv1a_64_splitmix, "fnv1a-64-splitmix"},
    hash_name{hash_id::siphash_2_4, "siphash-2-4"},
    hash_name{hash_id::siphash_1_3, "siphash-1-3"},
};

inline constexpr std::array foreign_hash_names{
    hash_name{hash_id::fnv1_64, "fnv1-64"},
    hash_name{hash_id::fnv1_32, "fnv1-32"},
    hash_name{hash_id::murmur2_64a, "murmur2-64a"},
    hash_name{hash_id::murmur2_32, "murmur2-32"},
    hash_name{hash_id::murmur2_32_hadoop, "murmur2-32-hadoop"},
    hash_name{hash_id::murmur3_x86_32_spark, "murmur3-x86-32-spark"},
    hash_name{hash_id::murmur3_x64_128_cassandra, "murmur3-x64-128-cassandra"},
    hash_name{hash_id::lookup3, "lookup3"},
    hash_name{hash_id::metro64, "metro64"},
    hash_name{hash_id::leveldb_32, "leveldb-32"},
    hash_name{hash_id::rocksdb_32, "rocksdb-32"},
    hash_name{hash_id::xxh3_preview, "xxh3-preview"},
    hash_name{hash_id::fmix64, "fmix64"},
    hash_name{hash_id::salted_digest, "salted-digest"},
};

/// Every name there is, ours first.
template <class Use>
constexpr void for_each_hash_name(Use use) {
  for (const hash_name& known : hash_names) use(known);
  for (const hash_name& known : foreign_hash_names) use(known);
}

/// A function's name, or nullptr if the library has no function of this number.
[[nodiscard]] constexpr const char* known_name(hash_id id) noexcept {
  const char* name = nullptr;
  for_each_hash_name([&](const hash_name& known) {
    if (known.id == id) name = known.name;
  });
  return name;
}

[[nodiscard]] std::string hex(std::uint64_t x);

}  // namespace detail

/// The name of a hash function as the command line and `info` spell it: "xxh3-fold", "siphash-2-4", …
[[nodiscard]] constexpr const char* name_of(hash_id id) noexcept {
  const char* name = id >= hash_id::first_user ? "user-defined" : "unknown";
  detail::for_each_hash_name([&](const detail::hash_name& known) {
    if (known.id == id) name = known.name;
  });
  return name;
}

/// The hash function called `name`: the inverse of name_of.
[[nodiscard]] result<hash_id> hash_id_from(std::string_view name);

/// A hash function in words: its name, and its number where the name does not tell it ("user-defined hash 0x8001").
[[nodiscard]] std::string describe(hash_id id);

/// An identity in words: "xxh3-fold seed 0", "siphash-2-4 keyed".
[[nodiscard]] std::string describe(const hash_identity& identity);

}  // namespace seen::inline v1
