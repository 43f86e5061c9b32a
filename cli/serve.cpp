// seen serve: filters for clients of Redis, without a Redis.
//
//   seen serve users=users.seen              BF.EXISTS users alice … over ./seen.sock
//   seen serve --port 6379 --directory d     the same over 127.0.0.1, and commands make filters, which are files of d
//
// The server is integrations/redis/serve, and the table of commands beside it is the one of the module for redis-server. This file is its
// options. It waits for its clients with epoll, which Linux has.
#include <array>
#include <csignal>
#include <memory>
#include <unistd.h>

#include "numbers.hpp"
#include "options.hpp"
#include "verb.hpp"
#include "words.hpp"
#ifdef __linux__
#include <algorithm>
#include <fmt/core.h>
#include <limits>
#include <string_view>

#include "serve/serve.hpp"
#endif

namespace seen::cli {
namespace {

struct serve_verb_options {
  std::vector<std::string> files;
  std::string unix_path, port, mode = "600", directory;
  bool read_only = false;
  std::string sync = "1", save = "60";
  std::string threads, max_clients, max_memory, max_request, max_item, idle;
  std::vector<std::string> settings;
  filter_options filter;
  bool quiet = false;
};

#ifdef __linux__

result<redis::named_file> named_file_of(const std::string& word) {
  const auto at = word.find('=');
  if (at == 0 || at == word.npos || at + 1 == word.size()) {
    return {errc::invalid_argument, word + ": say NAME=FILE, where NAME is what clients call the filter"};
  }
  return redis::named_file{word.substr(0, at), word.substr(at + 1)};
}

// A number of an option, if it is given.
template <class Number>
result<void> read_number(const char* option, const std::string& text, std::uint64_t least, std::uint64_t most,
                         Number& to) {
  if (text.empty()) return {};
  auto number = parse_option(option, text, parse_count);
  if (!number) return number.error();
  if (*number < least || *number > most) {
    return {errc::invalid_argument, fmt::format("{}: {} is not between {} and {}", option, text, least, most)};
  }
  to = static_cast<Number>(*number);
  return {};
}

result<void> read_seconds(const char* option, const std::string& text, unsigned& to) {
  if (text.empty()) return {};
  auto seconds = parse_option(option, text, parse_duration);
  if (!seconds) return seconds.error();
  to = static_cast<unsigned>(std::min<std::uint64_t>(*seconds, std::numeric_limits<unsigned>::max()));
  return {};
}

result<unsigned> mode_of(const std::string& text) {
  unsigned mode = 0;
  const auto is_digit = [](char c) { return c >= '0' && c <= '7'; };
  if (text.size() < 3 || text.size() > 4 || !std::all_of(text.begin(), text.end(), is_digit)) {
    return {errc::invalid_argument, "--mode: " + text + " is not of the form 660"};
  }
  for (const char c : text) mode = mode * 8 + static_cast<unsigned>(c - '0');
  return mode & 0777;
}

result<void> read_setting(const std::string& word, redis::settings& to) {
  const auto at = word.find('=');
  const std::string name = word.substr(0, at), number = at == word.npos ? "" : word.substr(at + 1);
  if (name == redis::error_rate_name) {
    auto rate = parse_option("--set bf-error-rate", number, parse_rate);
    if (!rate) return rate.error();
    to.bf_error_rate = *rate;
    return {};
  }
  for (const redis::setting_row& each : redis::setting_rows) {
    if (name != each.name) continue;
    if (number.empty()) break;
    return read_number(("--set " + name).c_str(), number, static_cast<std::uint64_t>(each.least),
                       static_cast<std::uint64_t>(each.most), to.*each.place);
  }
  std::string names = redis::error_rate_name;
  for (const redis::setting_row& each : redis::setting_rows) append_name(names, each.name);
  return {errc::invalid_argument, "--set: " + word + ": say NAME=NUMBER, of " + names};
}

result<redis::serve_options> read(const serve_verb_options& o) {
  redis::serve_options read;
  for (const std::string& each : o.files) {
    auto named = named_file_of(each);
    if (!named) return named.error();
    read.files.push_back(std::move(*named));
  }
  read.directory = o.directory;
  if (read.files.empty() && read.directory.empty()) {
    return {errc::invalid_argument, "serve: say which filters: NAME=FILE, or --directory DIR"};
  }
  auto open = o.filter.read();
  if (!open) return open.error();
  read.how = {.open = std::move(*open), .only_asks = o.read_only, .checks = o.filter.check};
  if (!o.port.empty()) {
    int port = 0;
    if (auto fine = read_number("--port", o.port, 0, 65535, port); !fine) return fine.error();
    read.port = port;
  }
  read.unix_path = !o.unix_path.empty() ? o.unix_path : read.port ? "" : "seen.sock";
  auto mode = mode_of(o.mode);
  if (!mode) return mode.error();
  read.mode = *mode;
  read.syncs_first = o.sync == "always";
  constexpr std::uint64_t least_request = 1024, most_size = std::uint64_t{1} << 40;
  redis::limits& bounds = read.bounds;
  for (const auto& step : {
           read.syncs_first ? result<void>() : read_seconds("--sync", o.sync, read.sync_every),
           read_seconds("--save", o.save, read.save_every),
           read_seconds("--idle", o.idle, bounds.idle),
           read_number("--threads", o.threads, 1, 1024, read.threads),
           read_number("--max-clients", o.max_clients, 1, 1'000'000, bounds.clients),
           read_number("--max-memory", o.max_memory, least_request, most_size, bounds.memory),
           read_number("--max-request", o.max_request, least_request, most_size, bounds.request),
           read_number("--max-item", o.max_item, 1, most_size, bounds.item),
       }) {
    if (!step) return step.error();
  }
  for (const std::string& each : o.settings) {
    if (auto fine = read_setting(each, read.configured); !fine) return fine.error();
  }
  return read;
}

void end_by_bus_error(int) {
  constexpr std::string_view said = "seen: a filter was cut short while it was served, or its device failed\n";
  static_cast<void>(!::write(STDERR_FILENO, said.data(), said.size()));
  ::_exit(static_cast<int>(exit_status::error));
}

result<exit_status> serve_all(const serve_verb_options& o) {
  auto options = read(o);
  if (!options) return options.error();
  const bool quiet = o.quiet;
  // To stdout, so that who starts it can wait for the line, and learns which port it is.
  options->ready = [quiet](std::string_view address) {
    if (quiet) return;
    fmt::print("ready at {}\n", address);
    std::fflush(stdout);
  };
  options->log = [](std::string_view line) { warn(false, line); };
  std::signal(SIGBUS, end_by_bus_error);
  if (auto served = redis::serve(*options); !served) return served.error();
  return exit_status::yes;
}

#else

result<exit_status> serve_all(const serve_verb_options&) {
  return {errc::unsupported, "serve: this system has no epoll, which the server waits with; it runs on Linux"};
}

#endif

}  // namespace

action define_serve(option_list& app) {
  auto o = std::make_shared<serve_verb_options>();
  app.values({"files", "filters, each with the name that clients know it by", "NAME=FILE"}, o->files);
  app.value({"-d,--directory", "a directory for filters that commands make; those in it are served", "DIR"},
            o->directory);
  app.flag({"--read-only", "only answer; any number of servers may do so with one file"}, o->read_only);
  option_list where = app.in_group("Where");
  where.value({"-u,--unix", "a Unix socket (seen.sock, unless there is a --port)", "PATH"}, o->unix_path);
  where.value({"--mode", "who may connect to it, as chmod has it (600: its owner)", "MODE"}, o->mode);
  where.value({"--port", "a port of 127.0.0.1; 0: any that is free", "N"}, o->port);
  option_list kept = app.in_group("What is added");
  kept.value({"--sync", "seconds until adds to mapped filters are on the device (1), or `always`: before the reply",
              "SECONDS"},
             o->sync);
  kept.value({"--save", "seconds until adds to filters in memory are in their files (60); 0: when it ends", "SECONDS"},
             o->save);
  kept.values({"--set", "of filters that commands make: bf-error-rate=0.001", "NAME=VALUE"}, o->settings);
  option_list bounds = app.in_group("Limits");
  bounds.value({"--threads", "threads (one for each processor)", "N"}, o->threads);
  bounds.value({"--max-clients", "connections at once (10000)", "N"}, o->max_clients);
  bounds.value({"--max-memory", "for requests, replies and filters that commands make (1GiB)", "BYTES"}, o->max_memory);
  bounds.value({"--max-request", "of one request (256MiB)", "BYTES"}, o->max_request);
  bounds.value({"--max-item", "of one item (160MiB)", "BYTES"}, o->max_item);
  bounds.value({"--idle", "seconds until a silent client is let go (0: never)", "SECONDS"}, o->idle);
  o->filter.define(app);
  o->filter.define_check(app);
  define_quiet(app, o->quiet);
  app.footer(
      "Clients of Redis ask and add with BF.EXISTS, BF.MEXISTS, BF.ADD and the other commands of docs/redis.md. "
      "SIGTERM and\n"
      "SIGINT end the server: every add that was acknowledged is in its file then. A file that is replaced (seen build "
      "-f)\n"
      "is picked up while clients ask.\n"
      "\n"
      "Examples:\n"
      "  seen serve users=users.seen                     over ./seen.sock\n"
      "  seen serve --port 6379 -d filters/              over 127.0.0.1:6379; BF.RESERVE makes files in filters/\n"
      "  redis-cli -s seen.sock BF.EXISTS users alice");
  return [o] { return serve_all(*o); };
}

}  // namespace seen::cli
