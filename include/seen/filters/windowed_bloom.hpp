// The windowed Bloom filter: forgets what is older than its window.
//
//   age      0 ───────────────── W ──── W(1 + 1/S)          always found │ maybe still found │ gone, but for the rate
//   ring     [filling][slice][slice] … [oldest]             S + 1 slices of ceil(W/S) keys: when the first is full the
//                                                           oldest is emptied and filled next
//
// The window is counted in adds (period = 0): a key is found for at least W adds after its last add. Or in time (period >
// 0): the caller says what time it is with advance(now), an unsigned number in any unit that does not go back, and a key is
// found for at least `period` units after it. Then slices turn by time alone, W is the number of keys expected in a
// period, and more keys than that raise the rate. Before the first advance it is time 0.
//
// Layout. Cell i holds bit i of every slice, so one pass over k cells asks all slices at once:
//
//   position i ──► cell [s0 s1 s2 … sS]   AND over the k cells ≠ 0: some slice has all bits of the key
//
// S = 7 (a byte a cell) takes the least space at 1 %, 1.66 times a Bloom filter's (math/windowed_bloom.hpp), and keeps a key
// for at most 8/7 of the window. Any S from 1 to 63 works; S + 1 a power of two leaves no bit of a cell unused.
//
// Cost: an add and a lookup are a Bloom filter's. Turning empties one bit of every cell, a walk over the table: a pause of
// 0.04 to 0.09 ms a MiB once in W/S adds (docs/filters/windowed_bloom.md), never an allocation.
#pragma once

#include <seen/detail/window_engine.hpp>
#include <seen/filter.hpp>
#include <seen/hash/xxh3.hpp>

namespace seen {
inline namespace v1 {

/// A Bloom filter of the last `capacity` adds, or of a period of time, for one thread at a time.
using windowed_bloom = filter<detail::window_engine, xxh3_64>;

}  // namespace v1
}  // namespace seen
