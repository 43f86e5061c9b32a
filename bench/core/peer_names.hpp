// The names of the filters that contenders of ours are compared with, where both are in one run.
#pragma once

namespace seen::bench::peers {

inline constexpr const char* multiblock64 = "Boost multiblock64";
inline constexpr const char* multiblock32 = "Boost multiblock32";
inline constexpr const char* multiblock64_digests = "Boost mb64 digests";
inline constexpr const char* multiblock32_digests = "Boost mb32 digests";
inline constexpr const char* classic = "Boost classic";
inline constexpr const char* fuse = "binary fuse 8 (C)";
inline constexpr const char* xor8 = "xor 8 (C)";
inline constexpr const char* rocksdb_ribbon = "RocksDB Ribbon";
inline constexpr const char* rocksdb_bloom = "RocksDB FastLocal";
inline constexpr const char* libbloom = "libbloom";
inline constexpr const char* baseline = "bits-and-blooms/C++";

}  // namespace seen::bench::peers
