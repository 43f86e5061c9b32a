// pyprobables (Python), and barrust/bloom, its twin in C: everything that says what a file is stands at its end.
//
//   bloom      bits │ n u64 │ added u64 │ rate f32                  in hexadecimal too, the numbers big-endian then
//   counting   counters u32 │ n u64 │ added u64 │ rate f32
//   expanding  (added u64 │ bits) a filter │ filters u64 │ n u64 │ added u64 │ rate f32
//   cuckoo     fingerprints u32, bucket after bucket, 0: empty │ bucket size u32 │ swaps u32
//
//   m = ceil(-n·ln p / 0.4804530139182),  k = round(0.6931471805599453·m/n), p as a 32-bit float, which are not stored
//   position j = FNV-1a(key) from the usual offset basis + 31·j, mod m
//
// Text hashed as `str` goes into FNV by code points, not by bytes: `keys` says it. docs/formats/pyprobables.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::pyprobables {

extern const format_row format;

}  // namespace seen::inline v1::pyprobables
