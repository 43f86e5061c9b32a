#include "serve/serve.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>
#include <mutex>
#include <sys/resource.h>
#include <thread>
#include <unordered_map>

#include "serve/keyspace.hpp"
#include "serve/listener.hpp"
#include "serve/loop.hpp"
#include "serve/session.hpp"

namespace seen::redis {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t many_files = 1000;
constexpr long often = 200'000'000, seldom = 1'000'000'000;  // nanoseconds between two looks at all files

// Says a thing once a minute, however often it happens.
class reporter {
 public:
  explicit reporter(const std::function<void(std::string_view)>& log) : log_(&log) {}

  void operator()(const error& why) {
    constexpr std::size_t most = 1000;
    const auto now = clock::now();
    const std::lock_guard hold(lock_);
    if (told_.size() > most) told_.clear();
    const auto [at, is_new] = told_.try_emplace(why.detail, now);
    if (!is_new && now - at->second < std::chrono::minutes(1)) return;
    at->second = now;
    (*log_)(why.detail);
  }

 private:
  const std::function<void(std::string_view)>* log_;
  std::mutex lock_;
  std::unordered_map<std::string, clock::time_point> told_;
};

// Signals that end the server wait until they are asked for, in all threads that begin from here on.
class held_signals {
 public:
  held_signals() {
    sigemptyset(&ending_);
    for (const int each : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ending_, each);
    pthread_sigmask(SIG_BLOCK, &ending_, &before_);
  }
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;
  ~held_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// Waits so long at most; true if one came.
  [[nodiscard]] bool came_within(long nanoseconds) const {
    const timespec time{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    return sigtimedwait(&ending_, nullptr, &time) > 0;
  }

 private:
  sigset_t ending_, before_;
};

// Descriptors for so many clients, as far as the system gives them; the number of clients there can be.
std::size_t reserve_descriptors(std::size_t clients) {
  constexpr rlim_t others = 64;
  rlimit now{};
  if (::getrlimit(RLIMIT_NOFILE, &now) != 0) return clients;
  const rlim_t wanted = clients + others;
  if (now.rlim_cur < wanted) {
    now.rlim_cur = std::min(wanted, now.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &now);
    ::getrlimit(RLIMIT_NOFILE, &now);
  }
  if (now.rlim_cur >= wanted) return clients;
  return now.rlim_cur > others + 1 ? static_cast<std::size_t>(now.rlim_cur - others) : 1;
}

// Does things every so many seconds.
class every {
 public:
  explicit every(unsigned seconds) : seconds_(seconds), last_(clock::now()) {}
  [[nodiscard]] bool is_due() {
    if (seconds_ == 0 || clock::now() - last_ < std::chrono::seconds(seconds_)) return false;
    last_ = clock::now();
    return true;
  }

 private:
  unsigned seconds_;
  clock::time_point last_;
};

result<std::vector<listener>> listen(const serve_options& options) {
  std::vector<listener> all;
  if (!options.unix_path.empty()) {
    auto made = listener::at_path(options.unix_path, options.mode);
    if (!made) return made.error();
    all.push_back(std::move(*made));
  }
  if (options.port) {
    auto made = listener::at_port(*options.port);
    if (!made) return made.error();
    all.push_back(std::move(*made));
  }
  return all;
}

void keep_house(const serve_options& options, const held_signals& signals, keyspace& keys, reporter& tell) {
  every sync(options.sync_every), save(options.save_every);
  while (!signals.came_within(keys.size() < many_files ? often : seldom)) {
    const auto told = [&](const error& why) { tell(why); };
    try {
      keys.follow_all(told);
      if (sync.is_due()) keys.sync_all(told);
      if (save.is_due()) keys.save_all(told);
    } catch (...) {
      tell(current_error());
    }
  }
}

}  // namespace

result<void> serve(const serve_options& options) {
  const held_signals signals;
  service shared;
  shared.bounds = options.bounds;
  shared.bounds.clients = reserve_descriptors(options.bounds.clients);
  shared.configured.change([&](settings& now) { now = options.configured; });
  shared.syncs_first = options.syncs_first;
  shared.log = options.log;
  budget memory(options.bounds.memory);
  shared.memory = &memory;
  keyspace keys(options.how, options.directory, memory);
  shared.keys = &keys;
  for (const named_file& each : options.files) {
    if (auto opened = keys.declare(each.name, each.path); !opened) return opened;
  }
  if (auto opened = keys.open_directory(); !opened) return opened;

  auto listeners = listen(options);
  if (!listeners) return listeners.error();
  std::vector<int> sockets;
  for (const listener& each : *listeners) {
    sockets.push_back(each.number());
    if (!shared.address.empty()) shared.address += ' ';
    shared.address += each.address();
    shared.port = each.port();
  }
  reporter tell(options.log);
  {
    std::vector<std::unique_ptr<loop>> loops;
    const unsigned threads = options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < threads; ++i) loops.push_back(std::make_unique<loop>(shared, sockets));
    for (const listener& each : *listeners) options.ready(each.address());
    keep_house(options, signals, keys, tell);
    for (const auto& each : loops) each->stop();
  }
  result<void> ended;
  keys.close_all([&](const error& why) {
    tell(why);
    ended = why;
  });
  return ended;
}

}  // namespace seen::redis
