// listener: where clients connect. A Unix socket, or a port of the loopback address; the server is never seen from another machine.
//
// A Unix socket that a killed server left behind is removed, one that is answered is not.
#pragma once

#include <seen/base/result.hpp>
#include <seen/storage/file.hpp>

#include <optional>
#include <string>
#include <utility>

#include "serve/handle.hpp"

namespace seen::redis {

class listener {
 public:
  /// `mode` is what others may do with the socket: 0600 is the user alone.
  static result<listener> at_path(const std::string& path, unsigned mode);
  /// 127.0.0.1; port 0 is any that is free.
  static result<listener> at_port(int port);

  listener(listener&& other) noexcept
      : socket_(std::move(other.socket_)),
        address_(std::move(other.address_)),
        port_(other.port_),
        is_bound_(other.is_bound_),
        keeps_(std::exchange(other.keeps_, std::nullopt)) {}
  listener& operator=(listener&&) = delete;
  ~listener();

  [[nodiscard]] int number() const noexcept { return socket_.number(); }
  /// "seen.sock", "127.0.0.1:6379".
  [[nodiscard]] const std::string& address() const noexcept { return address_; }
  [[nodiscard]] int port() const noexcept { return port_; }

 private:
  listener(handle socket, std::string address) : socket_(std::move(socket)), address_(std::move(address)) {}

  handle socket_;
  std::string address_;
  int port_ = 0;
  bool is_bound_ = false;      // the path is this socket's
  std::optional<file> keeps_;  // of a path: a lock, so that two servers do not take each other's for left behind
};

}  // namespace seen::redis
