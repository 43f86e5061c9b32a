// The library's errors as Python exceptions.
//
//   seen::error{corrupt, "a.seen: …"}     ──►  seen.CorruptFile("a.seen: …")     src/seenfilter/errors.py chooses the class by the
//   seen::error{io, "a.seen: …", ENOENT}  ──►  a seen.FileError that is           code's name and by errno
//                                              a FileNotFoundError, too
//
// Everything here needs the GIL. The message is the library's, unchanged.
#pragma once

#include <seen/base/result.hpp>

#include <exception>
#include <nanobind/nanobind.h>
#include <utility>

namespace seen_python {

namespace nb = nanobind;

/// Raises the exception of an error. `path` is the one that the caller gave, if the call was about a file.
[[noreturn]] void raise(const seen::error& e, nb::handle path = nb::handle(Py_None));

/// The value of a result, or its exception.
template <class T>
T value_of(seen::result<T> r, nb::handle path = nb::handle(Py_None)) {
  if (!r) raise(r.error(), path);
  if constexpr (!std::is_void_v<T>) return std::move(*r);
}

/// An exception that is kept until it may go on: the library, which knows results only, has returned, or the keys that
/// came before it were used.
class kept_exception {
 public:
  /// Calls a function that may raise; false where it did.
  template <class Call>
  bool try_call(Call call) {
    try {
      return call();
    } catch (...) {
      kept_ = std::current_exception();
      return false;
    }
  }
  void rethrow() const {
    if (kept_) std::rethrow_exception(kept_);
  }

 private:
  std::exception_ptr kept_;
};

}  // namespace seen_python
