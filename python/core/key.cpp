// The bytes of one key: taken from the object itself where it holds them, gathered or converted where it does not.
#include "key.hpp"

#include <string_view>

namespace seen_python {
namespace {

seen::bytes_view as_bytes(const void* data, Py_ssize_t size) {
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
}

[[noreturn]] void refuse(nb::handle key) {
  const nb::object name =
      nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(key.ptr())), "__name__"));
  PyErr_Format(PyExc_TypeError, "a key is str, bytes, bytearray, memoryview or int, not %U", name.ptr());
  throw nb::python_error();
}

}  // namespace

single_key::single_key(nb::handle key) {
  PyObject* const o = key.ptr();
  Py_ssize_t size = 0;
  if (PyUnicode_Check(o)) {
    const char* const text = PyUnicode_AsUTF8AndSize(o, &size);
    if (text == nullptr) throw nb::python_error();
    bytes_ = as_bytes(text, size);
  } else if (PyBytes_Check(o)) {
    char* data = nullptr;
    if (PyBytes_AsStringAndSize(o, &data, &size) != 0) throw nb::python_error();
    bytes_ = as_bytes(data, size);
  } else if (PyLong_Check(o) && !PyBool_Check(o)) {
    take_integer(key);
  } else if (!take_buffer(key)) {
    if (PyBool_Check(o) || PyIndex_Check(o) == 0) refuse(key);
    const nb::object number = nb::steal(PyNumber_Index(o));
    if (!number.is_valid()) {
      if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
      PyErr_Clear();  // an array has an __index__ that only complains
      refuse(key);
    }
    take_integer(number);
  }
}

single_key::~single_key() {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
}

void single_key::take_integer(nb::handle key) {
  int overflow = 0;
  std::uint64_t value = static_cast<std::uint64_t>(PyLong_AsLongLongAndOverflow(key.ptr(), &overflow));
  if (overflow > 0) value = PyLong_AsUnsignedLongLong(key.ptr());
  if (PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw nb::python_error();
  if (overflow < 0 || PyErr_Occurred() != nullptr) {
    PyErr_SetString(PyExc_OverflowError, "an integer key lies in [-2**63, 2**64)");
    throw nb::python_error();
  }
  seen::store_le(integer_.data(), value);
  bytes_ = integer_;
}

// bytearray and memoryview; of the rest, a single element of a numpy array of fixed bytes ("5x").
bool single_key::take_buffer(nb::handle key) {
  PyObject* const o = key.ptr();
  const bool is_bytes = PyByteArray_Check(o) || PyMemoryView_Check(o);
  if (!is_bytes && PyObject_CheckBuffer(o) == 0) return false;
  if (PyObject_GetBuffer(o, &buffer_, is_bytes ? PyBUF_SIMPLE : PyBUF_FORMAT) != 0) {
    const bool is_scattered = PyMemoryView_Check(o) && PyErr_ExceptionMatches(PyExc_BufferError) != 0;
    if (is_bytes && !is_scattered) throw nb::python_error();
    PyErr_Clear();
    if (!is_scattered) return false;
    gathered_ = key.attr("tobytes")();
    bytes_ = as_bytes(PyBytes_AsString(gathered_.ptr()), PyBytes_Size(gathered_.ptr()));
    return true;
  }
  const std::string_view format = buffer_.format == nullptr ? "" : buffer_.format;
  if (!is_bytes && (buffer_.ndim != 0 || !format.ends_with('x') || format.find('{') != format.npos)) {
    const bool is_bool = format == "?";  // older numpy's has an __index__
    PyBuffer_Release(&buffer_);
    if (is_bool) refuse(key);
    return false;
  }
  bytes_ = as_bytes(buffer_.buf, buffer_.len);
  return true;
}

}  // namespace seen_python
