// Filters of a few hundred keys as bytes: what LevelDB keeps of a data block.
//
//   classic       [ bits ]                      [ check ][ 1 · k − 1 ]
//   blocked       [ blocks of 64 bytes ]        [ check ][ 2 · log2 k ]
//   ribbon        [ slots of r bits ][ seed ]   [ check ][ 3 · r − 1 ]
//   binary fuse   [ slots of w bits ][ seed ][ log2 of a segment's slots ]
//                                               [ check ][ 4 · log2(w/8) ]
//                                                          └ the upper 3 bits · the lower 5 bits
//
// A native file begins with a header of hundreds of bytes and is padded to 64, which is more than such a filter. Here the body is what the
// kind's rule describes, to the byte, and the last byte says how to read it: whatever else there is to know follows from the length.
//
//   classic       m = 8 bits per byte of the body
//   blocked       B = bytes of the body / 64, without remainder
//   ribbon        one layer of floor(8·bytes/r) slots, so that the last byte is used, too
//   binary fuse   three slots per key, segments = bytes of the body / (w/8) / slots of a segment, without remainder
//
// Bits, blocks, slots and seeds are those of the native kinds (filters/*.hpp), and are read by their rules and kernels: from any address,
// since LevelDB stores filters back to back. Keys are hashed by XXH3.
//
// The check byte is a sum of the hashed length, the other bytes behind the body and this version, each byte times an odd factor, modulo
// 256. So a changed parameter, seed, segment or check byte is always noticed, and anything else (a filter that was cut, a byte that turns one
// kind into another, an encoding to come) 255 times of 256. Whatever is unknown or noticed answers "maybe". The bits of the body have no
// checksum of their own: LevelDB has one for the whole block, and compares it if Options::paranoid_checks is set.
//
// Size. A filter of n keys may take ceil(n·b/8) + 1 bytes at b bits per key, and at least 9: what LevelDB's own Bloom filter takes. Classic
// filters take all of it. Ribbons and fuse filters have as many bits of fingerprint as fit, and leave the rest. The number of blocks is
// rounded to the nearest, so blocked filters may be half a block larger or smaller.
//
// The policy's name ends with the version, so no table has filters of two encodings.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/leveldb.hpp>

#include <span>
#include <string>

namespace seen::inline v1::table_filter {

/// Of the encoding; the policy's name ends with it.
inline constexpr unsigned version = 1;

/// Appends a filter of these digests, of which equal ones count once. May throw std::bad_alloc; `out` may have grown then.
void append(const leveldb_options& options, std::span<const digest> digests, std::string& out);

/// Whether a digest may be among those of a filter. Any bytes are a filter: true where they are none that is known.
[[nodiscard]] bool may_contain(digest d, bytes_view filter) noexcept;

}  // namespace seen::inline v1::table_filter
