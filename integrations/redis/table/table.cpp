// The table, of its parts, and how a row of it is carried out.
#include <seen/base/error.hpp>

#include <string>
#include <vector>

#include "table/command.hpp"
#include "table/making.hpp"
#include "table/words.hpp"

namespace seen::redis {

std::span<const command_row> commands() {
  static const std::vector<command_row> all = [] {
    std::vector<command_row> rows;
    for (const auto part : {bloom_commands(), cuckoo_commands(), lookup_commands(), whole_commands()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return all;
}

const command_row* find_command(std::string_view name) {
  for (const command_row& row : commands()) {
    if (same_word(row.name, name)) return &row;
  }
  return nullptr;
}

void run(const command_row& row, host& by) noexcept {
  const auto given = static_cast<int>(by.arguments().size());
  if (row.words >= 0 ? given != row.words : given < -row.words) return wrong_arity(by);
  try {
    row.carry_out(by);
  } catch (...) {
    const error e = current_error();
    by.error(e.code == errc::no_memory ? std::string(no_memory) : "ERR " + e.detail);
  }
}

}  // namespace seen::redis
