// seen redis dump, load: a filter as files, and back.
//
//   users   spread over parts      users.dump/ cluster.json              the record, and of each part its file, length, digest and head
//                                              part-00000.seen …         native files; `.chunks` where a part is one of RedisBloom's
//           one key                users.seen                            the file of its filter
//
// The head is what SCANDUMP replies first: what the filter itself does not know. A folder is written under a hidden name beside its own, which it
// takes when everything is on the device; what an interrupted dump left there goes with the next one.
#include <seen/any_filter.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/storage/file.hpp>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "client/chunks.hpp"
#include "client/remote_filter.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "records/json_path.hpp"
#include "redis/redis.hpp"
#include "table/file_value.hpp"
#include "table/record.hpp"
#include "table/redisbloom_numbers.hpp"
#include "words.hpp"

namespace seen::cli::over_redis {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "cluster.json";
constexpr const char* dump_format = "seen-cluster-dump-1";

bytes_view bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// A part in a folder.
struct part_file {
  std::string name, head;
  std::uint64_t bytes = 0, digest = 0;
  std::vector<std::uint64_t> ends = {};  // of its pieces, where they may be cut nowhere else
};

std::string hex_of(std::uint64_t number) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
  return digits;
}

result<storage> map_whole(const std::string& path) {
  // A pipe would be waited for.
  std::error_code none;
  if (const auto status = fs::status(path, none); fs::exists(status) && !fs::is_regular_file(status)) {
    return {errc::io, path + ": is no regular file"};
  }
  auto opened = file::open(path);
  if (!opened) return opened.error();
  auto size = opened->size();
  if (!size) return size.error();
  return opened->map(*size, false);
}

bytes_view whole_of(const storage& from) {
  return from.bytes();
}

// --- dump

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
  made.digest = xxh3_64()(whole_of(*mapped)).value;
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

// A folder in the making.
class new_folder {
 public:
  static result<new_folder> begin(const std::string& path) {
    std::string target = path;
    while (target.size() > 1 && target.ends_with('/')) target.pop_back();
    std::error_code wrong;
    if (fs::exists(fs::symlink_status(target, wrong)))
      return {errc::exists, target + ": is there already (-o takes a name that is free)", EEXIST};
    new_folder made(target);
    if (::mkdir(made.hidden_.c_str(), 0777) != 0 && errno != EEXIST) {
      made.pending_ = false;
      return system_error(made.hidden_, "mkdir", errno);
    }
    auto lock = file::open_or_create(made.lock_name());
    if (!lock) {
      made.pending_ = false;
      return lock.error().code == errc::busy ? error{errc::busy, target + ": another process is writing it"}
                                             : lock.error();
    }
    made.lock_.emplace(std::move(*lock));
    // What a killed one left.
    for (const auto& each : fs::directory_iterator(made.hidden_, wrong)) {
      if (each.path().filename() != "lock") fs::remove_all(each.path(), wrong);
    }
    return made;
  }
  new_folder(new_folder&& other) noexcept
      : target_(std::move(other.target_)),
        hidden_(std::move(other.hidden_)),
        lock_(std::move(other.lock_)),
        pending_(std::exchange(other.pending_, false)) {}
  new_folder& operator=(new_folder&&) = delete;
  ~new_folder() {
    std::error_code wrong;
    if (pending_) fs::remove_all(hidden_, wrong);
  }

  [[nodiscard]] const std::string& path() const noexcept { return hidden_; }

  result<void> commit() {
    lock_->remove();
    if (auto synced = sync(hidden_); !synced) return synced;
    if (::rename(hidden_.c_str(), target_.c_str()) != 0) return system_error(target_, "rename", errno);
    pending_ = false;
    const std::string above = fs::path(target_).parent_path().string();
    return sync(above.empty() ? "." : above);
  }

 private:
  explicit new_folder(std::string target) : target_(std::move(target)), hidden_(hidden_beside(target_, ".seen-tmp")) {}
  [[nodiscard]] std::string lock_name() const { return hidden_ + "/lock"; }
  static result<void> sync(const std::string& path) {
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = folder >= 0 && ::fsync(folder) == 0;
    const int why = errno;
    if (folder >= 0) ::close(folder);
    return synced ? result<void>() : result<void>(system_error(path, "fsync", why));
  }

  std::string target_, hidden_;
  std::optional<file> lock_;
  bool pending_ = true;
};

std::string list_of(const client::spread_record& record, const std::vector<part_file>& parts) {
  json fields = json::object();
  const std::vector<std::string> words = record.fields();
  for (std::size_t i = 0; i < words.size(); i += 2) fields.add(words[i], words[i + 1]);
  json rows = json::array();
  for (const part_file& each : parts) {
    json row = json::object()
                   .add("name", each.name)
                   .add("bytes", each.bytes)
                   .add("xxh3", hex_of(each.digest))
                   .add("head", hex_digits(bytes_of(each.head)));
    if (!each.ends.empty()) row.add("ends", json::array_of(each.ends));
    rows.push(row);
  }
  return json::object().add("format", dump_format).add("record", fields).add("parts", rows).text() + '\n';
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
  auto list = replacement::begin(folder->path() + '/' + list_name, true);
  if (!list) return list.error();
  if (auto written = list->write(bytes_of(list_of(*filter.record(), parts))); !written) return written;
  if (auto done = list->commit(); !done) return done;
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
    if (!is_ours || !fs::is_regular_file(o.output, none)) return {};
    auto sound = check_file(o.output);
    if (sound || sound.error().code != errc::corrupt) return sound;
    fs::remove(o.output, none);
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

// --- load

struct load_options {
  std::string name, path;
  bool replace = false, quiet = false;
  filter_options filter;
  server_options server;
};

// Values of a JSON document by their paths.
class document {
 public:
  document(std::string path, bytes_view text) : path_(std::move(path)), text_(text) {}

  /// All that the path leads to.
  result<std::vector<std::string>> all(const std::string& at) const {
    auto path = json_path::parse(at);
    if (!path) return path.error();
    scratch room;
    std::vector<bytes_view> found;
    std::string problem;
    if (!path->find(text_, found, room, problem)) return {errc::corrupt, path_ + ": " + problem};
    std::vector<std::string> made;
    for (const bytes_view each : found) made.emplace_back(reinterpret_cast<const char*>(each.data()), each.size());
    return made;
  }
  result<std::string> one(const std::string& at) const {
    auto found = all(at);
    if (!found) return found.error();
    if (found->size() != 1) return {errc::corrupt, path_ + ": has no " + at};
    return std::move(found->front());
  }
  [[nodiscard]] error wrong(const std::string& at) const {
    return {errc::corrupt, path_ + ": " + at + " makes no sense"};
  }

 private:
  std::string path_;
  bytes_view text_;
};

bool read_number(const std::string& text, std::uint64_t& to, int base = 10) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), to, base);
  return failed == std::errc() && end == text.data() + text.size();
}

