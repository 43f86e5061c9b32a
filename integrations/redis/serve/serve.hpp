// serve: the server. Filter files behind names, asked and added to by clients of redis-server.
//
//   main thread    signals │ every 0.2 s: files that were replaced, adds to sync, filters to save
//   loops          a thread for each processor, and its clients (loop.hpp)
//
// docs/redis.md says what is promised to users, docs/design.md why it is built like this.
#pragma once

#include <seen/base/result.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/limits.hpp"
#include "serve/stored_filter.hpp"
#include "table/settings.hpp"

namespace seen::redis {

/// A file, and what clients call it.
struct named_file {
  std::string name, path;
};

struct serve_options {
  std::vector<named_file> files;
  std::string directory;    ///< for filters that commands make; empty: none are made
  std::string unix_path;    ///< empty: no Unix socket
  unsigned mode = 0600;     ///< of the Unix socket
  std::optional<int> port;  ///< of 127.0.0.1
  storing how;
  bool syncs_first = false;  ///< an add to a map is on the device before it is acknowledged
  unsigned sync_every = 1;   ///< seconds; 0: when the system likes
  unsigned save_every = 60;  ///< seconds; 0: at the end only
  unsigned threads = 0;      ///< 0: as many as there are processors
  limits bounds;
  settings configured;
  std::function<void(std::string_view)> ready;  ///< told an address when clients can connect to it
  std::function<void(std::string_view)> log;    ///< a line for the operator
};

/// Serves until SIGTERM, SIGINT or SIGHUP. An error if it could not begin, or if not everything could be saved at the end.
[[nodiscard]] result<void> serve(const serve_options& options);

}  // namespace seen::redis
