// seen.digest and seen.digest_many: the 64 bits that a filter sees of a key.
#pragma once

#include <nanobind/nanobind.h>

namespace seen_python {

/// Gives the module these functions.
void define_digests(nanobind::module_& m);

}  // namespace seen_python
