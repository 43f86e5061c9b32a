// The filters that several formats have in common, compiled once.
#include "formats/foreign.hpp"

namespace seen::inline v1 {

template const any_filter::table any_filter::table_for<foreign::sum_bloom<foreign::as_it_is>>;
template const any_filter::table any_filter::table_for<foreign::sum_bloom<foreign::complement_if_negative_32>>;

}  // namespace seen::inline v1
