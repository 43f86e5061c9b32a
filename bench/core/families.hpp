// Who runs against whom, and at which point. Peers add themselves to the families of `native_families`.
//
//   block      one cache line a key, 0.39 %      12.18 bits a key (512-bit blocks), 12.84 (256-bit blocks)
//   classic    seven probes, 1 %                 9.59 bits a key
//   static     8-bit fingerprints, 0.39 %        8 to 9.9 bits a key
//   cuckoo, quotient, counting, growing          no peer that is a package: against the random line alone
#pragma once

#include "harness.hpp"

namespace seen::bench {

/// The names of peers that contenders of ours are compared with.
namespace peers {
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
}  // namespace peers

/// Kinds made of bits: block, classic, growing.
std::vector<family> bit_families();
/// Kinds made of fingerprints and counters: static, cuckoo, quotient, counting.
std::vector<family> table_families();

/// All kinds of the library, without peers.
inline std::vector<family> native_families() {
  std::vector<family> all = bit_families();
  for (family& each : table_families()) all.push_back(std::move(each));
  return all;
}

/// The family of this name. The name must be one.
inline family& family_of(std::vector<family>& families, const std::string& name) {
  return *std::find_if(families.begin(), families.end(), [&](const family& f) { return f.name == name; });
}

}  // namespace seen::bench
