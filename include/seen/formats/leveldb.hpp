// LevelDB's Bloom filter (leveldb.BuiltinBloomFilter2): one filter, or a whole table (.ldb, .sst) with many.
//
//   filter        bits, LSB first │ k u8                        m = 8·(bytes - 1)
//   filter block  filters, back to back │ u32le offset of each │ u32le offset of that array │ u8 11
//   table         … │ filter block │ metaindex │ index │ footer, magic 57 fb 80 8b 24 75 47 db
//
//   h = the LevelDB hash of the key (hash/leveldb.hpp), d = h rotr 17;  position i = (h + i·d mod 2^32) mod m
//
// A table has one filter for every 2 KiB of data, over the user keys that begin there. Which data a key would be in only
// the index tells, so a table says yes if any of its filters does; `part` chooses one by number. Blocks have checksums,
// and they are checked. docs/formats/leveldb.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::leveldb {

extern const format_row format;

}  // namespace seen::inline v1::leveldb
