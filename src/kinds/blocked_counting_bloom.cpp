// The row of blocked_counting_bloom.
#include <seen/filters/blocked_counting_bloom.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row blocked_counting_bloom() {
  return row<seen::blocked_counting_bloom>("counting filter with one cache line per key: faster, a fifth more space");
}

}  // namespace seen::inline v1::rows
