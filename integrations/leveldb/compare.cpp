// LevelDB's own Bloom filter and the kinds of this library, at equal bits per key, in one run.
//
//   leveldb_compare [keys = 1000000] [bits per key = 10] [keys per filter = 600]
//
// First the policies by themselves: filters over so many sorted keys each, and a million questions for keys that are absent. Then the same
// keys in a database per policy, of blocks with about as many keys, and Get of absent and of present keys. Contenders take turns, and the
// median of the rounds is printed, in the time that the thread ran.
#include <seen/hash/fnv1a.hpp>
#include <seen/leveldb.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>
#include <leveldb/write_batch.h>
#include <memory>
#include <string>
#include <time.h>
#include <utility>
#include <vector>

namespace {

using leveldb::Slice;
using policy_pointer = std::unique_ptr<const leveldb::FilterPolicy>;

constexpr std::size_t questions = 1'000'000;
constexpr std::size_t gets = 200'000;
constexpr int rounds = 7;

double running_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// 16 bytes, the same for the same number; even numbers are stored, odd ones are absent.
std::string key_of(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(seen::splitmix64(number + 1)));
  return {text, 16};
}

struct contender {
  std::string name;
  policy_pointer policy;
  std::vector<std::string> filters = {};
  std::size_t bytes = 0;
  double rate = 0;
  std::vector<double> build, miss, get_miss, get_hit;  // ns, of each round
  std::unique_ptr<leveldb::DB> db = nullptr;
};

void make_filters(contender& c, const std::vector<Slice>& keys, std::size_t per_filter) {
  c.filters.clear();
  const double begin = running_ns();
  for (std::size_t at = 0; at < keys.size(); at += per_filter) {
    c.filters.emplace_back();
    c.policy->CreateFilter(&keys[at], static_cast<int>(std::min(per_filter, keys.size() - at)), &c.filters.back());
  }
  c.build.push_back((running_ns() - begin) / static_cast<double>(keys.size()));
  c.bytes = 0;
  for (const std::string& filter : c.filters) c.bytes += filter.size();
}

void ask_filters(contender& c, const std::vector<std::string>& absent) {
  std::size_t hits = 0;
  const double begin = running_ns();
  for (std::size_t i = 0; i < questions; ++i) {
    hits += c.policy->KeyMayMatch(absent[i], c.filters[seen::splitmix64(i) % c.filters.size()]);
  }
  c.miss.push_back((running_ns() - begin) / static_cast<double>(questions));
  c.rate = static_cast<double>(hits) / static_cast<double>(questions);
}

std::unique_ptr<leveldb::DB> make_database(const std::string& path, const leveldb::FilterPolicy* policy,
                                           const std::vector<Slice>& keys, std::size_t per_filter,
                                           leveldb::Cache* cache) {
  leveldb::Options options;
  options.create_if_missing = true;
  options.filter_policy = policy;
  options.block_cache = cache;
  options.block_size = per_filter * 25;  // an entry of 16 + 8 bytes takes about as many, prefixes shared
  options.compression = leveldb::kNoCompression;
  options.write_buffer_size = 256 << 20;
  options.max_file_size = 64 << 20;
  leveldb::DB* db = nullptr;
  if (!leveldb::DB::Open(options, path, &db).ok()) std::exit(1);
  leveldb::WriteBatch batch;
  for (const Slice& key : keys) batch.Put(key, "12345678");
  if (!db->Write({}, &batch).ok()) std::exit(1);
  db->CompactRange(nullptr, nullptr);
  return std::unique_ptr<leveldb::DB>(db);
}

// ns per Get; exits where an answer is wrong.
double ask_database(leveldb::DB& db, const std::vector<std::string>& keys, bool present) {
  std::string value;
  const double begin = running_ns();
  for (std::size_t i = 0; i < gets; ++i) {
    if (db.Get({}, keys[seen::splitmix64(i) % keys.size()], &value).ok() != present) std::exit(1);
  }
  return (running_ns() - begin) / static_cast<double>(gets);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const int bits = argc > 2 ? std::atoi(argv[2]) : 10;
  const std::size_t per_filter = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 600;
  if (count == 0 || bits < 1 || bits > 64 || per_filter == 0) {
    std::fprintf(stderr, "usage: %s [keys] [bits per key, 1 to 64] [keys per filter]\n", argv[0]);
    return 2;
  }

  std::vector<std::string> stored, absent;
  for (std::size_t i = 0; i < count; ++i) stored.push_back(key_of(2 * i));
  for (std::size_t i = 0; i < questions; ++i) absent.push_back(key_of(2 * i + 1));
  std::sort(stored.begin(), stored.end());
  const std::vector<Slice> keys(stored.begin(), stored.end());

  std::vector<contender> all;
  all.push_back(
      {"LevelDB's own", policy_pointer(leveldb::NewBloomFilterPolicy(bits)), {}, 0, 0, {}, {}, {}, {}, nullptr});
  for (const auto& [kind, name] :
       {std::pair(seen::leveldb_kind::classic, "classic"), std::pair(seen::leveldb_kind::blocked, "blocked"),
        std::pair(seen::leveldb_kind::ribbon, "ribbon"), std::pair(seen::leveldb_kind::binary_fuse, "binary fuse")}) {
    all.push_back({name,
                   seen::leveldb_filter_policy({.kind = kind, .bits_per_key = static_cast<double>(bits)}),
                   {},
                   0,
                   0,
                   {},
                   {},
                   {},
                   {},
                   nullptr});
  }
  for (int round = 0; round < rounds; ++round) {
    for (contender& c : all) make_filters(c, keys, per_filter);
    for (contender& c : all) ask_filters(c, absent);
  }

  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "seen-leveldb-compare";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::unique_ptr<leveldb::Cache> cache(leveldb::NewLRUCache(1 << 30));
  for (contender& c : all) c.db = make_database(folder / c.name, c.policy.get(), keys, per_filter, cache.get());
  for (int round = 0; round <= rounds; ++round) {  // the first of them fills the cache
    for (contender& c : all) c.get_miss.push_back(ask_database(*c.db, absent, false));
    for (contender& c : all) c.get_hit.push_back(ask_database(*c.db, stored, true));
  }
  for (contender& c : all) c.db.reset();
  std::filesystem::remove_all(folder);

  const contender& own = all.front();
  std::printf("%zu keys of 16 bytes, %zu per filter, %d bits per key asked for; median of %d rounds\n\n", count,
              per_filter, bits, rounds);
  std::printf("%-14s %9s %9s %7s %11s %9s %10s %9s %9s\n", "", "bits/key", "rate", "ratio", "build/key", "miss",
              "ratio", "Get miss", "Get hit");
  for (const contender& c : all) {
    std::printf("%-14s %9.2f %8.3f%% %6.2fx %8.1f ns %6.1f ns %8.2fx %6.0f ns %6.0f ns\n", c.name.c_str(),
                8.0 * static_cast<double>(c.bytes) / static_cast<double>(count), 100 * c.rate, c.rate / own.rate,
                median(c.build), median(c.miss), median(c.miss) / median(own.miss),
                median({c.get_miss.begin() + 1, c.get_miss.end()}), median({c.get_hit.begin() + 1, c.get_hit.end()}));
  }
  return 0;
}
