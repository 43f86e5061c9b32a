// Keyword arguments as the options of the library.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <cstdint>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <optional>
#include <string>

#include "arguments.hpp"

namespace seen_python {

namespace nb = nanobind;

/// The keyword arguments of Filter, build and plan.
struct make_arguments {
  word kind = {};
  std::optional<std::uint64_t> capacity = {};
  std::optional<double> fpr = {};
  nb::object shape = nb::none();  ///< a mapping of names to numbers, or None
  word hash = {};
  std::uint64_t seed = 0;
  std::optional<nb::bytes> secret = {};
  word format = {};
  word variant = {};
  word key_type = {};
  bool foldable = false;
};

/// The rate of a filter that is asked for without one, as the command's.
inline constexpr double usual_fpr = 0.01;

[[nodiscard]] seen::make_options options_of(const make_arguments& arguments);

/// Those of the arguments that say what to make.
[[nodiscard]] make_arguments make_arguments_of(const arguments& given);

/// A secret of 16 bytes; raises ValueError for any other length.
[[nodiscard]] std::optional<seen::secret> secret_of(const std::optional<nb::bytes>& bytes);

/// How a file is opened, and how it is saved.
[[nodiscard]] seen::open_options open_options_of(const arguments& given);
[[nodiscard]] seen::save_options save_options_of(const arguments& given);

/// The bytes of a path: str, bytes or os.PathLike.
[[nodiscard]] std::string path_of(nb::handle path);

/// The numbers of a shape by name, reals as float.
[[nodiscard]] nb::dict shape_to_dict(const std::vector<seen::named_field>& shape);

}  // namespace seen_python
