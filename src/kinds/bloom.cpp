// The row of bloom.
#include <seen/filters/bloom.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row bloom() {
  return row<seen::bloom>("classic Bloom filter: smallest of the mutable kinds, one cache miss per probe");
}

}  // namespace seen::inline v1::rows
