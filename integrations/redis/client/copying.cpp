#include "client/copying.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <vector>

#include "client/chunks.hpp"
#include "client/layout.hpp"
#include "client/remote_filter.hpp"

namespace seen::redis::client {
namespace {

using outcome = copied_key::outcome;

constexpr std::string_view record_type = "hash";

bool says(const reply& told, std::string_view words) {
  return told.is_error() && told.text.find(words) != told.text.npos;
}

class copier {
 public:
  copier(cluster& from, cluster& to, const copy_options& how,
         const std::function<result<void>(const copied_key&)>& tell)
      : from_(from), to_(to), how_(how), tell_(tell) {}

  result<void> run() {
    for (const address& each : from_.primaries()) {
      auto line = connection::open(each, from_.waiting().timeout);
      if (!line) return line.error();
      if (auto scanned = scan(**line); !scanned) return scanned;
    }
    for (const std::string& each : records_) {
      if (auto done = copy(each, std::string(record_type)); !done) return done;
    }
    return {};
  }

 private:
  result<void> scan(connection& node) {
    std::string cursor = "0";
    do {
      request command("SCAN", cursor, "COUNT", 1000);
      if (!how_.match.empty()) command.add("MATCH").add(how_.match);
      auto told = node.ask(command, from_.waiting().timeout);
      if (!told) return told.error();
      const bool is_page =
          told->is_array() && told->elements.size() == 2 && told->elements[0].is_text() && told->elements[1].is_array();
      if (!is_page) return {errc::io, node.name() + ": SCAN: " + told->in_words()};
      cursor = told->elements[0].text;
      if (auto done = copy_filters(told->elements[1].elements); !done) return done;
    } while (cursor != "0");
    return {};
  }

  result<void> copy_filters(const std::vector<reply>& keys) {
    std::vector<reply> types(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!keys[i].is_text()) return {errc::corrupt, "SCAN: a key that is " + keys[i].in_words()};
      std::vector<request> one;
      one.emplace_back("TYPE", keys[i].text);
      const auto take = [&types, i](std::span<reply> all) -> result<void> {
        types[i] = std::move(all[0]);
        return {};
      };
      if (auto sent = from_.send(slot_of(keys[i].text), std::move(one), take); !sent) return sent;
    }
    if (auto done = from_.finish(); !done) return done;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::string &key = keys[i].text, &type = types[i].text;
      if (types[i].is != reply::kind::status) {
        // It may be a filter.
        if (!seen_.insert(key).second) continue;
        if (auto told = tell_failed(key, "", types[i], "TYPE"); !told) return told;
      } else if (type == record_type) {
        if (auto noted = note_record(key); !noted) return noted;
      } else if (family_of_type(type) && seen_.insert(key).second) {
        if (auto done = copy(key, type); !done) return done;
      }
    }
    return {};
  }

  // Keeps the hash for the end if it is a record.
  result<void> note_record(const std::string& key) {
    auto format = from_.ask(slot_of(key), request("HGET", key, "format"));
    if (!format) return format.error();
    const bool is_other = format->is_error("WRONGTYPE");  // since TYPE was asked
    if (format->is_error() && !is_other) {
      return seen_.insert(key).second ? tell_failed(key, record_type, *format, "HGET") : result<void>();
    }
    if (format->is_text() && format->text == record_format && seen_.insert(key).second) records_.push_back(key);
    return {};
  }

  result<void> tell_failed(const std::string& key, std::string_view type, const reply& told, const char* command) {
    copied_key failed{.key = key, .type = std::string(type)};
    fail(failed, told, command, from_.node_of(slot_of(key)));
    return tell_(failed);
  }

  // A record makes a filter of its parts, so it is not copied before they are there.
  result<void> check_parts(copied_key& each) {
    auto fields = from_.ask(slot_of(each.key), request("HGETALL", each.key));
    if (!fields) return fields.error();
    auto record = fields->is_array() ? spread_record::read(each.key, fields->elements)
                                     : result<spread_record>(errc::corrupt, each.key + ": HGETALL at " +
                                                                                from_.node_of(slot_of(each.key)) +
                                                                                ": " + fields->in_words());
    if (!record) {
      each.was = outcome::failed;
      each.why = record.error();
      return {};
    }
    const std::vector<part_place> parts = part_places(each.key, record->parts);
    std::size_t missing = 0;
    const part_place* first = nullptr;
    for (const part_place& part : parts) {
      std::vector<request> one;
      one.emplace_back("TYPE", part.key);
      const auto take = [&missing, &first, &part](std::span<reply> all) -> result<void> {
        if (all[0].is == reply::kind::status && family_of_type(all[0].text) == family::bloom) return {};
        if (missing++ == 0) first = &part;
        return {};
      };
      if (auto sent = to_.send(part.slot, std::move(one), take); !sent) return sent;
    }
    if (auto done = to_.finish(); !done || missing == 0) return done;
    each.was = outcome::failed;
    each.why =
        error{errc::incompatible, each.key + ": " + std::to_string(missing) + " of its " +
                                      std::to_string(parts.size()) + " parts are not at the new server, " + first->key +
                                      " among them; they are keys of their own, which --match and "
                                      "errors leave out"};
    return {};
  }

