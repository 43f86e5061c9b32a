// The words of the operating system for a call that failed.
#include <seen/base/error.hpp>

#include <system_error>

namespace seen {
inline namespace v1 {

error system_error(std::string_view where, std::string_view call, int reason) {
  std::string detail(where);
  detail.append(": ").append(call).append(": ").append(std::generic_category().message(reason));
  return {errc::io, std::move(detail), reason};
}

}  // namespace v1
}  // namespace seen
