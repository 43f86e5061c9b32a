// Reading and writing what checkpoint.hpp draws.
#include "checkpoint.hpp"

#include <seen/detail/checksum.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

namespace seen {
inline namespace v1 {
namespace detail {
namespace {

constexpr std::uint64_t magic = 0x3154524150'9e73ff;  // "…PART1"
constexpr std::size_t header_bytes = 64, record_bytes = 32, body_alignment = 4096;
constexpr std::uint64_t is_finished = 256;

using record = std::array<std::byte, record_bytes>;

record record_of(std::uint64_t digests, std::uint64_t bytes, std::uint8_t seed) noexcept {
  record made;
  store_le(made.data(), digests);
  store_le(made.data() + 8, bytes);
  store_le(made.data() + 16, is_finished | seed);
  store_le(made.data() + 24, checksum::of(bytes_view(made).first(24)));
  return made;
}

std::array<std::byte, header_bytes> header_of(std::uint64_t identity, std::uint64_t shards, std::uint64_t body_bytes) {
  std::array<std::byte, header_bytes> made{};
  store_le(made.data(), magic);
  store_le(made.data() + 8, identity);
  store_le(made.data() + 16, shards);
  store_le(made.data() + 24, body_bytes);
  return made;
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

checkpoint::checkpoint(file opened, storage whole, std::uint64_t shards, std::uint64_t body_bytes) noexcept
    : opened_(std::move(opened)),
      whole_(std::move(whole)),
      body_offset_(static_cast<std::size_t>(round_up(header_bytes + record_bytes * shards, body_alignment))),
      body_bytes_(static_cast<std::size_t>(body_bytes)) {}

result<checkpoint> checkpoint::open(const std::string& path, std::uint64_t identity, std::uint64_t shards,
                                    std::uint64_t body_bytes) {
  auto opened = file::open_or_create(path);
  if (!opened) return opened.error();
  const std::uint64_t size = round_up(header_bytes + record_bytes * shards, body_alignment) + body_bytes;
  const auto expected = header_of(identity, shards, body_bytes);
  auto present = opened->size();
  if (!present) return present.error();
  std::array<std::byte, header_bytes> header{};
  if (*present >= header_bytes) {
    if (auto read = opened->read_at(0, header); !read) return read.error();
  }
  if (*present != 0 && load_le<std::uint64_t>(header.data()) != magic) {
    return {errc::exists, path + ": is there already, and is no checkpoint"};
  }
  if (*present != size) header = {};
  if (header != expected) {
    if (auto emptied = opened->reserve(0); !emptied) return emptied.error();
    if (auto room = opened->reserve(size); !room) {
      opened->remove();
      return room.error();
    }
    if (auto written = opened->write_at(0, expected); !written) return written.error();
  }
  auto whole = opened->map(size, true);
  if (!whole) return whole.error();
  return checkpoint(std::move(*opened), std::move(*whole), shards, body_bytes);
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

}  // namespace detail
}  // namespace v1
}  // namespace seen
