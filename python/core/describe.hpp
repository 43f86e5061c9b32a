// The library's descriptions, as the dataclasses of src/seenfilter/_types.py.
#pragma once

#include <seen/any_filter.hpp>

#include <nanobind/nanobind.h>

#include "options.hpp"

namespace seen_python {

/// seen.Health, and seen.Info of a filter.
[[nodiscard]] nb::object describe(const seen::filter_health& health);
[[nodiscard]] nb::object describe(const seen::filter_info& info);
/// A list of seen.Plan: of one kind, or of all that can be planned for the target.
[[nodiscard]] nb::list plan(const make_arguments& arguments);
/// Lists of seen.Kind and seen.Format.
[[nodiscard]] nb::list kinds();
[[nodiscard]] nb::list formats();

}  // namespace seen_python
