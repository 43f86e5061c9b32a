// The collector that builds a table's filter while RocksDB writes the table, and the function that asks it. The header draws both.
//
// The property is a native file (docs/formats/native.md) of a ribbon filter, checksums and all. Views of it cost no copy; the pages, which a
// view leaves unchecked, are checked when a filter is asked for the first time. Which filters have been checked is remembered by their
// checksums and addresses: RocksDB keeps the properties of an open table where they are, and compares a table that it opens again with
// checksums of its own.
//
// Nothing may be thrown through RocksDB. If something is (extract's own exceptions, memory), the table gets no filter, or is not skipped.
#include <seen/filters/ribbon.hpp>
#include <seen/io.hpp>
#include <seen/rocksdb.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <shared_mutex>
#include <span>
#include <stdexcept>
#include <unordered_set>

namespace seen::inline v1 {

// --- the attributes of a table

void rocksdb_attributes::add_digest(digest d) {
  constexpr std::size_t least = 4096;
  if (!digests_.empty() && digests_.back() == d) return;  // neighbours often have the same
  // Room for as many new ones as there are different ones: each digest is sorted a few times, and few attributes of many entries stay few.
  if (digests_.size() >= std::max(least, 2 * settled_)) (void)distinct();
  digests_.push_back(d);
}

const std::vector<digest>& rocksdb_attributes::distinct() {
  std::sort(digests_.begin(), digests_.end(), [](digest a, digest b) { return a.value < b.value; });
  digests_.erase(std::unique(digests_.begin(), digests_.end()), digests_.end());
  settled_ = digests_.size();
  return digests_;
}

struct rocksdb_attribute::state {
  std::string property;
  of_key_function of_key;  // one of the two
  of_value_function of_value;
  double fpr = 0;

  std::atomic<std::uint64_t> asked = 0, skipped = 0, unknown = 0;
  std::shared_mutex guard;  // of what follows
  std::unordered_set<std::uint64_t> checked;

  // Whether a filter that was viewed is as it was written.
  bool is_sound(const frozen<ribbon>& f) {
    constexpr std::size_t most = 1 << 16;
    const auto address = reinterpret_cast<std::uintptr_t>(f->engine().tables());
    const std::uint64_t sums = f.header().header_checksum ^ (f.header().table_checksum + address) * 0x9e3779b97f4a7c15;
    {
      const std::shared_lock lock(guard);
      if (checked.contains(sums)) return true;
    }
    if (!f.verify()) return false;
    const std::unique_lock lock(guard);
    if (checked.size() >= most) checked.clear();
    checked.insert(sums);
    return true;
  }
};

namespace detail {

class rocksdb_collector final : public rocksdb::TablePropertiesCollector {
 public:
  explicit rocksdb_collector(std::shared_ptr<const rocksdb_attribute::state> of) : of_(std::move(of)) {}

  const char* Name() const override { return of_->property.c_str(); }

  rocksdb::Status AddUserKey(const rocksdb::Slice& key, const rocksdb::Slice& value, rocksdb::EntryType type,
                             rocksdb::SequenceNumber, std::uint64_t) override {
    if (!is_complete_) return rocksdb::Status::OK();
    try {
      add(key, value, type);
    } catch (...) {  // extract may throw anything
      is_complete_ = false;
      found_ = {};
    }
    return rocksdb::Status::OK();
  }

  rocksdb::Status Finish(rocksdb::UserCollectedProperties* properties) override {
    if (!is_complete_) return rocksdb::Status::OK();
    try {
      auto made = ribbon::build(found_.distinct(), {.fpr = of_->fpr});
      if (!made) return rocksdb::Status::OK();
      const auto bytes = to_bytes(*made);
      if (!bytes) return rocksdb::Status::OK();
      (*properties)[of_->property].assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
      keys_ = made->size();
    } catch (const std::exception&) {
      properties->erase(of_->property);
    }
    return rocksdb::Status::OK();
  }

  rocksdb::UserCollectedProperties GetReadableProperties() const override {
    return {{of_->property, is_complete_ ? std::to_string(keys_) + " attributes" : "none: an entry could not be read"}};
  }

 private:
  void add(const rocksdb::Slice& key, const rocksdb::Slice& value, rocksdb::EntryType type) {
    if (type == rocksdb::kEntryRangeDeletion) return;  // asked for when the table is
    if (of_->of_key) return of_->of_key(key.ToStringView(), found_);
    switch (type) {
      case rocksdb::kEntryPut:
        return of_->of_value(key.ToStringView(), value.ToStringView(), found_);
      case rocksdb::kEntryDelete:
      case rocksdb::kEntrySingleDelete:
      case rocksdb::kEntryDeleteWithTimestamp:
        return;  // have no value
      default:
        is_complete_ = false;  // a value in parts, in a file of its own, or in a form that is not known here
    }
  }

