// The row of scalable_classic_bloom.
#include <seen/filters/scalable_classic_bloom.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row scalable_classic_bloom() {
  return row<seen::scalable_classic_bloom>(
      "grows with its keys: a chain of classic Bloom filters, smaller at strict rates");
}

}  // namespace seen::inline v1::rows
