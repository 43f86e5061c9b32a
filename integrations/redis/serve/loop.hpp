// loop: a thread, and the clients it serves. epoll tells it whose bytes have come or may go; it never waits for one of them.
//
// There is one for each processor. All of them wait at the same listeners, and a client stays with the one that took it.
#pragma once

#include <chrono>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "serve/connection.hpp"
#include "serve/handle.hpp"

namespace seen::redis {

class loop {
 public:
  loop(service& shared, std::vector<int> listeners);
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;
  /// Ends the thread, too.
  ~loop();

  /// Takes no more clients and no more requests, sends what replies there are, and ends; returns at once.
  void stop() noexcept;
  void join();

 private:
  void run();
  void turn(int wait);
  void accept_at(int listening);
  void serve(int socket, std::uint32_t events);
  void watch(int socket, connection& client);
  void forget(int socket);
  void let_go_of_the_forsaken();
  void finish_all();

  service* shared_;
  std::vector<int> listeners_;
  handle epoll_, wake_, spare_;
  std::unordered_map<int, std::unique_ptr<connection>> clients_;
  connection::time now_, looked_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace seen::redis
