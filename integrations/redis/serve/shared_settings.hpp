// The settings of filters that commands make: one client changes them while others are served.
#pragma once

#include <mutex>
#include <shared_mutex>

#include "serve/fair_lock.hpp"
#include "table/settings.hpp"

namespace seen::redis {

class shared_settings {
 public:
  [[nodiscard]] settings get() const {
    const std::shared_lock hold(lock_);
    return now_;
  }
  template <class Change>
  void change(Change make) {
    const std::unique_lock hold(lock_);
    make(now_);
  }

 private:
  mutable fair_lock lock_;
  settings now_;
};

}  // namespace seen::redis
