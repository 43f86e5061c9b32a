// The places of many digests at once, for batches on cuckoo tables.
//
//   32 digests ──► chunks, first buckets, second buckets, fingerprints     four arrays, computed eight, four or two
//                                                                          digests at a time, as the vectors are
//
// Finding where a digest lies takes a dozen multiplications and shifts, more than looking there. They need no memory,
// so one body per instruction set, chosen at run time, serves lookups and adds, plain and shared tables, all widths.
#pragma once

#include <seen/base/digest.hpp>
#include <seen/kernels/cuckoo_map.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::kernels {

/// Where some digests lie. Buckets are counted over all chunks.
struct cuckoo_block {
  static constexpr std::size_t size = 32;
  std::array<std::uint64_t, size> chunk, first, second, fingerprint;
};

/// Fills `to` for the cuckoo_block::size digests at `digests`, as cuckoo_map::chunk_of, first_of, fingerprint and other
/// do for one.
void cuckoo_locate(const cuckoo_map& map, std::uint32_t bits, const digest* digests, cuckoo_block& to) noexcept;

}  // namespace seen::inline v1::kernels
