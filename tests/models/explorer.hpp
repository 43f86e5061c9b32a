// Every execution that the memory model of C++ allows a few threads, one after the other.
//
// The library's shared code takes its atomics from a policy (storage/access.hpp). Here is another one, `model_access`, whose
// every atomic operation is a choice:
//
//   a location keeps all values it ever had    [init]──[7]──[9]──…      in modification order
//   a load may return any of them that is not older than what its thread knows of, or wait for one that is yet to come
//   a store goes to any place in the order after what its thread knows of; nothing comes between a read-modify-write and what it read
//   a thread knows of what happened before: a release store carries what its thread knows, an acquire load that reads it takes it over
//
// explore() runs a scene again and again until every choice has been made in every way: what it does not find does not
// happen, on any machine. Threads need no interleaving: all that one can notice of another is which values it reads, so each
// runs as far as it can, and each execution (who reads from whom, in which order values follow) comes up once.
//
// Not modelled: a load that reads what a later store of its own thread caused (load buffering), fences, and the total order
// of seq_cst (no shared code uses either). A pointer is to be read with an edge to who stored it, since what it points to was
// written plainly; a mutex is an atomic flag. Loops that wait are cut: an execution in which somebody waits in vain tells nothing
// that one in which he came later does not. It only has to come to an end, once every load returns the latest value: else the threads
// are waiting for one another.
//
// Weakened on purpose (`weakness`), an order must make some scene fail: that is how the tests show that they can.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

namespace seen::testing::models {

enum class operation { load, store, exchange };  // exchange: any read-modify-write

/// Operations whose order is made relaxed, or, if `torn`, read-modify-writes that become a load and a store.
struct weakness {
  operation what = operation::load;
  std::function<bool(const void* where, bool is_pointer)> where = {};  ///< empty: nowhere
  bool torn = false;
};

struct outcome {
  std::string violation;         ///< what went wrong, and how it came to it; empty: nothing can
  std::uint64_t executions = 0;  ///< that came to their end
  std::uint64_t cut = 0;         ///< in which somebody waited in vain
};

class explorer {
 public:
  static constexpr std::size_t most_threads = 3;
  static constexpr std::size_t most_steps = 200'000;  // of one execution; who needs more does not end

  /// The explorer whose thread is running, or null: then atomics are plain.
  static explorer*& current() noexcept {
    static explorer* now = nullptr;
    return now;
  }

  explicit explorer(weakness weak) : weak_(std::move(weak)) {}

  /// Runs scene after scene. A scene is made afresh for every execution; it has `threads`, run(thread), and check(),
  /// which says what is wrong at the end (null: nothing).
  template <class Make>
  outcome explore(Make make) {
    outcome seen;
    do {
      auto scene = make();
      begin();
      run(scene.threads, [&scene](std::size_t t) { scene.run(t); });
      if (violation_ == nullptr && !is_cut_) violation_ = scene.check();
      if (violation_ != nullptr) {
        seen.violation = violation_ + trace();
        return seen;
      }
      ++(is_cut_ ? seen.cut : seen.executions);
    } while (next());
    return seen;
  }

  // --- what the policy asks for; T is 64 bits or less

  std::uint64_t load(void* address, std::uint64_t real, std::memory_order order, bool is_pointer) {
    order = weakened(operation::load, order, address, is_pointer);
    location& at = locate(address, real);
    const std::size_t i = choose_message(at, [](const message&, bool) { return true; });
    return read(at, i, order, is_pointer, "reads");
  }

  /// The value to put into memory for plain readers: the last in modification order.
  std::uint64_t store(void* address, std::uint64_t real, std::uint64_t value, std::memory_order order,
                      bool is_pointer) {
    order = weakened(operation::store, order, address, is_pointer);
    location& at = locate(address, real);
    step();
    const double least = is_cut_ ? at.history.back().time : known(at);
    options_.clear();  // the message each possible place follows, the last first
    for (std::size_t i = at.history.size(); i-- != 0 && at.history[i].time >= least;) {
      if (i + 1 == at.history.size() || !at.history[i + 1].follows) options_.push_back(i);
    }
    put(at, options_[choose(options_.size())], value, is_release(order), false, {});
    return at.history.back().value;
  }

