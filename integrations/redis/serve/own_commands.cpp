// The commands that are not about what is in a filter: those that clients need to connect, and to see what there is.
//
// What is not here is refused as unknown: there are no strings, no databases beside 0, no scripts, and no users. Who may connect is
// decided by the permissions of the socket, so AUTH has nothing to check and says so.
#include <seen/base/text.hpp>
#include <seen/base/version.hpp>

#include <algorithm>
#include <array>
#include <shared_mutex>
#include <string>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

#include "serve/glob.hpp"
#include "serve/session.hpp"
#include "table/command.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

using words = std::span<const std::string_view>;

constexpr std::string_view no_password =
    "ERR AUTH called without any password configured for the default user: who may connect to `seen serve` is decided "
    "by the permissions "
    "of its socket";

void ok(session& to) {
  to.reply().status("OK");
}
void wrong_arity(session& to) {
  to.reply().error("ERR wrong number of arguments for '" + std::string(to.words()[0]) + "' command");
}
void unknown_part(session& to) {
  to.reply().error("ERR unknown subcommand '" + std::string(to.words()[1].substr(0, 128)) + "'");
}
void pair(reply_writer& to, std::string_view name, std::string_view value) {
  to.bytes(name);
  to.bytes(value);
}

// --- the connection

void ping(session& to) {
  if (to.words().size() > 2) return wrong_arity(to);
  to.words().size() == 2 ? to.reply().bytes(to.words()[1]) : to.reply().status("PONG");
}
void echo(session& to) {
  to.reply().bytes(to.words()[1]);
}
void quit(session& to) {
  ok(to);
  to.end();
}
void reset(session& to) {
  to.reset();
  to.reply().status("RESET");
}
void select(session& to) {
  const auto number = whole_number(to.words()[1]);
  if (!number) return to.reply().error("ERR value is not an integer or out of range");
  *number == 0 ? ok(to) : to.reply().error("ERR DB index is out of range");
}
void auth(session& to) {
  to.reply().error(no_password);
}

void hello(session& to) {
  const words said = to.words();
  bool resp3 = to.reply().is_resp3();
  std::string_view name;
  bool is_named = false;
  if (said.size() > 1) {
    const auto version = whole_number(said[1]);
    if (!version) return to.reply().error("ERR Protocol version is not an integer or out of range");
    if (*version != 2 && *version != 3) return to.reply().error("NOPROTO unsupported protocol version");
    resp3 = *version == 3;
  }
  for (std::size_t i = 2; i < said.size(); ++i) {
    if (same_word(said[i], "AUTH") && i + 2 < said.size()) return to.reply().error(no_password);
    if (!same_word(said[i], "SETNAME") || i + 1 == said.size()) {
      return to.reply().error("ERR Syntax error in HELLO option '" + std::string(said[i].substr(0, 128)) + "'");
    }
    name = said[++i];
    is_named = true;
  }
  if (is_named) to.name = name;
  reply_writer& reply = to.reply();
  reply.speak(resp3);
  reply.map(7);
  pair(reply, "server", "seen");
  pair(reply, "version", version);
  reply.bytes("proto");
  reply.integer(resp3 ? 3 : 2);
  reply.bytes("id");
  reply.integer(static_cast<std::int64_t>(to.id()));
  pair(reply, "mode", "standalone");
  pair(reply, "role", "master");
  reply.bytes("modules");
  reply.array(0);
}

