// copying: all filters of one server or cluster to another.
//
//   source: SCAN on every primary ──► TYPE ──► DUMP, PTTL ──► target: RESTORE
//                                                 │              └─ refuses the version of the payload
//                                                 └──► SCANDUMP … ──► LOADCHUNK … under another name, then RENAME
//
// Filters of the module, of RedisBloom and of valkey-bloom are copied with the time they have left, and the records of filters in parts at the
// end, when their parts are there. A filter is there whole or not at all, so what was interrupted can be run again. Nothing is removed from the
// source.
#pragma once

#include <seen/base/result.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "client/cluster.hpp"

namespace seen::redis::client {

struct copy_options {
  std::string match = {};  ///< a pattern of SCAN; empty: all
  bool replace = false;    ///< what is there already
  bool only_look = false;  ///< copies nothing
};

/// What became of a key.
struct copied_key {
  enum class outcome : std::uint8_t {
    copied,
    found,
    exists,
    gone,
    failed
  };  ///< found: it would be copied; gone: from the source, meanwhile

  std::string key, type;
  outcome was = outcome::copied;
  std::uint64_t bytes = 0;  ///< that were sent
  std::optional<error> why = {};
};

/// Tells of every filter as it is done. An error of a filter is told and the next one has its turn; it is returned where a server has gone.
[[nodiscard]] result<void> copy_all(cluster& from, cluster& to, const copy_options& how,
                                    const std::function<result<void>(const copied_key&)>& tell);

}  // namespace seen::redis::client
