// What is done with one key at a time, as Python calls it fastest: a slot of the type for `in`, and plain C functions of one
// argument for add, may_contain and test_and_add. (A function that nanobind binds takes some 30 ns longer: it finds its C++
// arguments by their types, which here is the answer's own price.)
#pragma once

#include <nanobind/nanobind.h>

#include "filter.hpp"

namespace seen_python {

/// `key in filter`: 1, 0, or -1 with an exception.
int contains(PyObject* self, PyObject* key) noexcept;

/// Gives the class its methods of one key.
void define_single_keys(nb::class_<filter_object>& filter);

}  // namespace seen_python
