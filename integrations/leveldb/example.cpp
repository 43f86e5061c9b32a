// A database whose tables are asked through ribbon filters. The README quotes it.
#include <seen/leveldb.hpp>

#include <cstdio>
#include <leveldb/db.h>
#include <memory>
#include <string>

int main() {
  const auto policy = seen::leveldb_filter_policy({.kind = seen::leveldb_kind::ribbon, .bits_per_key = 10});

  leveldb::Options options;
  options.create_if_missing = true;
  options.filter_policy = policy.get();  // must outlive the database
  options.block_size = 16 << 10;         // a filter per block: some hundred keys are better than thirty

  leveldb::DB* opened = nullptr;
  const leveldb::Status status = leveldb::DB::Open(options, "example.db", &opened);
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.ToString().c_str()), 1;
  const std::unique_ptr<leveldb::DB> db(opened);

  db->Put({}, "alice", "in");
  db->CompactRange(nullptr, nullptr);  // now it is in a table, which has filters

  std::string value;
  std::puts(db->Get({}, "alice", &value).ok() ? "alice is there" : "alice is lost");
  std::puts(db->Get({}, "bob", &value).IsNotFound() ? "bob is not, and no block was read to see it" : "bob?");
}
