// The row of split_block.
#include <seen/filters/split_block.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row split_block() {
  return row<seen::split_block>("Apache Parquet's Bloom filter: blocks of 32 bytes (Parquet's own bits with XXH64)");
}

}  // namespace seen::inline v1::rows
