// seen redis dump: a filter as files. One that is spread over parts becomes a folder (dump_folder.hpp), and one key the file of its filter.
#include <seen/any_filter.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/storage/file.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "client/chunks.hpp"
#include "client/remote_filter.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "redis/dump_folder.hpp"
#include "table/record.hpp"

namespace seen::cli::over_redis {
namespace {

struct dump_options {
  std::string name, output;
  bool with_secret = false, quiet = false;
  server_options server;
};

// Pieces of a filter that was added to meanwhile do not belong together.
result<void> check_file(const std::string& path) {
  auto filter = any_filter::map(path);
  if (!filter) return filter.error().code == errc::secret_required ? result<void>() : filter.error();
  return filter->verify();
}

constexpr int most_readings = 3;  // of a filter that is added to meanwhile

error changed_meanwhile(const std::string& key, const error& why) {
  return why.prefixed(key + ": was added to between its pieces " + std::to_string(most_readings) +
                      " times, or is corrupt: ");
}

// The file of one part, as its chunks come. Where the head is one of RedisBloom's, each piece keeps its place.
result<part_file> write_part(client::cluster& at, const client::part_place& part, redis::family of, bool with_secret,
                             const std::string& folder, std::size_t index, progress& bar, std::uint64_t& total) {
  part_file made;
  char number[32];
  std::snprintf(number, sizeof number, "part-%05zu", index);
  std::optional<replacement> to;
  auto read = client::read_chunks(at, part, of, with_secret,
                                  [&](std::int64_t iterator, std::string_view bytes) -> result<void> {
                                    total += bytes.size();
                                    bar.update_bytes(total);
                                    if (iterator == 1) {
                                      made.head = bytes;
                                      made.name = std::string(number) + (redis::is_record(bytes) ? ".seen" : ".chunks");
                                      auto begun = replacement::begin(folder + '/' + made.name, true);
                                      if (!begun) return begun.error();
                                      to.emplace(std::move(*begun));
                                      return {};
                                    }
                                    if (!to) return {errc::corrupt, part.key + ": a chunk before the head"};
                                    made.bytes += bytes.size();
                                    if (!redis::is_record(made.head))
                                      made.ends.push_back(static_cast<std::uint64_t>(iterator));
                                    return to->write(bytes_of(bytes));
                                  });
  if (!read) return read.error();
  if (!to) return {errc::corrupt, part.key + ": SCANDUMP had no chunks"};
  if (auto done = to->commit(); !done) return done.error();
  const std::string path = folder + '/' + made.name;
  auto mapped = map_whole(path);
  if (!mapped) return mapped.error();
  made.digest = xxh3_64()(mapped->bytes()).value;
  if (made.ends.empty()) {
    if (auto sound = check_file(path); !sound) return sound.error();
  }
  return made;
}

result<part_file> write_part_again(client::cluster& at, const client::part_place& part, redis::family of,
                                   bool with_secret, const std::string& folder, std::size_t index, progress& bar,
                                   std::uint64_t& total) {
  for (int i = 1;; ++i) {
    auto made = write_part(at, part, of, with_secret, folder, index, bar, total);
    if (made || made.error().code != errc::corrupt) return made;
    if (i == most_readings) return changed_meanwhile(part.key, made.error());
  }
}

result<void> dump_parts(client::remote_filter& filter, const dump_options& o, progress& bar) {
  if (filter.record()->is_keyed() && !o.with_secret) {
    return {errc::secret_required,
            o.name + ": is keyed, and cannot be loaded again without its secrets (--with-secret writes them, too)"};
  }
  auto folder = new_folder::begin(o.output);
  if (!folder) return folder.error();
  std::vector<part_file> parts;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < filter.parts().size(); ++i) {
    auto made = write_part_again(filter.servers(), filter.parts()[i], filter.of(), o.with_secret, folder->path(), i,
                                 bar, total);
    if (!made) return made.error();
    parts.push_back(std::move(*made));
  }
  if (auto written = write_list(folder->path(), {*filter.record(), std::move(parts)}); !written) return written;
  return folder->commit();
}

// One key is one file: a native one, or RedisBloom's chunks, each with its iterator and its length before it, as the library reads them.
result<void> write_key(client::remote_filter& filter, const dump_options& o, progress& bar, bool& is_ours) {
  auto to = replacement::begin(o.output, false);
  if (!to && to.error().code == errc::exists) {
    return {errc::exists, to.error().detail + " (-o takes a name that is free)", EEXIST};
  }
  if (!to) return to.error();
  std::uint64_t total = 0;
  auto read = client::read_chunks(filter.servers(), filter.parts()[0], filter.of(), o.with_secret,
                                  [&](std::int64_t iterator, std::string_view bytes) -> result<void> {
                                    total += bytes.size();
                                    bar.update_bytes(total);
                                    if (iterator == 1) is_ours = redis::is_record(bytes);
                                    if (iterator == 1 && is_ours) return {};
                                    if (!is_ours) {
                                      std::array<std::byte, 16> place;
                                      store_le(place.data(), static_cast<std::uint64_t>(iterator));
                                      store_le(place.data() + 8, std::uint64_t{bytes.size()});
                                      if (auto written = to->write(place); !written) return written;
                                    }
                                    return to->write(bytes_of(bytes));
                                  });
  if (!read) return read;
  return to->commit();
}

result<void> dump_key(client::remote_filter& filter, const dump_options& o, progress& bar) {
  for (int i = 1;; ++i) {
    bool is_ours = true;
    if (auto written = write_key(filter, o, bar, is_ours); !written) return written;
    std::error_code none;
    if (!is_ours || !std::filesystem::is_regular_file(o.output, none)) return {};
    auto sound = check_file(o.output);
    if (sound || sound.error().code != errc::corrupt) return sound;
    std::filesystem::remove(o.output, none);
    if (i == most_readings) return changed_meanwhile(o.name, sound.error());
  }
}

result<exit_status> dump(const dump_options& o) {
  auto servers = o.server.connect();
  if (!servers) return servers.error();
  auto filter = client::remote_filter::open(**servers, o.name);
  if (!filter) return filter.error();
  progress bar("dumping", 0, !o.quiet);
  auto done = filter->record() ? dump_parts(*filter, o, bar) : dump_key(*filter, o, bar);
  if (!done) return done.error();
  return exit_status::yes;
}

}  // namespace

action define_dump(option_list& app) {
  auto o = std::make_shared<dump_options>();
  app.value({"name", "the filter's name", "NAME", need::required}, o->name);
  app.value({"-o,--output", "a folder to make; of a filter in one key, a file", "DIR", need::required}, o->output);
  app.flag({"--with-secret", "of a keyed filter: its secret, too; whoever reads it can forge keys"}, o->with_secret);
  define_quiet(app, o->quiet);
  o->server.define(app);
  app.footer(
      "The folder is there when it is complete. It has a native file for each part, which every verb reads, and "
      "cluster.json.\n"
      "\n"
      "Examples:\n"
      "  seen redis dump users -o users.dump\n"
      "  seen info users.dump/part-00000.seen");
  return [o] { return dump(*o); };
}

}  // namespace seen::cli::over_redis
