// The row of scalable_bloom.
#include <seen/filters/scalable_bloom.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row scalable_bloom() {
  return row<seen::scalable_bloom>("grows with its keys: a chain of blocked Bloom filters, one cache miss per link");
}

}  // namespace seen::inline v1::rows
