// Apache Parquet's split-block Bloom filters: by themselves, or in a .parquet file.
//
//   bare    header │ blocks of 32 bytes                     the header: Thrift compact, 16 bytes or so
//   file    PAR1 │ pages, filters, … │ footer │ its length u32le │ PAR1
//                     ▲                  └─ schema, row groups ─► column chunks ─► bloom_filter_offset
//                     └──────────────────────────────────────────────────────────────────┘
//
// The blocks are those of our own split_block with XXH64 of seed 0, so a bare filter becomes a native one and the other
// way round without its keys. What is hashed is a value's plain encoding: in a file the column's physical type says how
// an integer or a real number becomes bytes; of a bare filter `keys` says it.
//
// open_options.part names the column of a file, and a row group where one is wanted: "tags.list.element", "price#2".
// docs/formats/parquet.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::parquet {

extern const format_row format;

}  // namespace seen::inline v1::parquet
