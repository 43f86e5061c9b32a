// seen redis reserve, add, query: an empty filter, keys for it, and answers.
#include <seen/base/text.hpp>

#include <memory>
#include <vector>

#include "asking.hpp"
#include "client/remote_filter.hpp"
#include "feed.hpp"
#include "json.hpp"
#include "key_options.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "output.hpp"
#include "redis/redis.hpp"
#include "words.hpp"

namespace seen::cli::over_redis {
namespace {

// --- reserve

struct reserve_options {
  std::string name, capacity, rate = "0.01", parts, kind, expansion, window;
  bool one_key = false, nonscaling = false, keyed = false;
  server_options server;
  outcome_options outcome;
};

result<client::spread_record> record_of(const reserve_options& o) {
  client::spread_record wanted;
  auto capacity = parse_option("--capacity", o.capacity, parse_count);
  if (!capacity) return capacity.error();
  if (*capacity == 0) return {errc::invalid_argument, "--capacity: 0 keys need no filter"};
  wanted.capacity = *capacity;
  auto rate = parse_option("--fpr", o.rate, parse_rate);
  if (!rate) return rate.error();
  wanted.rate = exactly(*rate);
  const auto option = [&](const std::string& words) { wanted.options += (wanted.options.empty() ? "" : " ") + words; };
  if (!o.kind.empty()) option("KIND " + o.kind);
  if (o.kind.find_first_of(" \t\n") != o.kind.npos) {
    return {errc::invalid_argument, "--kind: \"" + o.kind + "\" is no name of a kind"};
  }
  for (const auto& [name, word, text] :
       {std::tuple("--expansion", "EXPANSION ", &o.expansion), {"--window", "WINDOW ", &o.window}}) {
    if (text->empty()) continue;
    auto number = *word == 'W' ? parse_option(name, *text, parse_duration) : parse_option(name, *text, parse_count);
    if (!number) return number.error();
    option(word + std::to_string(*number));
  }
  if (o.nonscaling) option("NONSCALING");
  if (o.keyed) option("KEYED");
  return wanted;
}

result<exit_status> reserve(const reserve_options& o) {
  auto wanted = record_of(o);
  if (!wanted) return wanted.error();
  auto servers = o.server.connect();
  if (!servers) return servers.error();
  if (!o.parts.empty()) {
    auto parts = parse_option("--parts", o.parts, parse_count);
    if (!parts) return parts.error();
    if (*parts == 0 || *parts > client::slot_count) {
      return {errc::invalid_argument,
              "--parts: " + o.parts + " is not from 1 to " + std::to_string(client::slot_count)};
    }
    wanted->parts = *parts;
  } else if (!o.one_key) {
    wanted->parts = client::usual_parts(wanted->capacity, (*servers)->primaries().size());
  }
  auto made = o.one_key ? client::remote_filter::reserve_key(**servers, o.name, *wanted)
                        : client::remote_filter::reserve(**servers, o.name, *wanted);
  if (!made) {
    error why = made.error();
    if (!o.one_key && why.detail.find("unknown command") != std::string::npos) {
      why.detail += "; a server that has no hashes holds filters of one key each (--one-key)";
    }
    return why;
  }
  if (o.outcome.json) {
    auto document = json::object().add("filter", o.name).add("capacity", wanted->capacity).add("error", wanted->rate);
    if (made->record()) document.add("parts", wanted->parts);
    if (auto printed = print(document.text() + '\n'); !printed) return printed.error();
    return exit_status::yes;
  }
  remark(o.outcome.quiet,
         o.name + ": made for " + keys_in_words(wanted->capacity) + " at " + wanted->rate +
             (made->record() ? ", in " + grouped(wanted->parts) + (wanted->parts == 1 ? " part" : " parts") : ""));
  return exit_status::yes;
}

// --- add

struct add_options {
  std::string name, replicas;
  std::vector<std::string> files;
  key_options keys;
  outcome_options outcome;
  server_options server;
};

result<exit_status> add_keys(const add_options& o) {
  auto format = o.keys.read(o.outcome.quiet);
  if (!format) return format.error();
  std::uint64_t replicas = 0;
  if (!o.replicas.empty()) {
    auto read = parse_option("--replicas", o.replicas, parse_count);
    if (!read) return read.error();
    if (*read > 1000) return {errc::invalid_argument, "--replicas: " + o.replicas + " is more than a primary has"};
    replicas = *read;
  }
  auto reader = key_reader::open(files_or_stdin(o.files), *format);
  if (!reader) return reader.error();
  auto servers = o.server.connect();
  if (!servers) return servers.error();
  auto filter = client::remote_filter::open(**servers, o.name);
  if (!filter) return filter.error();
  auto fed = feed(*reader, "adding", !o.outcome.quiet, [&](const key_batch& batch) { return filter->add(batch.keys); });
  // What was read before a bad record is added, as `seen query` answers it.
  auto added = filter->finish();
  if (!added) return added.error();
  if (!fed) return fed.error();
  if (replicas != 0) {
    if (auto safe = (*servers)->wait_for_replicas(static_cast<unsigned>(replicas)); !safe) return safe.error();
  }
  if (o.outcome.json) {
    const auto document =
        json::object().add("filter", o.name).add("keys_added", added->keys).add("keys_new", added->fresh);
    if (auto printed = print(document.text() + '\n'); !printed) return printed.error();
    return exit_status::yes;
  }
  remark(o.outcome.quiet,
         o.name + ": " + keys_in_words(added->keys) + " added, " + grouped(added->fresh) + " of them new");
  return exit_status::yes;
}

// --- query

// Filters of servers that are asked together.
class asked_servers final : public asked {
 public:
  asked_servers(std::vector<client::remote_filter> filters, std::vector<std::string> names, together decide)
      : asked(std::move(names), decide), filters_(std::move(filters)) {}