  std::shared_ptr<const rocksdb_attribute::state> of_;
  rocksdb_attributes found_;
  bool is_complete_ = true;
  std::uint64_t keys_ = 0;
};

}  // namespace detail

namespace {

using state = rocksdb_attribute::state;

class factory final : public rocksdb::TablePropertiesCollectorFactory {
 public:
  explicit factory(std::shared_ptr<const state> of) : of_(std::move(of)) {}

  const char* Name() const override { return of_->property.c_str(); }
  rocksdb::TablePropertiesCollector* CreateTablePropertiesCollector(Context) override {
    return new detail::rocksdb_collector(of_);  // RocksDB deletes it
  }

 private:
  std::shared_ptr<const state> of_;
};

enum class answer { no, maybe, unknown };

// RocksDB's own comparators of keys with timestamps call themselves "….u64ts", or "…WithU64Ts…".
bool has_timestamps(const rocksdb::TableProperties& table) {
  const std::string& name = table.comparator_name;
  return name.find("u64ts") != name.npos || name.find("U64Ts") != name.npos;
}

answer ask(state& of, const rocksdb::TableProperties& table, std::span<const digest> digests) {
  if (table.num_range_deletions != 0 || has_timestamps(table)) return answer::unknown;
  const bool merges = !table.merge_operator_name.empty() && table.merge_operator_name != "nullptr";
  if (of.of_value && merges) return answer::unknown;
  const auto property = table.user_collected_properties.find(of.property);
  if (property == table.user_collected_properties.end()) return answer::unknown;
  const auto filter = view<ribbon>(std::as_bytes(std::span(property->second)));
  if (!filter || !of.is_sound(*filter)) return answer::unknown;
  const bool found = std::any_of(digests.begin(), digests.end(), [&](digest d) { return (*filter)->may_contain(d); });
  return found ? answer::maybe : answer::no;
}

std::shared_ptr<state> make_state(std::string name, double fpr, bool has_function) {
  if (name.empty()) throw std::invalid_argument("rocksdb_attribute: the name is empty");
  if (!has_function) throw std::invalid_argument("rocksdb_attribute: " + name + " has no function");
  if (auto fine = ribbon_shape::plan({.capacity = 1, .fpr = fpr}); !fine) throw_error(fine.error());
  auto made = std::make_shared<state>();
  made->property = "seen." + std::move(name);
  made->fpr = fpr;
  return made;
}

}  // namespace

rocksdb_attribute rocksdb_attribute::of_key(std::string name, of_key_function extract, double fpr) {
  auto made = make_state(std::move(name), fpr, extract != nullptr);
  made->of_key = std::move(extract);
  return rocksdb_attribute(std::move(made));
}

rocksdb_attribute rocksdb_attribute::of_value(std::string name, of_value_function extract, double fpr) {
  auto made = make_state(std::move(name), fpr, extract != nullptr);
  made->of_value = std::move(extract);
  return rocksdb_attribute(std::move(made));
}

std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> rocksdb_attribute::collector() const {
  return std::make_shared<factory>(state_);
}

rocksdb_attribute::table_filter rocksdb_attribute::filter_for(std::vector<digest> attributes) const {
  return [of = state_, digests = std::move(attributes)](const rocksdb::TableProperties& table) noexcept {
    answer said = answer::unknown;
    try {
      said = ask(*of, table, digests);
    } catch (const std::exception&) {  // memory: the table is read
    }
    ++of->asked;
    of->skipped += said == answer::no;
    of->unknown += said == answer::unknown;
    return said != answer::no;
  };
}

const std::string& rocksdb_attribute::property() const noexcept {
  return state_->property;
}

rocksdb_table_counts rocksdb_attribute::counts() const noexcept {
  return {state_->asked, state_->skipped, state_->unknown};
}

bool rocksdb_is_current(rocksdb::DB& db, const rocksdb::ReadOptions& read, rocksdb::ColumnFamilyHandle* family,
                        const rocksdb::Iterator& at) {
  rocksdb::PinnableSlice now;
  return db.Get(read, family, at.key(), &now).ok() && now == at.value();
}

bool rocksdb_is_current(rocksdb::DB& db, const rocksdb::ReadOptions& read, const rocksdb::Iterator& at) {
  return rocksdb_is_current(db, read, db.DefaultColumnFamily(), at);
}

}  // namespace seen::inline v1
