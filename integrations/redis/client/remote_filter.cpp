#include "client/remote_filter.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <random>
#include <utility>

#include "table/words.hpp"

namespace seen::redis::client {
namespace {

constexpr std::size_t most_items = 1024;                         // of a command
constexpr std::size_t most_item_bytes = std::size_t{256} << 10;  // of their text, unless one alone has more
constexpr std::size_t most_gathered = std::size_t{64} << 20;     // of all parts
constexpr std::string_view type_names[] = {"MBbloom--", "MBbloomCF", "seen-look"};

// The named number of a flat array: "Size", 1234, …
std::optional<std::uint64_t> number_of(const reply& told, std::string_view name) {
  for (std::size_t i = 0; told.is_array() && i + 1 < told.elements.size(); i += 2) {
    const reply& value = told.elements[i + 1];
    if (told.elements[i].text == name && value.is_integer() && value.number >= 0) {
      return static_cast<std::uint64_t>(value.number);
    }
  }
  return {};
}

std::string text_of(const reply& told, std::string_view name) {
  for (std::size_t i = 0; told.is_array() && i + 1 < told.elements.size(); i += 2) {
    if (told.elements[i].text == name) return told.elements[i + 1].text;
  }
  return {};
}

request reservation(const std::string& key, const spread_record& wanted, std::uint64_t capacity) {
  request made("BF.RESERVE", key, wanted.rate, capacity);
  for (std::string_view rest = wanted.options; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end != 0) made.add(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return made;
}

std::vector<request> one(request command) {
  std::vector<request> made;
  made.push_back(std::move(command));
  return made;
}

error no_such_filter(const cluster& at, const std::string& name) {
  return {errc::io, name + ": there is no such filter at " + at.node_of(slot_of(name)), ENOENT};
}

error is_there_already(const std::string& name, const reply& type) {
  return {errc::exists,
          name + ": is there already, of type " + type.text +
              (type.text == "hash" ? " (`seen redis drop` deletes a filter)" : " (not a filter in parts)")};
}

// The record of a maker who has written its format and not the rest yet.
bool is_half_made(const reply& fields) {
  return fields.is_array() &&
         (fields.elements.empty() || (fields.elements.size() == 2 && fields.elements[0].text == "format" &&
                                      fields.elements[1].text == record_format));
}

error another_type(const std::string& name, const reply& type) {
  return {errc::wrong_kind, name + ": is no filter: TYPE says " + type.in_words()};
}

}  // namespace

std::string_view letters_of(family of) noexcept {
  return of == family::bloom ? "BF" : of == family::cuckoo ? "CF" : "SF";
}

std::optional<family> family_of_type(std::string_view type) noexcept {
  if (type == type_names[0] || type == "bloomfltr") return family::bloom;
  if (type == type_names[1]) return family::cuckoo;
  if (type == type_names[2]) return family::lookup;
  return {};
}

bool is_missing(const error& why) noexcept {
  return why.code == errc::io && why.system == ENOENT;
}

remote_filter::remote_filter(cluster& at, std::string name, spread_record record)
    : at_(&at), name_(std::move(name)), record_(std::move(record)), parts_(part_places(name_, record_->parts)) {
  batches_.resize(parts_.size());
}

remote_filter::remote_filter(cluster& at, std::string name, family of)
    : at_(&at), name_(std::move(name)), of_(of), parts_{{name_, slot_of(name_)}} {
  batches_.resize(1);
}

result<remote_filter> remote_filter::open(cluster& at, const std::string& name) {
  const unsigned slot = slot_of(name);
  auto type = at.ask(slot, request("TYPE", name));
  if (!type) return type.error();
  if (type->is_status("none")) return no_such_filter(at, name);
  if (type->is != reply::kind::status) return {errc::io, at.node_of(slot) + ": TYPE: " + type->in_words()};
  if (const auto of = family_of_type(type->text)) return remote_filter(at, name, *of);
  if (type->text != "hash") return another_type(name, *type);
  auto fields = at.ask(slot, request("HGETALL", name));
  if (!fields) return fields.error();
  if (!fields->is_array()) return {errc::io, at.node_of(slot) + ": HGETALL: " + fields->in_words()};
  if (fields->elements.empty()) return no_such_filter(at, name);  // deleted just now
  auto record = spread_record::read(name, fields->elements);
  if (!record) return record.error();
  if (auto fine = check_spread_name(name); !fine) return fine.error();
  return remote_filter(at, name, std::move(*record));
}

std::string remote_filter::told(std::size_t part) const {
  const part_place& at = parts_[part];
  const std::string node = at_->node_of(at.slot);
  if (!record_) return name_ + " at " + node;
  return name_ + ": part " + std::to_string(part) + " of " + std::to_string(parts_.size()) + ", " + at.key + " at " +
         node;
}

error remote_filter::lost(std::size_t part) const {
  return {errc::corrupt, told(part) + ": is not there any more, so no key of it can be answered for"};
}

// --- making

result<remote_filter> remote_filter::reserve(cluster& at, const std::string& name, const spread_record& wanted) {
  if (auto fine = check_spread_name(name); !fine) return fine.error();
  auto capacity = wanted.part_capacity();
  if (!capacity) return capacity.error();
  auto type = at.ask(slot_of(name), request("TYPE", name));
  if (!type) return type.error();
  if (type->is_error()) return {errc::io, at.node_of(slot_of(name)) + ": TYPE: " + type->in_words()};
  if (type->is_status("hash")) {
    auto fields = at.ask(slot_of(name), request("HGETALL", name));
    if (!fields) return fields.error();
    if (!is_half_made(*fields)) return is_there_already(name, *type);
  } else if (!type->is_status("none")) {
    return is_there_already(name, *type);
  }
  remote_filter made(at, name, wanted);
  std::vector<std::size_t> found;  // were there already
  for (std::size_t i = 0; i < made.parts_.size(); ++i) {
    const auto take = [&made, &found, i](std::span<reply> all) -> result<void> {
      if (all[0].is_status("OK")) return {};
      if (all[0].text != item_exists) return {errc::io, made.told(i) + ": BF.RESERVE: " + all[0].in_words()};
      found.push_back(i);
      return {};
    };
    const part_place& part = made.parts_[i];
    if (auto sent = at.send(part.slot, one(reservation(part.key, wanted, *capacity)), take); !sent) return sent.error();
  }
  if (auto done = at.finish(); !done) return done.error();
  for (const std::size_t i : found) {
    if (auto alike = made.check_alike(i, *capacity); !alike) return alike.error();
  }
  if (auto written = made.write_record(); !written) return written.error();
  return made;
}

result<remote_filter> remote_filter::reserve_key(cluster& at, const std::string& name, const spread_record& wanted) {
  if (wanted.capacity > most_part_capacity) {
    return {errc::too_large, std::to_string(wanted.capacity) + " items are more than the " +
                                 std::to_string(most_part_capacity) + " of one key: make a filter in parts"};
  }
  auto told = at.ask(slot_of(name), reservation(name, wanted, wanted.capacity), repeats::no);
  if (!told) return told.error();
  if (told->text == item_exists) return {errc::exists, name + ": is there already"};
  if (!told->is_status("OK")) return {errc::io, at.node_of(slot_of(name)) + ": BF.RESERVE: " + told->in_words()};
  return remote_filter(at, name, family::bloom);
}

// A part that is there already may be another maker's, who adds keys the moment after: it is never deleted, and is taken if it is empty and
// like one that is made for the comparison, in the same slot.
result<void> remote_filter::check_alike(std::size_t part, std::uint64_t capacity) {
  const part_place& here = parts_[part];
  const std::string like = here.key + "/like-" + std::to_string(std::random_device()());
  std::vector<request> commands;
  commands.push_back(reservation(like, *record_, capacity));
  for (const std::string& key : {here.key, like}) {
    commands.emplace_back("BF.INFO", key);
    commands.emplace_back("BF.DEBUG", key);
  }
  commands.emplace_back("DEL", like);
  std::vector<reply> told;
  const auto take = [&told](std::span<reply> all) -> result<void> {
    told.assign(std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
    return {};
  };
  if (auto sent = at_->send(here.slot, std::move(commands), take); !sent) return sent;
  if (auto done = at_->finish(); !done) return done;
  const bool is_alike = told[1].is_array() && told[2].is_array() && told[1] == told[3] && told[2] == told[4];
  if (is_alike) return {};
  const auto items = number_of(told[1], "Number of items inserted");
  return {errc::exists,
          this->told(part) + ": is there already, and is not an empty part of such a filter: " +
              (items ? std::to_string(*items) + " items" : told[1].in_words()) +
              " (if a `reserve` with other numbers was interrupted, run that one again, and then `seen redis drop`)"};
}

// Of two makers who get here at once with different wishes one is told that it was too late.
result<void> remote_filter::write_record() {
  const std::vector<std::string> fields = record_->fields();
  const unsigned slot = slot_of(name_);
  auto first = at_->ask(slot, request("HSETNX", name_, fields[0], fields[1]));
  if (!first) return first.error();
  if (!first->is_integer()) return {errc::io, at_->node_of(slot) + ": HSETNX: " + first->in_words()};
  auto there = at_->ask(slot, request("HGETALL", name_));
  if (!there) return there.error();
  if (!is_half_made(*there)) {
    auto read = spread_record::read(name_, there->elements);
    if (!read || read->fields() != fields) {
      return {errc::exists, name_ + ": somebody else has made it just now (`seen redis info` tells with what numbers)"};
    }
  }
  request command("HSET", name_);
  for (const std::string& each : fields) command.add(each);
  auto told = at_->ask(slot, command);
  if (!told) return told.error();
  if (told->is_integer()) return {};
  return {errc::io, at_->node_of(slot) + ": HSET: " + told->in_words()};
}

result<void> remote_filter::remove() {
  const auto take = [this](std::span<reply> all) -> result<void> {
    if (all[0].is_integer()) return {};
    return {errc::io, name_ + ": DEL: " + all[0].in_words()};
  };
  if (auto sent = at_->send(slot_of(name_), one(request("DEL", name_)), take); !sent) return sent;
  if (auto done = at_->finish(); !done || !record_) return done;
  for (const part_place& each : parts_) {
    if (auto sent = at_->send(each.slot, one(request("DEL", each.key)), take); !sent) return sent;
  }
  return at_->finish();
}

result<void> remote_filter::check_parts() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto take = [this, i](std::span<reply> all) -> result<void> {
      if (all[0].is_status("none")) return lost(i);
      if (all[0].is == reply::kind::status && family_of_type(all[0].text) == of_) return {};
      return {errc::wrong_kind, told(i) + ": is no such filter any more: TYPE says " + all[0].in_words()};
    };
    if (auto sent = at_->send(parts_[i].slot, one(request("TYPE", parts_[i].key)), take); !sent) return sent;
  }
  return at_->finish();
}

result<remote_filter> remote_filter::merge(cluster& at, const std::string& name, std::span<const std::string> others) {
  std::vector<remote_filter> from;
  for (const std::string& each : others) {
    auto opened = open(at, each);
    if (!opened) return opened.error();
    from.push_back(std::move(*opened));
  }
  auto there = open(at, name);
  const bool is_new = !there && is_missing(there.error());
  if (!there && !is_new) return there.error();
  const std::optional<spread_record>& model = from.front().record_;
  if (is_new && model) {
    if (auto fine = check_spread_name(name); !fine) return fine.error();
  }
  remote_filter to = !is_new ? std::move(*there)
                     : model ? remote_filter(at, name, *model)
                             : remote_filter(at, name, from.front().of_);
  for (const remote_filter& each : from) {
    if (each.record_.has_value() != to.record_.has_value()) {
      const std::string& whole = each.record_ ? to.name_ : each.name_;
      return {errc::incompatible, "merge: " + whole + " is one key, and " + (each.record_ ? each.name_ : to.name_) +
                                      " is spread over parts"};
    }
    if (each.of_ != family::bloom || to.of_ != family::bloom) {
      const remote_filter& wrong = each.of_ != family::bloom ? each : to;
      return {errc::unsupported, "merge: " + wrong.name_ + " is a filter of " + std::string(letters_of(wrong.of_)) +
                                     ", and only those of BF can be united"};
    }
    if (!to.record_) continue;
    const std::vector<std::string> mine = to.record_->fields(), theirs = each.record_->fields();
    for (std::size_t i = 0; i < mine.size(); i += 2) {
      if (mine[i + 1] == theirs[i + 1]) continue;
      return {errc::incompatible, "merge: " + mine[i] + " differ: \"" + mine[i + 1] + "\" in " + to.name_ + ", and \"" +
                                      theirs[i + 1] + "\" in " + each.name_};
    }
  }
  // Before any part changes, all are there. Where a part of the first filter is lost, the server would make it of the others.
  if (!is_new) {
    if (auto whole = to.check_parts(); !whole) return whole.error();
  }
  for (remote_filter& each : from) {
    if (auto whole = each.check_parts(); !whole) return whole.error();
  }
  for (std::size_t i = 0; i < to.parts_.size(); ++i) {
    request command("BF.MERGE", to.parts_[i].key);
    for (const remote_filter& each : from) command.add(each.parts_[i].key);
    const auto take = [&to, i](std::span<reply> all) -> result<void> {
      if (all[0].is_status("OK")) return {};
      return {errc::incompatible, to.told(i) + ": BF.MERGE: " + all[0].in_words()};
    };
    if (auto sent = at.send(to.parts_[i].slot, one(std::move(command)), take); !sent) return sent.error();
  }
  if (auto done = at.finish(); !done) return done.error();
  if (is_new && to.record_) {
    if (auto written = to.write_record(); !written) return written.error();
  }
  return to;
}

// --- adding

result<void> remote_filter::send_adds(std::size_t part) {
  batch ready = std::exchange(batches_[part], {});
  if (ready.keys == 0) return {};
  gathered_ -= ready.command->bytes();
  const auto take = [this, part, keys = ready.keys](std::span<reply> all) -> result<void> {
    const reply& replied = all[0];
    if (replied.text == not_found) return lost(part);
    const bool ends_early = replied.is_array() && !replied.elements.empty() && replied.elements.back().is_error();
    if (!replied.is_array() || ends_early) {
      const std::string why = (ends_early ? replied.elements.back() : replied).in_words();
      return {why.find("full") != why.npos ? errc::full : errc::io, told(part) + ": " + why};
    }
    if (replied.elements.size() != keys) {
      return {errc::corrupt, told(part) + ": " + std::to_string(replied.elements.size()) + " answers to " +
                                 std::to_string(keys) + " keys"};
    }
    for (const reply& each : replied.elements) {
      if (!each.is_integer() || each.number > 1 || each.number < -1) {
        return {errc::corrupt, told(part) + ": an answer that is neither 0 nor 1: " + each.in_words()};
      }
      if (each.number == -1) return {errc::full, told(part) + ": there is no room for another key"};
      added_.fresh += static_cast<std::uint64_t>(each.number);
    }
    added_.keys += keys;
    return {};
  };
  // A cuckoo filter would hold a second copy.
  return at_->send(parts_[part].slot, one(std::move(*ready.command)), take,
                   of_ == family::cuckoo ? repeats::no : repeats::yes);
}

result<void> remote_filter::add(std::span<const bytes_view> keys) {
  if (of_ == family::lookup) {
    return {errc::unsupported, name_ + ": is a static filter, which keys cannot be added to"};
  }
  for (const bytes_view key : keys) {
    const std::size_t part = place_of(key);
    batch& to = batches_[part];
    if (!to.command) {
      to.command.emplace(of_ == family::cuckoo ? "CF.INSERT" : "BF.INSERT", parts_[part].key, "NOCREATE", "ITEMS");
      gathered_ += to.command->bytes();
    }
    const std::size_t before = to.command->bytes();
    to.command->add(key);
    gathered_ += to.command->bytes() - before;
    if (++to.keys < most_items && to.command->bytes() < most_item_bytes) continue;
    if (auto sent = send_adds(part); !sent) return sent;
  }
  for (std::size_t part = 0; gathered_ > most_gathered && part < parts_.size(); ++part) {
    if (auto sent = send_adds(part); !sent) return sent;
  }
  return {};
}

result<added_keys> remote_filter::finish() {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    if (auto sent = send_adds(part); !sent) return sent.error();
  }
  if (auto done = at_->finish(); !done) return done.error();
  return std::exchange(added_, {});
}

