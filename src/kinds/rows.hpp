// Every kind by the name of its file and function, in the order of the registry: the default first, mutable kinds before static
// ones. A new kind is one line here.
//
// src/kinds/<name>.cpp defines the function <name>; row.hpp says how. src/registry.cpp makes the table of this list, and the
// linker says where a line has no file. The kinds themselves do not include it, so that a new one compiles none of the others.
#pragma once

#include <seen/registry.hpp>

// clang-format off
#define SEEN_KINDS(each) \
  each(blocked_bloom) \
  each(bloom) \
  each(partitioned_bloom) \
  each(split_block) \
  each(counting_bloom) \
  each(blocked_counting_bloom) \
  each(cuckoo) \
  each(quotient) \
  each(scalable_bloom) \
  each(scalable_classic_bloom) \
  each(growing_cuckoo) \
  each(windowed_bloom) \
  each(binary_fuse) \
  each(ribbon) \
  each(xor_filter)
// clang-format on

namespace seen::inline v1::rows {

#define SEEN_DECLARE_KIND(name) [[nodiscard]] kind_row name();
SEEN_KINDS(SEEN_DECLARE_KIND)
#undef SEEN_DECLARE_KIND

}  // namespace seen::inline v1::rows
