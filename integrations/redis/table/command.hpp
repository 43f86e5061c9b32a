// command: a row of the table of commands, and the table.
//
//   name       words    keys   does
//   BF.ADD     3        1      host.find ─► value.add ─► host.boolean, host.replicate, host.notify
//
// A host registers every row, and carries out a command by run(row, host): it checks the number of words, and lets no exception out.
// docs/redis.md describes every command for users.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "table/host.hpp"
#include "table/value.hpp"

namespace seen::redis {

/// What a server has to know of a command before it carries it out.
struct command_flags {
  bool writes = false;
  bool takes_memory = false;  ///< refused where the server is out of memory ("deny-oom")
  bool is_fast = false;       ///< takes time in proportion to its words alone
};

struct command_row {
  const char* name;
  int words;  ///< with its name; negative: at least so many
  family of;  ///< and the ACL category: bloom, cuckoo
  command_flags flags;
  int first_key = 1, last_key = 1;  ///< places of keys; -1: the last word
  void (*carry_out)(host&);
};

/// All commands.
[[nodiscard]] std::span<const command_row> commands();
/// A command by its name in any case; null if there is none.
[[nodiscard]] const command_row* find_command(std::string_view name);

/// Carries a command out: exactly one reply, whatever happens.
void run(const command_row& row, host& by) noexcept;

// The parts of the table, a file each.
[[nodiscard]] std::span<const command_row> bloom_commands();
[[nodiscard]] std::span<const command_row> cuckoo_commands();
[[nodiscard]] std::span<const command_row> lookup_commands();
[[nodiscard]] std::span<const command_row> whole_commands();

}  // namespace seen::redis
