// BF.*: Bloom filters that items are added to and asked for. BF.RESERVE, ADD, MADD, INSERT, EXISTS, MEXISTS, CARD, INFO.
//
// Replies and errors are those of RedisBloom, where what it does is safe. What is replicated is what was carried out: of a batch that is refused
// half way the half before it, of an add that changes nothing nothing.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "table/asking.hpp"
#include "table/command.hpp"
#include "table/making.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

using words = std::span<const std::string_view>;

void reserve(host& by) {
  const reservation asked = bloom_reservation(by.arguments());
  if (!asked.wrong.empty()) return by.error(asked.wrong);
  const found key = by.find(1, family::bloom, access::write);
  if (!key.absent()) return by.error(key.there() ? item_exists : wrong_type);
  if (asked.was_capped) by.warn("BF.RESERVE: a rate above 0.25 is taken for 0.25");
  if (make_filter(by, family::bloom, asked.wanted) != nullptr) by.status("OK");
}

std::string words_of(const error& why, const value& of) {
  if (why.code == errc::no_memory) return "ERR Insufficient memory";
  if (why.code == errc::full && !of.grows()) return "ERR non scaling filter is full";
  return "ERR problem inserting into filter: " + why.detail;
}

// Replicates the adding of items that are in.
void replicate_items(host& by, const value& to, words items, std::uint64_t at) {
  if (!to.forgets() && items.size() + 2 == by.arguments().size()) return by.replicate();
  const std::string time = std::to_string(at);
  std::vector<std::string_view> all{"BF.INSERT", by.arguments()[1]};
  if (to.forgets()) all.insert(all.end(), {"AT", time});
  all.push_back("ITEMS");
  all.insert(all.end(), items.begin(), items.end());
  by.replicate(all);
}

// Adds items and replies, as an array unless it is a single one. It stops at the first that is refused, whose error is the last element.
void add_items(host& by, value& to, words items, std::uint64_t at, bool alone) {
  std::vector<result<bool>> told;
  told.reserve(items.size());
  bool changed = false;
  for (const std::string_view item : items) {
    told.push_back(to.add(as_item(item), at));
    if (!told.back()) break;
    changed = changed || *told.back() || to.forgets();
  }
  if (changed) {
    replicate_items(by, to, items.first(told.size() - (told.back() ? 0 : 1)), at);
    by.notify("bloom.add", 1);
  }
  if (!alone) by.array(told.size());
  for (const result<bool>& each : told) {
    each ? by.boolean(*each) : by.error(words_of(each.error(), to));
  }
}

void add_to_usual(host& by, bool alone) {
  value* const to = find_to_add(by, family::bloom, usual_terms(family::bloom, by.configured()), true);
  if (to != nullptr) add_items(by, *to, by.arguments().subspan(2), by.now(), alone);
}
void add(host& by) {
  add_to_usual(by, true);
}
void add_many(host& by) {
  add_to_usual(by, false);
}
void insert(host& by) {
  const insertion said = insertion_of(family::bloom, by.arguments(), by.configured());
  if (!said.wrong.empty()) return by.error(said.wrong);
  if (said.items.empty()) return wrong_arity(by);
  value* const to = find_to_add(by, family::bloom, said.wanted, !said.must_exist);
  if (to != nullptr) add_items(by, *to, said.items, said.at.value_or(by.now()), false);
}

void card(host& by) {
  if (by.find(1, family::bloom, access::read).absent()) return by.integer(0);
  if (const value* const held = find_or_tell(by, family::bloom, access::read, not_found)) {
    by.integer(static_cast<std::int64_t>(held->items()));
  }
}

// BF.INFO: a field by its long name, and by the word that asks for it alone.
struct field {
  std::string_view name, word;
  void (*tell)(host&, const value&, const value_info&);
};
void number(host& by, std::uint64_t n) {
  by.integer(static_cast<std::int64_t>(n));
}
constexpr std::array<field, 5> fields{{
    {"Capacity", "CAPACITY", [](host& by, const value&, const value_info& i) { number(by, i.capacity); }},
    {"Size", "SIZE", [](host& by, const value&, const value_info& i) { number(by, i.bytes); }},
    {"Number of filters", "FILTERS", [](host& by, const value&, const value_info& i) { number(by, i.filters); }},
    {"Number of items inserted", "ITEMS", [](host& by, const value& v, const value_info&) { number(by, v.items()); }},
    {"Expansion rate", "EXPANSION",
     [](host& by, const value& v, const value_info&) { v.grows() ? number(by, v.asked().expansion) : by.null(); }},
}};

void info(host& by) {
  const words said = by.arguments();
  if (said.size() > 3) return wrong_arity(by);
  const value* const held = find_or_tell(by, family::bloom, access::read, not_found);
  if (held == nullptr) return;
  const value_info about = held->info();
  if (said.size() == 2) {
    by.map(fields.size());
    for (const field& each : fields) {
      by.bytes(each.name);
      each.tell(by, *held, about);
    }
    return;
  }
  const auto* const wanted =
      std::find_if(fields.begin(), fields.end(), [&](const field& f) { return same_word(f.word, said[2]); });
  if (wanted == fields.end()) return by.error("Invalid information value");
  if (by.is_resp3()) {
    by.map(1);
    by.bytes(wanted->name);
  } else {
    by.array(1);
  }
  wanted->tell(by, *held, about);
}

constexpr command_flags writing{.writes = true, .takes_memory = true, .is_fast = true}, asking{.is_fast = true};

constexpr command_row rows[]{
    {.name = "BF.RESERVE", .words = -4, .of = family::bloom, .flags = writing, .carry_out = reserve},
    {.name = "BF.ADD", .words = 3, .of = family::bloom, .flags = writing, .carry_out = add},
    {.name = "BF.MADD", .words = -3, .of = family::bloom, .flags = writing, .carry_out = add_many},
    {.name = "BF.INSERT", .words = -4, .of = family::bloom, .flags = writing, .carry_out = insert},
    {.name = "BF.EXISTS", .words = 3, .of = family::bloom, .flags = asking, .carry_out = ask_one<family::bloom>},
    {.name = "BF.MEXISTS", .words = -3, .of = family::bloom, .flags = asking, .carry_out = ask_many<family::bloom>},
    {.name = "BF.CARD", .words = 2, .of = family::bloom, .flags = asking, .carry_out = card},
    {.name = "BF.INFO", .words = -2, .of = family::bloom, .flags = asking, .carry_out = info},
};

}  // namespace

std::span<const command_row> bloom_commands() {
  return rows;
}

}  // namespace seen::redis
