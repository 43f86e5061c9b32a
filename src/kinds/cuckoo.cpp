// The row of cuckoo.
#include <seen/filters/cuckoo.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row cuckoo() {
  return row<seen::cuckoo>(
      "fingerprints in buckets: removes and counts, two cache misses per lookup, says when it is full");
}

}  // namespace seen::inline v1::rows
