// The replies of SCANDUMP, one after the other in a file.
//
//   iterator u64le │ length u64le │ data          the header: iterator 1
//   iterator u64le │ length u64le │ data          the arrays: iterator = 1 + bytes of arrays up to and with this reply
//   …
//   0 u64le │ 0 u64le                             the end; it may be missing
//
// The server cuts at 16 MiB and at the end of every array. Where a file was cut otherwise it is cut so again.
#pragma once

#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/encodings/bytes.hpp"

namespace seen::inline v1::redisbloom {

/// How the arrays of a file lie in replies.
struct chunk_cuts {
  std::vector<std::uint64_t> lengths = {};  ///< empty: as the server cuts
  bool has_end = false;
};

/// The data of the first reply.
[[nodiscard]] result<std::vector<std::byte>> read_header_chunk(foreign::byte_reader& in);
/// All other replies, into arrays of these sizes.
[[nodiscard]] result<chunk_cuts> read_array_chunks(foreign::byte_reader& in,
                                                   std::span<const std::span<std::byte>> arrays);
[[nodiscard]] result<void> write_chunks(const sink& out, bytes_view header, std::span<const bytes_view> arrays,
                                        const chunk_cuts& cuts);

/// Whether the file begins with two replies of which the first has `header_bytes`.
[[nodiscard]] bool begins_with_chunks(const source& from, std::uint64_t header_bytes);

}  // namespace seen::inline v1::redisbloom
