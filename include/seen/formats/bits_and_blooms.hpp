// Files of the Go package bits-and-blooms/bloom, version 3.
//
//   binary   m u64be │ k u64be │ L u64be │ ceil(L/64) words u64be, bit i in word i/64, mask 1 << (i % 64)
//   json     {"m":…,"k":…,"b":"…"}, b being base64 of all that the binary file has from L on
//   gob      the binary file in the frame of a value that encodes itself
//
//   (h0, h1) = MurmurHash3 x64 128 of the key, (h2, h3) = of the key and a byte 1
//   position i = (h[i mod 2] + i·h[2 or 3]) mod m, in 64 bits; the second in the order 2 3 3 2 2 3 3 2 …
//
// L, the length of the set of bits, is m unless the caller brought his own words; bits from L on are 0. Two switches of
// the process that wrote the file, neither recorded in it: bitset.LittleEndian() turns L and the words around (the length
// of the file tells), bitset.Base64StdEncoding() takes the other alphabet. No magic, no checksum.
// docs/formats/bits-and-blooms.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::bits_and_blooms {

extern const format_row format;

}  // namespace seen::inline v1::bits_and_blooms
