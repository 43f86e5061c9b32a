// A filter policy for LevelDB: its tables are asked through filters of this library.
//
//   seen::leveldb_options ──► leveldb_filter_policy ──► leveldb::Options::filter_policy
//
//   const auto policy = seen::leveldb_filter_policy({.kind = seen::leveldb_kind::ribbon, .bits_per_key = 10});
//   leveldb::Options options;
//   options.filter_policy = policy.get();          // the policy must outlive the database
//
// LevelDB makes one filter for the keys of every 2 KiB of a table, that is, of every data block, and asks it before it reads the block.
// A filter is a few hundred keys, so it has no header of its own: two to four bytes say what it is (table_filter.hpp draws them). Each
// filter says so for itself, and all kinds have one policy name, so a database may be opened with any of them and goes on using the filters
// it has. LevelDB reads tables of another policy, or of none, without filters.
//
//   kind          rate at 10 bits per key    a lookup reads                           take it for
//   ribbon        0.2 %                      16 bytes per bit of fingerprint          the fewest blocks read in vain
//   classic       0.8 %                      k bits, two or three if absent           the quickest to build
//   blocked       0.9 %                      64 bytes                                 one pattern instead of k positions
//   binary_fuse   0.4 %, from 11 bits up     three bytes                              few bytes of each filter touched
//
// A kind that is not at its best with the keys of one filter leaves it to another: blocked to classic below 8 blocks (4096 bits), binary
// fuse to ribbon where it would be larger than asked for.
//
// If the database has a comparator of its own that holds different bytes for one key, no policy may be used that hashes all bytes, neither
// LevelDB's own nor this one.
#pragma once

#include <leveldb/filter_policy.h>
#include <memory>

namespace seen::inline v1 {

/// What filters are made. Filters of any kind are read.
enum class leveldb_kind {
  classic,
  blocked,
  ribbon,
  binary_fuse,
};

/// What to make; every member may be left out.
struct leveldb_options {
  leveldb_kind kind = leveldb_kind::ribbon;
  double bits_per_key = 10;  ///< from 1 to 64, as LevelDB's own policy takes it: filters are as large as that one's
};

/// A policy for leveldb::Options::filter_policy, safe for any number of databases and threads. Throws std::invalid_argument if the bits per
/// key are out of range.
[[nodiscard]] std::unique_ptr<const leveldb::FilterPolicy> leveldb_filter_policy(const leveldb_options& options = {});

}  // namespace seen::inline v1
