// Reading and writing what checkpoint.hpp draws.
#include "checkpoint.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <sys/stat.h>
#include <utility>

#include "base/checksum.hpp"

namespace seen::inline v1::building {
namespace {

constexpr std::uint64_t magic = 0x3154524150'9e73ff;  // "…PART1"
constexpr std::size_t magic_bytes = 8, header_bytes = 64, record_bytes = 32, body_alignment = 4096;
constexpr std::uint64_t is_finished = 256;

constexpr const char* foreign_there = ": is there already, and is not a checkpoint";

using record = std::array<std::byte, record_bytes>;
using header_array = std::array<std::byte, header_bytes>;

record record_of(std::uint64_t digests, std::uint64_t bytes, std::uint8_t seed) noexcept {
  record made;
  store_le(made.data(), digests);
  store_le(made.data() + 8, bytes);
  store_le(made.data() + 16, is_finished | seed);
  store_le(made.data() + 24, detail::checksum::of(bytes_view(made).first(24)));
  return made;
}

header_array header_of(std::uint64_t identity, std::uint64_t shards, std::uint64_t body_bytes) {
  header_array made{};
  store_le(made.data(), magic);
  store_le(made.data() + 8, identity);
  store_le(made.data() + 16, shards);
  store_le(made.data() + 24, body_bytes);
  return made;
}

// Whether all bytes of a file are 0.
result<bool> is_zero(const file& opened, std::uint64_t size) {
  std::array<std::byte, 65536> some;
  for (std::uint64_t at = 0; at < size; at += some.size()) {
    const auto piece = std::span(some).first(static_cast<std::size_t>(std::min<std::uint64_t>(size - at, some.size())));
    if (auto read = opened.read_at(at, piece); !read) return read.error();
    if (!std::all_of(piece.begin(), piece.end(), [](std::byte b) { return b == std::byte{0}; })) return false;
  }
  return true;
}

// Refuses a file that neither is a checkpoint nor was on the way to become one.
result<void> check_is_ours(const file& opened) {
  auto size = opened.size();
  if (!size) return size.error();
  std::array<std::byte, magic_bytes> mark, there;
  store_le(mark.data(), magic);
  const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(*size, magic_bytes));
  for (const std::uint64_t at : {std::uint64_t{0}, *size - some}) {
    const auto read_to = std::span(there).first(some);
    if (auto read = opened.read_at(at, read_to); !read) return read.error();
    if (std::equal(read_to.begin(), read_to.end(), mark.begin())) return {};
  }
  auto zero = is_zero(opened, *size);
  if (!zero) return zero.error();
  if (!*zero) return {errc::exists, opened.path() + foreign_there};
  return {};
}

// A file without shards: first the header, which must be on the device before there is anything else, then the room.
result<void> begin_anew(file& opened, const header_array& header, std::uint64_t size) {
  if (auto emptied = opened.reserve(0); !emptied) return emptied;
  if (auto written = opened.write_at(0, header); !written) return written;
  if (auto synced = opened.sync(); !synced) return synced;
  return opened.reserve(size);
}

// The mapping and the lock live as long as the body does.
struct kept {
  file opened;
  storage whole;
};

void release_kept(std::byte*, std::size_t, void* context) noexcept {
  delete static_cast<kept*>(context);
}

}  // namespace

checkpoint::checkpoint(file opened, storage whole, std::size_t body_offset, std::size_t body_bytes) noexcept
    : opened_(std::move(opened)), whole_(std::move(whole)), body_offset_(body_offset), body_bytes_(body_bytes) {}

result<void> checkpoint::check(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode)) {  // opened, a pipe would wait for its other end, and a link lead to another file
    const char* const what = S_ISDIR(status.st_mode) ? ": is a directory, and no checkpoint" : foreign_there;
    return {errc::exists, path + what};
  }
  auto opened = file::open(path, file::mode::write_shared);
  if (!opened) return opened.error();
  return check_is_ours(*opened);
}

result<checkpoint> checkpoint::open(const std::string& path, std::uint64_t identity, std::uint64_t shards,
                                    std::uint64_t body_bytes) {
  auto opened = file::open_or_create(path);
  if (!opened) return opened.error();
  if (auto ours = check_is_ours(*opened); !ours) return ours.error();
  const std::uint64_t body_offset = round_up(header_bytes + record_bytes * shards, body_alignment);
  const std::uint64_t size = body_offset + body_bytes + magic_bytes;
  const header_array expected = header_of(identity, shards, body_bytes);
  auto present = opened->size();
  if (!present) return present.error();
  header_array header{};
  if (*present == size) {
    if (auto read = opened->read_at(0, header); !read) return read.error();
  }
  const bool begins_anew = header != expected;
  auto begun = begins_anew ? begin_anew(*opened, expected, size) : result<void>();
  auto whole = begun ? opened->map(size, true) : result<storage>(begun.error());
  if (!whole) {
    if (begins_anew) opened->remove();  // it holds nothing yet
    return whole.error();
  }
  store_le(whole->data() + (size - magic_bytes), magic);
  return checkpoint(std::move(*opened), std::move(*whole), static_cast<std::size_t>(body_offset),
                    static_cast<std::size_t>(body_bytes));
}

std::optional<std::uint8_t> checkpoint::finished(std::uint64_t shard, std::uint64_t digests,
                                                 std::uint64_t bytes) const noexcept {
  const auto stored =
      whole_.bytes().subspan(static_cast<std::size_t>(header_bytes + record_bytes * shard), record_bytes);
  const auto seed = static_cast<std::uint8_t>(load_le<std::uint64_t>(stored.data() + 16));
  if (!std::ranges::equal(stored, record_of(digests, bytes, seed))) return std::nullopt;
  return seed;
}

void checkpoint::finish(std::uint64_t shard, std::uint64_t digests, std::uint64_t bytes, std::uint8_t seed) noexcept {
  const record made = record_of(digests, bytes, seed);
  std::memcpy(whole_.data() + header_bytes + record_bytes * shard, made.data(), made.size());
}

storage checkpoint::into_body() && {
  const std::span<std::byte> bytes(body(), body_bytes_);
  return storage::adopt(bytes, release_kept, new kept{std::move(opened_), std::move(whole_)});
}

}  // namespace seen::inline v1::building
