// RedisBloom's filters, as its server hands them out.
//
//   chunks   the replies of BF.SCANDUMP, each as  iterator u64le │ length u64le │ data
//            header: keys u64 │ links u32 │ options u32 │ growth u32, then of every link
//                    bytes u64 │ bits u64 │ keys u64 │ error f64 │ bits per entry f64 │ hashes u32 │ entries u64 │ n2 u8
//   rdb      the payload of DUMP: the same numbers and the arrays as values of type MBbloom--, with a CRC-64
//   cuckoo   the replies of CF.SCANDUMP, in the same wrapping
//
//   a = MurmurHash64A(key, 0xc6a4a7935bd1e995), b = MurmurHash64A(key, a);  position i = (a + i·b) mod m
//   m is all bits of the link, or 2^n2 where n2 is not 0; older files hash with MurmurHash2 of 32 bits
//
// A chain answers yes if one of its links does; a key that it answers yes to is not added again. The server defines the
// replies, not a file of them: the wrapping is ours. docs/formats/redisbloom.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::redisbloom {

extern const format_row format;

}  // namespace seen::inline v1::redisbloom
