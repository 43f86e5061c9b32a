// Guava's BloomFilter, as its writeTo has it.
//
//   strategy i8 │ k u8 │ longs i32be │ longs u64be, bit i in long i/64, mask 1 << (i % 64)
//
//   (h1, h2) = MurmurHash3 x64 128 of what the funnel emits; m = 64·longs
//   strategy 1 (MURMUR128_MITZ_64)   position i = ((h1 + i·h2) & 2^63-1) mod m, i = 0 .. k-1
//   strategy 0 (MURMUR128_MITZ_32)   the halves of h1 as 32-bit sums, i = 1 .. k, ~ where negative
//
// The funnel is not recorded: `keys` says it. bytes and utf8 take the key as it is, utf16 is unencodedCharsFunnel, long
// and int take an integer. No magic and no checksum. docs/formats/guava.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::guava {

extern const format_row format;

}  // namespace seen::inline v1::guava