  struct changed {
    std::uint64_t before;  ///< what was read
    std::uint64_t last;    ///< what memory holds now
    bool done;
  };
  /// Reads a value and, if change(value, new value) is true, puts the new one right behind it.
  template <class Change>
  changed exchange(void* address, std::uint64_t real, Change change, std::memory_order order) {
    if (weak_.torn && weak_.where && weak_.where(address, false)) {
      const std::uint64_t before = load(address, real, order, false);
      std::uint64_t after = 0;
      if (!change(before, after)) return {before, real, false};
      return {before, store(address, real, after, order, false), true};
    }
    order = weakened(operation::exchange, order, address, false);
    location& at = locate(address, real);
    const std::size_t i = choose_message(at, [&](const message& m, bool is_followed) {
      std::uint64_t after = 0;
      return !is_followed || !change(m.value, after);
    });
    const std::uint64_t before = read(at, i, order, false, "takes");
    std::uint64_t after = 0;
    if (!change(before, after)) return {before, at.history.back().value, false};
    put(at, i, after, is_release(order), true, at.history[i].carried);
    return {before, at.history.back().value, true};
  }

  /// The same for a value that must be `wanted` first: waits for it.
  void take(void* address, std::uint64_t wanted, std::uint64_t value) {
    location& at = locate(address, 0);
    const std::size_t i =
        choose_message(at, [&](const message& m, bool is_followed) { return m.value == wanted && !is_followed; });
    (void)read(at, i, std::memory_order_acquire, false, "locks");
    put(at, i, value, false, true, at.history[i].carried);
  }

  /// Somebody waits in a loop.
  void wait() {
    is_cut_ = true;
    leave();
  }

 private:
  using clock = std::array<std::uint32_t, most_threads>;  // how many steps of each thread happened before

  struct message {
    double time;  // its place in modification order
    std::uint64_t value;
    std::uint64_t serial;  // its place in the order of execution
    std::size_t writer;    // most_threads: from before
    std::uint32_t step;    // of the writer
    bool is_released;      // or carries on what was
    bool follows;          // a read-modify-write: nothing comes between it and the one before
    clock carried;         // what an acquire load takes over
  };
  struct access {
    std::uint32_t step;
    double time;
  };
  struct location {
    std::vector<message> history;
    std::array<std::vector<access>, most_threads> accesses;  // by thread
    std::size_t number = 0;                                  // for people
    std::uint64_t execution = 0;                             // all of this is of that one
  };
  struct thread {
    ucontext_t context;
    std::unique_ptr<std::byte[]> stack;
    clock known{};
    bool is_done = false;
    const location* awaited = nullptr;
    std::uint64_t since = 0;  // messages with a smaller serial were refused
  };
  struct choice {
    std::size_t taken, of;
  };
  struct event {
    std::size_t thread, location;
    const char* what;
    std::uint64_t value;
  };

  // --- choices

  std::size_t choose(std::size_t of) {
    if (depth_ == choices_.size()) choices_.push_back({0, of});
    if (choices_[depth_].of != of) std::abort();  // a scene that is not the same twice
    return choices_[depth_++].taken;
  }
  bool next() {
    while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().of) choices_.pop_back();
    if (choices_.empty()) return false;
    ++choices_.back().taken;
    return true;
  }

  // --- one execution

  void begin() {
    depth_ = 0;
    ++execution_;
    places_ = 0;
    events_.clear();
    serial_ = 1;
    steps_ = 0;
    violation_ = nullptr;
    is_cut_ = false;
  }