  // An error is one of a connection.
  result<void> copy(const std::string& key, const std::string& type) {
    copied_key done{.key = key, .type = type};
    if (auto tried = try_to_copy(done); !tried) return tried.error().prefixed(key + ": ");
    return tell_(done);
  }

  static void fail(copied_key& of, const reply& told, const char* command, const std::string& node) {
    of.was = outcome::failed;
    of.why = error{errc::io, of.key + ": " + command + " at " + node + ": " + told.in_words()};
  }

  result<void> try_to_copy(copied_key& each) {
    const unsigned slot = slot_of(each.key);
    auto there = to_.ask(slot, request("EXISTS", each.key));
    if (!there) return there.error();
    if (!there->is_integer()) return fail(each, *there, "EXISTS", to_.node_of(slot)), result<void>();
    if (there->number != 0 && !how_.replace) return each.was = outcome::exists, result<void>();
    if (how_.only_look) return each.was = outcome::found, result<void>();
    if (each.type == record_type) {
      if (auto checked = check_parts(each); !checked || each.was == outcome::failed) return checked;
    }
    auto left = from_.ask(slot, request("PTTL", each.key));
    if (!left) return left.error();
    if (left->is_integer() && left->number == -2) return each.was = outcome::gone, result<void>();
    const std::int64_t lives = left->is_integer() && left->number >= 0 ? std::max<std::int64_t>(1, left->number) : 0;
    auto payload = from_.ask(slot, request("DUMP", each.key));
    if (!payload) return payload.error();
    if (payload->is == reply::kind::null) return each.was = outcome::gone, result<void>();
    if (!payload->is_text()) {
      if (each.type == record_type) return fail(each, *payload, "DUMP", from_.node_of(slot)), result<void>();
      return copy_chunks(each, lives, *payload);
    }
    request command("RESTORE", each.key, lives, payload->text);
    if (how_.replace) command.add("REPLACE");
    auto told = to_.ask(slot, command, repeats::no);
    if (!told) return told.error();
    each.bytes = payload->text.size();
    if (told->is_status("OK")) return {};
    if (told->is_error("BUSYKEY")) return each.was = outcome::exists, result<void>();
    const bool is_version =
        says(*told, "version or checksum") || says(*told, "Bad data format") || says(*told, "unknown command");
    if (is_version && each.type == record_type) return copy_record(each);
    if (is_version && each.type != "bloomfltr") return copy_chunks(each, lives, *told);
    return fail(each, *told, "RESTORE", to_.node_of(slot)), result<void>();
  }

  result<void> copy_record(copied_key& each) {
    const unsigned slot = slot_of(each.key);
    auto fields = from_.ask(slot, request("HGETALL", each.key));
    if (!fields) return fields.error();
    if (!fields->is_array() || fields->elements.empty())
      return fail(each, *fields, "HGETALL", from_.node_of(slot)), result<void>();
    request command("HSET", each.key);
    for (const reply& field : fields->elements) command.add(field.text);
    auto told = to_.ask(slot, command);
    if (!told) return told.error();
    if (!told->is_integer()) fail(each, *told, "HSET", to_.node_of(slot));
    return {};
  }

  // In the same slot, under a name that the whole filter gives up in one step. `refused` is why there is no shorter way.
  result<void> copy_chunks(copied_key& each, std::int64_t lives, const reply& refused) {
    const family of = *family_of_type(each.type);
    const unsigned slot = slot_of(each.key);
    const part_place from{each.key, slot};
    const part_place aside{'{' + std::to_string(tags_of({slot}).front()) + "}:seen-import:" + each.key, slot};
    auto told = to_.ask(slot, request("DEL", aside.key));
    if (!told) return told.error();
    each.bytes = 0;
    auto copied = read_chunks(from_, from, of, true, [&](std::int64_t iterator, std::string_view bytes) {
      each.bytes += bytes.size();
      return write_chunk(to_, aside, of, iterator, bytes);
    });
    if (copied) copied = check_whole(to_, aside, of);
    if (copied && lives != 0) {
      if (auto set = to_.ask(slot, request("PEXPIRE", aside.key, lives)); !set) return set.error();
    }
    if (copied) {
      told = to_.ask(slot, request(how_.replace ? "RENAME" : "RENAMENX", aside.key, each.key), repeats::no);
      if (!told) return told.error();
      if (told->is_status("OK") || (told->is_integer() && told->number == 1)) return {};
      if (told->is_integer())
        each.was = outcome::exists;
      else
        fail(each, *told, "RENAME", to_.node_of(slot));
    } else {
      each.was = outcome::failed;
      each.why = copied.error();
      each.why->detail += " (and in one piece: " + refused.in_words() + ')';
    }
    told = to_.ask(slot, request("DEL", aside.key));
    return told ? result<void>() : result<void>(told.error());
  }

  cluster &from_, &to_;
  const copy_options& how_;
  const std::function<result<void>(const copied_key&)>& tell_;
  std::unordered_set<std::string> seen_;  // filters that SCAN has told of, which it may do twice
  std::vector<std::string> records_;
};

}  // namespace

result<void> copy_all(cluster& from, cluster& to, const copy_options& how,
                      const std::function<result<void>(const copied_key&)>& tell) {
  return copier(from, to, how, tell).run();
}

}  // namespace seen::redis::client
