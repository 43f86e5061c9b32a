// Tests what scans of a database find with and without table filters, what RocksDB's own statistics count meanwhile, and properties that
// are missing or damaged.
#include <seen/rocksdb.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

using pairs = std::map<std::string, std::string>;

// "time/user": the user is the attribute that a prefix of the key does not give.
std::string event(std::uint64_t time, std::uint64_t user) {
  return std::to_string(100'000'000 + time) + "/user" + std::to_string(user);
}
std::string_view user_in(std::string_view key) {
  return key.substr(key.find('/') + 1);
}
rocksdb_attribute user_attribute(double fpr = 1.0 / 64) {
  return rocksdb_attribute::of_key(
      "user", [](std::string_view key, rocksdb_attributes& found) { found.add(user_in(key)); }, fpr);
}
rocksdb_attribute city_attribute() {
  return rocksdb_attribute::of_value(
      "city", [](std::string_view, std::string_view value, rocksdb_attributes& found) { found.add(value); });
}

class joining final : public rocksdb::AssociativeMergeOperator {
 public:
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice* before, const rocksdb::Slice& more, std::string* now,
             rocksdb::Logger*) const override {
    *now = (before == nullptr ? "" : before->ToString()) + more.ToString();
    return true;
  }
  const char* Name() const override { return "joining"; }
};

// A database whose tables stay as they were flushed, unless a test compacts them.
class database {
 public:
  explicit database(const std::vector<rocksdb_attribute>& attributes, bool merges = false) {
    options.env = memory.get();
    options.create_if_missing = true;
    options.compression = rocksdb::kNoCompression;
    options.disable_auto_compactions = true;
    options.statistics = rocksdb::CreateDBStatistics();
    if (merges) options.merge_operator = std::make_shared<joining>();
    for (const rocksdb_attribute& each : attributes) {
      options.table_properties_collector_factories.push_back(each.collector());
    }
    reopen();
  }

  void reopen() {
    db.reset();
    rocksdb::DB* opened = nullptr;
    const rocksdb::Status status = rocksdb::DB::Open(options, "/db", &opened);
    if (!status.ok()) throw std::runtime_error(status.ToString());
    db.reset(opened);
  }

  void put(const std::string& key, const std::string& value) { ASSERT_TRUE(db->Put({}, key, value).ok()); }
  void flush() { ASSERT_TRUE(db->Flush({}).ok()); }

  // What a scan shows, of the entries that `wanted` accepts.
  template <class Wanted>
  pairs scan(const rocksdb_attribute::table_filter& filter, Wanted wanted) const {
    rocksdb::ReadOptions read;
    read.table_filter = filter;
    const std::unique_ptr<rocksdb::Iterator> at(db->NewIterator(read));
    pairs found;
    for (at->SeekToFirst(); at->Valid(); at->Next()) {
      const std::string key = at->key().ToString(), value = at->value().ToString();
      if (wanted(key, value)) found.emplace(key, value);
    }
    EXPECT_TRUE(at->status().ok());
    return found;
  }

  // Tables that a scan begins to read, by RocksDB's own count: each of them looks at one block of data for its first entry.
  std::uint64_t tables_read(const rocksdb_attribute::table_filter& filter) const {
    const auto blocks = [&] {
      return options.statistics->getTickerCount(rocksdb::BLOCK_CACHE_DATA_HIT) +
             options.statistics->getTickerCount(rocksdb::BLOCK_CACHE_DATA_MISS);
    };
    rocksdb::ReadOptions read;
    read.table_filter = filter;
    const std::uint64_t before = blocks();
    const std::unique_ptr<rocksdb::Iterator> at(db->NewIterator(read));
    at->SeekToFirst();
    return blocks() - before;
  }

  std::vector<std::shared_ptr<const rocksdb::TableProperties>> tables() const {
    rocksdb::TablePropertiesCollection all;
    EXPECT_TRUE(db->GetPropertiesOfAllTables(&all).ok());
    std::vector<std::shared_ptr<const rocksdb::TableProperties>> found;
    for (const auto& [name, properties] : all) found.push_back(properties);
    return found;
  }

