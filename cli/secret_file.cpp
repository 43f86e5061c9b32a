// A file of 16 bytes is the secret itself; any other must be its hexadecimal digits, as write_secret leaves them.
#include "secret_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <span>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "input.hpp"
#include "json.hpp"

namespace seen::cli {
namespace {

result<secret> parse_hex(const std::string& path, std::string_view digits) {
  secret made;
  for (std::size_t i = 0; i < made.bytes.size(); ++i) {
    const char* const at = digits.data() + 2 * i;
    unsigned value = 0;
    if (std::from_chars(at, at + 2, value, 16).ptr != at + 2) {
      return {errc::invalid_argument,
              path + ": character " + std::to_string(2 * i + 1) + " or the next is not a hexadecimal digit"};
    }
    made.bytes[i] = static_cast<std::byte>(value);
  }
  return made;
}

}  // namespace

result<secret> read_secret(const std::string& path) {
  auto from = input::open(path, reading::plain);
  if (!from) return from.error();
  std::array<std::byte, 64> bytes{};
  std::size_t size = 0;
  while (size < bytes.size()) {
    auto got = from->read(std::span(bytes).subspan(size));
    if (!got) return got.error();
    if (*got == 0) break;
    size += *got;
  }
  secret made;
  if (size == made.bytes.size()) {
    std::copy_n(bytes.begin(), size, made.bytes.begin());
    return made;
  }
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), size);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  if (text.size() == 2 * made.bytes.size()) return parse_hex(display_name(path), text);
  return {errc::invalid_argument, display_name(path) + ": is not a secret, which is 16 bytes or 32 hexadecimal digits"};
}

result<void> write_secret(const std::string& path, const secret& kept) {
  const descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t{S_IRUSR | S_IWUSR}));
  if (file.number() < 0) {
    if (errno == EEXIST) return {errc::io, path + ": exists already; a secret file is never overwritten"};
    return io_error(path, "create");
  }
  const std::string text = hex_digits(kept.bytes) + '\n';
  const auto put = ::write(file.number(), text.data(), text.size());
  if (put == static_cast<::ssize_t>(text.size()) && ::fsync(file.number()) == 0) return {};
  if (put >= 0 && put < static_cast<::ssize_t>(text.size())) errno = ENOSPC;
  const error failed = io_error(path, "write");
  ::unlink(path.c_str());
  return failed;
}

}  // namespace seen::cli
