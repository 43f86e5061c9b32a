// Files of the Go package tylertreat/BoomFilters: six types, each as its WriteTo has it or in the frame of a gob.
//
//   buckets      width u8 │ 2^width - 1 u8 │ count u64 │ bytes u64 │ counters of `width` bits, lowest bit first
//
//   classic      count │ m │ k │ buckets(m, 1)
//   counting     m │ k │ count │ n │ n scratch words │ buckets(m, b)
//   partitioned  m │ k │ s │ count │ k │ k times buckets(s, 1)               position i in slice i, mod s = ceil(m/k)
//   scalable     r f64 │ fp f64 │ p f64 │ hint │ n │ n partitioned filters   the newest is added to
//   stable       m │ p │ k │ max u8 │ n i64 │ n scratch words │ buckets(m, d)
//   inverse      capacity │ bytes i64 │ a gob of so many [][]byte            slot FNV-1 32 of the key mod capacity
//
// All integers are big-endian, u64 where nothing else is said. x = FNV-1 64 of the key (not FNV-1a), position i = (low half
// + i·high half) mod m. The type is not recorded; the counts that must agree tell it. docs/formats/boomfilters.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::boomfilters {

extern const format_row format;

}  // namespace seen::inline v1::boomfilters