  std::unique_ptr<rocksdb::Env> memory{
      rocksdb::NewMemEnv(rocksdb::Env::Default())};  // files in memory; outlives the database
  rocksdb::Options options;
  std::unique_ptr<rocksdb::DB> db;
};

// --- what is skipped

TEST(rocksdb_tables, are_skipped_as_their_filters_answer) {
  constexpr std::uint64_t tables = 40, events = 200, users = 2000;
  const rocksdb_attribute user = user_attribute();
  database db({user});
  std::vector<std::set<std::string>> held(tables);
  rng random(18);
  for (std::uint64_t t = 0; t < tables; ++t) {
    for (std::uint64_t i = 0; i < events; ++i) {
      const std::string key = event(i * tables + t, random.below(users));  // so every table covers all times
      held[t].insert(std::string(user_in(key)));
      db.put(key, "x");
    }
    db.flush();
  }
  ASSERT_EQ(db.tables_read({}), tables);

  std::uint64_t absent = 0, skipped = 0;
  for (std::uint64_t u = 0; u < 300; ++u) {
    const std::string name = "user" + std::to_string(u);
    const auto filter = user.may_contain(name);
    const rocksdb_table_counts before = user.counts();
    const std::uint64_t read = db.tables_read(filter);
    const rocksdb_table_counts after = user.counts();
    EXPECT_EQ(after.asked - before.asked, tables);
    EXPECT_EQ(after.skipped - before.skipped, tables - read);  // RocksDB counts what the filters say
    EXPECT_EQ(after.unknown, 0U);
    std::uint64_t holding = 0;
    for (const auto& each : held) holding += each.contains(name);
    EXPECT_LE(holding, read);
    absent += tables - holding;
    skipped += tables - read;
    const auto wanted = [&](const std::string& key, const std::string&) { return user_in(key) == name; };
    EXPECT_EQ(db.scan(filter, wanted), db.scan({}, wanted));
  }
  // Six sigma: wrongly red once in 10^9 runs.
  EXPECT_TRUE(within_six_sigma(absent - skipped, absent, 1.0 / 64))
      << six_sigma_message(absent - skipped, absent, 1.0 / 64);
}

TEST(rocksdb_tables, of_several_attributes_are_read_if_they_hold_one) {
  const rocksdb_attribute user = user_attribute();
  database db({user});
  for (std::uint64_t u = 0; u < 10; ++u) {
    db.put(event(u, u), "x");
    db.flush();
  }
  const auto wanted = [&](const std::string& key, const std::string&) {
    return user_in(key) == "user3" || user_in(key) == "user7";
  };
  EXPECT_EQ(db.scan(user.may_contain_any({"user3", "user7"}), wanted).size(), 2U);
  EXPECT_LT(db.tables_read(user.may_contain_any(std::vector<std::string>{"user3", "user7"})), 10U);
  EXPECT_EQ(db.tables_read(user.may_contain_any(std::vector<std::string>())), 0U);
}

TEST(rocksdb_tables, keep_filters_through_compactions) {
  const rocksdb_attribute user = user_attribute();
  database db({user});
  db.options.target_file_size_base = 64 << 10;
  db.reopen();
  for (const std::uint64_t first : {0u, 1u}) {  // two tables of all times, so that they must be merged
    for (std::uint64_t i = first; i < 5000; i += 2) db.put(event(i, i / 100), std::string(100, 'x'));
    db.flush();
  }
  ASSERT_TRUE(db.db->CompactRange({}, nullptr, nullptr).ok());
  const auto tables = db.tables().size();
  ASSERT_GT(tables, 3U);
  const auto wanted = [&](const std::string& key, const std::string&) { return user_in(key) == "user17"; };
  const rocksdb_table_counts before = user.counts();
  EXPECT_EQ(db.scan(user.may_contain("user17"), wanted).size(), 100U);
  EXPECT_GE(user.counts().skipped - before.skipped,
            tables - 3);  // a user's events lie side by side: in one table or two
}

// --- what is found

