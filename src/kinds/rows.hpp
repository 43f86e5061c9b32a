// The rows of all kinds, each defined in src/kinds/<kind>.cpp. src/registry.cpp puts them in order.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::rows {

[[nodiscard]] kind_row binary_fuse();
[[nodiscard]] kind_row blocked_bloom();
[[nodiscard]] kind_row blocked_counting_bloom();
[[nodiscard]] kind_row bloom();
[[nodiscard]] kind_row counting_bloom();
[[nodiscard]] kind_row cuckoo();
[[nodiscard]] kind_row growing_cuckoo();
[[nodiscard]] kind_row partitioned_bloom();
[[nodiscard]] kind_row quotient();
[[nodiscard]] kind_row ribbon();
[[nodiscard]] kind_row scalable_bloom();
[[nodiscard]] kind_row scalable_classic_bloom();
[[nodiscard]] kind_row split_block();
[[nodiscard]] kind_row windowed_bloom();
[[nodiscard]] kind_row xor_filter();

}  // namespace seen::inline v1::rows
