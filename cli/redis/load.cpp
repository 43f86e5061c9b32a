// seen redis load: a filter out of the files of `dump`, or the file of any filter as one key.
#include <seen/any_filter.hpp>

#include <filesystem>
#include <memory>

#include "client/chunks.hpp"
#include "client/remote_filter.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "redis/dump_folder.hpp"
#include "table/file_value.hpp"
#include "table/record.hpp"
#include "table/redisbloom_numbers.hpp"

namespace seen::cli::over_redis {
namespace {

struct load_options {
  std::string name, path;
  bool replace = false, quiet = false;
  filter_options filter;
  server_options server;
};

result<void> load_part(client::cluster& at, const client::part_place& to, const part_file& part, bytes_view bytes) {
  if (part.ends.empty()) return client::write_whole(at, to, redis::family::bloom, part.head, bytes);
  if (auto begun = client::write_chunk(at, to, redis::family::bloom, 1, part.head); !begun) return begun;
  std::uint64_t before = 0;
  for (const std::uint64_t each : part.ends) {
    const bytes_view piece =
        bytes.subspan(static_cast<std::size_t>(before), static_cast<std::size_t>(each - 1 - before));
    before = each - 1;
    const std::string_view text(reinterpret_cast<const char*>(piece.data()), piece.size());
    if (auto taken = client::write_chunk(at, to, redis::family::bloom, static_cast<std::int64_t>(each), text); !taken)
      return taken;
  }
  return {};
}

// Those before `begun` are this load's own.
result<void> load_parts(client::cluster& at, const load_options& o, const listed_parts& list,
                        const client::remote_filter& filter, std::size_t& begun) {
  progress bar("loading", 0, !o.quiet);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < list.parts.size(); ++i) {
    const client::part_place& to = filter.parts()[i];
    auto part = open_part(o.path, list.parts[i]);
    if (!part) return part.error();
    if (o.replace) {
      auto gone = at.ask(to.slot, client::request("DEL", to.key));
      if (!gone) return gone.error();
    }
    auto loaded = load_part(at, to, list.parts[i], part->bytes());
    if (!loaded && loaded.error().code == errc::exists) {
      return {errc::exists, loaded.error().detail + ", perhaps of an interrupted load (--replace overwrites it)"};
    }
    begun = i + 1;
    if (loaded) loaded = client::check_whole(at, to, redis::family::bloom);
    if (!loaded) return loaded;
    total += list.parts[i].bytes;
    bar.update_bytes(total);
  }
  return {};
}

// Makes room for a filter: deletes the one that is there, with all its parts, and nothing that is no filter.
result<void> clear(client::cluster& at, const load_options& o) {
  auto there = client::remote_filter::open(at, o.name);
  if (!there) return client::is_missing(there.error()) ? result<void>() : result<void>(there.error());
  if (!o.replace) return {errc::exists, o.name + ": is there already (--replace overwrites it)"};
  return there->remove();
}

result<void> load_folder(client::cluster& at, const load_options& o) {
  if (auto fine = client::check_spread_name(o.name); !fine) return fine;
  auto list = read_list(o.path);
  if (!list) return list.error();
  // Everything is known to be whole before the first part is written.
  for (const part_file& each : list->parts) {
    if (auto part = open_part(o.path, each); !part) return part.error();
  }
  client::remote_filter filter(at, o.name, list->record);
  if (auto cleared = clear(at, o); !cleared) return cleared;
  std::size_t begun = 0;  // parts
  auto done = load_parts(at, o, *list, filter, begun);
  if (done) done = filter.write_record();
  if (done) return done;
  // Nobody has a filter without its record, and the next load finds its place free.
  for (std::size_t i = 0; i < begun; ++i) {
    const client::part_place& part = filter.parts()[i];
    if (auto gone = at.ask(part.slot, client::request("DEL", part.key)); !gone) break;
  }
  return done;
}

// A file of a filter becomes one key, under the commands of its kind.
result<void> load_file(client::cluster& at, const load_options& o) {
  auto open = o.filter.read();
  if (!open) return open.error();
  auto filter = any_filter::load(o.path, *open);
  if (!filter) return filter.error();
  const std::string format(filter->format());
  if (format != native::format_name && format != redis::redisbloom_format && format != redis::valkey_format) {
    return {errc::unsupported, o.path + ": is of format " + format +
                                   ", which servers of Redis do not hold: seen convert --to native makes one of it"};
  }
  const filter_info about = filter->info();
  if (auto fine = redis::check_clock(o.path, about); !fine) return fine;
  const redis::family of = redis::usual_family(*filter);
  const redis::value held = redis::file_value(std::move(*filter), about, of);
  const client::part_place to{o.name, client::slot_of(o.name)};
  if (auto cleared = clear(at, o); !cleared) return cleared;
  auto taken = client::write_chunk(at, to, of, 1, redis::dump_head(held, redis::secrets::told));
  if (!taken && taken.error().code == errc::exists)
    return {errc::exists, taken.error().detail + " (--replace overwrites it)"};
  if (!taken) return taken;
  progress bar("loading", about.bytes, !o.quiet);
  for (std::uint64_t sent = 0;;) {
    auto piece = redis::dump_piece(held, sent, redis::secrets::told);
    if (!piece) return {};
    sent = piece->end;
    const std::string_view bytes(reinterpret_cast<const char*>(piece->bytes.data()), piece->bytes.size());
    taken = client::write_chunk(at, to, of, static_cast<std::int64_t>(sent) + 1, bytes);
    if (!taken) {
      // Nobody is answered by a part of a filter, and the next load finds its place free.
      static_cast<void>(at.ask(to.slot, client::request("DEL", to.key)));
      return taken;
    }
    bar.update_bytes(sent);
  }
}

result<exit_status> load(const load_options& o) {
  std::error_code wrong;
  const bool is_folder = std::filesystem::is_directory(o.path, wrong);
  auto servers = o.server.connect();
  if (!servers) return servers.error();
  auto done = is_folder ? load_folder(**servers, o) : load_file(**servers, o);
  if (!done) return done.error();
  return exit_status::yes;
}

}  // namespace

action define_load(option_list& app) {
  auto o = std::make_shared<load_options>();
  app.value({"name", "the name it gets", "NAME", need::required}, o->name);
  app.value(
      {"path", "a folder of `seen redis dump`, or the file of a filter, which becomes one key", "FILE", need::required},
      o->path);
  app.flag({"--replace", "overwrite what is there already"}, o->replace);
  define_quiet(app, o->quiet);
  o->server.define(app);
  o->filter.define(app);
  app.footer(
      "Everything in a folder is checked before the first part is sent, and the record that makes it a filter is "
      "written last.\n"
      "\n"
      "Examples:\n"
      "  seen redis load users users.dump\n"
      "  seen redis load blocked blocklist.seen        SF.EXISTS of a ribbon, BF.EXISTS of a filter that grows");
  return [o] { return load(*o); };
}

}  // namespace seen::cli::over_redis
