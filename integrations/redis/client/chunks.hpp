// The chunks of a filter, as SCANDUMP hands them out and LOADCHUNK takes them: first the head, which says what the filter itself does not know,
// then its file in pieces.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "client/cluster.hpp"
#include "client/layout.hpp"
#include "table/value.hpp"

namespace seen::redis::client {

/// A chunk, and the iterator that it goes by: 1 of the head, then 1 more than the bytes of the file that have come.
using chunk_use = std::function<result<void>(std::int64_t iterator, std::string_view bytes)>;

/// All chunks of a filter, in order. The secret of a keyed filter is among them only if it is asked for.
[[nodiscard]] result<void> read_chunks(cluster& at, const part_place& from, family of, bool with_secret,
                                       const chunk_use& use);

/// One chunk more of a filter that is made of them. errc::exists: the key is there, and the chunk was the head.
[[nodiscard]] result<void> write_chunk(cluster& at, const part_place& to, family of, std::int64_t iterator,
                                       std::string_view bytes);

/// The head and the file of a filter that is not keyed, or whose secret its file holds, in chunks; the file in pieces of 8 MiB.
[[nodiscard]] result<void> write_whole(cluster& at, const part_place& to, family of, std::string_view head,
                                       bytes_view file);

/// Whether all chunks have come: a server answers nobody by a part of a filter, and says so.
[[nodiscard]] result<void> check_whole(cluster& at, const part_place& which, family of);

}  // namespace seen::redis::client
