// Waiting, whose headers storage/access.hpp is spared.
#include <seen/storage/access.hpp>

#include <thread>

namespace seen::inline v1 {

void standard_atomics::yield() noexcept {
  std::this_thread::yield();
}

}  // namespace seen::inline v1
