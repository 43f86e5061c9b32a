// The bytes of one key: taken from the object itself where it holds them, gathered or converted where it does not.
#include "key.hpp"

#include <nanobind/stl/string.h>
#include <string_view>

#include "text.hpp"

namespace seen_python {
namespace {

seen::bytes_view as_bytes(const void* data, Py_ssize_t size) {
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
}

[[noreturn]] void refuse(nb::handle key, const std::string& which) {
  const nb::object name =
      nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(key.ptr())), "__name__"));
  PyErr_Format(PyExc_TypeError, "%sa key is str, bytes, bytearray, memoryview or int, not %U", which.c_str(),
               name.ptr());
  throw nb::python_error();
}

// A str that has no UTF-8 form: CPython says best why.
[[noreturn]] void refuse_text(nb::handle text, const std::string& which) {
  const nb::object encoded = nb::steal(PyUnicode_AsUTF8String(text.ptr()));
  if (encoded.is_valid()) throw nb::value_error((which + "a key is not valid Unicode").c_str());
  nb::python_error error;
  if (PyErr_GivenExceptionMatches(error.type().ptr(), PyExc_UnicodeEncodeError) != 0 && !which.empty()) {
    error.value().attr("reason") = nb::str((which + nb::cast<std::string>(error.value().attr("reason"))).c_str());
  }
  throw error;
}

}  // namespace

single_key::single_key(nb::handle key, const std::string& which) {
  PyObject* const o = key.ptr();
  Py_ssize_t size = 0;
  if (PyUnicode_Check(o)) {
    take_text(key, which);
  } else if (PyBytes_Check(o)) {
    char* data = nullptr;
    if (PyBytes_AsStringAndSize(o, &data, &size) != 0) throw nb::python_error();
    bytes_ = as_bytes(data, size);
  } else if (PyLong_Check(o) && !PyBool_Check(o)) {
    take_integer(key, which);
  } else if (!take_buffer(key, which)) {
    if (PyBool_Check(o) || PyIndex_Check(o) == 0) refuse(key, which);
    const nb::object number = nb::steal(PyNumber_Index(o));
    if (!number.is_valid()) {
      if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
      PyErr_Clear();  // an array has an __index__ that only complains
      refuse(key, which);
    }
    take_integer(number, which);
  }
}

single_key::~single_key() {
  if (has_buffer_) PyBuffer_Release(&buffer_);
}

void single_key::take_text(nb::handle key, const std::string& which) {
  const text_of text(key.ptr());
  if (text.is_ascii()) {
    bytes_ = {text.data(), text.length()};
    return;
  }
  std::byte* out = encoded_.data();
  if (text.most_bytes() > encoded_.size()) {
    long_encoded_ = std::make_unique_for_overwrite<std::byte[]>(text.most_bytes());
    out = long_encoded_.get();
  }
  const std::byte* const end = text.encode_to(out);
  if (end == nullptr) refuse_text(key, which);
  bytes_ = {out, static_cast<std::size_t>(end - out)};
}

void single_key::take_integer(nb::handle key, const std::string& which) {
  int overflow = 0;
  std::uint64_t value = static_cast<std::uint64_t>(PyLong_AsLongLongAndOverflow(key.ptr(), &overflow));
  if (overflow > 0) value = PyLong_AsUnsignedLongLong(key.ptr());
  if (PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw nb::python_error();
  if (overflow < 0 || PyErr_Occurred() != nullptr) {
    PyErr_Format(PyExc_OverflowError, "%san integer key lies in [-2**63, 2**64)", which.c_str());
    throw nb::python_error();
  }
  seen::store_le(integer_.data(), value);
  bytes_ = integer_;
}

// bytearray and memoryview; of the rest, a single element of a numpy array of fixed bytes ("5x").
bool single_key::take_buffer(nb::handle key, const std::string& which) {
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
    if (is_bool) refuse(key, which);
    return false;
  }
  has_buffer_ = true;
  bytes_ = as_bytes(buffer_.buf, buffer_.len);
  return true;
}

}  // namespace seen_python
