// The row of partitioned_bloom.
#include <seen/filters/partitioned_bloom.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row partitioned_bloom() {
  return row<seen::partitioned_bloom>("Bloom filter with one slice per probe: probes never coincide");
}

}  // namespace seen::inline v1::rows
