// CF.*: cuckoo filters, whose items can be counted and removed. CF.RESERVE, ADD, ADDNX, INSERT, INSERTNX, EXISTS, MEXISTS, COUNT, DEL, INFO,
// COMPACT, DEBUG.
//
// A client removes only what it added: an item that merely seems to be there shares its fingerprint with another one, which would be lost.
#include <array>
#include <string>
#include <vector>

#include "table/asking.hpp"
#include "table/command.hpp"
#include "table/making.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

using words = std::span<const std::string_view>;

constexpr std::string_view out_of_memory = "ERR Insufficient memory";
constexpr std::string_view no_such_filter = "Cuckoo filter was not found";

void reserve(host& by) {
  if (by.arguments().size() % 2 == 0) return wrong_arity(by);
  const reservation asked = cuckoo_reservation(by.arguments(), by.configured());
  if (!asked.wrong.empty()) return by.error(asked.wrong);
  const found key = by.find(1, family::cuckoo, access::write);
  if (!key.absent()) return by.error(key.there() ? item_exists : wrong_type);
  if (make_filter(by, family::cuckoo, asked.wanted) != nullptr) by.status("OK");
}

// How often a filter may be expanded. What a primary has carried out is not measured by the settings of a replica.
std::uint64_t most_expansions(const host& by) {
  return by.repeats() ? ~std::uint64_t{0} : static_cast<std::uint64_t>(by.configured().cf_max_expansions);
}

enum class came : std::int8_t { no_memory = -2, no_room = -1, there = 0, in = 1 };

came put(host& by, value& to, std::string_view item, bool only_new) {
  if (only_new && to.may_contain(as_item(item), by.now())) return came::there;
  const auto added = to.insert(as_item(item), most_expansions(by));
  if (added) return came::in;
  return added.error().code == errc::full ? came::no_room : came::no_memory;
}

void add_one(host& by, bool only_new) {
  value* const to = find_to_add(by, family::cuckoo, usual_terms(family::cuckoo, by.configured()), true);
  if (to == nullptr) return;
  switch (put(by, *to, by.arguments()[2], only_new)) {
    case came::in:
      by.replicate();
      by.notify("cuckoo.add", 1);
      return by.boolean(true);
    case came::there:
      return by.boolean(false);
    case came::no_room:
      return by.error(to->grows() ? "Maximum expansions reached" : "Filter is full");
    case came::no_memory:
      return by.error(out_of_memory);
  }
}
void add(host& by) {
  add_one(by, false);
}
void add_new(host& by) {
  add_one(by, true);
}

// Replicates the items that came in, as those of CF.INSERT: what was refused here is not asked of a replica, which might have room.
void replicate_items(host& by, const std::vector<std::string_view>& items) {
  std::vector<std::string_view> all{"CF.INSERT", by.arguments()[1], "NOCREATE", "ITEMS"};
  all.insert(all.end(), items.begin(), items.end());
  by.replicate(all);
}

void insert_items(host& by, bool only_new) {
  const insertion said = insertion_of(family::cuckoo, by.arguments(), by.configured());
  if (!said.wrong.empty()) return by.error(said.wrong);
  if (said.items.empty()) return wrong_arity(by);
  value* const to = find_to_add(by, family::cuckoo, said.wanted, !said.must_exist);
  if (to == nullptr) return;
  std::vector<came> told;
  std::vector<std::string_view> in;
  told.reserve(said.items.size());
  for (const std::string_view item : said.items) {
    told.push_back(put(by, *to, item, only_new));
    if (told.back() == came::in) in.push_back(item);
  }
  if (!in.empty()) {
    replicate_items(by, in);
    by.notify("cuckoo.add", 1);
  }
  by.array(told.size());
  for (const came each : told) {
    if (only_new || each == came::no_room || each == came::no_memory) {
      by.integer(each == came::in ? 1 : each == came::there ? 0 : -1);
    } else {
      by.boolean(each == came::in);
    }
  }
}
void insert(host& by) {
  insert_items(by, false);
}
void insert_new(host& by) {
  insert_items(by, true);
}