std::optional<std::string> bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    std::uint64_t value = 0;
    if (hex.size() - i < 2 || !read_number(hex.substr(i, 2), value, 16)) return {};
    bytes += static_cast<char>(value);
  }
  return bytes;
}

struct dumped {
  client::spread_record record;
  std::vector<part_file> parts;
};

result<dumped> read_list(const std::string& folder) {
  constexpr std::uint64_t most = std::uint64_t{64} << 20;
  const std::string path = folder + '/' + list_name;
  auto mapped = map_whole(path);
  if (!mapped) return mapped.error();
  if (whole_of(*mapped).size() > most)
    return {errc::too_large, path + ": is no list of parts: it has more than 64 MiB"};
  const document list(path, whole_of(*mapped));
  auto format = list.one(".format");
  if (!format) return format.error();
  if (*format != dump_format) {
    return {errc::newer_version,
            path + ": is of format \"" + format->substr(0, 100) + "\", and this reads \"" + dump_format + '"'};
  }
  std::vector<client::reply> fields;
  const auto text = [](std::string value) {
    return client::reply{.is = client::reply::kind::text, .text = std::move(value)};
  };
  for (const char* const name : {"format", "parts", "capacity", "error", "seed", "command", "options"}) {
    auto value = list.one(std::string(".record.") + name);
    if (!value) return value.error();
    fields.push_back(text(name));
    fields.push_back(text(std::move(*value)));
  }
  auto record = client::spread_record::read(path, fields);
  if (!record) return record.error();
  dumped made{std::move(*record), {}};
  std::vector<std::string> columns[4];
  const char* const paths[] = {".parts[].name", ".parts[].bytes", ".parts[].xxh3", ".parts[].head"};
  for (std::size_t i = 0; i < 4; ++i) {
    auto column = list.all(paths[i]);
    if (!column) return column.error();
    if (column->size() != made.record.parts) {
      return {errc::corrupt, path + ": " + paths[i] + ": " + std::to_string(column->size()) + " of " +
                                 std::to_string(made.record.parts) + " parts"};
    }
    columns[i] = std::move(*column);
  }
  for (std::size_t i = 0; i < made.record.parts; ++i) {
    part_file part;
    part.name = columns[0][i];
    const std::string here = ".parts[" + std::to_string(i) + "]";
    if (part.name.empty() || part.name.find('/') != std::string::npos || part.name.starts_with('.'))
      return list.wrong(here + ".name");
    if (!read_number(columns[1][i], part.bytes)) return list.wrong(here + ".bytes");
    if (columns[2][i].size() != 16 || !read_number(columns[2][i], part.digest, 16)) return list.wrong(here + ".xxh3");
    auto head = bytes_of_hex(columns[3][i]);
    if (!head || head->empty()) return list.wrong(here + ".head");
    part.head = std::move(*head);
    if (!redis::is_record(part.head)) {
      auto ends = list.all(here + ".ends[]");
      if (!ends) return ends.error();
      std::uint64_t before = 1;
      for (const std::string& each : *ends) {
        std::uint64_t end = 0;
        if (!read_number(each, end) || end <= before || end - 1 > part.bytes) return list.wrong(here + ".ends");
        part.ends.push_back(before = end);
      }
      if (before - 1 != part.bytes) return list.wrong(here + ".ends");
    }
    made.parts.push_back(std::move(part));
  }
  return made;
}

result<storage> open_part(const std::string& folder, const part_file& part) {
  const std::string path = folder + '/' + part.name;
  auto mapped = map_whole(path);
  if (!mapped) return mapped;
  const bytes_view bytes = whole_of(*mapped);
  if (bytes.size() != part.bytes) {
    return {errc::corrupt, path + ": has " + std::to_string(bytes.size()) + " bytes, and " + list_name + " says " +
                               std::to_string(part.bytes)};
  }
  if (xxh3_64()(bytes).value != part.digest) {
    return {errc::corrupt, path + ": its digest is " + hex_of(xxh3_64()(bytes).value) + ", and " + list_name +
                               " says " + hex_of(part.digest)};
  }
  return mapped;
}

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
result<void> load_parts(client::cluster& at, const load_options& o, const dumped& list,
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
    auto loaded = load_part(at, to, list.parts[i], whole_of(*part));
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
  const bool is_folder = fs::is_directory(o.path, wrong);
  auto servers = o.server.connect();
  if (!servers) return servers.error();
  auto done = is_folder ? load_folder(**servers, o) : load_file(**servers, o);
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
