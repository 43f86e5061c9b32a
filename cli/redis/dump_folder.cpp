#include "redis/dump_folder.hpp"

#include <seen/hash/xxh3.hpp>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "json.hpp"
#include "records/json_path.hpp"
#include "table/record.hpp"

namespace seen::cli::over_redis {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "cluster.json";
constexpr const char* dump_format = "seen-cluster-dump-1";
constexpr const char* lock_name = "lock";

std::string hex_of(std::uint64_t number) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
  return digits;
}

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

result<void> sync_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = folder >= 0 && ::fsync(folder) == 0;
  const int why = errno;
  if (folder >= 0) ::close(folder);
  return synced ? result<void>() : result<void>(system_error(path, "fsync", why));
}

}  // namespace

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

result<void> write_list(const std::string& folder, const listed_parts& list) {
  json fields = json::object();
  const std::vector<std::string> words = list.record.fields();
  for (std::size_t i = 0; i < words.size(); i += 2) fields.add(words[i], words[i + 1]);
  json rows = json::array();
  for (const part_file& each : list.parts) {
    json row = json::object()
                   .add("name", each.name)
                   .add("bytes", each.bytes)
                   .add("xxh3", hex_of(each.digest))
                   .add("head", hex_digits(bytes_of(each.head)));
    if (!each.ends.empty()) row.add("ends", json::array_of(each.ends));
    rows.push(row);
  }
  const json document = json::object().add("format", dump_format).add("record", fields).add("parts", rows);
  auto to = replacement::begin(folder + '/' + list_name, true);
  if (!to) return to.error();
  if (auto written = to->write(bytes_of(document.text() + '\n')); !written) return written;
  return to->commit();
}

result<listed_parts> read_list(const std::string& folder) {
  constexpr std::uint64_t most = std::uint64_t{64} << 20;
  const std::string path = folder + '/' + list_name;
  auto mapped = map_whole(path);
  if (!mapped) return mapped.error();
  if (mapped->bytes().size() > most) return {errc::too_large, path + ": is no list of parts: it has more than 64 MiB"};
  const document list(path, mapped->bytes());
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
  listed_parts made{std::move(*record), {}};
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
  const bytes_view bytes = mapped->bytes();
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

new_folder::new_folder(std::string target) : target_(std::move(target)), hidden_(hidden_beside(target_, ".seen-tmp")) {}

new_folder::new_folder(new_folder&& other) noexcept
    : target_(std::move(other.target_)),
      hidden_(std::move(other.hidden_)),
      lock_(std::move(other.lock_)),
      pending_(std::exchange(other.pending_, false)) {}

new_folder::~new_folder() {
  std::error_code wrong;
  if (pending_) fs::remove_all(hidden_, wrong);
}

result<new_folder> new_folder::begin(const std::string& path) {
  std::string target = path;
  while (target.size() > 1 && target.ends_with('/')) target.pop_back();
  std::error_code wrong;
  if (fs::exists(fs::symlink_status(target, wrong)))
    return {errc::exists, target + ": is there already (-o takes a name that is free)", EEXIST};
  new_folder made(target);
  // Until its lock is had, what is there is another process's.
  made.pending_ = false;
  if (::mkdir(made.hidden_.c_str(), 0777) != 0 && errno != EEXIST) return system_error(made.hidden_, "mkdir", errno);
  auto lock = file::open_or_create(made.hidden_ + '/' + lock_name);
  if (!lock) {
    const bool is_busy = lock.error().code == errc::busy;
    return is_busy ? error{errc::busy, target + ": another process is writing it"} : lock.error();
  }
  made.pending_ = true;
  made.lock_.emplace(std::move(*lock));
  // What a killed one left.
  for (const auto& each : fs::directory_iterator(made.hidden_, wrong)) {
    if (each.path().filename() != lock_name) fs::remove_all(each.path(), wrong);
  }
  return made;
}

result<void> new_folder::commit() {
  lock_->remove();
  if (auto synced = sync_folder(hidden_); !synced) return synced;
  if (::rename(hidden_.c_str(), target_.c_str()) != 0) return system_error(target_, "rename", errno);
  pending_ = false;
  const std::string above = fs::path(target_).parent_path().string();
  return sync_folder(above.empty() ? "." : above);
}

}  // namespace seen::cli::over_redis
