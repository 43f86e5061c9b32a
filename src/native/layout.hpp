// Shared by the writer and the reader of native files: the numbers of docs/formats/native.md, what no header may say,
// and the page table.
#pragma once

#include <seen/native/native.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.hpp"

namespace seen::inline v1::native {
namespace layout {

inline constexpr std::size_t identity_bytes = 104;  // up to the first entry
inline constexpr std::size_t trailer_bytes = 40;    // header checksum and seal
inline constexpr std::size_t max_header_bytes = std::size_t{256} << 10;
inline constexpr std::uint64_t max_body_bytes = std::uint64_t{1}
                                                << 44;  // 128 times the largest filter: room for chains
inline constexpr std::uint64_t smallest_page = std::uint64_t{64} << 10;
inline constexpr std::uint64_t most_pages =
    1024;  // 8 KiB of checksums at most: opening takes the same time at any size
inline constexpr std::size_t max_segments =
    256;  // a chain that doubles has 40 links; more cost memory before a kind is asked
inline constexpr std::size_t max_fields = 64;  // of one segment; no kind has a tenth of it
inline constexpr std::size_t line = storage::alignment;
inline constexpr std::size_t largest_alignment = 4096;

inline constexpr std::uint32_t hash_flag_keyed = 1;

enum class tag : std::uint16_t { none = 0, segment = 1, metadata = 2, secret = 3 };
inline constexpr std::uint16_t must_understand = 1;

inline constexpr std::string_view sealed_word = "sealed!\n";
inline constexpr std::string_view unsealed_word = "unsealed";

inline std::uint64_t page_bytes_for(std::uint64_t body_bytes) noexcept {
  std::uint64_t page = smallest_page;
  while (ceil_div(body_bytes, page) > most_pages) page *= 2;
  return page;
}

inline std::uint64_t page_count(const header& h) noexcept {
  return ceil_div(h.body_bytes, h.page_bytes);
}

// Limits of what a file may say: the reader refuses the rest, and the writer does not write it.
struct impossible {
  std::size_t at = 0;  // the offset in the header, of what has a fixed one
  std::string what;
};

inline std::optional<impossible> impossible_length(std::uint64_t header_bytes, std::uint64_t file_bytes) {
  if (header_bytes >= identity_bytes + trailer_bytes && header_bytes % line == 0 &&
      header_bytes <= std::min<std::uint64_t>(max_header_bytes, file_bytes)) {
    return {};
  }
  return impossible{
      12, "a header of " + std::to_string(header_bytes) + " bytes in a file of " + std::to_string(file_bytes)};
}

// The numbers before the entries, and how they fit one another. Sums cannot wrap: every term is bounded first.
inline std::optional<impossible> impossible_number(const header& h) {
  if (!(h.target.fpr >= 0 && h.target.fpr < 1)) return impossible{64, "the stored fpr is not a probability below 1"};
  if (h.body_offset != round_up(h.header_bytes, line) && h.body_offset != round_up(h.header_bytes, largest_alignment)) {
    return impossible{72, "the body begins at " + std::to_string(h.body_offset) + ", not right after the header"};
  }
  if (h.body_bytes > max_body_bytes || h.body_bytes % line != 0) {
    return impossible{80, "a body of " + std::to_string(h.body_bytes) + " bytes"};
  }
  if (h.page_bytes != page_bytes_for(h.body_bytes)) {
    return impossible{88, "pages of " + std::to_string(h.page_bytes) + " bytes, where a body of " +
                              std::to_string(h.body_bytes) + " has pages of " +
                              std::to_string(page_bytes_for(h.body_bytes))};
  }
  if (h.table_offset() + 8 * page_count(h) != h.file_bytes) {
    return impossible{80, "header, body and page table make " + std::to_string(h.table_offset() + 8 * page_count(h)) +
                              " bytes, the file has " + std::to_string(h.file_bytes)};
  }
  return {};
}

// Of segment `i`, where those before it are sound.
inline std::optional<std::string> impossible_segment(const header& h, std::size_t i) {
  const segment& s = h.segments[i];
  if (i >= max_segments) return "more than 256 segments";
  if (s.fields.size() > max_fields) return "a segment entry of " + std::to_string(16 + 8 * s.fields.size()) + " bytes";
  const std::uint64_t expected = i == 0 ? 0 : h.segments[i - 1].offset + h.segments[i - 1].length;
  if (s.offset != expected || s.length % line != 0 || s.length > h.body_bytes - s.offset) {
    return "segment " + std::to_string(i) + " does not follow the one before it";
  }
  return {};
}

// Of all segments together.
inline std::optional<std::string> impossible_cover(const header& h) {
  const std::uint64_t covered = h.segments.empty() ? 0 : h.segments.back().offset + h.segments.back().length;
  if (!h.segments.empty() && covered == h.body_bytes) return {};
  return "the segments cover " + std::to_string(covered) + " of " + std::to_string(h.body_bytes) + " bytes of body";
}

// Page checksums of a body that comes in pieces.
class page_table {
 public:
  explicit page_table(const header& h) : page_bytes_(h.page_bytes) {
    table_.reserve(8 * static_cast<std::size_t>(page_count(h)));
  }
  void update(bytes_view bytes) {
    while (!bytes.empty()) {
      const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), page_bytes_ - in_page_));
      sum_.update(bytes.first(take));
      in_page_ += take;
      bytes = bytes.subspan(take);
      if (in_page_ == page_bytes_) end_page();
    }
  }
  const std::vector<std::byte>& finish() {
    if (in_page_ != 0) end_page();
    return table_;
  }

 private:
  void end_page() {
    const std::size_t at = table_.size();
    table_.resize(at + 8);
    store_le(table_.data() + at, sum_.value());
    sum_.restart();
    in_page_ = 0;
  }

  std::uint64_t page_bytes_;
  std::uint64_t in_page_ = 0;
  detail::checksum sum_;
  std::vector<std::byte> table_;
};

}  // namespace layout
}  // namespace seen::inline v1::native
