// The locks of a filter beside Python's own.
//
// Batches run without the GIL, so the GIL no longer keeps a thread that adds from one that asks. Every filter has a lock:
// queries share it, changes have it alone. Two rules keep the two locks from waiting for each other:
//
//   1. nobody waits for a filter's lock while holding the GIL (`locked` tries, and lets go of the GIL before it waits);
//   2. no Python code runs under a filter's lock (keys are bytes before it is taken).
#pragma once

#include <mutex>
#include <nanobind/nanobind.h>
#include <shared_mutex>

namespace seen_python {

namespace nb = nanobind;

using shared_lock = std::shared_lock<std::shared_mutex>;
using sole_lock = std::unique_lock<std::shared_mutex>;

/// The lock, for something so short that the GIL may be kept meanwhile. Needs the GIL.
template <class Lock>
[[nodiscard]] Lock locked(std::shared_mutex& mutex) {
  Lock lock(mutex, std::try_to_lock);
  if (!lock.owns_lock()) {
    const nb::gil_scoped_release others_run;
    lock.lock();
  }
  return lock;
}

}  // namespace seen_python
