// Peers in C and C++, in the same process and with the same compiler flags. Each is built where its package was found, or its
// headers in the folder of SEEN_PEERS (docs/performance.md lists them); where they were not, peers/missing.cpp stands in and
// says so.
#pragma once

#include "../families.hpp"
#include "../shared.hpp"

namespace seen::bench {

/// Adds the peer to its families; returns why it could not, or nothing.
std::string add_boost(std::vector<family>& families);
std::string add_rocksdb(std::vector<family>& families);
std::string add_libbloom(std::vector<family>& families);
std::string add_xor_singleheader(std::vector<family>& families);
std::string add_fastfilter(std::vector<family>& families);
std::string add_cuckoofilter(std::vector<family>& families);
std::string add_vqf(std::vector<family>& families);
std::string add_burr(std::vector<family>& families);
std::string add_libfilter(std::vector<family>& families);

/// Boost's blocks as plain filters that lookups share; none if Boost.Bloom is missing.
std::vector<shared_filter> boost_readers();

}  // namespace seen::bench
