// With TBB its threads, which a program shares among all it does; without it threads of our own.
#include <seen/base/threads.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#ifdef SEEN_WITH_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace seen::inline v1::detail {
namespace {

// Runs `work` on `threads` threads at once: each takes index after index until there are none.
#ifdef SEEN_WITH_TBB
template <class Work>
void run(unsigned threads, const Work& work) try {
  // TBB prints a warning where more are asked for than it would give.
  const std::size_t given = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  tbb::task_arena arena(static_cast<int>(std::min<std::size_t>(threads, given)));
  arena.execute([&] {
    tbb::parallel_for(
        0u, threads, [&](unsigned) { work(); }, tbb::simple_partitioner());
  });
} catch (const std::bad_alloc&) {
  work();  // what TBB had no memory to begin; work itself throws nothing
}
#else
template <class Work>
void run(unsigned threads, const Work& work) {
  std::vector<std::thread> others;
  try {
    for (unsigned i = 1; i < threads; ++i) others.emplace_back([&] { work(); });
  } catch (...) {  // no more threads to be had: those there are will do
  }
  work();
  for (std::thread& each : others) each.join();
}
#endif

}  // namespace

unsigned threads_for(unsigned asked) noexcept {
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  return asked == 0 ? processors : std::min(asked, std::max(16u, 4 * processors));
}

void for_each_index(std::size_t count, unsigned threads, index_function use) {
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, count));
  if (threads <= 1) {
    for (std::size_t i = 0; i < count && use(i); ++i) {
    }
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  std::mutex guard;
  run(threads, [&] {
    try {
      for (;;) {
        const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
        if (i >= count) return;
        if (!use(i)) break;
      }
    } catch (...) {
      const std::scoped_lock lock(guard);
      if (!thrown) thrown = std::current_exception();
    }
    next.store(count, std::memory_order_relaxed);
  });
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace seen::inline v1::detail
