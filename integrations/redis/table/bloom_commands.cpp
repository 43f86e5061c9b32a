// BF.*: filters that items are added to and asked for one by one.
//
//   BF.RESERVE key error capacity [EXPANSION n] [NONSCALING] [KIND name] [WINDOW seconds] [KEYED [SECRET hex]]
//   BF.ADD key item            BF.MADD key item …        BF.INSERT key [options] ITEMS item …
//   BF.EXISTS key item         BF.MEXISTS key item …
//   BF.CARD key                BF.INFO key [field]
//
// Replies and errors are those of RedisBloom, where what it does is safe.
#include <seen/base/text.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "table/command.hpp"
#include "table/making.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

using words = std::span<const std::string_view>;

void reserve(host& by) {
  const words said = by.arguments();
  auto asked = reservation_of(said);
  if (!asked.wrong.empty()) return by.error(asked.wrong);
  const found key = by.find(1, family::bloom, access::write);
  if (!key.absent()) return by.error(key.there() ? item_exists : wrong_type);
  if (asked.was_capped) by.warn("BF.RESERVE: a rate above 0.25 is taken for 0.25");
  if (value* const made = make_filter(by, family::bloom, asked.wanted)) {
    by.status("OK");
    replicate_reservation(by, *made);
    by.notify("bloom.reserve", 1);
  }
}

// What adding an item came to.
struct outcome {
  result<bool> added;
};

void tell(host& by, const result<bool>& added) {
  if (added) return by.boolean(*added);
  by.error(words_of_add(added.error()));
}

// Adds items and replies, as an array unless it is a single one. It stops at the first that is refused, whose error is the last element.
void add_items(host& by, value& to, words items, bool alone, bool is_new) {
  std::vector<result<bool>> told;
  told.reserve(items.size());
  bool changed = is_new;
  for (const std::string_view item : items) {
    told.push_back(to.add(as_item(item)));
    changed = changed || (told.back() && (*told.back() || to.forgets()));
    if (!told.back()) break;
  }
  if (!alone) by.array(told.size());
  for (const result<bool>& each : told) tell(by, each);
  if (!changed) return;
  replicate_adding(by, to, items, is_new);
  if (is_new) by.notify("bloom.reserve", 1);
  by.notify("bloom.add", 1);
}

// The filter to add to, made as `wanted` where there is none; null after an error has been told.
value* filter_to_add(host& by, const terms& wanted, bool may_make, bool& is_new) {
  const found key = by.find(1, family::bloom, access::write);
  if (key.there()) return key.held;
  if (!key.absent()) return by.error(wrong_type), nullptr;
  if (!may_make) return by.error(not_found), nullptr;
  is_new = true;
  return make_filter(by, family::bloom, wanted);
}

void add_after(host& by, const terms& wanted, bool may_make, words items, bool alone) {
  bool is_new = false;
  value* const to = filter_to_add(by, wanted, may_make, is_new);
  if (to != nullptr) add_items(by, *to, items, alone, is_new);
}

void add(host& by) {
  add_after(by, usual_terms(family::bloom, by.configured()), true, by.arguments().subspan(2), true);
}
void add_many(host& by) {
  add_after(by, usual_terms(family::bloom, by.configured()), true, by.arguments().subspan(2), false);
}
void insert(host& by) {
  const insertion said = insertion_of(by.arguments(), by.configured());
  if (said.items.empty() && said.wrong.empty()) return wrong_arity(by);
  if (!said.wrong.empty()) return by.error(said.wrong);
  add_after(by, said.wanted, !said.must_exist, said.items, false);
}

void exists(host& by) {
  const found key = by.find(1, family::bloom, access::read);
  by.boolean(key.there() && key.held->may_contain(as_item(by.arguments()[2])));
}

void exists_many(host& by) {
  const found key = by.find(1, family::bloom, access::read);
  const words items = by.arguments().subspan(2);
  const auto answers = std::make_unique<bool[]>(items.size());
  if (key.there()) key.held->may_contain_many(as_items(items), {answers.get(), items.size()});
  by.array(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) by.boolean(answers[i]);
}

void card(host& by) {
  const found key = by.find(1, family::bloom, access::read);
  if (key.absent()) return by.integer(0);
  if (!key.there()) return by.error(wrong_type);
  by.integer(static_cast<std::int64_t>(key.held->items()));
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
  const found key = by.find(1, family::bloom, access::read);
  if (key.absent()) return by.error(not_found);
  if (!key.there()) return by.error(wrong_type);
  const value_info about = key.held->info();
  if (said.size() == 2) {
    by.map(fields.size());
    for (const field& each : fields) {
      by.bytes(each.name);
      each.tell(by, *key.held, about);
    }
    return;
  }
  const auto* const wanted =
      std::find_if(fields.begin(), fields.end(), [&](const field& f) { return same_word(f.word, said[2]); });
  if (said.size() > 3) return wrong_arity(by);
  if (wanted == fields.end()) return by.error("Invalid information value");
  if (by.is_resp3()) {
    by.map(1);
    by.bytes(wanted->name);
  } else {
    by.array(1);
  }
  wanted->tell(by, *key.held, about);
}

constexpr command_flags writing{.writes = true, .takes_memory = true, .is_fast = true}, asking{.is_fast = true};

constexpr command_row rows[]{
    {.name = "BF.RESERVE", .words = -4, .of = family::bloom, .flags = writing, .carry_out = reserve},
    {.name = "BF.ADD", .words = 3, .of = family::bloom, .flags = writing, .carry_out = add},
    {.name = "BF.MADD", .words = -3, .of = family::bloom, .flags = writing, .carry_out = add_many},
    {.name = "BF.INSERT", .words = -4, .of = family::bloom, .flags = writing, .carry_out = insert},
    {.name = "BF.EXISTS", .words = 3, .of = family::bloom, .flags = asking, .carry_out = exists},
    {.name = "BF.MEXISTS", .words = -3, .of = family::bloom, .flags = asking, .carry_out = exists_many},
    {.name = "BF.CARD", .words = 2, .of = family::bloom, .flags = asking, .carry_out = card},
    {.name = "BF.INFO", .words = -2, .of = family::bloom, .flags = asking, .carry_out = info},
};

}  // namespace

std::span<const command_row> bloom_commands() {
  return rows;
}

}  // namespace seen::redis
