// Peers in C and C++, in the same process and with the same compiler flags. Each is built where its package was found;
// where it was not, peers/missing.cpp stands in and says so.
#pragma once

#include "../families.hpp"

namespace seen::bench {

/// Adds the peer to its families; returns why it could not, or nothing.
std::string add_boost(std::vector<family>& families);
std::string add_rocksdb(std::vector<family>& families);
std::string add_libbloom(std::vector<family>& families);
std::string add_xor_singleheader(std::vector<family>& families);

}  // namespace seen::bench
