// Apache DataSketches' bloom_filter, as its serialize has it. All integers are little-endian.
//
//   longs of the header u8: 3 empty, 4 │ 1 u8 │ family u8: 21 │ flags u8: 4 empty │ k u16 │ unused u16 │ seed u64 │
//   words u32 │ unused u32 │ and, unless it is empty: set bits u64, all ones where unknown │ 8·words bytes
//
//   h0 = XXH64(key, seed), h1 = XXH64(key, h0); m = 64·words
//   position i = ((h0 + i·h1) >> 1) mod m, i = 1 .. k
//
// An empty filter keeps its size and has no bits in its file. Empty keys are refused. docs/formats/datasketches.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::datasketches {

extern const format_row format;

}  // namespace seen::inline v1::datasketches
