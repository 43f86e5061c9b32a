// The targets of the project, row by row, from the records of a run: what was aimed at, what came out, met or missed.
//
// A row is a ratio of the two in the same run; rows whose peer was not there are left out. Runs with AVX2 and no more, and
// with huge pages for everybody, have targets of their own.
#pragma once

#include <string>
#include <vector>

#include "core/records.hpp"

namespace seen::bench {

/// The table of targets for one run; empty for runs of peers alone. Rows that the records say nothing of are left out.
std::string target_table(const std::vector<record>& records, const std::string& run);

}  // namespace seen::bench