  // After a violation threads are dropped as they stand: most of what they run is noexcept, so nothing could unwind them.
  void run(std::size_t count, const std::function<void(std::size_t)>& work) {
    constexpr std::size_t stack_bytes = std::size_t{1} << 16;
    work_ = &work;
    count_ = count;
    for (std::size_t t = 0; t < count; ++t) {
      thread& each = threads_[t];
      if (!each.stack) each.stack = std::make_unique<std::byte[]>(stack_bytes);
      each.known = {};
      each.is_done = false;
      each.awaited = nullptr;
      getcontext(&each.context);
      each.context.uc_stack.ss_sp = each.stack.get();
      each.context.uc_stack.ss_size = stack_bytes;
      each.context.uc_link = nullptr;
      makecontext(&each.context, &explorer::enter, 0);
    }
    while (!is_cut_ && violation_ == nullptr) {
      std::size_t t = 0;
      while (t < count_ && !can_run(t)) ++t;
      if (t == count_) break;
      go_on(t);
    }
    finish();
  }
  // Lets every thread that is left come to its end, if it can. (A loop that is waiting may have read old values before it was
  // cut: it has a second turn.)
  void finish() {
    for (int idle_rounds = 0; violation_ == nullptr;) {
      const std::uint64_t before = serial_;
      bool is_over = true, has_ended = false;
      for (std::size_t t = 0; t < count_ && violation_ == nullptr; ++t) {
        if (threads_[t].is_done) continue;
        is_cut_ = true;
        go_on(t);
        has_ended = has_ended || threads_[t].is_done;
        is_over = is_over && threads_[t].is_done;
      }
      if (is_over) return;
      idle_rounds = serial_ == before && !has_ended ? idle_rounds + 1 : 0;
      if (idle_rounds == 2 && violation_ == nullptr) violation_ = "the threads wait for one another";
    }
  }
  void go_on(std::size_t thread) {
    now_ = thread;
    current() = this;
    swapcontext(&home_, &threads_[now_].context);
    current() = nullptr;
  }
  static void enter() {
    explorer& mine = *current();
    (*mine.work_)(mine.now_);
    mine.threads_[mine.now_].is_done = true;
    mine.leave();
  }
  void leave() { swapcontext(&threads_[now_].context, &home_); }

  [[nodiscard]] bool can_run(std::size_t t) const {
    const thread& each = threads_[t];
    if (each.is_done) return false;
    if (each.awaited == nullptr) return true;
    return std::any_of(each.awaited->history.begin(), each.awaited->history.end(),
                       [&](const message& m) { return m.serial >= each.since; });
  }
  [[nodiscard]] bool somebody_else_can_run() const {
    for (std::size_t t = 0; t < count_; ++t) {
      if (t != now_ && can_run(t)) return true;
    }
    return false;
  }

  void fail(const char* what) {
    violation_ = what;
    leave();
  }

  // --- the memory

  // What every operation begins with: the first thread that can go on does. (One that waited for what was just stored goes
  // on at once, so that nobody waits in vain for what it might do.)
  location& locate(void* address, std::uint64_t real) {
    for (std::size_t t = 0; t < now_ && !is_cut_; ++t) {
      if (can_run(t)) {
        leave();
        break;
      }
    }
    location& at = locations_[address];
    if (at.execution != execution_) {
      at.execution = execution_;
      at.number = ++places_;
      at.history.assign(1, {0, real, 0, most_threads, 0, false, false, {}});
      for (auto& each : at.accesses) each.clear();
    }
    return at;
  }

  void step() {
    if (++steps_ == most_steps) fail("somebody does not come to an end");
    ++threads_[now_].known[now_];
  }

  // The time of the latest message here that the running thread knows of.
  [[nodiscard]] double known(const location& at) const {
    double latest = 0;
    for (std::size_t t = 0; t < count_; ++t) {
      const auto& of = at.accesses[t];
      for (std::size_t i = of.size(); i-- != 0;) {
        if (of[i].step > threads_[now_].known[t]) continue;
        latest = std::max(latest, of[i].time);
        break;
      }
    }
    return latest;
  }

