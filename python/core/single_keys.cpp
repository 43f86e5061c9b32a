// The entries that Python calls, and the exceptions that leave them.
#include "single_keys.hpp"

#include <exception>
#include <new>
#include <stdexcept>

namespace seen_python {
namespace {

// The C++ exception at hand, as Python's.
void set_exception() noexcept {
  try {
    throw;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(e.type() == nb::exception_type::type_error ? PyExc_TypeError : PyExc_ValueError, e.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::invalid_argument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

// use(filter), or `failed` with an exception.
template <class Result, class Use>
Result with_filter(PyObject* self, Result failed, Use use) noexcept {
  try {
    if (!nb::inst_ready(self)) throw nb::type_error("the filter was never made: __init__ was not called");
    return use(*nb::inst_ptr<filter_object>(self));
  } catch (...) {
    set_exception();
    return failed;
  }
}

PyObject* add(PyObject* self, PyObject* key) noexcept {
  return with_filter<PyObject*>(self, nullptr, [&](filter_object& f) {
    f.add(key);
    Py_INCREF(Py_None);
    return Py_None;
  });
}

PyObject* may_contain(PyObject* self, PyObject* key) noexcept {
  return with_filter<PyObject*>(self, nullptr, [&](filter_object& f) { return PyBool_FromLong(f.may_contain(key)); });
}

PyObject* test_and_add(PyObject* self, PyObject* key) noexcept {
  return with_filter<PyObject*>(self, nullptr, [&](filter_object& f) { return PyBool_FromLong(f.test_and_add(key)); });
}

PyMethodDef methods[] = {
    {"add", add, METH_O,
     "add($self, key, /)\n--\n\nAdds a key. Raises seen.Full, with nothing changed, if the filter is full."},
    {"may_contain", may_contain, METH_O,
     "may_contain($self, key, /)\n--\n\n"
     "False: the key was certainly never added. True: it may have been. The same as `key in filter`."},
    {"test_and_add", test_and_add, METH_O,
     "test_and_add($self, key, /)\n--\n\nAdds a key, and returns what may_contain would have said before."},
};

}  // namespace

int contains(PyObject* self, PyObject* key) noexcept {
  return with_filter(self, -1, [&](filter_object& f) { return f.may_contain(key) ? 1 : 0; });
}

void define_single_keys(nb::class_<filter_object>& filter) {
  auto* const type = reinterpret_cast<PyTypeObject*>(filter.ptr());
  for (PyMethodDef& each : methods) {
    nb::object method = nb::steal(PyDescr_NewMethod(type, &each));
    if (!method.is_valid()) throw nb::python_error();
    filter.attr(each.ml_name) = method;
  }
}

}  // namespace seen_python
