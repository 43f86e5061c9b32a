// The row of quotient.
#include <seen/filters/quotient.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row quotient() {
  return row<seen::quotient>("sorted fingerprints: counts, removes, merges and doubles without the keys");
}

}  // namespace seen::inline v1::rows
