// Two packings of single blocks, as the pages of Parquet files use them: each is text and copies of what came before.
//
//   Snappy   length varint │ tag: literal of n bytes, or a copy of n bytes from so far back          [google/snappy, format description]
//   LZ4      token: n literals, m more bytes │ literals │ how far back, 2 bytes                      [lz4/lz4, block format]
//
// What comes in is hostile: nothing is read beyond its end, and nothing written beyond the length that is expected.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace seen::cli {

/// The bytes of a Snappy block, which are so many; nothing of any other.
[[nodiscard]] std::optional<std::vector<std::byte>> unpack_snappy(bytes_view packed, std::size_t size);
/// The same of an LZ4 block.
[[nodiscard]] std::optional<std::vector<std::byte>> unpack_lz4(bytes_view packed, std::size_t size);

}  // namespace seen::cli
