#include "errors.hpp"

namespace seen_python {

void raise(const seen::error& e) {
  const nb::object classes = nb::module_::import_("seen.errors").attr("BY_CODE");
  const nb::object type = classes[nb::str(seen::name_of(e.code))];
  // A path in a message may be any bytes.
  const nb::object text =
      nb::steal(PyUnicode_DecodeUTF8(e.detail.data(), static_cast<Py_ssize_t>(e.detail.size()), "backslashreplace"));
  const nb::object exception = type(text);  // perhaps of a subclass: the class chooses
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
  throw nb::python_error();
}

}  // namespace seen_python