void count(host& by) {
  bool told = false;
  const value* const held = find_to_ask(by, family::cuckoo, told);
  if (told) return;
  if (held == nullptr) return by.integer(0);
  const auto counted = held->count(as_item(by.arguments()[2]));
  if (!counted) return by.error("ERR " + counted.error().detail);
  by.integer(static_cast<std::int64_t>(*counted));
}

void remove(host& by) {
  const found key = by.find(1, family::cuckoo, access::write);
  if (!key.there()) return by.error("Not found");
  value* const held = find_or_tell(by, family::cuckoo, access::write, not_found);
  if (held == nullptr) return;
  const auto removed = held->remove(as_item(by.arguments()[2]));
  if (!removed) return by.error("ERR " + removed.error().detail);
  if (*removed) {
    by.replicate();
    by.notify("cuckoo.del", 1);
  }
  by.boolean(*removed);
}

void info(host& by) {
  const value* const held = find_or_tell(by, family::cuckoo, access::read, not_found);
  if (held == nullptr) return;
  const value_info about = held->info();
  const terms& asked = held->asked();
  const std::array<std::pair<std::string_view, std::uint64_t>, 8> fields{{
      {"Size", about.bytes},
      {"Number of buckets", about.buckets},
      {"Number of filters", about.filters},
      {"Number of items inserted", held->items()},
      {"Number of items deleted", held->counted().removed},
      {"Bucket size", asked.bucket_size},
      {"Expansion rate", asked.expansion},
      {"Max iterations", asked.iterations},
  }};
  by.map(fields.size());
  for (const auto& [name, number] : fields) {
    by.bytes(name);
    by.integer(static_cast<std::int64_t>(number));
  }
}

// Where a slot comes free the library uses it: there is nothing to do.
void compact(host& by) {
  if (find_or_tell(by, family::cuckoo, access::read, no_such_filter) != nullptr) by.status("OK");
}

void debug(host& by) {
  const value* const held = find_or_tell(by, family::cuckoo, access::read, no_such_filter);
  if (held == nullptr) return;
  const value_info about = held->info();
  by.bytes("bktsize:" + std::to_string(held->asked().bucket_size) + " buckets:" + std::to_string(about.buckets) +
           " items:" + std::to_string(held->items()) + " deletes:" + std::to_string(held->counted().removed) +
           " filters:" + std::to_string(about.filters) + " max_iterations:" + std::to_string(held->asked().iterations) +
           " expansion:" + std::to_string(held->asked().expansion) + " kind:" + std::string(held->filter().kind()));
}

constexpr command_flags writing{.writes = true, .takes_memory = true, .is_fast = true}, asking{.is_fast = true};

constexpr command_row rows[]{
    {.name = "CF.RESERVE", .words = -3, .of = family::cuckoo, .flags = writing, .carry_out = reserve},
    {.name = "CF.ADD", .words = 3, .of = family::cuckoo, .flags = writing, .carry_out = add},
    {.name = "CF.ADDNX", .words = 3, .of = family::cuckoo, .flags = writing, .carry_out = add_new},
    {.name = "CF.INSERT", .words = -4, .of = family::cuckoo, .flags = writing, .carry_out = insert},
    {.name = "CF.INSERTNX", .words = -4, .of = family::cuckoo, .flags = writing, .carry_out = insert_new},
    {.name = "CF.EXISTS", .words = 3, .of = family::cuckoo, .flags = asking, .carry_out = ask_one<family::cuckoo>},
    {.name = "CF.MEXISTS", .words = -3, .of = family::cuckoo, .flags = asking, .carry_out = ask_many<family::cuckoo>},
    {.name = "CF.COUNT", .words = 3, .of = family::cuckoo, .flags = asking, .carry_out = count},
    {.name = "CF.DEL",
     .words = 3,
     .of = family::cuckoo,
     .flags = {.writes = true, .is_fast = true},
     .carry_out = remove},
    {.name = "CF.INFO", .words = 2, .of = family::cuckoo, .flags = asking, .carry_out = info},
    {.name = "CF.COMPACT", .words = 2, .of = family::cuckoo, .flags = {.writes = true}, .carry_out = compact},
    {.name = "CF.DEBUG", .words = 2, .of = family::cuckoo, .flags = asking, .carry_out = debug},
};

}  // namespace

std::span<const command_row> cuckoo_commands() {
  return rows;
}

}  // namespace seen::redis
