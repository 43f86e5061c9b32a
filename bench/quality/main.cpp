// seen_hash_quality: which hashes make digests of low-entropy keys that cannot be told from random bits.
//
//   hash × set of keys ──► digests ──► the tests of digests.hpp
//                                 └──► two sequences of 2^20 bits ──► the tests of nist.hpp
//
// Prints the two tables of docs/hashes.md. A cell counts the p-values below 0.001 among all of its column; of a random
// function one in a thousand is. Nothing is drawn: keys and seeds are constants, and every run prints the same.
//
//   seen_hash_quality              all hashes
//   seen_hash_quality NAME ...     some of them
#include <seen/hash/any_hash.hpp>
#include <seen/hash/murmur3.hpp>
#include <seen/math/binomial.hpp>

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hash/fnv1.hpp"
#include "hash/leveldb.hpp"
#include "hash/lookup3.hpp"
#include "hash/metro64.hpp"
#include "hash/murmur2_32.hpp"
#include "hash/murmur2_64a.hpp"
#include "hash/murmur3_cassandra.hpp"
#include "hash/murmur3_x86_32.hpp"
#include "hash/xxh3_preview.hpp"
#include "quality/digests.hpp"
#include "quality/keys.hpp"
#include "quality/nist.hpp"

namespace seen::quality {
namespace {

constexpr double significance = 0.001;
constexpr std::size_t keys_per_set = std::size_t{1} << 18;
constexpr std::size_t sequence_bits = std::size_t{1} << 20, sequences = 2;

template <class Hash>
hash_function built_in(int seed_bits) {
  return {std::string(name_of(Hash::id)), 64, seed_bits, [](bytes_view key, std::uint64_t seed) {
            if constexpr (Hash::is_keyed) {
              secret from_seed{};
              store_le(from_seed.bytes.data(), seed);
              return Hash(from_seed)(key).value;
            } else {
              return Hash(seed)(key).value;
            }
          }};
}

template <class Word>
hash_function foreign(const char* name, int seed_bits, Word (*function)(bytes_view, Word)) {
  return {name, 8 * static_cast<int>(sizeof(Word)), seed_bits,
          [function](bytes_view key, std::uint64_t seed) -> std::uint64_t {
            return function(key, static_cast<Word>(seed));
          }};
}

std::vector<hash_function> all_hashes() {
  return {
      built_in<xxh3_fold>(64),
      built_in<xxh3_64>(64),
      built_in<xxh64>(64),
      built_in<murmur3_x64_128>(32),
      built_in<fnv1a_64>(0),
      built_in<fnv1a_64_splitmix>(0),
      built_in<siphash_2_4>(64),
      built_in<siphash_1_3>(64),
      {"fnv1-64", 64, 0, [](bytes_view key, std::uint64_t) { return fnv1_64(key); }},
      {"fnv1-32", 32, 0, [](bytes_view key, std::uint64_t) -> std::uint64_t { return fnv1_32(key); }},
      foreign("murmur2-64a", 64, murmur2_64a),
      foreign("murmur2-32", 32, murmur2_32),
      foreign("murmur2-32-hadoop", 32, murmur2_32_hadoop),
      foreign("murmur3-x86-32-spark", 32, murmur3_x86_32_spark),
      {"murmur3-x64-128-cassandra", 64, 0,
       [](bytes_view key, std::uint64_t) { return murmur3_x64_128_cassandra_words(key)[0]; }},
      foreign("lookup3", 32, lookup3),
      foreign("metro64", 64, metro64),
      foreign("leveldb-32", 32, leveldb_32),
      foreign("rocksdb-32", 32, rocksdb_32),
      {"xxh3-preview", 64, 0, [](bytes_view key, std::uint64_t) { return xxh3_preview(key); }},
      {"fmix64", 64, 0, [](bytes_view key, std::uint64_t) { return fmix64(load_le<std::uint64_t>(key.data())); }, true},
  };
}

struct tally {
  std::uint64_t failed = 0, asked = 0;

