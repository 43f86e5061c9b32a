// Who runs against whom, and at which point. Peers add themselves to the families of `native_families`.
//
//   block      one cache line per key, 0.39 %    12.18 bits per key (512-bit blocks), 12.84 (256-bit blocks)
//   text 16, text 64   keys that are text of so many bytes, in blocks and in a static kind; a peer that leaves the choice
//                      hashes by XXH3
//   classic    seven probes, 1 %                 9.59 bits per key
//   static     8-bit fingerprints, 0.39 %        8 to 9.9 bits per key
//   static 16  16-bit fingerprints, 0.0015 %     18 to 18.2 bits per key
//   cuckoo, quotient, counting                   peers that are not packages: see SEEN_PEERS in docs/performance.md
//   growing                                      no peer: against the random line alone
//
// `seen bench` has the same families, asked through any_filter: cli/bench_families.cpp.
#pragma once

#include "core/harness.hpp"
#include "core/peer_names.hpp"

namespace seen::bench {

/// Kinds made of bits: block, classic, growing; and those of text keys.
std::vector<family> bit_families();
/// Kinds made of fingerprints and counters: static, static 16, cuckoo, quotient, counting.
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
