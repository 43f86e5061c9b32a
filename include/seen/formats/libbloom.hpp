// libbloom 2's filter, as its bloom_save has it: an image of a C struct of a 64-bit machine. Little-endian.
//
//   "libbloom2" │ 64 u16 │ the struct:
//     0 entries u32   8 bits u64   16 bytes u64   24 k u8   32 rate f64   40 ready, major, minor u8   48 bits a key f64
//     56 a pointer, dead
//   bytes bytes, bit i in byte i/8, mask 1 << (i % 8)
//
//   a = murmur2_32(key, 0x9747b28c), b = murmur2_32(key, a); position i = (a + i·b) mod bits, i = 0 .. k-1
//
// docs/formats/libbloom.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::libbloom {

extern const format_row format;

}  // namespace seen::inline v1::libbloom
