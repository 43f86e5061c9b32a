// What the actions of `seen redis` share: which server, and how it is connected to.
//
//   --url redis://host:port ──► address ─┐
//   --password-file, REDISCLI_AUTH ──────┴──► cluster (integrations/redis/client)
//
// Passwords come from a file or the environment, as redis-cli takes them: other users of the machine see command lines.
#pragma once

#include <seen/base/result.hpp>

#include <memory>
#include <span>
#include <string>

#include "client/cluster.hpp"
#include "command_line.hpp"

namespace seen::cli::over_redis {

namespace client = seen::redis::client;

/// How long is waited for servers: --timeout and --retry.
struct waiting_options {
  std::string timeout, retry;

  void define(option_list& app);
  [[nodiscard]] result<client::patience> read() const;
};

/// --url and --password-file.
struct server_options {
  std::string url = "redis://127.0.0.1", password_file;
  waiting_options waiting;

  void define(option_list& app);
  [[nodiscard]] result<std::unique_ptr<client::cluster>> connect() const;
};

/// A connection to a server that options name; `option` is the one that has the address.
[[nodiscard]] result<std::unique_ptr<client::cluster>> connect(const char* option, const std::string& url,
                                                               const std::string& password_file,
                                                               const waiting_options& waiting);

action define_reserve(option_list& options);
action define_add(option_list& options);
action define_query(option_list& options);
action define_load(option_list& options);
action define_dump(option_list& options);
action define_info(option_list& options);
action define_merge(option_list& options);
action define_drop(option_list& options);
action define_import(option_list& options);

}  // namespace seen::cli::over_redis
