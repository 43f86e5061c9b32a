// RocksDB's full filters: both Blooms, the Ribbon, and whole tables (.sst).
//
//   filter        payload │ 5 bytes, the first of which says what the payload is
//     ff            FastLocalBloom: lines of 64 bytes │ ff, 00, k (3 high bits: log2 of the line - 6), 00 00
//     fe            Standard128Ribbon: segments of 16 bytes │ fe, seed u8, blocks u24le
//     01 … 7f       legacy Bloom: lines │ k, lines u32le
//     00, other     says yes to every key; so does anything unknown in these five bytes
//   table         … │ filter block │ … │ metaindex │ index │ footer, magic f7 cf f4 85 b7 41 e2 88
//
//   FastLocalBloom   H = XXPH3 of the key (hash/xxh3_preview.hpp); line = lo32(H)·lines >> 32; x = hi32(H);
//                    k times: bit x >> 23 of the line, x = x·9e3779b9 mod 2^32
//   legacy           h = RocksDB's copy of the LevelDB hash; line = h mod lines; k times: bit h mod 512, h += h₀ rotr 17
//   Ribbon           src/formats/rocksdb_ribbon.hpp
//
// A table holds one filter over all its user keys, found through the metaindex. Blocks have checksums, and they are
// checked. docs/formats/rocksdb.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::rocksdb {

extern const format_row format;

}  // namespace seen::inline v1::rocksdb
