// seen.so: BF.*, CF.* and SF.* in redis-server and valkey-server.
//
//   redis-server --loadmodule ./seen.so
//
//   table/     the commands, what they do to a filter, what they reply: of no server in particular
//   module/    a server as their host, over the C interface that it gives to modules
#include <array>
#include <span>
#include <string>
#include <utility>

#include "module/configs.hpp"
#include "module/host.hpp"
#include "module/memory.hpp"

namespace seen::redis {
namespace {

// A command is known to the server by its name alone, so every row needs a function of its own: they differ by their number.
constexpr std::size_t most_commands = 64;
using entry = int (*)(context*, server_string**, int);

template <std::size_t Row>
int call(context* ctx, server_string** words, int count) noexcept {
  module_host by(ctx, {words, static_cast<std::size_t>(count)});
  run(commands()[Row], by);
  return ok;
}

template <std::size_t... Rows>
constexpr std::array<entry, sizeof...(Rows)> entries_of(std::index_sequence<Rows...>) {
  return {call<Rows>...};
}
constexpr auto entries = entries_of(std::make_index_sequence<most_commands>());

std::string flags_of(const command_row& row) {
  std::string flags = row.flags.writes ? "write" : "readonly";
  if (row.flags.takes_memory) flags += " deny-oom";
  if (row.flags.is_fast) flags += " fast";
  return flags;
}

bool create_commands(context* ctx) {
  std::size_t next = 0;
  for (const command_row& row : commands()) {
    if (next == most_commands) return false;
    if (api::CreateCommand(ctx, row.name, entries[next++], flags_of(row).c_str(), row.first_key, row.last_key, 1) !=
        ok) {
      return false;
    }
  }
  return true;
}

const char* category_of(family of) {
  return of == family::bloom ? "bloom" : of == family::cuckoo ? "cuckoo" : "lookup";
}

// Servers of 2024 and later let modules name categories.
void categorise(context* ctx) {
  if (api::AddACLCategory == nullptr || api::SetCommandACLCategories == nullptr || api::GetCommand == nullptr) return;
  for (const family of : {family::bloom, family::cuckoo, family::lookup})
    (void)api::AddACLCategory(ctx, category_of(of));
  for (const command_row& row : commands()) {
    command_handle* const command = api::GetCommand(ctx, row.name);
    const std::string categories = std::string(category_of(row.of)) + (row.flags.writes ? " write" : " read") +
                                   (row.flags.is_fast ? " fast" : " slow");
    if (command != nullptr) (void)api::SetCommandACLCategories(command, categories.c_str());
  }
}

void tell_info(info_context* to, int) {
  (void)api::InfoAddSection(to, "filters");
  (void)api::InfoAddFieldULongLong(to, "bloom", values_held(family::bloom));
  (void)api::InfoAddFieldULongLong(to, "cuckoo", values_held(family::cuckoo));
  (void)api::InfoAddFieldULongLong(to, "lookup", values_held(family::lookup));
  (void)api::InfoAddFieldULongLong(to, "memory_bytes", memory_taken());
}

int load(context* ctx, std::span<server_string*> words) {
  if (const char* const missing = fetch_api(ctx)) {
    if (api::Log != nullptr) api::Log(ctx, "warning", "seen: this server has no RedisModule_%s", missing);
    return failed;
  }
  constexpr int version = 1;
  api::SetModuleAttribs(ctx, "bf", version, api_version);
  api::SetModuleOptions(ctx, option_handles_io_errors);
  take_memory_from_server();
  if (!create_types(ctx) || !create_commands(ctx) || !configure(ctx, words)) return failed;
  categorise(ctx);
  return api::RegisterInfoFunc(ctx, tell_info);
}

}  // namespace
}  // namespace seen::redis

extern "C" int RedisModule_OnLoad(seen::redis::context* ctx, seen::redis::server_string** words, int count) {
  return seen::redis::load(ctx, {words, static_cast<std::size_t>(count)});
}
