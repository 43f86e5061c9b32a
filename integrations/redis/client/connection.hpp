// connection: commands to one server and its replies, many on their way at once.
//
//   send ──► buffer ──flush──► socket ══► server ══► socket ──receive──► hiredis ──next──► reply
//
// Nothing waits but `open` and `ask`; who has several connections waits for all of their descriptors at once (cluster.hpp). What the server
// replies is hostile: a reply takes the memory of bytes that came, of 2^20 elements and 640 MiB at most, and what is no RESP2 ends the connection.
//
// hiredis is asked for how to connect and how to read replies, and connection.cpp alone includes it. Where it was not there when this was built,
// `open` says so.
#pragma once

#include <seen/base/result.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "client/address.hpp"
#include "client/reply.hpp"
#include "client/request.hpp"

namespace seen::redis::client {

class connection {
 public:
  using milliseconds = std::chrono::milliseconds;

  /// Connects and gives the password. errc::io: it may go better later.
  static result<std::unique_ptr<connection>> open(const address& to, milliseconds timeout);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  [[nodiscard]] int descriptor() const noexcept;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  void send(const request& each) { each.append_to(unsent_); }
  [[nodiscard]] bool has_unsent() const noexcept { return sent_ != unsent_.size(); }
  /// Writes as much as the socket takes.
  [[nodiscard]] result<void> flush();
  /// Reads what has come. errc::io if the server has gone.
  [[nodiscard]] result<void> receive();
  /// The next reply, if all of it has come. errc::corrupt: it is none.
  [[nodiscard]] result<std::optional<reply>> next();

  /// Sends a command and waits for its reply, while nothing else is on its way.
  [[nodiscard]] result<reply> ask(const request& each, milliseconds timeout);

 private:
  struct wire;
  explicit connection(std::string name);

  std::unique_ptr<wire> wire_;
  std::string name_;
  std::string unsent_;
  std::size_t sent_ = 0;  // of it
};

}  // namespace seen::redis::client
