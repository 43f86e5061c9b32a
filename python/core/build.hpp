// Static filters, built from any iterable.
#pragma once

#include <seen/any_builder.hpp>

#include "filter.hpp"

namespace seen_python {

/// Where a build puts files, each as the caller gave it, or None.
struct build_paths {
  nb::handle spill_directory;
  nb::handle checkpoint;
};

/// The filter of all keys of an iterable. `progress` is called with a BuildProgress now and then, or is None; what it raises
/// ends the build and is raised here, as is what the iterable raises.
[[nodiscard]] new_filter build(nb::handle keys, const make_arguments& arguments, seen::build_options how,
                               const build_paths& paths, nb::handle progress);

}  // namespace seen_python
