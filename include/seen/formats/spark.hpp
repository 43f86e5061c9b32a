// Apache Spark's BloomFilter (common/sketch), as its writeTo has it. All integers are big-endian.
//
//   V1   1 i32 │ k i32 │ words i32 │ words u64, bit i in word i/64, mask 1 << (i % 64)
//   V2   2 i32 │ k i32 │ seed i32 │ words i32 │ words u64
//
//   h1 = murmur3_x86_32_spark(key, seed), h2 = the same with seed h1, both signed; V1 has seed 0; m = 64·words
//   V1   position i = h1 + i·h2 in 32 bits, i = 1 .. k, ~ where negative, mod m
//   V2   c = h1·(2^31 - 1) in 64 bits; position i = c + i·h2, i = 1 .. k, ~ where negative, mod m
//
// Binary, text (UTF-8) and long keys hash to the same function of their bytes. docs/formats/spark.md.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::spark {

extern const format_row format;

}  // namespace seen::inline v1::spark
