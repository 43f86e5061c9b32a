// The machine's own time for what a one-line filter cannot do without: one word of a random 64-byte line of a table as
// large as the filter's, in memory as a filter's is.
//
//   known       independent loads at addresses that are there already
//   single      independent loads at addresses hashed from the keys, as a filter must
//   batch       addresses that are there, prefetched into the second level 32 lines ahead
//   dependent   the next address needs the word that was read
#pragma once

#include "harness.hpp"

namespace seen::bench {

/// The name of the limit among the contenders.
inline constexpr const char* limit_name = "random line";

/// The limit as an entry of a family, with rows that stand next to those of filters.
entry random_lines(double bits_per_key, const workload& work);

}  // namespace seen::bench
