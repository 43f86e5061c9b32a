// The library says of a file whether it can be mapped; whether it should be is said here. It opens files by their names, so
// what comes through a pipe or is packed is copied to a file in memory that has one.
#include "filter_file.hpp"

#include <algorithm>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "input.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

bool is_small(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) <= small_file;
}

// The file to open for a filter: itself, or its content in memory. Errors name the file that the user knows.
class readable_file {
 public:
  static result<readable_file> of(const std::string& path, const open_options& options) {
    readable_file file(path);
    struct stat status {};
    const bool is_stdin = path == dash;
    if (!is_stdin && ::stat(path.c_str(), &status) != 0) return file;  // which the library says
    const bool is_regular = !is_stdin && S_ISREG(status.st_mode);
    if (is_regular && status.st_size == 0) return {errc::io, path + ": is empty"};
    if (S_ISDIR(status.st_mode) || (is_regular && packing_of(path) == packing::none)) return file;
    if (auto copied = file.copy(std::min(options.max_bytes, most_copied())); !copied) return copied.error();
    return file;
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] error told(const error& e) const {
    error named = e;
    for (std::size_t at = 0; copy_.number() >= 0 && (at = named.detail.find(name_, at)) != named.detail.npos;) {
      named.detail.replace(at, name_.size(), display_name(path_));
      at += display_name(path_).size();
    }
    return named;
  }

 private:
  explicit readable_file(const std::string& path) : path_(path), name_(path) {}

  // Half of the memory there is: the other half is for everything else.
  static std::uint64_t most_copied() {
    const auto pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) / 2 * static_cast<std::uint64_t>(bytes)
                                  : std::uint64_t{1} << 32;
  }

  result<void> copy(std::uint64_t most) {
    auto from = input::open(path_, reading::packed);
    if (!from) return from.error();
    copy_ = descriptor(::memfd_create("seen", MFD_CLOEXEC));
    if (copy_.number() < 0) return io_error(path_, "memfd_create");
    std::vector<std::byte> room(std::size_t{1} << 20);
    for (std::uint64_t size = 0;;) {
      auto got = from->read(room);
      if (!got) return got.error();
      if (*got == 0 && size == 0) return {errc::io, display_name(path_) + ": is empty"};
      if (*got == 0) break;
      if ((size += *got) > most) {
        return {errc::too_large, display_name(path_) + ": has more than " + human_bytes(most) +
                                     " in all; at most half of the memory is taken for what is packed or piped"};
      }
      for (bytes_view rest = bytes_view(room).first(*got); !rest.empty();) {
        const auto put = ::write(copy_.number(), rest.data(), rest.size());
        if (put < 0) return io_error(path_, "copy");
        rest = rest.subspan(static_cast<std::size_t>(put));
      }
    }
    name_ = "/proc/self/fd/" + std::to_string(copy_.number());
    return {};
  }

  std::string path_;
  std::string name_;
  descriptor copy_;
};

result<any_filter> open_there(const std::string& path, const open_options& options, opening how) {
  if (how == opening::checked) return any_filter::load(path, options);
  open_options as_it_is = options;
  as_it_is.recover = true;  // bits only go up in a file that is added to, so an unsealed one has lost no key
  if (is_small(path)) return any_filter::load(path, as_it_is);
  auto mapped = any_filter::map(path, as_it_is);
  // Other formats are not mapped, and what is wrong with the rest is told by loading it.
  if (!mapped && mapped.error().code == errc::unsupported) return any_filter::load(path, as_it_is);
  return mapped;
}

}  // namespace

result<any_filter> open_filter(const std::string& path, const open_options& options, opening how) {
  auto file = readable_file::of(path, options);
  if (!file) return file.error();
  auto opened = open_there(file->name(), options, how);
  if (!opened) return file->told(opened.error());
  return opened;
}

result<filter_info> inspect_filter(const std::string& path, const open_options& options) {
  auto file = readable_file::of(path, options);
  if (!file) return file.error();
  auto inspected = any_filter::inspect(file->name(), options);
  if (!inspected) return file->told(inspected.error());
  return inspected;
}

result<void> check_in_place(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    return {errc::unsupported, display_name(path) + ": not a regular file, which could be changed"};
  }
  const packing packed = packing_of(path);
  if (packed == packing::none) return {};
  const std::string name = name_of(packed);
  return {errc::unsupported,
          path + ": is packed by " + name + ", and is not changed as it is (" + name + " -d unpacks it)"};
}

}  // namespace seen::cli
