// The arguments of a call, by name, and what they have to be. An error names the argument, and what was given for it:
//
//   Filter(capacity="many")        TypeError        Filter: capacity: a whole number is wanted, not 'many'
//   Filter(error_rate=0.01)        TypeError        Filter: no argument error_rate; did you mean fpr?
//   Filter(-1)                     InvalidArgument  Filter: capacity: -1 is less than 0
//
// nanobind's own conversions would say "incompatible function arguments" of a dozen, and leave which one to guess.
#pragma once

#include <cstdint>
#include <nanobind/nanobind.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seen_python {

namespace nb = nanobind;

/// A word that may be left out.
using word = std::optional<std::string>;

class arguments {
 public:
  /// `names` are all that `call` takes, those first that may be given without a name: `unnamed` of them, of which the first
  /// `needed` may not be left out.
  arguments(const char* call, const nb::args& given, const nb::kwargs& named, std::vector<std::string_view> names,
            std::size_t unnamed, std::size_t needed = 0);

  /// The argument; None where it was left out, or the call takes none of that name.
  [[nodiscard]] nb::object operator[](std::string_view name) const;

  // Nothing of what was left out or is None.
  [[nodiscard]] std::optional<std::uint64_t> count(std::string_view name) const;
  [[nodiscard]] std::optional<double> real(std::string_view name) const;
  [[nodiscard]] word text(std::string_view name) const;
  [[nodiscard]] std::optional<nb::bytes> bytes(std::string_view name) const;
  [[nodiscard]] std::optional<bool> flag(std::string_view name) const;

 private:
  [[noreturn]] void refuse(std::string_view name, const char* wanted) const;

  const char* call_;
  std::vector<std::string_view> names_;
  std::vector<nb::object> values_;  // null: left out
};

}  // namespace seen_python
