// The npm package bloom-filters, release 3: its BloomFilter as JSON.
//
//   {"type":"BloomFilter","_size":m,"_nbHashes":k,"_filter":{"size":m rounded up to 8,"content":base64},"_seed":s}
//
//   a = low half of XXH64(key, low half of s + 1),  b = the same with s + 2
//   position i = (a + i·b + (i³ - i)/6) mod m,  i = 0 .. k-1
//
// Older files have the bits as an array of 0 and 1. docs/formats/npm-bloom-filters.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::npm_bloom_filters {

extern const format_row format;

}  // namespace seen::inline v1::npm_bloom_filters
