// fair_lock: many readers or one writer, and a writer that waits is next.
//
// std::shared_mutex prefers readers where glibc makes it: on a server that is always asked, an add would wait for ever.
#pragma once

#include <pthread.h>

namespace seen::redis {

class fair_lock {
 public:
  fair_lock() noexcept {
    pthread_rwlockattr_t how;
    pthread_rwlockattr_init(&how);
#ifdef __GLIBC__
    pthread_rwlockattr_setkind_np(&how, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
    pthread_rwlock_init(&lock_, &how);
    pthread_rwlockattr_destroy(&how);
  }
  fair_lock(const fair_lock&) = delete;
  fair_lock& operator=(const fair_lock&) = delete;
  ~fair_lock() {
    pthread_rwlock_destroy(&lock_);
  }

  // The names of the standard's locks, for std::unique_lock and std::shared_lock.
  void lock() noexcept {
    pthread_rwlock_wrlock(&lock_);
  }
  void unlock() noexcept {
    pthread_rwlock_unlock(&lock_);
  }
  void lock_shared() noexcept {
    pthread_rwlock_rdlock(&lock_);
  }
  void unlock_shared() noexcept {
    pthread_rwlock_unlock(&lock_);
  }

 private:
  pthread_rwlock_t lock_;
};

}  // namespace seen::redis
