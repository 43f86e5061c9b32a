// seen redis info, merge, drop, import: what is done to whole filters where they are.
#include <algorithm>
#include <memory>
#include <vector>

#include "client/copying.hpp"
#include "client/remote_filter.hpp"
#include "json.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "output.hpp"
#include "redis/redis.hpp"
#include "words.hpp"

namespace seen::cli::over_redis {
namespace {

// A name as one column of one line: keys may hold anything.
std::string in_one_column(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return name;
}

// --- info

struct info_options {
  std::string name;
  bool json = false;
  server_options server;
};

std::string text_of_info(const client::remote_filter& filter, const std::vector<client::part_info>& parts) {
  std::string text = in_one_column(filter.name()) + '\n';
  const auto line = [&](const char* label, const std::string& what) {
    text += "  " + (label + std::string(10 - std::string_view(label).size(), ' ')) + what + '\n';
  };
  std::uint64_t items = 0, bytes = 0;
  std::vector<std::string> nodes;
  for (const client::part_info& each : parts) {
    items += each.items.value_or(0);
    bytes += each.bytes;
    if (std::find(nodes.begin(), nodes.end(), each.node) == nodes.end()) nodes.push_back(each.node);
  }
  const bool counts = parts.front().items.has_value();
  if (const auto& record = filter.record()) {
    line("parts", grouped(parts.size()) + " on " + grouped(nodes.size()) + (nodes.size() == 1 ? " node" : " nodes"));
    line("keys", grouped(items) + " of " + grouped(record->capacity) + " planned");
    line("rate", record->rate + " asked");
    if (!record->options.empty()) line("options", record->options);
  } else {
    line("commands", std::string(client::letters_of(filter.of())));
    if (!parts.front().kind.empty()) line("kind", parts.front().kind);
    if (counts)
      line("keys",
           grouped(items) + (parts.front().capacity ? " of " + grouped(*parts.front().capacity) + " planned" : ""));
    line("node", parts.front().node);
  }
  line("size", human_bytes(bytes) +
                   (items == 0 ? ""
                               : ", " + grouped(8.0 * static_cast<double>(bytes) / static_cast<double>(items), 2) +
                                     " bits per key"));
  if (!filter.record()) return text;
  text += '\n';
  const auto cell = [](std::string left, std::size_t width) {
    return std::string(width - std::min(width, left.size()), ' ') + left;
  };
  std::size_t node_width = 4, key_width = 3;
  for (const client::part_info& each : parts) {
    node_width = std::max(node_width, each.node.size());
    key_width = std::max(key_width, each.place.key.size());
  }
  const auto row = [&](const std::string& key, const std::string& slot, const std::string& node,
                       const std::string& keys, const std::string& size) {
    text += "  " + key + std::string(key_width - key.size(), ' ') + cell(slot, 7) + "  " + node +
            std::string(node_width - node.size(), ' ') + cell(keys, 15) + cell(size, 12) + '\n';
  };
  row("key", "slot", "node", "keys", "size");
  for (const client::part_info& each : parts) {
    row(in_one_column(each.place.key), std::to_string(each.place.slot), each.node, grouped(each.items.value_or(0)),
        human_bytes(each.bytes));
  }
  return text;
}

json json_of_info(const client::remote_filter& filter, const std::vector<client::part_info>& parts) {
  json document = json::object().add("filter", filter.name()).add("commands", client::letters_of(filter.of()));
  std::uint64_t items = 0, bytes = 0;
  json rows = json::array();
  for (const client::part_info& each : parts) {
    items += each.items.value_or(0);
    bytes += each.bytes;
    rows.push(json::object()
                  .add("key", each.place.key)
                  .add("slot", each.place.slot)
                  .add("node", each.node)
                  .add("keys", each.items ? json(*each.items) : json())
                  .add("capacity", each.capacity ? json(*each.capacity) : json())
                  .add("bytes", each.bytes));
  }
  if (const auto& record = filter.record()) {
    document.add("capacity", record->capacity).add("error", record->rate).add("options", record->options);
  }
  if (!parts.front().kind.empty()) document.add("kind", parts.front().kind);
  document.add("keys", parts.front().items ? json(items) : json()).add("bytes", bytes).add("parts", rows);
  return document;
}

result<exit_status> info(const info_options& o) {
  auto servers = o.server.connect();
  if (!servers) return servers.error();
  auto filter = client::remote_filter::open(**servers, o.name);
  if (!filter) return filter.error();
  auto parts = filter->info();
  if (!parts) return parts.error();
  auto printed = print(o.json ? json_of_info(*filter, *parts).line() + '\n' : text_of_info(*filter, *parts));
  if (!printed) return printed.error();
  return exit_status::yes;
}

// --- merge, drop

struct merge_options {
  std::string name;
  std::vector<std::string> others;
  bool quiet = false;
  server_options server;
};

result<exit_status> merge(const merge_options& o) {
  auto servers = o.server.connect();
  if (!servers) return servers.error();
  auto merged = client::remote_filter::merge(**servers, o.name, o.others);
  if (!merged) return merged.error();
  remark(o.quiet,
         o.name + ": has taken in " + grouped(o.others.size()) + (o.others.size() == 1 ? " filter" : " filters"));
  return exit_status::yes;
}

struct drop_options {
  std::string name;
  server_options server;
};

result<exit_status> drop(const drop_options& o) {
  auto servers = o.server.connect();
  if (!servers) return servers.error();
  auto filter = client::remote_filter::open(**servers, o.name);
  if (!filter) return filter.error();
  if (auto gone = filter->remove(); !gone) return gone.error();
  return exit_status::yes;
}

// --- import

struct import_options {
  std::string from, to, from_password, to_password, match;
  bool replace = false, dry_run = false, quiet = false, json = false;
  waiting_options waiting;
};

const char* in_words(client::copied_key::outcome was) {
  switch (was) {
    case client::copied_key::outcome::copied:
      return "copied";
    case client::copied_key::outcome::found:
      return "to copy";
    case client::copied_key::outcome::exists:
      return "is there already";
    case client::copied_key::outcome::gone:
      return "has gone";
    case client::copied_key::outcome::failed:
      break;
  }
  return "failed";
}

std::string line_of(const client::copied_key& done) {
  return in_one_column(done.key) + '\t' + done.type + '\t' + in_words(done.was) +
         (done.was == client::copied_key::outcome::copied ? '\t' + human_bytes(done.bytes) : "") + '\n';
}

std::string object_of(const client::copied_key& done) {
  json document = json::object().add("filter", done.key).add("type", done.type).add("outcome", in_words(done.was));
  if (done.was == client::copied_key::outcome::copied) document.add("bytes", done.bytes);
  if (done.why) document.add("error", error_in_json(*done.why));
  return document.line() + '\n';
}

result<exit_status> import_all(const import_options& o) {
  auto from = connect("--from", o.from, o.from_password, o.waiting);
  if (!from) return from.error();
  auto to = connect("--to", o.to, o.to_password, o.waiting);
  if (!to) return to.error();
  std::uint64_t all = 0, copied = 0, there = 0, failed = 0;
  const auto tell = [&](const client::copied_key& done) -> result<void> {
    using outcome = client::copied_key::outcome;
    ++all;
    copied += done.was == outcome::copied || done.was == outcome::found;
    there += done.was == outcome::exists;
    failed += done.was == outcome::failed;
    if (done.why && !o.json) report(*done.why);
    return print(o.json ? object_of(done) : line_of(done));
  };
  auto done = client::copy_all(**from, **to, {.match = o.match, .replace = o.replace, .only_look = o.dry_run}, tell);
  remark(o.quiet, grouped(all) + (all == 1 ? " filter: " : " filters: ") + grouped(copied) +
                      (o.dry_run ? " to copy, " : " copied, ") + grouped(there) + " there already, " + grouped(failed) +
                      " failed");
  if (!done) return done.error();
  if (failed != 0) return {errc::io, "import: " + grouped(failed) + " of " + grouped(all) + " filters were not copied"};
  return there != 0 ? exit_status::no : exit_status::yes;
}

}  // namespace

action define_info(option_list& app) {
  auto o = std::make_shared<info_options>();
  app.value({"name", "the filter's name", "NAME", need::required}, o->name);
  app.flag({"--json", "one JSON document"}, o->json);
  o->server.define(app);
  app.footer(
      "Keys that were new when they were added are counted.\n"
      "\n"
      "Examples:\n"
      "  seen redis info users            parts, nodes, keys, sizes\n"
      "  seen redis info users --json");
  return [o] { return info(*o); };
}

action define_merge(option_list& app) {
  auto o = std::make_shared<merge_options>();
  app.value({"name", "the filter that takes the others in; made if it is not there", "NAME", need::required}, o->name);
  app.values({"others", "filters that were reserved with the same numbers and options", "NAME", need::required},
             o->others);
  define_quiet(app, o->quiet);
  o->server.define(app);
  app.footer(
      "Every part takes in the parts of its index, which lie in the same slot. What was interrupted can be run again.\n"
      "\n"
      "Example:\n"
      "  seen redis merge week monday tuesday wednesday");
  return [o] { return merge(*o); };
}

action define_drop(option_list& app) {
  auto o = std::make_shared<drop_options>();
  app.value({"name", "the filter's name", "NAME", need::required}, o->name);
  o->server.define(app);
  app.footer("Example:\n  seen redis drop users");
  return [o] { return drop(*o); };
}

action define_import(option_list& app) {
  auto o = std::make_shared<import_options>();
  app.value({"--from", "the server that has the filters, or any node of its cluster; nothing is removed there", "URL",
             need::required},
            o->from);
  app.value({"--to", "the server that takes them: one with the module", "URL", need::required}, o->to);
  app.value({"--match", "only names of this pattern, as SCAN has it: user:*", "PATTERN"}, o->match);
  app.flag({"--replace", "overwrite what is there already"}, o->replace);
  app.flag({"--dry-run", "only say what would be copied"}, o->dry_run);
  app.value({"--from-password-file", "the password of --from; or in REDISCLI_AUTH", "FILE"}, o->from_password);
  app.value({"--to-password-file", "the password of --to; or in REDISCLI_AUTH", "FILE"}, o->to_password);
  app.flag({"--json", "one object per filter"}, o->json);
  define_quiet(app, o->quiet);
  option_list servers = app.in_group("The servers");
  o->waiting.define(servers);
  app.footer(
      "A filter is there whole or not at all, with the time it has left. Exit status: 0 all were copied, 1 some are "
      "there already and were left, 2 error.\n"
      "\n"
      "Examples:\n"
      "  seen redis import --from redis://old --to redis://new\n"
      "  seen redis import --from redis://old --to redis://new --dry-run");
  return [o] { return import_all(*o); };
}

}  // namespace seen::cli::over_redis
