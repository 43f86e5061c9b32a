// seen's own files, as a format among the others. native/native.hpp draws the file; docs/formats/native.md specifies it byte by byte.
#pragma once

#include <seen/registry.hpp>

namespace seen::inline v1::native {

extern const format_row format;

}  // namespace seen::inline v1::native
