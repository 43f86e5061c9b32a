// The row of windowed_bloom.
#include <seen/filters/windowed_bloom.hpp>

#include "kinds/row.hpp"

namespace seen::inline v1::rows {

kind_row windowed_bloom() {
  return row<seen::windowed_bloom>("forgets: a Bloom filter of the last keys added, or of a period of time");
}

}  // namespace seen::inline v1::rows
