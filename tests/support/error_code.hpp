// The code of a result, and its message when a comparison fails.
#pragma once

#include <seen/base/result.hpp>

#include <ostream>

namespace seen {
inline namespace v1 {

/// For test messages.
inline std::ostream& operator<<(std::ostream& out, errc code) {
  return out << (static_cast<int>(code) == 0 ? "success" : name_of(code));
}

}  // namespace v1

namespace testing {

/// No error at all.
inline constexpr errc success{};

/// The error's code, or `success`.
template <class T>
[[nodiscard]] errc code_of(const result<T>& r) {
  return r ? success : r.error().code;
}

}  // namespace testing
}  // namespace seen
