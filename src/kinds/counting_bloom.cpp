// The row of counting_bloom.
#include <seen/filters/counting_bloom.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row counting_bloom() {
  return row<seen::counting_bloom>("Bloom filter of counters: keys can be removed and counted");
}

}  // namespace seen::inline v1::rows
