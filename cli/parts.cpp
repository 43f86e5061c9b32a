// A boundary is moved forward to the next beginning of a line, so that no reader has to know of another.
#include "parts.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "input.hpp"
#include "records/splitter.hpp"

namespace seen::cli {
namespace {

constexpr std::size_t piece = std::size_t{64} << 10;

// Calls use(offset, bytes) -> bool for one piece after the other from `begin` on, until it says false.
template <class Use>
void for_each_piece(const input& from, std::uint64_t begin, std::uint64_t end, std::size_t size, Use use) {
  std::vector<std::byte> room(size);
  while (begin < end) {
    auto got = from.read_at(
        begin, std::span(room).first(static_cast<std::size_t>(std::min<std::uint64_t>(size, end - begin))));
    if (!got || *got == 0 || !use(begin, bytes_view(room).first(*got))) return;
    begin += *got;
  }
}

// Where the first line begins from `at` on.
std::uint64_t line_begin(const input& from, std::uint64_t at, std::uint64_t end, char terminator) {
  std::uint64_t found = end;
  for_each_piece(from, at - 1, end, piece, [&](std::uint64_t offset, bytes_view bytes) {
    const void* const hit = std::memchr(bytes.data(), terminator, bytes.size());
    if (hit == nullptr) return true;
    found = offset + static_cast<std::uint64_t>(static_cast<const std::byte*>(hit) - bytes.data()) + 1;
    return false;
  });
  return found;
}

}  // namespace

std::vector<file_part> part_list::divide(const std::vector<std::string>& paths, char terminator, bool decompress,
                                         std::uint64_t bytes) {
  std::vector<file_part> parts;
  for (std::size_t file = 0; file < paths.size(); ++file) {
    auto from = input::open(paths[file], decompress ? reading::keys : reading::plain);
    const auto size = from ? from->plain_size() : std::nullopt;
    if (!size || *size < 2 * bytes) {
      parts.push_back({file, 0, 0, true});
      continue;
    }
    for (std::uint64_t begin = 0; begin < *size;) {
      const std::uint64_t end = *size - begin < 2 * bytes ? *size : line_begin(*from, begin + bytes, *size, terminator);
      parts.push_back({file, begin, end, false});
      begin = end;
    }
  }
  return parts;
}

std::uint64_t part_list::count_lines(const file_part& part) const {
  std::uint64_t lines = 0;
  auto from = input::open(paths_[part.file], reading::plain);
  if (!from) return 0;
  std::vector<bytes_view> found(16384);
  for_each_piece(*from, part.begin, part.end, 8 * piece, [&](std::uint64_t, bytes_view bytes) {
    unsplit text{bytes.data(), 0, 0, bytes.size()};
    while (const std::size_t some = split_lines(text, terminator_, found)) lines += some;
    return true;
  });
  return lines;
}

std::uint64_t part_list::lines_before(std::size_t part) const {
  if (parts_[part].begin == 0) return 0;
  const std::lock_guard lock(counting_);
  std::uint64_t before = 0;
  for (std::size_t i = part; i-- > 0 && parts_[i].file == parts_[part].file;) {
    if (!counted_[i]) counted_[i] = count_lines(parts_[i]);
    before += *counted_[i];
  }
  return before;
}

}  // namespace seen::cli