bool is_plain(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

void client(session& to) {
  const words said = to.words();
  const auto is = [&](std::string_view part, std::size_t count) {
    return same_word(said[1], part) && said.size() == count;
  };
  reply_writer& reply = to.reply();
  if (is("SETNAME", 3)) {
    if (!is_plain(said[2]))
      return reply.error("ERR Client names cannot contain spaces, newlines or special characters.");
    to.name = said[2].substr(0, 1024);
    return ok(to);
  }
  if (is("SETINFO", 4)) {
    const bool is_name = same_word(said[2], "LIB-NAME");
    if (!is_name && !same_word(said[2], "LIB-VER"))
      return reply.error("ERR Unrecognized option '" + std::string(said[2].substr(0, 128)) + "'");
    if (!is_plain(said[3]))
      return reply.error("ERR " + std::string(is_name ? "lib-name" : "lib-ver") +
                         " cannot contain spaces, newlines or special characters.");
    (is_name ? to.library : to.library_version) = said[3].substr(0, 1024);
    return ok(to);
  }
  if (is("GETNAME", 2)) return to.name.empty() ? reply.null() : reply.bytes(to.name);
  if (is("ID", 2)) return reply.integer(static_cast<std::int64_t>(to.id()));
  if (is("INFO", 2)) {
    return reply.bytes("id=" + std::to_string(to.id()) + " name=" + to.name +
                       " db=0 resp=" + (reply.is_resp3() ? "3" : "2") + " lib-name=" + to.library +
                       " lib-ver=" + to.library_version + "\n");
  }
  if (is("NO-EVICT", 3) || is("NO-TOUCH", 3)) return ok(to);
  unknown_part(to);
}

// --- what there is

void exists(session& to) {
  std::int64_t count = 0;
  for (const std::string_view each : to.words().subspan(1)) {
    const auto at = to.shared().keys->find(each);
    if (at == nullptr) continue;
    const std::shared_lock hold(at->lock);
    count += at->filter != nullptr;
  }
  to.reply().integer(count);
}

// The names that redis-server tells of the types of modules.
constexpr std::string_view type_of(family of) {
  switch (of) {
    case family::bloom:
      return "MBbloom--";
    case family::cuckoo:
      return "MBbloomCF";
    case family::lookup:
      return "seen-look";
  }
  return "none";
}

std::string_view type_in(const slot* at) {
  if (at == nullptr) return "none";
  const std::shared_lock hold(at->lock);
  return at->filter == nullptr ? "none" : type_of(at->filter->held().of());
}

void type(session& to) {
  to.reply().status(type_in(to.shared().keys->find(to.words()[1]).get()));
}

void names(session& to, const std::vector<std::string>& all) {
  to.reply().array(all.size());
  for (const std::string& each : all) to.reply().bytes(each);
}

void keys(session& to) {
  std::vector<std::string> all = to.shared().keys->names();
  std::erase_if(all, [&](const std::string& name) { return !matches(to.words()[1], name); });
  names(to, all);
}

// All names at once: there are as many as files. The cursor is 0 before and after.
void scan(session& to) {
  const words said = to.words();
  std::vector<std::string> all = to.shared().keys->names();
  if (!whole_number(said[1])) return to.reply().error("ERR invalid cursor");
  for (std::size_t i = 2; i < said.size(); i += 2) {
    if (i + 1 == said.size()) return to.reply().error("ERR syntax error");
    const std::string_view wanted = said[i + 1];
    if (same_word(said[i], "MATCH")) {
      std::erase_if(all, [&](const std::string& name) { return !matches(wanted, name); });
    } else if (same_word(said[i], "TYPE")) {
      std::erase_if(all, [&](const std::string& name) {
        return !same_word(type_in(to.shared().keys->find(name).get()), wanted);
      });
    } else if (!same_word(said[i], "COUNT")) {
      return to.reply().error("ERR syntax error");
    } else if (!whole_number(wanted) || *whole_number(wanted) < 1) {
      return to.reply().error("ERR value is not an integer or out of range");
    }
  }
  if (*whole_number(said[1]) != 0) all.clear();
  to.reply().array(2);
  to.reply().bytes("0");
  names(to, all);
}

void size(session& to) {
  to.reply().integer(static_cast<std::int64_t>(to.shared().keys->names().size()));
}

void remove(session& to) {
  std::int64_t count = 0;
  keyspace& all = *to.shared().keys;
  for (const std::string_view each : to.words().subspan(1)) {
    auto at = all.find(each);
    if (at == nullptr) continue;
    {
      const std::unique_lock hold(at->lock);
      const bool was_there = at->filter != nullptr;
      if (auto removed = all.remove(*at); !removed) return to.reply().error("ERR " + removed.error().detail);
      count += was_there;
    }
    all.drop_if_empty(std::move(at));
  }
  to.reply().integer(count);
}

// --- the server

void save(session& to) {
  std::string wrong;
  const auto tell = [&](const error& why) { wrong = why.detail; };
  to.shared().keys->sync_all(tell);
  to.shared().keys->save_all(tell);
  wrong.empty() ? ok(to) : to.reply().error("ERR " + wrong);
}

void now(session& to) {
  timeval t{};
  ::gettimeofday(&t, nullptr);
  to.reply().array(2);
  to.reply().bytes(std::to_string(t.tv_sec));
  to.reply().bytes(std::to_string(t.tv_usec));
}

void info(session& to) {
  std::string text;
  if (to.words().size() == 1) append_info(to.shared(), "all", text);
  for (const std::string_view each : to.words().subspan(1)) append_info(to.shared(), each, text);
  to.reply().bytes(text);
}

// The settings of the module, by its names for them: bf-error-rate, or bf.bf-error-rate.
constexpr std::string_view module_prefix = "bf.";

std::string_view without_prefix(std::string_view name) {
  return name.starts_with(module_prefix) ? name.substr(module_prefix.size()) : name;
}

void set_config(session& to) {
  const words said = to.words();
  const auto refuse = [&](std::string_view why) {
    to.reply().error("ERR CONFIG SET failed (possibly related to argument '" + std::string(said[2].substr(0, 128)) +
                     "') - " + std::string(why));
  };
  if (said.size() != 4) return wrong_arity(to);
  const std::string_view name = without_prefix(said[2]);
  if (same_word(name, error_rate_name)) {
    const auto rate = real_number(said[3]);
    if (!rate || *rate <= 0 || *rate >= 1) return refuse("argument must be between 0 and 1 exclusive");
    to.shared().configured.change([&](settings& now) { now.bf_error_rate = *rate; });
    return ok(to);
  }
  for (const setting_row& each : setting_rows) {
    if (!same_word(name, each.name)) continue;
    const auto number = whole_number(said[3]);
    if (!number || *number < each.least || *number > each.most) {
      return refuse("argument must be between " + std::to_string(each.least) + " and " + std::to_string(each.most) +
                    " inclusive");
    }
    to.shared().configured.change([&](settings& now) { now.*each.place = *number; });
    return ok(to);
  }
  to.reply().error("ERR Unknown option or number of arguments for CONFIG SET - '" +
                   std::string(said[2].substr(0, 128)) + "' (`seen serve` is told everything else when it starts)");
}

void config(session& to) {
  const words said = to.words();
  if (same_word(said[1], "RESETSTAT")) return ok(to);
  if (same_word(said[1], "SET")) return set_config(to);
  if (!same_word(said[1], "GET")) return unknown_part(to);
  const service& shared = to.shared();
  const settings now = shared.configured.get();
  std::vector<std::pair<std::string, std::string>> all{
      {"appendonly", "no"},
      {"databases", "1"},
      {"maxclients", std::to_string(shared.bounds.clients)},
      {"maxmemory", std::to_string(shared.bounds.memory)},
      {"proto-max-bulk-len", std::to_string(shared.bounds.item)},
      {"save", ""},
      {"timeout", std::to_string(shared.bounds.idle)},
      {error_rate_name, exactly(now.bf_error_rate)},
  };
  for (const setting_row& each : setting_rows) all.emplace_back(each.name, std::to_string(now.*each.place));
  std::erase_if(all, [&](const auto& each) {
    return std::none_of(said.begin() + 2, said.end(),
                        [&](std::string_view p) { return matches(without_prefix(p), each.first); });
  });
  to.reply().map(all.size());
  for (const auto& [name, value] : all) pair(to.reply(), name, value);
}

// --- commands on commands

struct described {
  std::string name;
  int words;
  std::vector<std::string_view> flags;
  int first_key, last_key;
  std::string_view summary, group;
};

std::string in_small_letters(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return name;
}

std::vector<described> all_commands() {
  std::vector<described> all;
  for (const own_command& each : own_commands()) {
    all.push_back(
        {in_small_letters(each.name), each.words, {"fast"}, each.first_key, each.last_key, each.summary, "server"});
  }
  for (const command_row& each : commands()) {
    std::vector<std::string_view> flags{each.flags.writes ? "write" : "readonly"};
    if (each.flags.takes_memory) flags.emplace_back("denyoom");
    if (each.flags.is_fast) flags.emplace_back("fast");
    const std::string_view group = each.of == family::cuckoo ? "cuckoo" : each.of == family::bloom ? "bloom" : "lookup";
    all.push_back({in_small_letters(each.name), each.words, std::move(flags), each.first_key, each.last_key,
                   "A command of filters: docs/redis.md", group});
  }
  return all;
}

void describe(reply_writer& to, const described& each) {
  to.array(10);
  to.bytes(each.name);
  to.integer(each.words);
  to.array(each.flags.size());
  for (const std::string_view flag : each.flags) to.status(flag);
  to.integer(each.first_key);
  to.integer(each.last_key);
  to.integer(each.first_key == 0 ? 0 : 1);
  for (int i = 0; i < 4; ++i) to.array(0);  // ACL categories, tips, key specifications, subcommands
}

void document(reply_writer& to, const described& each) {
  to.bytes(each.name);
  to.map(3);
  pair(to, "summary", each.summary);
  pair(to, "since", version);
  pair(to, "group", each.group);
}

void command(session& to) {
  const words said = to.words();
  std::vector<described> all = all_commands();
  reply_writer& reply = to.reply();
  if (said.size() == 2 && same_word(said[1], "COUNT")) return reply.integer(static_cast<std::int64_t>(all.size()));
  const bool documents = said.size() > 1 && same_word(said[1], "DOCS");
  const auto find = [&](std::string_view name) {
    return std::find_if(all.begin(), all.end(), [&](const described& each) { return same_word(each.name, name); });
  };
  if (documents) {
    if (said.size() > 2) {
      std::erase_if(all, [&](const described& each) {
        return std::none_of(said.begin() + 2, said.end(), [&](std::string_view w) { return same_word(w, each.name); });
      });
    }
    reply.map(all.size());
    for (const described& each : all) document(reply, each);
    return;
  }
  if (said.size() > 2 && same_word(said[1], "INFO")) {
    reply.array(said.size() - 2);
    for (const std::string_view name : said.subspan(2)) {
      const auto found = find(name);
      found == all.end() ? reply.null() : describe(reply, *found);
    }
    return;
  }
  if (said.size() == 2 && same_word(said[1], "LIST")) {
    reply.array(all.size());
    for (const described& each : all) reply.bytes(each.name);
    return;
  }
  if (said.size() > 2 || (said.size() == 2 && !same_word(said[1], "INFO"))) return unknown_part(to);
  reply.array(all.size());
  for (const described& each : all) describe(reply, each);
}

constexpr std::array rows{
    own_command{"AUTH", -2, "Says that there are no passwords.", auth},
    own_command{"CLIENT", -2, "SETNAME, GETNAME, SETINFO, ID, INFO: what is known of this connection.", client},
    own_command{"COMMAND", -1, "COUNT, DOCS, INFO, LIST: the commands there are.", command},
    own_command{"CONFIG", -2, "GET, SET: the settings; what filters that commands make are like can be set.", config},
    own_command{"DBSIZE", 1, "How many filters there are.", size},
    own_command{"DEL", -2, "Deletes filters of the directory, and their files.", remove, 1, -1},
    own_command{"ECHO", 2, "Says it again.", echo},
    own_command{"EXISTS", -2, "How many of these filters there are.", exists, 1, -1},
    own_command{"HELLO", -1, "Chooses version 2 or 3 of the protocol.", hello},
    own_command{"INFO", -1, "The server in numbers.", info},
    own_command{"KEYS", 2, "The names that match a pattern.", keys},
    own_command{"PING", -1, "PONG.", ping},
    own_command{"QUIT", -1, "Ends the connection.", quit},
    own_command{"RESET", 1, "Makes the connection as it was at first.", reset},
    own_command{"SAVE", 1, "Brings all adds into the files, on the device.", save},
    own_command{"SCAN", -2, "All names, at once.", scan},
    own_command{"SELECT", 2, "0 is the one there is.", select},
    own_command{"TIME", 1, "Seconds since 1970, and microseconds.", now},
    own_command{"TYPE", 2, "Which commands a filter is for.", type, 1, 1},
    own_command{"UNLINK", -2, "DEL.", remove, 1, -1},
};

}  // namespace

