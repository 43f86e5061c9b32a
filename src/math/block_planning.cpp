// Says why blocks cannot give a rate. The formulas are explained in math/block_planning.hpp.
#include "math/block_planning.hpp"

#include <seen/base/text.hpp>

#include <string>
#include <string_view>

namespace seen::inline v1::math {

namespace detail {

error rate_out_of_reach(const target& t, std::string_view kind) {
  const double bloom = static_cast<double>(bits_per_key_q40(t.fpr)) * 0x1p-40;
  return {errc::too_large, wish(t) + ": " + std::string(kind) + " would take more than 128 bits per key; bloom takes " +
                               readable(bloom, 3)};
}

}  // namespace detail

}  // namespace seen::inline v1::math
