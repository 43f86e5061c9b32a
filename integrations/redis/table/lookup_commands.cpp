// SF.*: static filters, built elsewhere of all their items at once (`seen build --kind ribbon`), and every other filter that is only asked here.
//
//   SF.LOAD key FILE name           maps a file of the server's folder of filters; nothing is read but what is asked for
//   SF.LOAD key BYTES data          a native file, as it is
//   SF.EXISTS key item              SF.MEXISTS key item …
//   SF.INFO key                     SF.SCANDUMP, SF.LOADCHUNK: as BF's (whole_commands.cpp)
//
// A key that holds one is replaced by the next. Replicas and the log are told what the file is (outside_file.hpp): CHECK bytes sum.
#include <string>

#include "table/asking.hpp"
#include "table/command.hpp"
#include "table/making.hpp"
#include "table/outside_file.hpp"
#include "table/record.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

void put_in_place(host& by, value made) {
  by.put(1, std::move(made));
  by.notify("lookup.load", 1);
  by.status("OK");
}

void load_file(host& by) {
  const auto said = by.arguments();
  const std::string& folder = by.configured().lookup_folder;
  outside_file wanted{.name = std::string(said[3])};
  if (said.size() == 7 && same_word(said[4], "CHECK")) {
    const auto bytes = whole_number(said[5]), check = whole_number(said[6]);
    if (!bytes || !check || !is_file_name(said[3])) return by.error("ERR bad check");
    wanted.bytes = static_cast<std::uint64_t>(*bytes);
    wanted.check = static_cast<std::uint64_t>(*check);
  } else if (said.size() == 4) {
    auto found = look_at(folder, said[3]);
    if (!found) return by.error("ERR " + found.error().detail);
    wanted = std::move(*found);
  } else {
    return wrong_arity(by);
  }
  auto mapped = map_file(folder, wanted);
  // Where it was carried out once the key is there, with its file or without.
  if (!mapped && !by.repeats()) return by.error("ERR " + mapped.error().detail);
  const std::string bytes = std::to_string(wanted.bytes),
                    check = std::to_string(static_cast<std::int64_t>(wanted.check));
  by.replicate(std::vector<std::string_view>{"SF.LOAD", said[1], "FILE", said[3], "CHECK", bytes, check});
  put_in_place(by, mapped ? value::mapped(std::move(*mapped), wanted) : value::lost(wanted));
}

void load(host& by) {
  const auto said = by.arguments();
  const found key = by.find(1, family::lookup, access::write);
  if (!key.absent() && !key.there()) return by.error(wrong_type);
  if (same_word(said[2], "FILE")) return load_file(by);
  if (!same_word(said[2], "BYTES")) return by.error(unknown_argument);
  if (said.size() != 4) return wrong_arity(by);
  if (!by.repeats() && !by.affords(said[3].size())) return by.error(no_memory);
  auto filter = any_filter::from_bytes(as_item(said[3]), {.format = std::string(native::format_name)});
  if (!filter) return by.error("ERR " + filter.error().detail);
  by.replicate();
  put_in_place(by, value::holding(family::lookup, std::move(*filter), {}, {}));
}

void info(host& by) {
  const value* const held = find_or_tell(by, family::lookup, access::read, not_found);
  if (held == nullptr) return;
  by.map(4);
  by.bytes("Kind");
  by.bytes(held->filter().kind());
  by.bytes("Size");
  by.integer(static_cast<std::int64_t>(held->info().bytes));
  by.bytes("Rate");
  by.real(held->filter().info().fpr_now);
  by.bytes("File");
  held->file() ? by.bytes(held->file()->name) : by.null();
}

constexpr command_flags writing{.writes = true, .takes_memory = true}, asking{.is_fast = true};

constexpr command_row rows[]{
    {.name = "SF.LOAD", .words = -4, .of = family::lookup, .flags = writing, .carry_out = load},
    {.name = "SF.EXISTS", .words = 3, .of = family::lookup, .flags = asking, .carry_out = ask_one<family::lookup>},
    {.name = "SF.MEXISTS", .words = -3, .of = family::lookup, .flags = asking, .carry_out = ask_many<family::lookup>},
    {.name = "SF.INFO", .words = 2, .of = family::lookup, .flags = asking, .carry_out = info},
};

}  // namespace

std::span<const command_row> lookup_commands() {
  return rows;
}

}  // namespace seen::redis
