// Every foreign format by the name of its file and namespace, in alphabetical order: a new format is one line here.
//
// The native format stands beside them.
//
// src/formats/<name>.cpp defines `format` in namespace <name>; foreign.hpp says how. src/registry.cpp makes the table of this
// list, and the linker says where a line has no file.
#pragma once

#include <seen/registry.hpp>

// clang-format off
#define SEEN_FOREIGN_FORMATS(each) \
  each(bbloom) \
  each(bits_and_blooms) \
  each(boomfilters) \
  each(cassandra) \
  each(datasketches) \
  each(dcso) \
  each(guava) \
  each(hadoop) \
  each(leveldb) \
  each(libbloom) \
  each(npm_bloom_filters) \
  each(parquet) \
  each(phrozen) \
  each(portable) \
  each(pybloom_live) \
  each(pyprobables) \
  each(redisbloom) \
  each(rocksdb) \
  each(rust_bloomfilter) \
  each(seiflotfy_cuckoo) \
  each(spark) \
  each(valkey_bloom) \
  each(willf) \
  each(xor_singleheader) \
  each(xorfilter_go)
// clang-format on

namespace seen::inline v1 {

namespace native {
extern const format_row format;
}

#define SEEN_DECLARE_FORMAT(name) \
  namespace name {                \
  extern const format_row format; \
  }
SEEN_FOREIGN_FORMATS(SEEN_DECLARE_FORMAT)
#undef SEEN_DECLARE_FORMAT

}  // namespace seen::inline v1
