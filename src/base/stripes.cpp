// The locks that all filters of a program share.
#include <seen/base/threads.hpp>

#include <array>
#include <cstddef>
#include <mutex>

namespace seen::inline v1::detail {

stripe_lock::stripe_lock(std::uint64_t value) {
  static std::array<std::mutex, 256> stripes;  // far more than threads, so that chance meetings are rare
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  std::mutex& mine = stripes[static_cast<std::size_t>((value * golden) >> 56)];
  mine.lock();
  mutex_ = &mine;
}

stripe_lock::~stripe_lock() {
  static_cast<std::mutex*>(mutex_)->unlock();
}

}  // namespace seen::inline v1::detail
