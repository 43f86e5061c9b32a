// Hadoop's filters (org.apache.hadoop.util.bloom), as their Writable.write has them. All integers are big-endian.
//
//   header    -1 i32 │ k i32 │ hash u8: 0 Jenkins, 1 Murmur │ m i32        now
//             k i32 │ m i32                                               before; Jenkins
//   bloom     header │ ceil(m/8) bytes, bit i in byte i/8, mask 1 << (i % 8)
//   counting  header │ ceil(m/16) u64, counter j in bits 4·(j % 16) … + 3 of word j/16
//   dynamic   header │ keys a row i32 │ keys of the last row i32 │ rows i32 │ that many whole bloom filters
//
//   v = 0;  k times:  v = hash(key, seed v) in 32 bits, signed;  position = |v rem m|
//
// Which of the three it is shows in its length. Empty keys are refused. docs/formats/hadoop.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::hadoop {

extern const format_row format;

}  // namespace seen::inline v1::hadoop
