// Running the pieces of a build on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace seen {
inline namespace v1 {
namespace detail {

/// Processors there are, where `asked` is 0; else `asked`.
[[nodiscard]] unsigned threads_for(unsigned asked) noexcept;

/// Calls use(i) once for every i below `count`, on at most `threads` threads, beginning with the lowest; once a call has
/// returned false no other begins. What a call throws is thrown here.
void for_each_index(std::size_t count, unsigned threads, const std::function<bool(std::size_t)>& use);

}  // namespace detail
}  // namespace v1
}  // namespace seen
