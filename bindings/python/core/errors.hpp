// The library's errors as Python exceptions.
//
//   seen::error{corrupt, "a.seen: …"}  ──►  seen.CorruptFile("a.seen: …")      classes: src/seen/errors.py, by the code's name
//
// Everything here needs the GIL. The message is the library's, unchanged.
#pragma once

#include <seen/base/result.hpp>

#include <nanobind/nanobind.h>
#include <utility>

namespace seen_python {

namespace nb = nanobind;

/// Raises the exception of an error.
[[noreturn]] void raise(const seen::error& e);

/// The value of a result, or its exception.
template <class T>
T value_of(seen::result<T> r) {
  if (!r) raise(r.error());
  if constexpr (!std::is_void_v<T>) return std::move(*r);
}

}  // namespace seen_python
