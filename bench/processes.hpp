// The same run in processes of its own, one after another. Where a table lies in memory, and what else the shared cache
// holds, stay what they are while a process lives, and differ between processes: what counts is the median over several. A
// row keeps one number per process, the median of its rounds, and a ratio is one of numbers of the same process.
//
// A child may be given huge pages: glibc's malloc then asks for them for whatever it takes from the system
// (GLIBC_TUNABLES=glibc.malloc.hugetlb=1, glibc 2.35 and later, where the system's setting is madvise), for peers as for ours.
#pragma once

#include <string>
#include <vector>

#include "core/records.hpp"

namespace seen::bench {

/// How many processes, and with which pages.
struct apart {
  int processes = 1;
  bool huge_pages = false;
};

/// Runs this program with these arguments (not quoted) in children, and merges their records. Throws std::runtime_error if a
/// child fails.
std::vector<record> run_apart(const std::string& self, const std::vector<std::string>& arguments, const apart& how);

}  // namespace seen::bench
