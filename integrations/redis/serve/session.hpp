// session: what the server knows of one client, and the way of its requests to those who carry them out.
//
//   words ──► own_commands (PING, HELLO, …) │ the table (BF.*, CF.*, SF.*) ──► reply
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "serve/keyspace.hpp"
#include "serve/limits.hpp"
#include "serve/reply_writer.hpp"
#include "serve/serve_host.hpp"
#include "table/settings.hpp"

namespace seen::redis {

/// What all clients share.
struct service {
  keyspace* keys = nullptr;
  budget* memory = nullptr;
  limits bounds = {};
  shared_settings configured = {};
  std::string address = {};  ///< as INFO tells it
  int port = 0;
  bool syncs_first = false;  ///< an add is on the device before it is acknowledged
  std::function<void(std::string_view)> log = {};
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> clients{0}, all_clients{0}, commands{0}, last_id{0};
};

/// A command of the server itself.
class session;
struct own_command {
  const char* name;
  int words;  ///< as command_row has it
  const char* summary;
  void (*carry_out)(session&);
  int first_key = 0, last_key = 0;
};
[[nodiscard]] std::span<const own_command> own_commands();
void append_info(const service& shared, std::string_view section, std::string& to);

class session {
 public:
  session(service& shared, byte_queue& to);

  /// Carries out a request. Exactly one reply, if there is a word.
  void carry_out(std::span<const std::string_view> words);
  /// Before replies are sent: adds are on the device, if that was asked for.
  void settle();
  /// Whether the client has said goodbye.
  [[nodiscard]] bool is_over() const noexcept { return over_; }

  // --- for the commands

  [[nodiscard]] service& shared() noexcept { return *shared_; }
  [[nodiscard]] reply_writer& reply() noexcept { return reply_; }
  [[nodiscard]] std::span<const std::string_view> words() const noexcept { return words_; }
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  void end() noexcept { over_ = true; }
  void reset();

  std::string name, library, library_version;

 private:
  void unknown();

  service* shared_;
  reply_writer reply_;
  serve_host host_;
  std::span<const std::string_view> words_;
  const command_row* last_row_ = nullptr;
  std::uint64_t id_;
  bool over_ = false;
};

}  // namespace seen::redis
