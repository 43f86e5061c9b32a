#include "formats/engines/fingerprint.hpp"

namespace seen::inline v1 {

template const any_filter::table any_filter::table_for<foreign::xor_fingerprints>;
template const any_filter::table any_filter::table_for<foreign::fuse_fingerprints>;

}  // namespace seen::inline v1
