// The Rust crate bloomfilter, version 3, as its as_slice has it.
//
//   1 u8 │ bytes u64le │ k u32le │ seed: 32 bytes │ bits, bit i in byte i/8, mask 1 << (i % 8)
//
//   H0, H1 = SipHash-1-3 with the halves of the seed; position i = H0, H1, H0 + 2·H1, … modulo 2^64 - 59 and 8·bytes
//
// What type the keys had is not recorded: `keys` says it. bytes is [u8], which Rust hashes after its length; str has a
// byte 0xff behind it. docs/formats/rust-bloomfilter.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::rust_bloomfilter {

extern const format_row format;

}  // namespace seen::inline v1::rust_bloomfilter
