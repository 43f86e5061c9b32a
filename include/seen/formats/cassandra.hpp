// Apache Cassandra's filter component of an sstable (Filter.db). Integers are big-endian.
//
//   k i32 │ words i32 │ new: 8·words bytes, bit i in byte i/8, mask 1 << (i % 8)      from sstable version na (4.0)
//                     │ old: words u64, bit i in word i/64                            before
//
//   (h1, h2) = murmur3_x64_128_cassandra(partition key), signed; m = 64·words
//   position i = |(h2 + i·h1) rem m|, i = 0 .. k-1      sstable version ka and older: h1 + i·h2
//
// The file says neither its layout nor its order of the two words; its sstable's version does. Whoever opens it says it:
// `part` is "new" (unless said) or "old", `hash` is "murmur3-x64-128-cassandra" or "murmur3-x64-128-cassandra-ka".
// docs/formats/cassandra.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::cassandra {

extern const format_row format;

}  // namespace seen::inline v1::cassandra