  // Chooses among the messages that the running thread may read and that fit(message, whether a read-modify-write follows it), and
  // waiting for one that nobody has written yet.
  template <class Fit>
  std::size_t choose_message(location& at, Fit fit) {
    std::uint64_t since = 0;
    for (;;) {
      if (is_cut_) {
        if (fit(at.history.back(), false)) return step(), at.history.size() - 1;
        leave();
        continue;
      }
      options_.clear();
      const double least = known(at);
      for (std::size_t i = at.history.size(); i-- != 0 && at.history[i].time >= least;) {
        const bool is_followed = i + 1 < at.history.size() && at.history[i + 1].follows;
        if (at.history[i].serial >= since && fit(at.history[i], is_followed)) options_.push_back(i);
      }
      const std::size_t options = options_.size() + (somebody_else_can_run() ? 1 : 0);
      if (options == 0) {
        wait();
        continue;
      }
      const std::size_t taken = choose(options);
      if (taken < options_.size()) {
        step();
        return options_[taken];
      }
      since = serial_;
      threads_[now_].awaited = &at;
      threads_[now_].since = since;
      leave();
      threads_[now_].awaited = nullptr;
    }
  }

  std::uint64_t read(location& at, std::size_t i, std::memory_order order, bool is_pointer, const char* what) {
    const message& m = at.history[i];
    events_.push_back({now_, at.number, what, m.value});
    note(at, m.time);
    const bool is_acquire = order == std::memory_order_acquire || order == std::memory_order_acq_rel;
    clock& mine = threads_[now_].known;
    if (is_acquire && m.is_released) {
      for (std::size_t t = 0; t < count_; ++t) mine[t] = std::max(mine[t], m.carried[t]);
    }
    if (is_pointer && m.writer < most_threads && mine[m.writer] < m.step) {
      fail("a pointer is read without an edge to who stored it");
    }
    return m.value;
  }

  void put(location& at, std::size_t after, std::uint64_t value, bool is_released, bool follows, clock carried) {
    const bool is_last = after + 1 == at.history.size();
    const bool carries_on = follows && at.history[after].is_released;
    const double time =
        is_last ? at.history[after].time + 1 : (at.history[after].time + at.history[after + 1].time) / 2;
    if (is_released) {
      for (std::size_t t = 0; t < count_; ++t) carried[t] = std::max(carried[t], threads_[now_].known[t]);
    }
    at.history.insert(
        at.history.begin() + static_cast<std::ptrdiff_t>(after) + 1,
        {time, value, serial_++, now_, threads_[now_].known[now_], is_released || carries_on, follows, carried});
    events_.push_back({now_, at.number, is_last ? "stores" : "stores earlier", value});
    note(at, time);
  }
  void note(location& at, double time) { at.accesses[now_].push_back({threads_[now_].known[now_], time}); }

  [[nodiscard]] std::memory_order weakened(operation what, std::memory_order order, const void* where,
                                           bool is_pointer) const {
    if (order == std::memory_order_seq_cst) std::abort();  // not modelled
    const bool is_weak = weak_.where && !weak_.torn && weak_.what == what && weak_.where(where, is_pointer);
    return is_weak ? std::memory_order_relaxed : order;
  }
  [[nodiscard]] static bool is_release(std::memory_order order) {
    return order == std::memory_order_release || order == std::memory_order_acq_rel;
  }

  [[nodiscard]] std::string trace() const {
    std::string text;
    const std::size_t from = events_.size() > 100 ? events_.size() - 100 : 0;
    for (std::size_t i = from; i < events_.size(); ++i) {
      text += "\n  thread " + std::to_string(events_[i].thread) + " " + events_[i].what + " " +
              std::to_string(events_[i].value) + " at place " + std::to_string(events_[i].location);
    }
    return text;
  }

  weakness weak_;
  std::vector<choice> choices_;
  std::size_t depth_ = 0;
  std::unordered_map<void*, location> locations_;  // its elements stay where they are, from one execution to the next
  std::uint64_t execution_ = 0;
  std::size_t places_ = 0;
  std::vector<std::size_t> options_;  // of one choice
  std::array<thread, most_threads> threads_;
  std::size_t count_ = 0, now_ = 0;
  ucontext_t home_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::vector<event> events_;
  std::uint64_t serial_ = 1;
  std::size_t steps_ = 0;
  const char* violation_ = nullptr;
  bool is_cut_ = false;
};

}  // namespace seen::testing::models