std::span<const own_command> own_commands() {
  return rows;
}

void append_info(const service& shared, std::string_view section, std::string& to) {
  const bool all = same_word(section, "all") || same_word(section, "default") || same_word(section, "everything");
  const auto wants = [&](const char* name) {
    if (!all && !same_word(section, name)) return false;
    if (!to.empty()) to += "\r\n";
    to.append("# ").append(name).append("\r\n");
    return true;
  };
  const auto line = [&](const char* name, const std::string& value) {
    to.append(name).append(":").append(value).append("\r\n");
  };
  const auto number = [&](const char* name, std::uint64_t n) { line(name, std::to_string(n)); };
  if (wants("Server")) {
    const auto up = std::chrono::steady_clock::now() - shared.begun;
    line("redis_version", "7.0.0");  // whose protocol it speaks: clients read it
    line("redis_mode", "standalone");
    line("seen_version", version);
    number("process_id", static_cast<std::uint64_t>(::getpid()));
    number("tcp_port", static_cast<std::uint64_t>(shared.port));
    line("listener0", shared.address);
    number("uptime_in_seconds",
           static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(up).count()));
  }
  if (wants("Clients")) {
    number("connected_clients", shared.clients);
    number("maxclients", shared.bounds.clients);
  }
  if (wants("Memory")) {
    number("used_memory", shared.memory->used());
    number("maxmemory", shared.bounds.memory);
  }
  if (wants("Stats")) {
    number("total_connections_received", shared.all_clients);
    number("total_commands_processed", shared.commands);
  }
  if (wants("Replication")) line("role", "master");
  if (wants("Keyspace")) line("db0", "keys=" + std::to_string(shared.keys->names().size()) + ",expires=0,avg_ttl=0");
}

}  // namespace seen::redis
