// connection: a client's socket, the bytes that came from it, and those that are to go.
//
//   socket ──► in_ ──► request_reader ──► session ──► out_ ──► socket
//
// All requests that have come are carried out, then their replies are sent together. A client that sends and does not read is not read any more
// once `unsent` bytes wait for it: what it costs is bounded, and nobody waits for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "serve/byte_queue.hpp"
#include "serve/handle.hpp"
#include "serve/request_reader.hpp"
#include "serve/session.hpp"

namespace seen::redis {

class connection {
 public:
  using time = std::chrono::steady_clock::time_point;

  connection(handle socket, service& shared, time now);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection();

  /// Reads, carries out and sends as far as it goes without waiting. False: the connection is over.
  [[nodiscard]] bool go_on(bool readable, bool writable, time now);
  /// No more requests; false once all replies are sent.
  [[nodiscard]] bool finish();
  /// Whether a client has been silent, or has taken no reply, for too long.
  [[nodiscard]] bool is_forsaken(time now) const noexcept;

  [[nodiscard]] bool wants_to_read() const noexcept { return !paused_ && !closing_; }
  [[nodiscard]] bool wants_to_write() const noexcept { return !out_.empty(); }
  /// What epoll has been told.
  std::uint32_t watched = 0;

 private:
  [[nodiscard]] bool receive();
  void carry_out_all();
  [[nodiscard]] bool send();
  void account();

  handle socket_;
  service* shared_;
  byte_queue in_, out_;
  request_reader reader_;
  session session_;
  std::size_t charged_ = 0;  // for the words of a long request
  time now_, heard_, sent_;
  bool paused_ = false;   // until the client has taken replies
  bool closing_ = false;  // when all replies are sent
};

}  // namespace seen::redis
