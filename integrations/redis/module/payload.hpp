// Values in RDB files, in payloads of DUMP and in rewritten logs.
//
//   type         encoding   what it is
//   MBbloom--    0 to 4     RedisBloom's Bloom filter
//   MBbloomCF    up to 4    RedisBloom's cuckoo filter
//   bloomfltr    1          valkey-bloom's
//   any of them  513        ours: a record (table/record.hpp)
//
// A module owns the names of its types, and a file names types: a server with this module in place of RedisBloom's reads that one's files as
// they are, and cannot read those of a server that has both. Encodings have 10 bits; the upper half is ours, far from what RedisBloom may
// count up to. It refuses an encoding that it does not know, so nothing of ours is ever mistaken for its own. What is saved is always ours.
//
// What others have written is put together again as they hand it out, and read by the library's formats, which check every number against the
// bytes there are.
#pragma once

#include <memory>

#include "module/api.hpp"
#include "table/value.hpp"

namespace seen::redis {

inline constexpr int own_encoding = 513;

/// Null, after a line in the server's log, if the payload is not a filter.
[[nodiscard]] std::unique_ptr<value> load_bloom(stream* from, int encoding) noexcept;
[[nodiscard]] std::unique_ptr<value> load_cuckoo(stream* from, int encoding) noexcept;
[[nodiscard]] std::unique_ptr<value> load_valkey(stream* from, int encoding) noexcept;
[[nodiscard]] std::unique_ptr<value> load_lookup(stream* from, int encoding) noexcept;

void save(stream* to, const value& held) noexcept;
/// Commands that make the value again.
void rewrite(stream* to, server_string* key, const value& held) noexcept;

}  // namespace seen::redis
