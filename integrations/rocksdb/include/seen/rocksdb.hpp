// Filters on attributes for RocksDB: scans skip the tables that hold nothing of what is looked for.
//
//   RocksDB's own filters know keys and one prefix of them. These know whatever a function finds in an entry: the user in a key that
//   begins with the time, the city in a value, the words of a text.
//
//   writing   entry ──extract──► attributes ──► digests of a table ──► ribbon filter ──► property "seen.<name>" of the table
//   reading   attribute ──► ReadOptions::table_filter ──► each table's property: certain no ──► the table is not read
//
//   const auto user = seen::rocksdb_attribute::of_key("user", [](auto key, auto& found) { found.add(user_in(key)); });
//   options.table_properties_collector_factories.push_back(user.collector());
//   ...
//   read.table_filter = user.may_contain("alice");          // for iterators; RocksDB does not ask it in Get
//
// What it costs is one ribbon filter per table over the different attributes in it: 8.4 bits each at the usual rate of 1/256, and a header
// of some hundred bytes. It is in the table's properties, which RocksDB keeps in memory with the table. A table is asked with one lookup.
//
// A scan reads the newest version of each key among the tables it does not skip. Hence two sorts of attributes:
//
//   of_key     All versions of a key have the same attributes, deletions and merges too, so a table is skipped with all of them or not at
//              all: the scan sees of each key with that attribute exactly what it would see without a filter.
//   of_value   What has the attribute now is always found. But where a newer version of the key, or its deletion, is in a table that is
//              skipped, the scan shows the old one. Where keys are ever overwritten or deleted, ask rocksdb_is_current, too. (If the
//              column family has a merge operator no table is skipped: the attributes of a merged value are in no table.)
//
// Column families whose keys carry timestamps of the user's are not supported: the collector is given keys with them, and iterators show
// keys without. Of those with RocksDB's own such comparators no table is skipped.
//
// No table is skipped that has no filter, one that cannot be read or one that is damaged; or that deletes ranges of keys. Every filter is
// compared with its checksums when it is asked for the first time.
#pragma once

#include <seen/base/digest.hpp>
#include <seen/hash/hash.hpp>
#include <seen/hash/key.hpp>
#include <seen/hash/xxh3.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/table_properties.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::inline v1 {

namespace detail {
class rocksdb_collector;
}

/// Takes the attributes of an entry: text, bytes or integers, any number of them.
class rocksdb_attributes {
 public:
  /// Adds an attribute. Not adding any is fine: no attribute finds the entry.
  template <key_like Key>
  void add(const Key& attribute) {
    add_digest(hash_key(xxh3_64(), attribute));
  }

 private:
  friend class detail::rocksdb_collector;  // what it holds are the attributes of all entries of a table

  void add_digest(digest d);
  /// The digests of all that was added, ascending and different.
  [[nodiscard]] const std::vector<digest>& distinct();

  std::vector<digest> digests_;
  std::size_t settled_ = 0;  // the first of them ascend and differ
};

/// What the tables of a database were asked, and answered.
struct rocksdb_table_counts {
  std::uint64_t asked = 0;
  std::uint64_t skipped = 0;  ///< said a certain no
  std::uint64_t unknown = 0;  ///< have no filter that could be read
};

/// An attribute of entries: collects filters of it, and asks them. Copies share their counts; all of it may be used by any number of threads
/// and databases.
class rocksdb_attribute {
 public:
  using of_key_function = std::function<void(std::string_view key, rocksdb_attributes& found)>;
  using of_value_function =
      std::function<void(std::string_view key, std::string_view value, rocksdb_attributes& found)>;
  using table_filter = std::function<bool(const rocksdb::TableProperties&)>;

  /// An attribute that follows from the key alone. Give it another name whenever `extract` finds something else: filters are known by
  /// their names. Throws std::invalid_argument if the name or the function is empty, or the rate is not between
  /// 0 and 1.
  static rocksdb_attribute of_key(std::string name, of_key_function extract, double fpr = 1.0 / 256);
  /// An attribute that the value has a part in. What a scan may show then is said above.
  static rocksdb_attribute of_value(std::string name, of_value_function extract, double fpr = 1.0 / 256);

  /// For table_properties_collector_factories of the column family: tables written from then on have filters.
  [[nodiscard]] std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> collector() const;

  /// For ReadOptions::table_filter: false of a table where no entry has this attribute.
  template <key_like Key>
  [[nodiscard]] table_filter may_contain(const Key& attribute) const {
    return filter_for({hash_key(xxh3_64(), attribute)});
  }
  /// The same for several attributes: false of a table where no entry has one of them.
  template <std::ranges::input_range Range>
  requires key_like<std::ranges::range_value_t<Range>>
  [[nodiscard]] table_filter may_contain_any(const Range& attributes) const {
    std::vector<digest> digests;
    for (const auto& each : attributes) digests.push_back(hash_key(xxh3_64(), each));
    return filter_for(std::move(digests));
  }
  [[nodiscard]] table_filter may_contain_any(std::initializer_list<std::string_view> attributes) const {
    return may_contain_any(std::span(attributes.begin(), attributes.size()));
  }

  /// The property's name.
  [[nodiscard]] const std::string& property() const noexcept;
  /// What all table filters made here were asked so far.
  [[nodiscard]] rocksdb_table_counts counts() const noexcept;

  struct state;

 private:
  explicit rocksdb_attribute(std::shared_ptr<state> s) noexcept : state_(std::move(s)) {}
  [[nodiscard]] table_filter filter_for(std::vector<digest> attributes) const;

  std::shared_ptr<state> state_;
};

/// Whether an iterator stands on what the database holds now (or, with read.snapshot, held then): Get asks all tables.
[[nodiscard]] bool rocksdb_is_current(rocksdb::DB& db, const rocksdb::ReadOptions& read, const rocksdb::Iterator& at);
[[nodiscard]] bool rocksdb_is_current(rocksdb::DB& db, const rocksdb::ReadOptions& read,
                                      rocksdb::ColumnFamilyHandle* family, const rocksdb::Iterator& at);

}  // namespace seen::inline v1
