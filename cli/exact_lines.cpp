// Places are (piece << 32 | offset): a piece is mapped once, and never moves.
#include "exact_lines.hpp"

#include <seen/hash/hash.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace seen::cli {
namespace {

constexpr std::size_t usual_piece = std::size_t{16} << 20;
constexpr std::size_t length_bytes = sizeof(std::uint64_t);

// The folder of temporary files: what POSIX asks programs to look for, and its default.
std::string temporary_folder() {
  const char* const chosen = std::getenv("TMPDIR");
  return chosen != nullptr && *chosen != 0 ? chosen : "/tmp";
}

}  // namespace

spill::~spill() {
  for (const piece& each : pieces_) ::munmap(each.begin, each.bytes);
}

result<void> spill::grow(std::size_t needed) {
  if (file_.number() < 0) {
    name_ = temporary_folder() + "/seen-XXXXXX";
    descriptor made(::mkstemp(name_.data()));
    if (made.number() < 0) return system_error(temporary_folder() + " (TMPDIR)", "make a temporary file", errno);
    ::unlink(name_.c_str());
    name_ = "a temporary file in " + temporary_folder() + " (TMPDIR)";
    file_ = std::move(made);
  }
  const std::size_t page = 4096;
  const std::size_t bytes = std::max(usual_piece, (needed + page - 1) / page * page);
  // Room on the disk is asked for before it is mapped: a page without room would end the command by a signal.
  const int failed = ::posix_fallocate(file_.number(), static_cast<off_t>(file_bytes_), static_cast<off_t>(bytes));
  if (failed != 0) return system_error(name_, "write", failed);
  void* const begin =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), static_cast<off_t>(file_bytes_));
  if (begin == MAP_FAILED) return system_error(name_, "map", errno);
  pieces_.push_back({static_cast<std::byte*>(begin), bytes});
  file_bytes_ += bytes;
  used_ = 0;
  return {};
}

result<std::uint64_t> spill::put(bytes_view text) {
  const std::size_t needed = length_bytes + text.size();
  // A piece is longer than 4 GiB for the sake of one line alone, so that 32 bits say where a line begins.
  if (pieces_.empty() || pieces_.back().bytes - used_ < needed || used_ > 0xffff'ffff) {
    if (auto grown = grow(needed); !grown) return grown.error();
  }
  std::byte* const to = pieces_.back().begin + used_;
  store_le(to, static_cast<std::uint64_t>(text.size()));
  if (!text.empty()) std::memcpy(to + length_bytes, text.data(), text.size());
  const std::uint64_t place = static_cast<std::uint64_t>(pieces_.size() - 1) << 32 | used_;
  used_ += needed;
  return place;
}

bytes_view spill::at(std::uint64_t place) const noexcept {
  const std::byte* const from = pieces_[place >> 32].begin + (place & 0xffff'ffff);
  return {from + length_bytes, static_cast<std::size_t>(load_le<std::uint64_t>(from))};
}

std::size_t exact_lines::first_slot(const table& t, std::uint64_t digest) noexcept {
  return static_cast<std::size_t>(digest) & (t.slots.size() - 1);
}

void exact_lines::grow(table& t) {
  std::vector<slot> before(t.slots.empty() ? 64 : 2 * t.slots.size());
  before.swap(t.slots);
  const std::size_t mask = t.slots.size() - 1;
  for (const slot& each : before) {
    if (each.place == 0) continue;
    std::size_t at = first_slot(t, each.digest);
    while (t.slots[at].place != 0) at = (at + 1) & mask;
    t.slots[at] = each;
  }
}

result<bool> exact_lines::insert(bytes_view line) {
  const std::uint64_t digest = hash_key(hash_, line).value;
  table& t = tables_[digest >> 56];
  if (t.used + 1 > t.slots.size() / 8 * 7) grow(t);
  const std::size_t mask = t.slots.size() - 1;
  std::size_t at = first_slot(t, digest);
  for (; t.slots[at].place != 0; at = (at + 1) & mask) {
    if (t.slots[at].digest != digest) continue;
    const bytes_view known = text_.at(t.slots[at].place - 1);
    if (std::equal(known.begin(), known.end(), line.begin(), line.end())) return false;
  }
  auto place = text_.put(line);
  if (!place) return place.error();
  t.slots[at] = {digest, *place + 1};
  ++t.used;
  ++size_;
  return true;
}

}  // namespace seen::cli
