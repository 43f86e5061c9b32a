// The row of growing_cuckoo.
#include <seen/filters/growing_cuckoo.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row growing_cuckoo() {
  return row<seen::growing_cuckoo>("chain of cuckoo tables: removes and counts, and grows with its keys");
}

}  // namespace seen::inline v1::rows
