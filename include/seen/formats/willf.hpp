// Files of the Go package willf/bloom, from which bits-and-blooms/bloom descends.
//
// The bytes are those of formats/bits_and_blooms.hpp in every encoding. Version 2.0.0 took its four words elsewhere:
//
//   h[j] = FNV-1a, 64 bits, started at the offset basis + j, j = 0 … 3
//
// which the file does not say: `hash` = "fnv1a-64" does. Version 1 had no files. docs/formats/willf.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::willf {

extern const format_row format;

}  // namespace seen::inline v1::willf
