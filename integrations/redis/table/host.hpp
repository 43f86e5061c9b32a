// host: what a command needs of the server that runs it, so that two servers can run one table of commands.
//
//   client ──RESP──► server ──arguments──► command (table/) ──► value (the filter in a key)
//                       ▲                       │
//                       └────────── host ◄──────┘    keys, replies, replication, events, time, memory
//
// redis-server and valkey-server are the hosts of module/; anything else that has keys and speaks RESP can be one. A host is made for one
// call of one command and is used by one thread. What its functions return lives as long as the call. A command replies exactly once.
//
// Keys are named by the place of their argument: a server may have its own object for each.
#pragma once

#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "table/settings.hpp"
#include "table/value.hpp"

namespace seen::redis {

/// What is in a key.
struct found {
  enum class state : std::uint8_t { absent, there, other_type };
  state is = state::absent;
  value* held = nullptr;  ///< not null if it is there

  [[nodiscard]] bool absent() const noexcept { return is == state::absent; }
  [[nodiscard]] bool there() const noexcept { return is == state::there; }
};

/// Whether a command will change the value.
enum class access : std::uint8_t { read, write };

class host {
 public:
  virtual ~host() = default;

  /// The words of the command; the first is its name.
  [[nodiscard]] virtual std::span<const std::string_view> arguments() const = 0;

  // --- keys, by the place of their name among the arguments

  /// The value of a key, if it is a filter of this family; everything else in it is `other_type`.
  [[nodiscard]] virtual found find(std::size_t key, family of, access how) = 0;
  /// Puts a value into a key in place of what it has, and returns it where it now is. Needs access::write.
  virtual value& put(std::size_t key, value made) = 0;

  // --- replies; in RESP2 a boolean is 1 or 0, and a map an array of keys and values

  virtual void integer(std::int64_t number) = 0;
  virtual void boolean(bool yes) = 0;
  virtual void real(double number) = 0;
  virtual void status(std::string_view word) = 0;  ///< "OK"
  virtual void bytes(std::string_view some) = 0;
  virtual void null() = 0;
  virtual void error(std::string_view words) = 0;  ///< as it goes over the wire, "ERR" included where there is one
  virtual void array(std::size_t elements) = 0;    ///< so many replies follow, which are its elements
  virtual void map(std::size_t pairs) = 0;         ///< so many pairs of replies follow
  [[nodiscard]] virtual bool is_resp3() const = 0;

  // --- what else happens when a value has changed

  /// Sends the command to replicas and to the log as it came.
  virtual void replicate() = 0;
  /// Sends another command in its place: one that does the same on a server of other settings, at another time.
  virtual void replicate(std::span<const std::string_view> words) = 0;
  /// Tells those who watch the key: "bloom.add".
  virtual void notify(const char* event, std::size_t key) = 0;

  // --- the server

  [[nodiscard]] virtual const settings& configured() const = 0;
  /// Milliseconds since 1970: the same during a call.
  [[nodiscard]] virtual std::uint64_t now() const = 0;
  /// Whether the command comes from a primary or from the log: it was carried out once, and is not refused here for want of memory.
  [[nodiscard]] virtual bool repeats() const = 0;
  /// Whether the server may take so much memory; asked before it is taken.
  [[nodiscard]] virtual bool affords(std::uint64_t bytes) const = 0;
  /// A line for the operator.
  virtual void warn(std::string_view line) = 0;
};

}  // namespace seen::redis
