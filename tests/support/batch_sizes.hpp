// The sizes of batches that tests try: around every number of keys at which the library's own loops change.
//
// The numbers are the library's constants by name. One that is renamed or dropped breaks the build of the kits, and one
// that changes is bracketed wherever it goes.
#pragma once

#include <seen/building/slot_rule.hpp>
#include <seen/engines/link_chain.hpp>
#include <seen/engines/quotient_engine.hpp>
#include <seen/kernels/block.hpp>
#include <seen/kernels/bloom.hpp>
#include <seen/kernels/counters.hpp>
#include <seen/kernels/cuckoo_map.hpp>
#include <seen/kernels/range_adds.hpp>
#include <seen/kernels/ribbon.hpp>
#include <seen/kernels/tiles.hpp>
#include <seen/kernels/window.hpp>

#include <cstddef>
#include <initializer_list>
#include <set>
#include <vector>

namespace seen::testing {

/// Each step with the numbers before and after it, once and ascending, and the smallest sizes.
inline std::vector<std::size_t> sizes_around(std::initializer_list<std::size_t> steps) {
  std::set<std::size_t> sizes{0, 1, 2};
  for (const std::size_t step : steps) sizes.insert({step - 1, step, step + 1});
  return {sizes.begin(), sizes.end()};
}

/// What one thread meets.
inline std::vector<std::size_t> batch_sizes() {
  return sizes_around({
      8,                                  // lanes of the widest vectors: hashes, blocks, ribbons
      kernels::adding::ahead,             // adds to bits and counters beyond the cache
      kernels::cuckoo_block::size,        // places of a cuckoo table
      kernels::counter_blocks_ahead,      // blocks of counters
      kernels::ribbon_ahead,              // blocks of slots
      engines::quotient_ahead,            // slots of a quotient table
      kernels::rolling::ahead,            // blocks of bits
      kernels::window_tile,               // cells of a window
      building::slots_ahead,              // xor and binary fuse
      kernels::stages::tile_keys,         // lookups in bits and counters
      engines::chain_tile<digest>,        // links
      kernels::tile<digest>::size(),      // digests of keys
      3 * kernels::tile<digest>::size(),  // whole tiles, and nothing after them
  });
}

/// What several threads meet.
inline std::vector<std::size_t> parallel_batch_sizes() {
  return sizes_around({kernels::tile<digest>::size(), kernels::most_digests_at_once, kernels::digests_per_part});
}

}  // namespace seen::testing
