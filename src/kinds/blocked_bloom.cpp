// The row of blocked_bloom.
#include <seen/filters/blocked_bloom.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row blocked_bloom() {
  return row<seen::blocked_bloom>("Bloom filter in blocks of 64 bytes: one cache miss per key");
}

}  // namespace seen::inline v1::rows
