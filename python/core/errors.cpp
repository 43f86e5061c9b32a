// The class is chosen in Python (src/seenfilter/errors.py, made), so that the classes and the choice among them are in one place.
#include "errors.hpp"

namespace seen_python {

void raise(const seen::error& e, nb::handle path) {
  // A path in a message may be any bytes.
  const nb::object text =
      nb::steal(PyUnicode_DecodeUTF8(e.detail.data(), static_cast<Py_ssize_t>(e.detail.size()), "backslashreplace"));
  const nb::object make = nb::module_::import_("seenfilter.errors").attr("made");
  const nb::object exception = make(seen::name_of(e.code), text, e.system, path);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
  throw nb::python_error();
}

}  // namespace seen_python
