// pybloom_live (Python): one slice of bits a position, and digests cut into numbers.
//
//   plain      rate f64 │ slices u64 │ bits of a slice u64 │ capacity u64 │ count u64 │ bits
//   scalable   scale i32 │ ratio f64 │ capacity u64 │ rate f64 │ filters i32 │ their lengths u64 │ plain filters
//
//   salt_i = H(i as u32),  H(salt_i ‖ key) cut into numbers of 2, 4 or 8 bytes;  number j mod s is the bit of slice j
//
// H is a member of the SHA family, or xxh128, by the number of bits that a key needs. Releases before 4 took MD5 where
// later ones take xxh128, and no file says so: `hash` does. docs/formats/pybloom-live.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::pybloom_live {

extern const format_row format;

}  // namespace seen::inline v1::pybloom_live
