// The Go package seiflotfy/cuckoofilter, as its Encode has it.
//
//   plain      buckets of four fingerprints of one byte, 0 where a slot is empty: no header at all
//   scalable   gob of struct Store { Bytes [][]byte; LoadFactor float32 }, every element of Bytes a plain one
//
//   h = MetroHash64(key, seed 1337);  f = h mod 255 + 1
//   buckets (h >> 32) and that xor MetroHash64(the byte f, 1337), modulo their number, which is a power of two
//
// A program can replace the hash, and no file says so: `hash` does. docs/formats/seiflotfy-cuckoo.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::seiflotfy_cuckoo {

extern const format_row format;

}  // namespace seen::inline v1::seiflotfy_cuckoo
