// The library says of a file whether it can be mapped; whether it should be is said here.
#include "filter_file.hpp"

#include <array>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "command_line.hpp"
#include "input.hpp"
#include "progress.hpp"
#include "readable_file.hpp"

namespace seen::cli {

bool begins_as_filter(const std::string& path) {
  std::array<std::byte, native::magic.size()> beginning{};
  const auto opened = path == dash ? result<file>(error{errc::io, ""}) : file::open(path);
  return opened && opened->read_at(0, beginning) && native::recognises(beginning);
}

bool is_small(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) <= small_file;
}

namespace {

std::uint64_t size_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

// What of a mapped file cannot be read when it is needed has no other way to say so.
void end_by_bus_error(int) {
  constexpr std::string_view said =
      "seen: a filter was cut short while it was asked, or its device failed (--check reads it first)\n";
  static_cast<void>(!::write(STDERR_FILENO, said.data(), said.size()));
  ::_exit(static_cast<int>(exit_status::error));
}

// Whether a program that was writing to the file has ended that within a second.
bool writer_is_done(const std::string& path) {
  const descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  for (int waited = 0; opened.number() >= 0 && waited < 100; ++waited) {
    if (::flock(opened.number(), LOCK_SH | LOCK_NB) == 0) return waited != 0;
    ::usleep(10'000);
  }
  return false;
}

// Which file it is, and when it was written to.
bool is_as_before(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// Opens again what another program added keys to meanwhile: half of it would be from before, and no checksum would match.
template <class Open>
auto steadily(const std::string& path, Open open) -> decltype(open()) {
  for (int tries = 0;; ++tries) {
    struct stat before {
    }, after{};
    static_cast<void>(::stat(path.c_str(), &before));
    auto opened = open();
    if (opened || tries == 3) return opened;
    if (opened.error().code == errc::unsealed && writer_is_done(path)) continue;
    static_cast<void>(::stat(path.c_str(), &after));
    if (opened.error().code != errc::corrupt || is_as_before(before, after)) return opened;
  }
}

// Calls work(options), which tell a bar how far it is.
template <class Options, class Work>
auto with_bar(const char* label, std::uint64_t total, bool quiet, Options options, Work work) {
  progress bar(label, total, !quiet);
  options.watch = [&bar](std::uint64_t bytes) { bar.update_bytes(bytes); };
  return work(options);
}

result<any_filter> load(const std::string& path, const open_options& options, bool quiet) {
  return steadily(path, [&] {
    return with_bar("loading", size_of(path), quiet, options,
                    [&](const open_options& watched) { return any_filter::load(path, watched); });
  });
}

result<any_filter> open_there(const std::string& path, open_options options, opening how, bool quiet) {
  if (how == opening::checked) return load(path, options, quiet);
  options.recover = true;      // bits only go up in a file that is added to, so an unsealed one has lost no key
  options.huge_pages = false;  // a page that is touched should cost no more than it must
  if (is_small(path)) return load(path, options, quiet);
  std::signal(SIGBUS, end_by_bus_error);
  auto mapped = steadily(path, [&] { return any_filter::map(path, options); });
  // Other formats are not mapped, and what is wrong with the rest is told by loading it.
  if (!mapped && mapped.error().code == errc::unsupported) return load(path, options, quiet);
  return mapped;
}

// Calls open(name of the file as it can be opened), and names the file of the user in its errors.
template <class Open>
auto with_readable(const std::string& path, const open_options& options, Open open) -> decltype(open(path)) {
  auto file = readable_file::of(path, options);
  if (!file) return file.error();
  auto opened = open(file->name());
  if (!opened) return file->told(opened.error());
  return opened;
}

}  // namespace

result<any_filter> open_filter(const std::string& path, const open_options& options, opening how, bool quiet) {
  return with_readable(path, options, [&](const std::string& name) { return open_there(name, options, how, quiet); });
}

result<filter_info> inspect_filter(const std::string& path, const open_options& options, bool quiet) {
  return with_readable(path, options, [&](const std::string& name) {
    return steadily(name, [&] {
      return with_bar("checking", size_of(name), quiet, options,
                      [&](const open_options& watched) { return any_filter::inspect(name, watched); });
    });
  });
}

result<filter_info> glance_at(const std::string& path, const open_options& options) {
  return with_readable(path, options, [&](const std::string& name) {
    return steadily(name, [&] { return any_filter::glance(name, options); });
  });
}

result<void> save_filter(const any_filter& filter, const std::string& path, save_options options, bool quiet) {
  return with_bar("saving", filter.origin().file_bytes, quiet, std::move(options),
                  [&](const save_options& watched) { return filter.save(path, watched); });
}

result<filter_info> describe_saved(const std::string& path, const any_filter& saved, const open_options& options) {
  if (saved.format() != native::format_name || is_small(path)) return saved.info();
  auto info = glance_at(path, options);
  return info && std::isnan(info->keys) ? saved.info() : info;
}

}  // namespace seen::cli
