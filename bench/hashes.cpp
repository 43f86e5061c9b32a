// The hash functions side by side: alone at four lengths, and under a classic filter with keys of 16 bytes.
#include <seen/filters/bloom.hpp>
#include <seen/hash/fnv1a.hpp>
#include <seen/hash/murmur3.hpp>
#include <seen/hash/siphash.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/hash/xxh64.hpp>

#include <array>
#include <fmt/format.h>
#include <string_view>

#include "core/harness.hpp"
#include "core/tables.hpp"
#include "sections.hpp"

namespace seen::bench {
namespace {

constexpr std::size_t hashed_keys = 200'000;  // of 16 bytes: a filter of 240 kB
constexpr std::array lengths{std::size_t{8}, std::size_t{16}, std::size_t{32}, std::size_t{64}};

std::vector<std::uint64_t> random_words(std::size_t n) {
  std::vector<std::uint64_t> words(n);
  for (std::size_t i = 0; i < n; ++i) words[i] = mix(i + 1);
  return words;
}

template <class Hash>
Hash made() {
  if constexpr (Hash::is_keyed) {
    return Hash(secret{});
  } else {
    return Hash();
  }
}

/// The times of one round, in the order of the columns.
template <class Hash>
std::vector<double> one_round(const std::vector<std::uint64_t>& words) {
  const Hash hash = made<Hash>();
  const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
  std::vector<double> ns;
  for (const std::size_t length : lengths) {
    constexpr std::size_t inputs = 1024, passes = 200;  // from the first level of the cache, or nearly
    std::uint64_t sum = 0;
    const double begin = running_ns();
    for (std::size_t p = 0; p < passes; ++p) {
      for (std::size_t i = 0; i < inputs; ++i) {
        const std::byte* at = bytes + 64 * i;
        opaque(at);
        sum ^= hash(bytes_view(at, length)).value;
      }
    }
    opaque(sum);
    ns.push_back((running_ns() - begin) / static_cast<double>(inputs * passes));
  }
  using classic = filter<bloom::engine_type, Hash>;
  classic f(target{.capacity = hashed_keys, .fpr = 0.01}, hash);
  const auto key = [&](std::size_t i) { return bytes_view(bytes + 16 * i, 16); };
  double begin = running_ns();
  for (std::size_t i = 0; i < hashed_keys; ++i) f.add(key(i));
  ns.push_back((running_ns() - begin) / static_cast<double>(hashed_keys));
  std::uint64_t found = 0;
  begin = running_ns();
  for (std::size_t i = 0; i < 2 * hashed_keys; ++i) found += f.may_contain(key(i));  // half are there
  opaque(found);
  ns.push_back((running_ns() - begin) / static_cast<double>(2 * hashed_keys));
  return ns;
}

struct named_hash {
  const char* name;
  std::vector<double> (*measure)(const std::vector<std::uint64_t>&);
};
constexpr std::array hashes{named_hash{"xxh3-fold", one_round<xxh3_fold>},
                            named_hash{"xxh3-64", one_round<xxh3_64>},
                            named_hash{"xxh64", one_round<xxh64>},
                            named_hash{"murmur3-x64-128", one_round<murmur3_x64_128>},
                            named_hash{"fnv1a-64-splitmix", one_round<fnv1a_64_splitmix>},
                            named_hash{"siphash-1-3", one_round<siphash_1_3>},
                            named_hash{"siphash-2-4", one_round<siphash_2_4>}};
const std::array<row_key, 6> columns{row_key{"hash", "8", "", 1},  row_key{"hash", "16", "", 1},
                                     row_key{"hash", "32", "", 1}, row_key{"hash", "64", "", 1},
                                     row_key{"add", "16", "", 1},  row_key{"contains", "16", "", 1}};

}  // namespace

std::vector<record> run_hashes(const std::string& run, int rounds) {
  const std::vector<std::uint64_t> words = random_words(4 * hashed_keys);
  std::vector<record> records;
  for (const named_hash& each : hashes) {
    for (const row_key& row : columns) {
      record r{.run = run, .family = "hash", .filter = each.name, .peer = "", .keys = hashed_keys};
      r.row = row;
      records.push_back(std::move(r));
    }
  }
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t h = 0; h < hashes.size(); ++h) {
      const std::vector<double> ns = hashes[h].measure(words);
      for (std::size_t c = 0; c < columns.size() && round != 0; ++c)
        records[h * columns.size() + c].ns.push_back(ns[c]);
    }
  }
  return records;
}

std::string hash_table(const std::vector<record>& records) {
  std::string text;
  for (const std::string& run : runs_of(records)) {
    std::string rows;
    for (const named_hash& each : hashes) {
      std::string line;
      for (const row_key& row : columns) {
        const record* r = find(records, {run, "hash", hashed_keys}, each.name, row);
        if (r != nullptr) line += fmt::format("{:>10.2f}", median(r->ns));
      }
      if (!line.empty()) rows += fmt::format("{:<20}{}\n", each.name, line);
    }
    if (rows.empty()) continue;
    text += fmt::format(
                "\n== hashes, ns per call; bloom at 1 % with {} keys of 16 bytes | "
                "{}\n{:<20}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n",
                grouped(hashed_keys), run, "", "8 bytes", "16", "32", "64", "add", "contains") +
            rows;
  }
  return text;
}

}  // namespace seen::bench
