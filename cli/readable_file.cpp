// The copy is a file without a name in the file system, which the system lets programs open by its number.
#include "readable_file.hpp"

#include <algorithm>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "words.hpp"

namespace seen::cli {
namespace {

// Half of the memory there is: the other half is for everything else.
std::uint64_t most_copied() {
  const auto pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) / 2 * static_cast<std::uint64_t>(bytes)
                                : std::uint64_t{1} << 32;
}

std::string renamed(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

}  // namespace

result<readable_file> readable_file::of(const std::string& path, const open_options& options) {
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

error readable_file::told(const error& e) const {
  if (copy_.number() < 0) return e;
  return {e.code, renamed(e.detail, name_, display_name(path_)), e.system};
}

result<void> readable_file::copy(std::uint64_t most) {
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