 private:
  [[nodiscard]] result<void> answer(std::size_t filter, std::span<const bytes_view> keys,
                                    std::span<bool> said) override {
    return filters_[filter].may_contain(keys, said);
  }

  std::vector<client::remote_filter> filters_;
};

struct query_options : question_options {
  server_options server;
};

result<exit_status> query(const query_options& o) {
  auto files = o.filters_and_lists("redis query");
  if (!files) return files.error();
  auto format = o.keys.read(o.quiet());
  if (!format) return format.error();
  auto most = read_most(o);
  if (!most) return most.error();
  const std::vector<std::string> asked = o.given_keys.empty() ? files_or_stdin(files->lists) : files->lists;
  if (auto apart = stdout_spares({asked}); !apart) return apart.error();
  auto lists = key_lists::open(files->lists, o.given_keys, *format);
  if (!lists) return lists.error();
  auto servers = o.server.connect();
  if (!servers) return servers.error();
  std::vector<client::remote_filter> filters;
  for (const std::string& each : files->filters) {
    auto opened = client::remote_filter::open(**servers, each);
    if (!opened) return opened.error();
    filters.push_back(std::move(*opened));
  }
  asked_servers all(std::move(filters), files->filters, o.decide());
  auto any = ask_lists(o, *format, *lists, all, {.most = *most, .decide = o.decide()});
  if (!any) return any.error();
  return *any ? exit_status::yes : exit_status::no;
}

}  // namespace

action define_reserve(option_list& app) {
  auto o = std::make_shared<reserve_options>();
  app.value({"name", "the filter's name", "NAME", need::required}, o->name);
  app.value({"-n,--capacity", "how many keys it is made for", "N", need::required}, o->capacity);
  app.value({"-p,--fpr", "the rate of wrong answers (0.01)", "RATE"}, o->rate);
  app.value({"--parts", "how many parts (3 for each primary, or as many as hold 64 Mi keys each)", "N"}, o->parts);
  app.flag({"--one-key", "an ordinary key, as BF.RESERVE makes it; for a server that is alone, and seen serve"},
           o->one_key);
  app.never_both("--parts", "--one-key");
  option_list more = app.in_group("As the options of BF.RESERVE");
  more.value({"--kind", "the kind of its filters (scalable-bloom)", "NAME"}, o->kind);
  more.flag({"--nonscaling", "refuse what comes beyond the capacity"}, o->nonscaling);
  more.value({"--expansion", "by how much each link is larger than the one before (2)", "N"}, o->expansion);
  more.value({"--window", "forget what was not added for so long", "SECONDS"}, o->window);
  more.flag({"--keyed", "hash under a secret that the servers draw"}, o->keyed);
  o->server.define(app);
  o->outcome.define(app);
  app.footer(
      "The parts are made first and the record that names them last, so a filter that is not whole yet does not "
      "answer. What was interrupted can be run again.\n"
      "\n"
      "Examples:\n"
      "  seen redis reserve users -n 1G -p 0.1%              spread over all primaries\n"
      "  seen redis reserve users -n 1M --one-key            a key for every client of BF.*");
  return [o] { return reserve(*o); };
}

action define_add(option_list& app) {
  auto o = std::make_shared<add_options>();
  app.value({"name", "the filter's name", "NAME", need::required}, o->name);
  app.values({"files", lists_help, "FILE"}, o->files);
  app.value({"--replicas", "wait until so many replicas of each node have them; fewer is an error", "N"}, o->replicas);
  o->server.define(app);
  o->outcome.define(app);
  o->keys.define(app);
  app.footer(
      "What a node did not acknowledge is sent again while slots move or a replica takes over; a key that was then "
      "added twice does not count as new.\n"
      "\n"
      "Examples:\n"
      "  seen redis add users users.txt.gz\n"
      "  tail -n 1000 access.log | seen redis add visitors --field 1 -d ' '");
  return [o] { return add_keys(*o); };
}

action define_query(option_list& app) {
  auto o = std::make_shared<query_options>();
  o->define(app, "the filter's name; with -F a list of keys",
            "the name of a filter; may be given again. Then all arguments are lists", "NAME");
  o->server.define(app);
  o->keys.define(app);
  app.footer(exit_status_of_answers);
  app.footer(
      "A part that is not there any more is an error, never a \"no\".\n"
      "\n"
      "Examples:\n"
      "  seen redis query users candidates.txt               lines that may be present\n"
      "  seen redis query -v users < candidates.txt          lines surely absent\n"
      "  seen redis query -q users -e alice && echo perhaps  one key");
  return [o] { return query(*o); };
}

}  // namespace seen::cli::over_redis