  void add(const p_values& some) {
    asked += some.size();
    failed += static_cast<std::uint64_t>(
        std::count_if(some.begin(), some.end(), [](double p) { return !(p >= significance); }));
  }
  // More than chance gives once in a million cells: in bold.
  [[nodiscard]] std::string text() const {
    if (asked == 0) return "–";
    const std::string counts = std::to_string(failed) + "/" + std::to_string(asked);
    return math::binomial_at_least(asked, failed, significance) < 1e-6 ? "**" + counts + "**" : counts;
  }
};

std::vector<std::uint64_t> digests_of(const hash_function& h, const key_set& set) {
  std::vector<std::uint64_t> all;
  for (const std::string& key : set.keys) all.push_back(h.of(std::as_bytes(std::span(key)), 0));
  return all;
}

bool takes(const hash_function& h, const key_set& set) {
  return !h.integers_only ||
         std::all_of(set.keys.begin(), set.keys.end(), [](const auto& key) { return key.size() == 8; });
}

using row = std::vector<std::string>;

struct rows_of_a_hash {
  row digests, sequences;
};

rows_of_a_hash ask(const hash_function& h, const std::vector<key_set>& sets) {
  tally collided, windowed;
  std::vector<tally> nist(nist_tests().size());
  for (const key_set& set : sets) {
    if (!takes(h, set)) continue;
    const std::vector<std::uint64_t> digests = digests_of(h, set);
    collided.add(collisions(digests, h.bits));
    windowed.add(windows(digests, h.bits));
    const std::size_t each = sequence_bits / static_cast<std::size_t>(h.bits);
    for (std::size_t s = 0; s < sequences && (s + 1) * each <= digests.size(); ++s) {
      bit_string bits;
      bits.reserve(sequence_bits);
      for (std::size_t i = s * each; i < (s + 1) * each; ++i) bits.push_word(digests[i], h.bits);
      for (std::size_t test = 0; test < nist.size(); ++test) nist[test].add(nist_tests()[test].run(bits));
    }
  }
  rows_of_a_hash rows;
  rows.digests.push_back("`" + h.name + "`");
  for (const p_values& some : {avalanche(h), independence(h), seeds(h)}) {
    tally one;
    one.add(some);
    rows.digests.push_back(one.text());
  }
  rows.digests.push_back(collided.text());
  rows.digests.push_back(windowed.text());
  rows.sequences.push_back(rows.digests[0]);
  for (const tally& each : nist) rows.sequences.push_back(each.text());
  return rows;
}

void print(const std::vector<row>& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (const std::string& cell : table[i]) std::printf("| %s ", cell.c_str());
    std::puts("|");
    if (i != 0) continue;
    for (std::size_t cell = 0; cell < table[i].size(); ++cell) std::printf("|---");
    std::puts("|");
  }
  std::puts("");
}

int run(const std::vector<std::string>& names) {
  const std::vector<key_set> sets = key_sets(keys_per_set);
  std::vector<row> digests{{"hash", "avalanche", "independence", "seeds", "collisions", "windows"}};
  std::vector<row> sequences_table{{"hash"}};
  for (const nist_test& test : nist_tests()) sequences_table[0].push_back(test.name);
  for (const hash_function& h : all_hashes()) {
    if (!names.empty() && std::find(names.begin(), names.end(), h.name) == names.end()) continue;
    std::fprintf(stderr, "%s\n", h.name.c_str());
    rows_of_a_hash rows = ask(h, sets);
    digests.push_back(std::move(rows.digests));
    sequences_table.push_back(std::move(rows.sequences));
  }
  if (digests.size() == 1) {
    std::fprintf(stderr, "seen_hash_quality: no hash is called so\n");
    return 1;
  }
  print(digests);
  print(sequences_table);
  return 0;
}

}  // namespace
}  // namespace seen::quality

int main(int argc, char** argv) {
  return seen::quality::run(std::vector<std::string>(argv + 1, argv + argc));
}