// Puts, deletes of every kind and merges of few keys, over many tables.
void change_at_random(database& db, std::uint64_t seed, bool merges, bool ranges) {
  rng random(seed);
  for (std::uint64_t table = 0; table < 12; ++table) {
    for (int i = 0; i < 12; ++i) {  // few enough that a table holds some attributes only as they are deleted
      const std::string key = event(random.below(4), random.below(30));
      const std::string value = "city" + std::to_string(random.below(12));
      switch (random.below(merges ? 6 : 4)) {
        case 0:
          ASSERT_TRUE(db.db->Delete({}, key).ok());
          break;
        case 4:
        case 5:
          ASSERT_TRUE(db.db->Merge({}, key, value).ok());
          break;
        default:
          db.put(key, value);
      }
    }
    if (ranges && table % 3 == 2) {
      ASSERT_TRUE(
          db.db->DeleteRange({}, db.db->DefaultColumnFamily(), event(table % 4, 0), event(table % 4 + 1, 0)).ok());
    }
    db.flush();
  }
}

TEST(rocksdb_scan, by_an_attribute_of_keys_shows_exactly_what_it_would_without) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const bool merges = seed % 2 != 0, ranges = seed % 4 >= 2;
    const rocksdb_attribute user = user_attribute();
    database db({user}, merges);
    change_at_random(db, seed, merges, ranges);
    for (std::uint64_t u = 0; u < 30; ++u) {
      const std::string name = "user" + std::to_string(u);
      const auto wanted = [&](const std::string& key, const std::string&) { return user_in(key) == name; };
      EXPECT_EQ(db.scan(user.may_contain(name), wanted), db.scan({}, wanted)) << "seed " << seed << ", " << name;
    }
    EXPECT_GT(user.counts().skipped, 0U);
  }
}

TEST(rocksdb_scan, by_an_attribute_of_values_finds_all_there_is_and_get_tells_what_was) {
  std::uint64_t old = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const rocksdb_attribute city = city_attribute();
    database db({city});
    change_at_random(db, seed, false, seed % 2 != 0);
    for (std::uint64_t c = 0; c < 20; ++c) {
      const std::string name = "city" + std::to_string(c);
      const auto wanted = [&](const std::string&, const std::string& value) { return value == name; };
      rocksdb::ReadOptions read;
      read.table_filter = city.may_contain(name);
      const std::unique_ptr<rocksdb::Iterator> at(db.db->NewIterator(read));
      pairs current;
      for (at->SeekToFirst(); at->Valid(); at->Next()) {
        if (at->value() != rocksdb::Slice(name)) continue;
        if (rocksdb_is_current(*db.db, read, *at)) {
          current.emplace(at->key().ToString(), at->value().ToString());
        } else {
          ++old;
        }
      }
      EXPECT_EQ(current, db.scan({}, wanted)) << "seed " << seed << ", " << name;
    }
    EXPECT_GT(city.counts().skipped, 0U);
  }
  EXPECT_GT(old, 0U);  // or the test would not show why Get is asked
}

TEST(rocksdb_scan, no_table_is_skipped_by_values_that_are_merged) {
  const rocksdb_attribute city = rocksdb_attribute::of_value(
      "city", [](std::string_view, std::string_view value, rocksdb_attributes& found) { found.add(value); });
  database db({city}, true);
  db.put("a", "New ");
  db.flush();
  ASSERT_TRUE(db.db->Merge({}, "a", "York").ok());
  db.flush();
  const auto wanted = [](const std::string&, const std::string& value) { return value == "New York"; };
  EXPECT_EQ(db.scan(city.may_contain("New York"), wanted).size(), 1U);
  EXPECT_EQ(city.counts().unknown, city.counts().asked);
}

TEST(rocksdb_scan, no_table_with_a_deleted_range_is_skipped) {
  const rocksdb_attribute user = user_attribute();
  database db({user});
  db.put(event(5, 1), "x");
  db.flush();
  ASSERT_TRUE(db.db->DeleteRange({}, db.db->DefaultColumnFamily(), event(0, 0), event(9, 0)).ok());
  db.put(event(20, 2), "x");
  db.flush();
  const auto all = [](const std::string&, const std::string&) { return true; };
  const auto left = db.scan(user.may_contain("user1"), all);
  EXPECT_FALSE(left.contains(event(5, 1)));
}

// --- filters that are not there, or not sound

// What a filter says of a table with these bytes as its property.
bool reads_table(const rocksdb_attribute& attribute, std::string bytes, std::string_view wanted) {
  rocksdb::TableProperties table;
  table.user_collected_properties[attribute.property()] = std::move(bytes);
  return attribute.may_contain(wanted)(table);
}

