// Numbers, sizes and lists as messages write them: the same in every locale.
//
//   readable(0.01)             0.01           readable(1.0 / 3)    0.333333       6 digits, or as many as are asked for
//   exactly(0.1 + 0.2)         0.30000000000000004                                the fewest digits that read back as the number
//   exactly(1'000'001)         1000001        exactly(10^18)       1e18           all digits, unless fewer say the same
//   readable_bytes(9585059)    9.14 MiB       readable_bytes(7)    7 bytes        three digits
//   listed(names)              xor, ribbon
//
// An exponent has no plus and no leading zero: 1e18, 1e-9. (printf and streams write a comma where the locale does, and a
// message would then differ from machine to machine.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace seen::inline v1 {

/// A number in at most so many significant digits.
[[nodiscard]] std::string readable(double number, int digits = 6);

/// A number in the fewest digits that read back as it.
[[nodiscard]] std::string exactly(double number);
[[nodiscard]] std::string exactly(std::uint64_t number);

/// Bytes as people write them: "9.1 MiB", "1.09 EiB".
[[nodiscard]] std::string readable_bytes(double bytes);

/// Adds a name to a list: "a, b" and "c" are "a, b, c".
void append_name(std::string& list, std::string_view name);

/// The names of a range: "a, b, c". `name_of` gives the name of an element.
template <class Range, class NameOf>
[[nodiscard]] std::string listed(const Range& range, NameOf name_of) {
  std::string all;
  for (const auto& each : range) append_name(all, name_of(each));
  return all;
}
template <class Range>
[[nodiscard]] std::string listed(const Range& names) {
  return listed(names, [](std::string_view name) { return name; });
}

}  // namespace seen::inline v1
