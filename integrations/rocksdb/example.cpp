// Events that are ordered by time, and scanned by user: tables without the user are not read. The README quotes it.
#include <seen/rocksdb.hpp>

#include <cstdio>
#include <memory>
#include <rocksdb/db.h>
#include <string>
#include <string_view>

int main() {
  // The keys are "time/user": RocksDB has filters of whole keys and of their beginnings, and neither knows a user.
  const auto user = seen::rocksdb_attribute::of_key(
      "user", [](std::string_view key, auto& found) { found.add(key.substr(key.find('/') + 1)); });

  rocksdb::Options options;
  options.create_if_missing = true;
  options.table_properties_collector_factories.push_back(user.collector());

  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, "example.db", &opened);
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.ToString().c_str()), 1;
  const std::unique_ptr<rocksdb::DB> db(opened);

  for (const char* const key : {"20:01/alice", "20:02/bob", "20:03/carol"}) {
    db->Put({}, key, "logged in");
    db->Flush({});  // a table each
  }

  rocksdb::ReadOptions read;
  read.table_filter = user.may_contain("bob");
  const std::unique_ptr<rocksdb::Iterator> at(db->NewIterator(read));
  for (at->SeekToFirst(); at->Valid(); at->Next()) {
    if (at->key().ToStringView().ends_with("/bob")) std::puts(at->key().ToString().c_str());
  }
  std::printf("%d of %d tables skipped\n", static_cast<int>(user.counts().skipped),
              static_cast<int>(user.counts().asked));
}
