// seen redis: filters in servers of Redis and Valkey, and spread over their clusters, from the command line.
//
//   seen redis reserve users -n 1G -p 0.1%      a filter in parts, on all primaries of a cluster
//   seen redis add users users.txt              keys as `seen add` reads them, a pipeline to each node
//   seen redis query users < candidates.txt     answers as `seen query` prints them
//
// Each action has options of its own, and a file in redis/ or part of one. The client, which knows the layout of a filter in a
// cluster and how to get through its changes, is integrations/redis/client.
#include "redis/redis.hpp"

#include <array>
#include <memory>
#include <string>

#include "verb.hpp"

namespace seen::cli {
namespace {

constexpr std::array actions{
    verb{"reserve", "make an empty filter, spread over the cluster", over_redis::define_reserve,
         "create make new build"},
    verb{"add", "add keys to a filter", over_redis::define_add, "insert append put"},
    verb{"query", "print the lines that may be in a filter, like grep", over_redis::define_query,
         "grep contains test lookup has exists ask"},
    verb{"info", "say what a filter holds, part by part", over_redis::define_info, "show stat stats inspect"},
    verb{"merge", "unite filters part by part", over_redis::define_merge, "union join unite"},
    verb{"dump", "write a filter to files", over_redis::define_dump, "save export backup"},
    verb{"load", "make a filter of files", over_redis::define_load, "restore"},
    verb{"drop", "delete a filter, its record first", over_redis::define_drop, "delete remove del rm unlink"},
    verb{"import", "copy all filters of a server to another", over_redis::define_import, "copy migrate move"},
};

}  // namespace

std::span<const verb> redis_actions() {
  return actions;
}

action define_redis(option_list& app) {
  auto action = std::make_shared<std::string>();
  app.value({"action", "one of them", "ACTION", need::required}, *action);
  app.footer(
      "A filter is spread over all nodes of a cluster, in parts that are ordinary keys: NAME/{number}. A key lies in "
      "one of them. The servers have the module of docs/redis.md, or are RedisBloom or `seen serve`.\n"
      "\n"
      "Examples:\n"
      "  seen redis reserve users -n 1G -p 0.1% --url redis://10.0.0.1    a filter of a billion keys\n"
      "  seen redis add users --url redis://10.0.0.1 users.txt.gz         keys as `seen add` reads them\n"
      "  seen redis query users -e alice                                  answers as `seen query` prints them\n"
      "  seen redis import --from redis://old --to redis://new            all filters of a server");
  // The words behind it are read by the action.
  return [action]() -> result<exit_status> {
    return {errc::invalid_argument, "redis: no action is called " + *action};
  };
}

}  // namespace seen::cli