// --- asking

result<void> remote_filter::may_contain(std::span<const bytes_view> keys, std::span<bool> out) {
  struct question {
    std::optional<request> command;
    std::vector<std::size_t> places;  // of its keys, in `keys`
  };
  std::vector<question> questions(parts_.size());
  const std::string name = std::string(letters_of(of_)) + ".MEXISTS";
  const auto send = [&](std::size_t part) -> result<void> {
    question ready = std::exchange(questions[part], {});
    const auto take = [this, part, out, places = std::move(ready.places)](std::span<reply> all) -> result<void> {
      const reply &answers = all[0], &type = all[1];
      if (type.is_status("none")) return record_ ? lost(part) : no_such_filter(*at_, name_);
      if (answers.is_error()) return {errc::io, told(part) + ": " + answers.in_words()};
      if (type.is != reply::kind::status || family_of_type(type.text) != of_) {
        return {errc::wrong_kind, told(part) + ": is no such filter any more: TYPE says " + type.in_words()};
      }
      if (!answers.is_array() || answers.elements.size() != places.size()) {
        return {errc::corrupt,
                told(part) + ": " + answers.in_words() + " for " + std::to_string(places.size()) + " keys"};
      }
      for (std::size_t i = 0; i < places.size(); ++i) {
        const reply& each = answers.elements[i];
        if (!each.is_integer() || (each.number != 0 && each.number != 1)) {
          return {errc::corrupt, told(part) + ": an answer that is neither 0 nor 1: " + each.in_words()};
        }
        out[places[i]] = each.number == 1;
      }
      return {};
    };
    std::vector<request> commands;
    commands.push_back(std::move(*ready.command));
    commands.emplace_back("TYPE", parts_[part].key);
    return at_->send(parts_[part].slot, std::move(commands), take);
  };
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t part = place_of(keys[i]);
    question& to = questions[part];
    if (!to.command) to.command.emplace(name, parts_[part].key);
    to.command->add(keys[i]);
    to.places.push_back(i);
    if (to.places.size() < most_items && to.command->bytes() < most_item_bytes) continue;
    if (auto sent = send(part); !sent) return sent;
  }
  for (std::size_t part = 0; part < questions.size(); ++part) {
    if (!questions[part].command) continue;
    if (auto sent = send(part); !sent) return sent;
  }
  return at_->finish();
}

// --- what it is

result<std::vector<part_info>> remote_filter::info() {
  std::vector<part_info> all(parts_.size());
  const std::string name = std::string(letters_of(of_)) + ".INFO";
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const auto take = [this, part, &all, &name](std::span<reply> replies) -> result<void> {
      if (replies[0].text == not_found) return lost(part);
      const auto bytes = number_of(replies[0], "Size");
      if (!bytes) return {errc::io, told(part) + ": " + name + ": " + replies[0].in_words()};
      all[part] = {.place = parts_[part],
                   .node = at_->node_of(parts_[part].slot),
                   .items = number_of(replies[0], "Number of items inserted"),
                   .bytes = *bytes,
                   .capacity = number_of(replies[0], "Capacity"),
                   .kind = text_of(replies[0], "Kind")};
      return {};
    };
    if (auto sent = at_->send(parts_[part].slot, one(request(name, parts_[part].key)), take); !sent)
      return sent.error();
  }
  if (auto done = at_->finish(); !done) return done.error();
  return all;
}

}  // namespace seen::redis::client
