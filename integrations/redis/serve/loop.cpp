#include "serve/loop.hpp"

#include <seen/base/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <system_error>

namespace seen::redis {
namespace {

constexpr int tick = 1000;                        // milliseconds, to look for clients that are gone
constexpr std::chrono::seconds most_farewell{5};  // for clients to take their last replies

void tell_epoll(int epoll, int what, int socket, std::uint32_t events) {
  epoll_event about{};
  about.events = events;
  about.data.fd = socket;
  if (::epoll_ctl(epoll, what, socket, &about) != 0)
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

}  // namespace

loop::loop(service& shared, std::vector<int> listeners)
    : shared_(&shared),
      listeners_(std::move(listeners)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      spare_(::open("/dev/null", O_RDONLY | O_CLOEXEC)) {
  if (!epoll_.is_open() || !wake_.is_open()) throw std::system_error(errno, std::generic_category(), "epoll");
  tell_epoll(epoll_.number(), EPOLL_CTL_ADD, wake_.number(), EPOLLIN);
  // A new client wakes one thread, not all.
  for (const int each : listeners_) tell_epoll(epoll_.number(), EPOLL_CTL_ADD, each, EPOLLIN | EPOLLEXCLUSIVE);
  thread_ = std::thread([this] { run(); });
}

loop::~loop() {
  stop();
  join();
}

void loop::stop() noexcept {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(wake_.number(), &one, sizeof one));
}

void loop::join() {
  if (thread_.joinable()) thread_.join();
}

void loop::run() {
  looked_ = std::chrono::steady_clock::now();
  while (!stopping_) turn(tick);
  for (const int each : listeners_) ::epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, each, nullptr);
  finish_all();
}

void loop::turn(int wait) {
  std::array<epoll_event, 256> events;
  const int count = ::epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()), wait);
  now_ = std::chrono::steady_clock::now();
  std::vector<int> waiting;
  for (int i = 0; i < count; ++i) {
    const int socket = events[static_cast<std::size_t>(i)].data.fd;
    if (socket == wake_.number()) {
      stopping_ = true;
    } else if (std::find(listeners_.begin(), listeners_.end(), socket) != listeners_.end()) {
      waiting.push_back(socket);  // last: a new client may get the number of one that has just gone
    } else {
      serve(socket, events[static_cast<std::size_t>(i)].events);
    }
  }
  if (stopping_) return;
  for (const int each : waiting) accept_at(each);
  if (now_ - looked_ > std::chrono::milliseconds(tick)) let_go_of_the_forsaken();
}

void loop::accept_at(int listening) {
  constexpr int most = 64;
  for (int i = 0; i < most; ++i) {
    handle socket(::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.is_open()) {
      if (errno != EMFILE && errno != ENFILE) return;
      // There are no descriptors left but this one: whoever waits is told so by being let go.
      spare_.close();
      { const handle refused(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC)); }
      spare_ = handle(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      return;
    }
    shared_->all_clients.fetch_add(1, std::memory_order_relaxed);
    if (shared_->clients.fetch_add(1, std::memory_order_relaxed) >= shared_->bounds.clients) {
      shared_->clients.fetch_sub(1, std::memory_order_relaxed);
      constexpr std::string_view said = "-ERR max number of clients reached\r\n";
      static_cast<void>(!::send(socket.number(), said.data(), said.size(), MSG_NOSIGNAL));
      continue;
    }
    const int number = socket.number(), yes = 1;
    ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);  // of no meaning to a Unix socket
    try {
      auto client = std::make_unique<connection>(std::move(socket), *shared_, now_);
      client->watched = EPOLLIN;
      tell_epoll(epoll_.number(), EPOLL_CTL_ADD, number, EPOLLIN);
      clients_.emplace(number, std::move(client));
    } catch (...) {
      shared_->clients.fetch_sub(1, std::memory_order_relaxed);
    }
  }
}

void loop::serve(int socket, std::uint32_t events) {
  const auto at = clients_.find(socket);
  if (at == clients_.end()) return;
  connection& client = *at->second;
  try {
    const bool readable = (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0;
    const bool writable = (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0;
    if (client.go_on(readable, writable, now_)) return watch(socket, client);
  } catch (...) {  // an add that did not reach the device; no memory
    shared_->log(current_error().detail);
  }
  forget(socket);
}

void loop::watch(int socket, connection& client) {
  const std::uint32_t wanted =
      (client.wants_to_read() ? std::uint32_t{EPOLLIN} : 0u) | (client.wants_to_write() ? std::uint32_t{EPOLLOUT} : 0u);
  if (wanted == client.watched) return;
  tell_epoll(epoll_.number(), EPOLL_CTL_MOD, socket, wanted);
  client.watched = wanted;
}

void loop::forget(int socket) {
  if (clients_.erase(socket) != 0) shared_->clients.fetch_sub(1, std::memory_order_relaxed);
}

void loop::let_go_of_the_forsaken() {
  looked_ = now_;
  std::vector<int> gone;
  for (const auto& [socket, client] : clients_) {
    if (client->is_forsaken(now_)) gone.push_back(socket);
  }
  for (const int each : gone) forget(each);
}

void loop::finish_all() {
  const auto end = std::chrono::steady_clock::now() + most_farewell;
  while (!clients_.empty() && std::chrono::steady_clock::now() < end) {
    std::vector<int> done;
    for (auto& [socket, client] : clients_) {
      try {
        if (client->finish()) {
          watch(socket, *client);
          continue;
        }
      } catch (...) {
        shared_->log(current_error().detail);
      }
      done.push_back(socket);
    }
    for (const int each : done) forget(each);
    std::array<epoll_event, 64> events;
    constexpr int step = 50;
    if (!clients_.empty()) ::epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()), step);
  }
  shared_->clients.fetch_sub(clients_.size(), std::memory_order_relaxed);
  clients_.clear();
}

}  // namespace seen::redis
