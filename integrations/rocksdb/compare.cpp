// Scans of events by user, with and without filters on the user.
//
//   rocksdb_compare [events = 1000000] [users = 200000] [events per table = 25000]
//
// Keys are "time user" and values 100 bytes; a user's events lie anywhere in time. Every table is one flush, so tables cover times that
// follow one another. Asked for is each of 20 users: all events that have it. Blocks and bytes are RocksDB's own counts.
#include <seen/hash/fnv1a.hpp>
#include <seen/rocksdb.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <rocksdb/db.h>
#include <rocksdb/statistics.h>
#include <string>
#include <string_view>
#include <time.h>

namespace {

constexpr std::uint64_t asked_users = 20;

std::string padded(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

std::string user_name(std::uint64_t number) {
  std::string name = "u";
  return name += padded(number, 9);  // "u" + … is a false alarm of g++ 12 at -O3
}

std::string key_of(std::uint64_t time, std::uint64_t users) {
  return padded(time, 12) + " " + user_name(seen::splitmix64(time + 1) % users);
}

std::string_view user_in(std::string_view key) {
  return key.substr(key.find(' ') + 1);
}

double running_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

struct outcome {
  std::uint64_t found = 0, blocks = 0;
  double ms = 0;
};

outcome scan(rocksdb::DB& db, const rocksdb::Statistics& counts, const seen::rocksdb_attribute* user,
             std::uint64_t users) {
  const auto blocks = [&] {
    return counts.getTickerCount(rocksdb::BLOCK_CACHE_DATA_HIT) + counts.getTickerCount(rocksdb::BLOCK_CACHE_DATA_MISS);
  };
  outcome all;
  const std::uint64_t before = blocks();
  const double begin = running_ms();
  for (std::uint64_t i = 0; i < asked_users; ++i) {
    const std::string name = user_name(seen::splitmix64(i + 99) % users);
    rocksdb::ReadOptions read;
    if (user != nullptr) read.table_filter = user->may_contain(name);
    const std::unique_ptr<rocksdb::Iterator> at(db.NewIterator(read));
    for (at->SeekToFirst(); at->Valid(); at->Next()) all.found += user_in(at->key().ToStringView()) == name;
  }
  all.ms = (running_ms() - begin) / asked_users;
  all.blocks = (blocks() - before) / asked_users;
  return all;
}

void print(const char* name, const outcome& all) {
  std::printf("%-16s %10.1f %14llu %12.1f\n", name, static_cast<double>(all.found) / asked_users,
              static_cast<unsigned long long>(all.blocks), all.ms);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t events = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const std::uint64_t users = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 200'000;
  const std::uint64_t per_table = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 25'000;
  if (events == 0 || users == 0 || per_table == 0) {
    return std::fprintf(stderr, "usage: %s [events] [users] [events per table]\n", argv[0]), 2;
  }
  const auto user =
      seen::rocksdb_attribute::of_key("user", [](std::string_view key, auto& found) { found.add(user_in(key)); });

  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "seen-rocksdb-compare";
  std::filesystem::remove_all(folder);
  rocksdb::Options options;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.level0_slowdown_writes_trigger = options.level0_stop_writes_trigger = 1 << 20;
  options.write_buffer_size = std::size_t{1} << 30;
  options.statistics = rocksdb::CreateDBStatistics();
  options.table_properties_collector_factories.push_back(user.collector());
  rocksdb::DB* opened = nullptr;
  if (const auto status = rocksdb::DB::Open(options, folder, &opened); !status.ok()) {
    return std::fprintf(stderr, "%s\n", status.ToString().c_str()), 1;
  }
  std::unique_ptr<rocksdb::DB> db(opened);
  rocksdb::WriteOptions unlogged;
  unlogged.disableWAL = true;
  const std::string value(100, 'x');
  for (std::uint64_t time = 0; time < events; ++time) {
    if (!db->Put(unlogged, key_of(time, users), value).ok()) return 1;
    if ((time + 1) % per_table == 0 && !db->Flush({}).ok()) return 1;
  }
  if (!db->Flush({}).ok()) return 1;

  std::uint64_t tables = 0, filter_bytes = 0, table_bytes = 0;
  rocksdb::TablePropertiesCollection properties;
  if (!db->GetPropertiesOfAllTables(&properties).ok()) return 1;
  for (const auto& [name, table] : properties) {
    ++tables;
    table_bytes += table->data_size;
    const auto property = table->user_collected_properties.find(user.property());
    if (property != table->user_collected_properties.end()) filter_bytes += property->second.size();
  }
  std::printf("%llu events of %llu users in %llu tables, %.1f MB; filters %.2f MB\n\n",
              static_cast<unsigned long long>(events), static_cast<unsigned long long>(users),
              static_cast<unsigned long long>(tables), 1e-6 * static_cast<double>(table_bytes),
              1e-6 * static_cast<double>(filter_bytes));
  std::printf("%-16s %10s %14s %12s\n", "per scan", "found", "blocks read", "ms");
  const outcome without = scan(*db, *options.statistics, nullptr, users),
                with = scan(*db, *options.statistics, &user, users);
  print("without filters", without);
  print("with", with);
  const auto counts = user.counts();
  std::printf("\ntables skipped   %.1f %%, as the filters answered\n",
              100 * static_cast<double>(counts.skipped) / static_cast<double>(counts.asked));
  db.reset();
  std::filesystem::remove_all(folder);
  return without.found == with.found ? 0 : 1;
}