std::string property_of(const rocksdb_attribute& attribute, std::uint64_t entries) {
  rocksdb::TablePropertiesCollectorFactory::Context context;
  const std::unique_ptr<rocksdb::TablePropertiesCollector> collector(
      attribute.collector()->CreateTablePropertiesCollector(context));
  for (std::uint64_t i = 0; i < entries; ++i) {
    EXPECT_TRUE(collector->AddUserKey(event(i, i), "x", rocksdb::kEntryPut, 0, 0).ok());
  }
  rocksdb::UserCollectedProperties properties;
  EXPECT_TRUE(collector->Finish(&properties).ok());
  return properties[attribute.property()];
}

TEST(rocksdb_property, holds_every_attribute_however_many) {
  const rocksdb_attribute user = user_attribute();
  for (const std::uint64_t n : {0u, 1u, 2u, 100u, 4096u, 4097u, 20'000u}) {
    const std::string bytes = property_of(user, n);
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(reads_table(user, bytes, "user" + std::to_string(i))) << n;
    EXPECT_FALSE(reads_table(user, bytes, "nobody")) << n;
  }
}

TEST(rocksdb_property, that_is_damaged_skips_no_table) {
  const rocksdb_attribute user = user_attribute();
  const std::string whole = property_of(user, 300);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    ASSERT_TRUE(reads_table(user, damaged, "nobody")) << "byte " << at;
  }
  for (std::size_t length = 0; length < whole.size(); ++length) {
    ASSERT_TRUE(reads_table(user, whole.substr(0, length), "nobody")) << length << " bytes";
  }
  rng random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random.below(400), '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    ASSERT_TRUE(reads_table(user, bytes, "nobody"));
  }
  EXPECT_FALSE(reads_table(user, whole, "nobody"));
}

TEST(rocksdb_property, that_is_missing_skips_no_table) {
  const rocksdb_attribute user = user_attribute();
  database db({});  // written without
  db.put(event(1, 1), "x");
  db.flush();
  db.options.table_properties_collector_factories.push_back(user.collector());
  db.reopen();
  db.put(event(2, 2), "x");
  db.flush();
  EXPECT_EQ(db.tables_read(user.may_contain("user3")), 1U);
  EXPECT_EQ(user.counts().unknown, 1U);
  db.options.table_properties_collector_factories.clear();
  db.reopen();  // opened without: filters that are there are of use to those who ask
  EXPECT_EQ(db.tables_read(user.may_contain("user3")), 1U);
  EXPECT_EQ(db.tables_read({}), 2U);
}

TEST(rocksdb_property, is_not_written_where_an_entry_could_not_be_read) {
  const rocksdb_attribute odd = rocksdb_attribute::of_key("odd", [](std::string_view key, rocksdb_attributes& found) {
    if (key == event(7, 7)) throw 7;
    found.add(key);
  });
  database db({odd, user_attribute()});
  for (std::uint64_t i = 0; i < 10; ++i) db.put(event(i, i), "x");
  db.flush();
  const auto tables = db.tables();
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_FALSE(tables[0]->user_collected_properties.contains("seen.odd"));
  EXPECT_TRUE(tables[0]->user_collected_properties.contains("seen.user"));
  EXPECT_EQ(db.tables_read(odd.may_contain("no such key")), 1U);
}

