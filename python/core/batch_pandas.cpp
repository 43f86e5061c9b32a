// Columns of pandas that cannot be exported as Arrow: without pyarrow none can, and with it those of several types cannot.
//
//   numpy integers          the array behind the column                      int64, uint8, …
//   float64                 refused: an integer column with a missing value becomes one
//   everything else         its objects, what is missing (NaN, NaT, NA) as None: object, string, category, Int64, …
//
// pandas is not imported: whoever has such a column has imported it.
#include <nanobind/stl/string.h>
#include <string>

#include "batch.hpp"

namespace seen_python {

bool is_pandas(nb::handle object) {
  const nb::object module = nb::getattr(object.type(), "__module__", nb::none());
  if (!PyUnicode_Check(module.ptr())) return false;
  const auto name = nb::cast<std::string>(module);
  return (name == "pandas" || name.starts_with("pandas.")) && nb::hasattr(object, "to_numpy") &&
         nb::hasattr(object, "isna");
}

std::unique_ptr<key_source> pandas_keys(nb::handle keys) {
  using namespace nb::literals;
  if (!is_pandas(keys)) return nullptr;
  if (nb::len(keys) == 0) return no_keys();
  const nb::object type = keys.attr("dtype");
  const auto letter = nb::cast<std::string>(nb::str(nb::getattr(type, "kind", nb::str("O"))));
  const bool is_numpy = nb::cast<std::string>(nb::str(type.type().attr("__module__"))).starts_with("numpy");
  if (is_numpy && letter == "f") refuse_keys("a column of " + nb::cast<std::string>(nb::str(type)), true);
  if (is_numpy && letter != "O") return buffer_keys(nb::object(keys.attr("to_numpy")()));
  const nb::object objects = keys.attr("to_numpy")("dtype"_a = "object", "na_value"_a = nb::none());
  return iterable_keys(nb::object(objects.attr("tolist")()));
}

}  // namespace seen_python
