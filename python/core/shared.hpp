// The lock of a filter beside Python's own.
//
// Batches run without the GIL, so the GIL no longer keeps a thread that adds from one that asks. Every filter has a lock:
// queries share it, changes have it alone. Single keys do without it: they keep the GIL, under which it is known whether any
// other thread is at work on the filter.
//
//   users     calls that work, or are about to, without the GIL    counted up while the GIL is still held: whoever has
//   changers  those of them that change the filter                 the GIL and finds 0 is alone until it lets go of it
//
//   one key asked, changers = 0     no lock      one key added, users = 0     no lock
//   everything else                 the lock
//
// Builds of Python without a GIL always take the lock. Three rules keep threads from waiting for each other:
//
//   1. nobody waits for a filter's lock while holding the GIL, but for a fork;
//   2. no Python code runs under a filter's lock (keys are bytes before it is taken);
//   3. nobody waits for the GIL while holding a filter's lock.
//
// A fork waits until no filter is half changed, which rule 3 makes short, and gives the child new locks: the threads that held
// the old ones do not live there (fork_handlers, shared.cpp).
#pragma once

#include <atomic>
#include <mutex>
#include <nanobind/nanobind.h>
#include <shared_mutex>
#include <type_traits>

namespace seen_python {

namespace nb = nanobind;

class filter_lock {
 public:
  filter_lock();
  ~filter_lock();
  filter_lock(const filter_lock&) = delete;
  filter_lock& operator=(const filter_lock&) = delete;

  /// Counts a call among those that work without the GIL. Made and destroyed with the GIL.
  class session {
   public:
    session(filter_lock& of, bool changes) : of_(&of), changes_(changes), process_(of.process_) {
      of_->users_.fetch_add(1, std::memory_order_relaxed);
      if (changes_) of_->changers_.fetch_add(1, std::memory_order_relaxed);
    }
    ~session() {
      if (process_ != of_->process_) return;  // begun before a fork: the child counts from 0
      if (changes_) of_->changers_.fetch_sub(1, std::memory_order_release);
      of_->users_.fetch_sub(1, std::memory_order_release);
    }
    session(const session&) = delete;
    session& operator=(const session&) = delete;

   private:
    filter_lock* of_;
    bool changes_;
    unsigned process_;
  };

  /// ask() while nobody changes the filter; it is too short to let go of the GIL for.
  template <class Ask>
  auto ask_shortly(Ask ask) {
    return shortly<std::shared_lock<std::shared_mutex>>(changers_, ask);
  }
  /// change() while nobody else uses the filter.
  template <class Change>
  auto change_shortly(Change change) {
    return shortly<std::unique_lock<std::shared_mutex>>(users_, change);
  }

  /// The same of what takes its time: others run meanwhile.
  template <class Ask>
  auto ask(Ask ask) {
    const session counted(*this, false);
    const nb::gil_scoped_release others_run;
    const std::shared_lock lock(mutex_);
    return ask();
  }
  template <class Change>
  auto change(Change change) {
    const session counted(*this, true);
    const nb::gil_scoped_release others_run;
    const std::unique_lock lock(mutex_);
    return change();
  }

  /// For a session that takes the lock now and then, without the GIL.
  [[nodiscard]] std::shared_mutex& mutex() noexcept { return mutex_; }

  /// Tells Python what to do when this process forks. Called once.
  static void handle_forks();

 private:
  friend struct fork_handlers;

  // Needs the GIL, and gives it away before it waits. A thread that waited works without the GIL, too.
  template <class Lock, class Use>
  auto shortly([[maybe_unused]] const std::atomic<int>& others, Use use) {
#ifndef Py_GIL_DISABLED
    if (others.load(std::memory_order_acquire) == 0) return use();
#endif
    if (const Lock lock(mutex_, std::try_to_lock); lock.owns_lock()) return use();
    const session counted(*this, std::is_same_v<Lock, std::unique_lock<std::shared_mutex>>);
    const nb::gil_scoped_release others_run;
    const Lock lock(mutex_);
    return use();
  }

  std::shared_mutex mutex_;
  std::atomic<int> users_ = 0;
  std::atomic<int> changers_ = 0;
  unsigned process_ = 0;           // how many forks lie behind it
  filter_lock* before_ = nullptr;  // all locks, for a fork
  filter_lock* after_ = nullptr;
};

}  // namespace seen_python
