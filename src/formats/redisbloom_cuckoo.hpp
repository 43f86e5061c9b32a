// RedisBloom's CF: cuckoo tables of one-byte fingerprints, in chunks of CF.SCANDUMP.
//
//   items u64 │ buckets u64 │ deletes u64 │ tables u64 │ bucket size u16 │ most iterations u16 │ expansion u16
//
//   h = MurmurHash64A(key, seed 0);  f = h mod 255 + 1;  buckets h and h ^ f·0x5bd1e995, modulo a power of two
//   table i has buckets · expansion^i of them
#pragma once

#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <array>
#include <cstdint>
#include <string_view>

#include "formats/encodings/bytes.hpp"
#include "formats/encodings/redis_chunks.hpp"
#include "formats/engines/bucket.hpp"

namespace seen::inline v1::redisbloom {

extern const format_row format;

inline constexpr std::uint64_t cuckoo_header_bytes = 38;

/// As CF.RESERVE makes one: from a capacity, and "bucket-size", "max-iterations", "expansion" where they are given.
[[nodiscard]] result<any_filter> make_cuckoo(const make_options& options);
[[nodiscard]] result<any_filter> read_cuckoo_chunks(foreign::byte_reader& in, bytes_view header);

}  // namespace seen::inline v1::redisbloom
