// Matching arguments to names as Python does, and converting them.
#include "arguments.hpp"

#include <seen/base/names.hpp>

#include <algorithm>
#include <cmath>
#include <nanobind/stl/string.h>

#include "errors.hpp"

namespace seen_python {
namespace {

// What other packages call it: rbloom, pybloom_live, pyprobables, fastbloom, bloom-filter2.
constexpr std::pair<std::string_view, std::string_view> elsewhere[] = {
    {"error_rate", "fpr"},
    {"false_positive_rate", "fpr"},
    {"fp_rate", "fpr"},
    {"p", "fpr"},
    {"expected_items", "capacity"},
    {"est_elements", "capacity"},
    {"max_elements", "capacity"},
    {"n", "capacity"},
    {"hash_func", "key"},
    {"filename", "path"},
    {"seeds", "seed"},
};

std::string meant_by(std::string_view name, const std::vector<std::string_view>& names) {
  for (const auto& [theirs, ours] : elsewhere) {
    if (theirs == name && std::find(names.begin(), names.end(), ours) != names.end()) {
      return "; did you mean " + std::string(ours) + '?';
    }
  }
  return seen::did_you_mean(name, names);
}

std::string shown(nb::handle value) {
  std::string text = nb::cast<std::string>(nb::repr(value));
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

}  // namespace

arguments::arguments(const char* call, const nb::args& given, const nb::kwargs& named,
                     std::vector<std::string_view> names, std::size_t unnamed, std::size_t needed)
    : call_(call), names_(std::move(names)), values_(names_.size()) {
  const std::string in = std::string(call) + ": ";
  if (given.size() > unnamed) {
    std::string first;
    for (std::size_t i = 0; i < unnamed; ++i)
      first += (i == 0 ? "" : i + 1 == unnamed ? " and " : ", ") + std::string(names_[i]);
    throw nb::type_error(
        (in + (unnamed == 0 ? "arguments are given by name" : "only " + first + " may be given without a name") + "; " +
         std::to_string(given.size()) + " were given so")
            .c_str());
  }
  for (std::size_t i = 0; i < given.size(); ++i) values_[i] = nb::borrow(given[i]);
  for (const auto [key, value] : named) {
    const auto name = nb::cast<std::string>(key);
    const auto at = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    if (at == names_.size()) throw nb::type_error((in + "no argument " + name + meant_by(name, names_)).c_str());
    if (values_[at].is_valid()) throw nb::type_error((in + name + " is given twice").c_str());
    values_[at] = nb::borrow(value);
  }
  for (std::size_t i = 0; i < needed; ++i) {
    if (!values_[i].is_valid()) throw nb::type_error((in + std::string(names_[i]) + " is missing").c_str());
  }
}

nb::object arguments::operator[](std::string_view name) const {
  const auto at = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  return at != names_.size() && values_[at].is_valid() ? values_[at] : nb::none();
}

void arguments::refuse(std::string_view name, const char* wanted) const {
  throw nb::type_error(
      (std::string(call_) + ": " + std::string(name) + ": " + wanted + " is wanted, not " + shown((*this)[name]))
          .c_str());
}

std::optional<std::uint64_t> arguments::count(std::string_view name) const {
  nb::object value = (*this)[name];
  if (value.is_none()) return std::nullopt;
  const std::string in = std::string(call_) + ": " + std::string(name) + ": ";
  if (PyBool_Check(value.ptr())) refuse(name, "a whole number");
  if (PyFloat_Check(value.ptr())) {  // 1e6 is how people write a million
    const double number = PyFloat_AS_DOUBLE(value.ptr());
    if (number != std::floor(number) || std::isinf(number)) {
      raise({seen::errc::invalid_argument, in + shown(value) + " is no whole number"});
    }
    value = nb::steal(PyLong_FromDouble(number));
  } else if (PyIndex_Check(value.ptr()) == 0) {
    refuse(name, "a whole number");
  } else {
    value = nb::steal(PyNumber_Index(value.ptr()));
  }
  if (!value.is_valid()) throw nb::python_error();
  const auto number = PyLong_AsUnsignedLongLong(value.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw nb::python_error();
  PyErr_Clear();
  const bool is_negative = nb::cast<bool>(nb::bool_(value < nb::int_(0)));
  raise({seen::errc::invalid_argument,
         in + shown(value) + (is_negative ? " is less than 0" : " is more than 2**64 - 1")});
}

std::optional<double> arguments::real(std::string_view name) const {
  const nb::object value = (*this)[name];
  if (value.is_none()) return std::nullopt;
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
  PyErr_Clear();
  refuse(name, "a number");
}

word arguments::text(std::string_view name) const {
  const nb::object value = (*this)[name];
  if (value.is_none()) return std::nullopt;
  if (!PyUnicode_Check(value.ptr())) refuse(name, "a str");
  return nb::cast<std::string>(value);
}

std::optional<nb::bytes> arguments::bytes(std::string_view name) const {
  const nb::object value = (*this)[name];
  if (value.is_none()) return std::nullopt;
  if (PyBytes_Check(value.ptr())) return nb::borrow<nb::bytes>(value);
  if (!PyByteArray_Check(value.ptr()) && !PyMemoryView_Check(value.ptr())) refuse(name, "bytes");
  PyObject* const copied = PyBytes_FromObject(value.ptr());
  if (copied == nullptr) throw nb::python_error();
  return nb::steal<nb::bytes>(copied);
}

std::optional<bool> arguments::flag(std::string_view name) const {
  const nb::object value = (*this)[name];
  if (value.is_none()) return std::nullopt;
  const int truth = PyObject_IsTrue(value.ptr());
  if (truth < 0) throw nb::python_error();
  return truth != 0;
}

}  // namespace seen_python
