// A C function knows nothing but its arguments, so there is one for each function that is put in front: they are made by number,
// and the number finds the target.
#include "signatures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nanobind/stl/string.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace seen_python {
namespace {

namespace nb = nanobind;

constexpr std::size_t most = 96;

struct forwarded {
  PyObject* target = nullptr;  // held for ever, as the module is
  std::string name, doc;
  PyMethodDef definition{};
};
std::array<forwarded, most> all;
std::size_t used = 0;

template <std::size_t Number, bool IsMethod>
PyObject* forward(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  const auto given = static_cast<std::size_t>(count + (names == nullptr ? 0 : PyTuple_GET_SIZE(names)));
  if constexpr (!IsMethod) {
    return PyObject_Vectorcall(all[Number].target, arguments, static_cast<std::size_t>(count), names);
  } else {
    std::array<PyObject*, 8> few;
    std::vector<PyObject*> many(given < few.size() ? 0 : given + 1);
    PyObject** const passed = many.empty() ? few.data() : many.data();
    passed[0] = self;
    std::copy_n(arguments, given, passed + 1);
    return PyObject_Vectorcall(all[Number].target, passed, static_cast<std::size_t>(count) + 1, names);
  }
}

template <bool IsMethod, std::size_t... Numbers>
constexpr auto entries(std::index_sequence<Numbers...>) {
  return std::array{&forward<Numbers, IsMethod>...};
}

}  // namespace

nb::object with_signature(nb::handle function, nb::str doc, nb::handle type) {
  if (used == most) throw std::length_error("there are more functions than signatures.cpp has room for");
  const auto index = used++;
  forwarded& mine = all[index];
  mine.target = function.inc_ref().ptr();
  mine.name = nb::cast<std::string>(function.attr("__name__"));
  mine.doc = nb::cast<std::string>(doc);
  const auto numbers = std::make_index_sequence<most>();
  const auto entry = type.is_none() ? entries<false>(numbers)[index] : entries<true>(numbers)[index];
  mine.definition = {mine.name.c_str(), reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(entry)),
                     METH_FASTCALL | METH_KEYWORDS, mine.doc.c_str()};
  const nb::str module("seenfilter");
  PyObject* const made = type.is_none()
                             ? PyCFunction_NewEx(&mine.definition, nullptr, module.ptr())
                             : PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &mine.definition);
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

}  // namespace seen_python
