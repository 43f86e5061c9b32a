// Standard input that is kept is read again under its old number: no reader needs to know.
#include "key_lists.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

#include "input.hpp"

namespace seen::cli {
namespace {

bool is_regular(const std::string& path) {
  struct stat status {};
  const int failed = path == dash ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  return failed == 0 && S_ISREG(status.st_mode);
}

result<void> write_all(int to, bytes_view bytes) {
  while (!bytes.empty()) {
    const auto put = ::write(to, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return system_error("the copy of standard input", "write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return {};
}

// Puts the rest of standard input into a file without a name, and that in its place.
result<void> keep_stdin() {
  const char* const folder = std::getenv("TMPDIR");
  std::string name = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/seen-XXXXXX";
  const descriptor kept(::mkostemp(name.data(), O_CLOEXEC));
  if (kept.number() < 0) return system_error(name, "create a temporary file", errno);
  ::unlink(name.c_str());
  auto from = input::open(dash, reading::plain);
  if (!from) return from.error();
  std::vector<std::byte> block(std::size_t{256} << 10);
  for (;;) {
    auto got = from->read(block);
    if (!got) return got.error();
    if (*got == 0) break;
    if (auto put = write_all(kept.number(), bytes_view(block).first(*got)); !put) return put;
  }
  if (::lseek(kept.number(), 0, SEEK_SET) < 0 || ::dup2(kept.number(), STDIN_FILENO) < 0) return io_error(dash, "keep");
  return {};
}

}  // namespace

key_format whole_lines(key_format format) {
  format.csv = format.header = format.skip_blank = false;
  format.fields = {};
  format.column.clear();
  format.path.reset();
  format.comment.clear();
  return format;
}

result<key_lists> key_lists::open(std::vector<std::string> files, const std::vector<std::string>& keys,
                                  const key_format& format) {
  if (files.empty() && keys.empty()) files = {dash};
  key_format silent = format;  // each list is opened again to be read, and what deserves a remark is told then
  silent.quiet = true;
  if (auto all = key_reader::open(files, silent); !all) {
    error missing = all.error();
    if (missing.system == ENOENT) missing.detail += " (-e asks for a key)";
    return missing;
  }
  key_lists made(std::move(files), format);
  for (const std::string& key : keys) {
    const bytes_view bytes = std::as_bytes(std::span(key));
    made.given_.insert(made.given_.end(), bytes.begin(), bytes.end());
    made.given_.push_back(static_cast<std::byte>(format.terminator));
  }
  return made;
}

// Keys of the command line are text, whatever the files hold.
key_format key_lists::given_format() const {
  key_format format = whole_lines(format_);
  format.width = 0;
  return format;
}

std::string key_lists::name(std::size_t list) const {
  if (given_.empty()) return display_name(files_[list]);
  return list == 0 ? "command line" : display_name(files_[list - 1]);
}

result<key_reader> key_lists::read(std::size_t list) const {
  if (!given_.empty() && list-- == 0) return key_reader::of(given_, "command line", given_format());
  return key_reader::open({files_[list]}, format_);
}

result<void> key_lists::keep() {
  for (const std::string& each : files_) {
    if (is_regular(each)) continue;
    if (each != dash) {
      return {errc::unsupported, each + ": cannot be read twice, as --confirm does: give it as standard input (-)"};
    }
    if (auto kept = keep_stdin(); !kept) return kept;
  }
  if (std::find(files_.begin(), files_.end(), dash) == files_.end()) return {};
  const auto at = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (at < 0) return io_error(dash, "seek");
  stdin_begins_ = at;
  return {};
}

result<void> key_lists::rewind() const {
  if (stdin_begins_ && ::lseek(STDIN_FILENO, *stdin_begins_, SEEK_SET) < 0) return io_error(dash, "seek");
  return {};
}

}  // namespace seen::cli
