// The filters of FastFilter's xorfilter (Go): binary fuse filters of 8, 16 or 32 bits as Save writes them, and the 8-bit
// xor filter as encoding/json does.
//
//   save   seed u64le │ segment length SL, SL - 1, segments SC, SC·SL, fingerprints (SC + 2)·SL: u32le each │ fingerprints
//   json   {"Seed":…,"BlockLength":…,"Fingerprints":"base64"}
//
// The width is not recorded: the length of the file tells it. The C library's header is as long and means something else
// (formats/xor_singleheader.hpp). Keys are 64-bit integers; where they were hashes of something else, `hash` names the
// function. docs/formats/xorfilter-go.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::xorfilter_go {

extern const format_row format;

}  // namespace seen::inline v1::xorfilter_go
