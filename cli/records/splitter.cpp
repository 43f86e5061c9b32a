// Lines are the case that is fast (lines.cpp).
#include "records/splitter.hpp"

namespace seen::cli {

std::size_t record_splitter::split(unsplit& text, std::span<bytes_view> records) noexcept {
  if (!form_.column.empty()) return split_framed(text, records);
  if (form_.width != 0) return split_fixed(text, records);
  if (form_.csv) return split_csv(text, records);
  return split_lines(text, form_.terminator, records);
}

std::size_t record_splitter::split_csv(unsplit& text, std::span<bytes_view> records) noexcept {
  const std::byte* const end = text.data + text.end;
  std::size_t count = 0;
  while (count != records.size() && text.scan != text.end) {
    const std::byte* const newline = csv_.find_end({text.data + text.scan, end});
    text.scan = static_cast<std::size_t>(newline - text.data);
    if (newline == end) break;
    records[count++] = bytes_view(text.data + text.begin, newline);
    text.begin = ++text.scan;
    csv_.restart();
  }
  return count;
}

std::size_t record_splitter::split_fixed(unsplit& text, std::span<bytes_view> records) const noexcept {
  std::size_t count = 0;
  for (; count != records.size() && text.end - text.begin >= form_.width; text.begin += form_.width) {
    records[count++] = bytes_view(text.data + text.begin, form_.width);
  }
  text.scan = text.begin;
  return count;
}

std::size_t record_splitter::split_framed(unsplit& text, std::span<bytes_view> records) noexcept {
  constexpr std::size_t frame = sizeof(std::uint32_t);
  std::size_t count = 0;
  while (count != records.size() && text.end - text.begin >= frame) {
    const std::size_t length = load_le<std::uint32_t>(text.data + text.begin);
    if (text.end - text.begin - frame < length) break;
    records[count++] = bytes_view(text.data + text.begin + frame, length);
    text.begin += frame + length;
  }
  text.scan = text.begin;
  return count;
}

}  // namespace seen::cli
