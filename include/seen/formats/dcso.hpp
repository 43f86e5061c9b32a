// DCSO/bloom (Go) and flor (Python): one file for both. All integers are little-endian.
//
//   1 u64 │ n u64 │ p f64 │ k u64 │ m u64 │ keys u64 │ ceil(m/64) u64, bit i in word i/64 │ the user's own data
//
//   h = fnv1_64(key) mod P, P = 2^64 - 59;  k times:  h = (h·g mod 2^64) mod P, g = 18446744073709550147;
//   position = h mod m
//
// The file may be gzipped as a whole; it is not unpacked here. docs/formats/dcso.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::dcso {

extern const format_row format;

}  // namespace seen::inline v1::dcso
