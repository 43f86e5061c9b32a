// Functions of Python's own kind in front of those that nanobind binds: they have a __text_signature__, which nanobind's lack,
// for help(), inspect, IPython and Sphinx. They forward their arguments as they come.
#pragma once

#include <nanobind/nanobind.h>

namespace seen_python {

/// A function or, of a type, a method that does what `function` does. `doc` is "name(signature)\n--\n\nwhat it does".
[[nodiscard]] nanobind::object with_signature(nanobind::handle function, nanobind::str doc, nanobind::handle type);

}  // namespace seen_python
