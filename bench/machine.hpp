// The machine that a run was made on, as one record among the others: a report may be printed somewhere else.
#pragma once

#include <string>
#include <vector>

#include "core/records.hpp"

namespace seen::bench {

/// Processor, cores, caches, the system's setting of huge pages, compiler. Family "machine"; the text is in place of a
/// filter's name.
record this_machine(const std::string& run);

/// A line for each machine in the records, with the runs that were made there.
std::string machine_lines(const std::vector<record>& records);

}  // namespace seen::bench
