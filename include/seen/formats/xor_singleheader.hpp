// The filters of FastFilter's xor_singleheader (C): xor and binary fuse filters of 8, 16 or 32 bits, as its functions
// write them on a little-endian machine. All integers little-endian, w bytes a fingerprint.
//
//   xor*_serialize                 seed u64 │ block length B u64 │ 3·B fingerprints
//   xor*_pack                      seed u64 │ B u64 │ bitmap of 3·B bits: which are not 0 │ those
//   binary_fuse*_serialize         seed u64 │ keys u32 │ segment length SL, segments SC, SC·SL, fingerprints (SC + 2)·SL:
//                                  u32 each │ fingerprints
//   the same, 1.0.3 to 1.2.0       without the number of keys
//   binary_fuse*_pack              seed u64 │ keys u32 │ bitmap │ fingerprints that are not 0; the rest is computed
//
// Neither the layout nor the width is recorded: the length of the file tells both. Keys are 64-bit integers; where they
// were hashes of something else, `hash` names the function. docs/formats/xor-singleheader.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::xor_singleheader {

extern const format_row format;

}  // namespace seen::inline v1::xor_singleheader
