// Files of the Go package AndreasBriese/bbloom.
//
//   {"FilterSet":"<base64>","SetLocs":<k>}     bit i in byte i/8, mask 1 << (i % 8); m = 8·bytes, a power of two from 512
//
//   x = SipHash-2-4 of the key with k0 = 0xdeadbeaf, k1 = 0xfaebdaed;  e = log2 m
//   position i = (x >> (64 - e)) + i·(x mod 2^e) mod m, i from 0
//
// The package's own counter of keys is not in the file. docs/formats/bbloom.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::bbloom {

extern const format_row format;

}  // namespace seen::inline v1::bbloom
