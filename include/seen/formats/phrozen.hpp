// The Go package phrozen/bloom, as its MarshalBinary has it.
//
//   m u64le │ k u64le │ ceil(m/64) words u64le, bit i in word i/64, mask 1 << (i % 64)
//
//   x = FNV-1a 64(key); position i = (low half of x + i · high half) mod m, i = 0 .. k-1
//
// The hash can be replaced in the peer and is not recorded: `hash` says it. No magic and no checksum.
// docs/formats/phrozen.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::phrozen {

extern const format_row format;

}  // namespace seen::inline v1::phrozen
