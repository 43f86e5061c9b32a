// Where a server of Redis is, as its clients write it:
//
//   redis://[user:password@]host[:port]     redis://localhost     redis://[::1]:6380     unix:/run/redis.sock
//
// A password may stand there, in %XX where it has odd characters; but other users of the machine see command lines, so the command has
// other ways for it. TLS is not spoken: rediss:// says so.
#pragma once

#include <seen/base/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace seen::redis::client {

struct address {
  std::string host = "127.0.0.1";
  std::uint16_t port = 6379;
  std::string path = {};  ///< of a Unix socket, which counts if it is there
  std::string user = {}, password = {};

  static result<address> parse(std::string_view url);

  /// How messages name it: "127.0.0.1:6379" or the path, and never the password.
  [[nodiscard]] std::string name() const;
};

/// "127.0.0.1:7000", "[::1]:7000" or "::1:7000", as a node of a cluster names another; where the host is empty, that of `asked`. What is
/// needed to connect is taken from there, too.
[[nodiscard]] result<address> node_address(std::string_view text, const address& asked);

}  // namespace seen::redis::client
