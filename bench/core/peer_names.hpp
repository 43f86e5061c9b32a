// The names of the filters that contenders of ours are compared with, where both are in one run.
#pragma once

#include <string>

namespace seen::bench::peers {

inline constexpr const char* multiblock64 = "Boost multiblock64";
inline constexpr const char* multiblock32 = "Boost multiblock32";
inline constexpr const char* libfilter = "libfilter block";
inline constexpr const char* multiblock64_digests = "Boost mb64 digests";
inline constexpr const char* multiblock32_digests = "Boost mb32 digests";
inline constexpr const char* classic = "Boost classic";
inline constexpr const char* fuse = "binary fuse 8 (C)";
inline constexpr const char* fuse_cpp = "binary fuse 8 (C++)";
inline constexpr const char* fuse_4_cpp = "4-wise fuse 8 (C++)";
inline constexpr const char* fuse_16 = "binary fuse 16 (C)";
inline constexpr const char* fuse_16_cpp = "binary fuse 16 (C++)";
inline constexpr const char* xor8 = "xor 8 (C)";
inline constexpr const char* burr = "BuRR";
inline constexpr const char* rocksdb_ribbon = "RocksDB Ribbon";
inline constexpr const char* rocksdb_bloom = "RocksDB FastLocal";
inline constexpr const char* dynamic_bloom = "DynamicBloom's rule";
inline constexpr const char* cuckoo_16 = "cuckoofilter 16";
inline constexpr const char* cuckoo_12 = "cuckoofilter 12";
inline constexpr const char* vqf = "VQF";
inline constexpr const char* counting = "counting 4 bits (C++)";
inline constexpr const char* libbloom = "libbloom";
inline constexpr const char* baseline = "bits-and-blooms/C++";

/// Several peers, of which the fastest that took part counts: their names with a comma between them.
inline std::string fastest_of(const std::string& one, const std::string& other) {
  return one + "," + other;
}

}  // namespace seen::bench::peers
