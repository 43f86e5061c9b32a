// The row of xor_filter.
#include <seen/filters/xor_filter.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row xor_filter() {
  return row<seen::xor_filter>(
      "static: the simplest, three cache misses per lookup, a quarter above the least there can be");
}

}  // namespace seen::inline v1::rows
