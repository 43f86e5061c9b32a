// The targets of the project, row by row, from the records of a run: what was aimed at, what came out, met or missed.
//
// A row with a peer that is a package is a ratio of the two in the same run. Any other peer was measured once beside the
// random lines of that machine; its target is stated as multiples of the random line and compared with the same multiple of
// this run: a single lookup with independent loads at known addresses, batches and builds with prefetched lines.
#pragma once

#include <string>
#include <vector>

#include "core/records.hpp"

namespace seen::bench {

/// The table of targets for one run; empty for runs of peers alone. Rows that the records say nothing of are left out.
std::string target_table(const std::vector<record>& records, const std::string& run);

}  // namespace seen::bench
