// What is measured beside the rows of filters: threads, shared filters, hashes, parallel builds, opening files, memory of
// builds. Each has a family of its own among the records, and a table of its own.
#pragma once

#include <string>
#include <vector>

#include "core/harness.hpp"
#include "core/records.hpp"

namespace seen::bench {

/// A million keys of 16 bytes at 1 % on 1, 2, 4 and 16 threads: add to an empty filter, add again, contains (half are
/// there), and half of each. Family "threads"; ns on the wall.
std::vector<record> run_threads(const std::string& run, int rounds);
/// The same records and those of programs in other languages, with ratios of the best of ours to each of theirs.
std::string thread_tables(const std::vector<record>& records);

/// A million integer keys in a filter that one or two threads share, beside peers: shared.hpp. Family "shared"; ns on the wall.
std::vector<record> run_shared(const std::string& run, int rounds);
/// The same records as a table.
std::string shared_table(const std::vector<record>& records);

/// Each hash at 8, 16, 32 and 64 bytes, and a classic filter with it. Family "hash", keys = bytes of a key.
std::vector<record> run_hashes(const std::string& run, int rounds);
std::string hash_table(const std::vector<record>& records);

/// Static kinds, and kinds made of bits, from digests on one and on two threads. Family "build"; ns on the wall.
std::vector<record> run_builds(const std::string& run, std::size_t n, int rounds);
/// Mapping a file of 1 MiB and one of 1 GiB in turns. Family "open"; ns per call.
std::vector<record> run_opening(const std::string& run);
/// The peak resident size of building each kind, in a process of its own: `self` is this program. Family "peak"; what is
/// counted is bytes per key, not ns.
std::vector<record> run_peaks(const std::string& run, const std::string& self, std::size_t n);
/// The child of run_peaks: builds one kind from keys that are made as they are asked for; prints its peak and its bytes.
int print_peak(const std::string& kind, std::size_t n);
/// The tables of builds, opening and peaks.
std::string other_tables(const std::vector<record>& records);

/// Filters of other libraries' formats beside native ones of the same hash and shape, all through any_filter.
family foreign_family();

/// Writes the keys for programs in other languages: `added-N.u64`, `absent-N.u64`, … and the keys of run_threads.
void write_keys(const std::string& folder, const std::vector<std::size_t>& sizes);

}  // namespace seen::bench
