// valkey-bloom's object, as BF.LOAD takes it.
//
//   1 u8 │ expansion u32le │ fpr f64le │ tightening f64le │ seed is random u8 │ filters u64le, then of every filter
//   length u64le │ an image of the Rust crate bloomfilter │ keys i64le │ capacity i64le
//
// A chain: yes if one filter says so; a key that it says yes to is not added again. The next filter is made when the last
// has as many keys as its capacity: `expansion` times larger, its rate multiplied by the tightening; expansion 0 never
// grows. Keys are hashed as Rust's [u8]. Not compatible with RedisBloom. docs/formats/valkey-bloom.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::valkey_bloom {

extern const format_row format;

}  // namespace seen::inline v1::valkey_bloom