TEST(rocksdb_property, of_few_attributes_in_many_entries_is_small) {
  const rocksdb_attribute few = rocksdb_attribute::of_key("few", [](std::string_view key, rocksdb_attributes& found) {
    found.add(key.substr(key.size() - 1)), found.add(key.size());
  });
  EXPECT_LT(property_of(few, 100'000).size(), 600U);
}

// The properties that a collector makes of one entry after another.
rocksdb::UserCollectedProperties collected(const rocksdb_attribute& attribute, const std::string& key,
                                           const std::vector<rocksdb::EntryType>& types) {
  const std::unique_ptr<rocksdb::TablePropertiesCollector> collector(
      attribute.collector()->CreateTablePropertiesCollector({}));
  for (const rocksdb::EntryType type : types) EXPECT_TRUE(collector->AddUserKey(key, "x", type, 0, 0).ok());
  rocksdb::UserCollectedProperties properties;
  EXPECT_TRUE(collector->Finish(&properties).ok());
  return properties;
}

TEST(rocksdb_property, of_values_is_written_only_where_all_values_could_be_read) {
  using namespace rocksdb;
  const rocksdb_attribute city = city_attribute();
  for (const EntryType type : {kEntryPut, kEntryDelete, kEntrySingleDelete, kEntryRangeDeletion}) {
    EXPECT_TRUE(collected(city, "key", {kEntryPut, type}).contains("seen.city")) << type;
  }
  for (const EntryType type : {kEntryMerge, kEntryBlobIndex, kEntryWideColumnEntity, kEntryOther}) {
    EXPECT_FALSE(collected(city, "key", {kEntryPut, type, kEntryPut}).contains("seen.city")) << type;
  }
}

TEST(rocksdb_property, of_keys_holds_those_of_every_entry_but_the_ends_of_ranges) {
  using namespace rocksdb;
  const rocksdb_attribute user = user_attribute();
  for (const EntryType type : {kEntryPut, kEntryDelete, kEntrySingleDelete, kEntryMerge, kEntryBlobIndex,
                               kEntryDeleteWithTimestamp, kEntryWideColumnEntity, kEntryOther}) {
    EXPECT_TRUE(reads_table(user, collected(user, event(1, 1), {type})["seen.user"], "user1")) << type;
  }
  EXPECT_FALSE(reads_table(user, collected(user, event(1, 1), {kEntryRangeDeletion})["seen.user"], "user1"));
}

TEST(rocksdb_property, is_not_asked_of_a_table_that_deletes_ranges) {
  const rocksdb_attribute user = user_attribute();
  rocksdb::TableProperties table;
  table.user_collected_properties[user.property()] = property_of(user, 10);
  EXPECT_FALSE(user.may_contain("nobody")(table));
  table.num_range_deletions = 1;
  EXPECT_TRUE(user.may_contain("nobody")(table));
}

TEST(rocksdb_property, is_not_asked_of_keys_with_timestamps) {
  const rocksdb_attribute user = user_attribute();
  rocksdb::TableProperties table;
  table.user_collected_properties[user.property()] = property_of(user, 10);
  table.comparator_name = "leveldb.BytewiseComparator";
  EXPECT_FALSE(user.may_contain("nobody")(table));
  for (const char* const name : {"leveldb.BytewiseComparator.u64ts", "rocksdb.BytewiseComparatorWithU64TsWrapper"}) {
    table.comparator_name = name;
    EXPECT_TRUE(user.may_contain("nobody")(table)) << name;
  }
}

TEST(rocksdb_attributes_of_a_table, count_once) {
  const auto words = rocksdb_attribute::of_key("words", [](std::string_view key, rocksdb_attributes& found) {
    for (const char& each : key) found.add(std::string_view(&each, 1));
  });
  const std::unique_ptr<rocksdb::TablePropertiesCollector> collector(
      words.collector()->CreateTablePropertiesCollector({}));
  for (const char* const key : {"baab", "ca", "abc"}) {
    EXPECT_TRUE(collector->AddUserKey(key, "", rocksdb::kEntryPut, 0, 0).ok());
  }
  rocksdb::UserCollectedProperties made;
  EXPECT_TRUE(collector->Finish(&made).ok());
  EXPECT_EQ(collector->GetReadableProperties()["seen.words"], "3 attributes");
}

TEST(rocksdb_options, that_make_no_sense_are_refused) {
  const auto nothing = [](std::string_view, rocksdb_attributes&) {};
  EXPECT_THROW((void)rocksdb_attribute::of_key("", nothing), std::invalid_argument);
  EXPECT_THROW((void)rocksdb_attribute::of_key("x", nullptr), std::invalid_argument);
  EXPECT_THROW((void)rocksdb_attribute::of_value("x", nullptr), std::invalid_argument);
  for (const double fpr : {0.0, 1.0, -1.0}) {
    EXPECT_THROW((void)rocksdb_attribute::of_key("x", nothing, fpr), std::invalid_argument) << fpr;
  }
}

}  // namespace
}  // namespace seen::testing
