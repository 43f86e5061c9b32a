// Tables for the terminal, from records: what each filter takes, and how many times faster it is than its peer.
#pragma once

#include <string>
#include <vector>

#include "records.hpp"

namespace seen::bench {

/// A number of keys as people read it: 4,000,000.
std::string grouped(std::uint64_t n);

/// One table for each run, size and family, in at most 120 columns; after it the ratios to the peers.
std::string filter_tables(const std::vector<record>& records);

}  // namespace seen::bench
