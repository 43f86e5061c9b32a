// Terminators are found 64 bytes at a time (8 without SSE2), and nothing is copied but the line that a block cuts in two.
#include "lines.hpp"

#include <bit>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace seen::cli {
namespace {

constexpr std::size_t first_block = std::size_t{512} << 10;

// Where a byte stands among the next `width` ones: bit i * bits_per_byte of `among` says that it is byte i.
#if defined(__SSE2__)
class finder {
 public:
  static constexpr std::size_t width = 64;
  static constexpr unsigned bits_per_byte = 1;

  explicit finder(char wanted) noexcept : wanted_(_mm_set1_epi8(wanted)) {}

  [[nodiscard]] std::uint64_t among(const std::byte* text) const noexcept {
    return part(text) | part(text + 16) << 16 | part(text + 32) << 32 | part(text + 48) << 48;
  }

 private:
  [[nodiscard]] std::uint64_t part(const std::byte* text) const noexcept {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted_)));
  }

  __m128i wanted_;
};
#else
class finder {
 public:
  static constexpr std::size_t width = 8;
  static constexpr unsigned bits_per_byte = 8;

  explicit finder(char wanted) noexcept
      : pattern_(0x0101'0101'0101'0101 * static_cast<std::uint64_t>(static_cast<unsigned char>(wanted))) {}

  // The high bit of every byte that is zero, and no other, of the difference. (The usual (x - 1) & ~x also marks a 1 that
  // follows a 0: its borrow runs on. Adding to the low seven bits carries nowhere.)
  [[nodiscard]] std::uint64_t among(const std::byte* text) const noexcept {
    constexpr std::uint64_t low7 = 0x7f7f'7f7f'7f7f'7f7f;
    const std::uint64_t word = load_le<std::uint64_t>(text) ^ pattern_;
    return ~(((word & low7) + low7) | word | low7);
  }

 private:
  std::uint64_t pattern_;
};
#endif

}  // namespace

std::size_t split_lines(unsplit& text, char terminator, std::span<bytes_view> lines) noexcept {
  const std::byte* const data = text.data;
  const finder find(terminator);
  bytes_view* const found = lines.data();
  std::size_t count = 0, begin = text.begin, at = text.scan;
  const std::size_t end = text.end;
  while (at + finder::width <= end && count + finder::width <= lines.size()) {
    for (std::uint64_t hits = find.among(data + at); hits != 0; hits &= hits - 1) {
      const std::size_t hit = at + static_cast<unsigned>(std::countr_zero(hits)) / finder::bits_per_byte;
      found[count++] = bytes_view(data + begin, hit - begin);
      begin = hit + 1;
    }
    at += finder::width;
  }
  for (; at < end && end - at < finder::width && count < lines.size(); ++at) {
    if (data[at] != static_cast<std::byte>(terminator)) continue;
    found[count++] = bytes_view(data + begin, at - begin);
    begin = at + 1;
  }
  text.begin = begin;
  text.scan = at;
  return count;
}

line_reader::line_reader(std::vector<std::string> paths, const record_form& form, bool decompress)
    : paths_(std::move(paths)), splitter_(form), decompress_(decompress), block_(first_block), lines_(largest_batch) {}

line_reader line_reader::of(std::vector<std::byte> lines, std::string name, const record_form& form) {
  line_reader made({name}, form, false);
  made.can_rewind_ = false;
  made.input_ = input::of(std::move(lines), std::move(name));
  made.next_path_ = 1;
  return made;
}

result<line_reader> line_reader::open(std::vector<std::string> paths, const record_form& form, bool decompress) {
  line_reader made(std::move(paths), form, decompress);
  bool stdin_used = false;
  for (const std::string& path : made.paths_) {
    const bool is_stdin = path == dash;
    if (is_stdin && std::exchange(stdin_used, true)) {
      return {errc::invalid_argument, "standard input (-) cannot be read twice"};
    }
    struct stat status {};
    if ((is_stdin ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) != 0) {
      return io_error(path, "open");
    }
    if (S_ISDIR(status.st_mode)) return {errc::io, display_name(path) + ": is a directory"};
    if (!S_ISREG(status.st_mode)) {
      made.can_rewind_ = false;
      continue;
    }
    made.bytes_total_ += static_cast<std::uint64_t>(status.st_size);
    const bool is_column = !form.column.empty();
    made.is_packed_ = made.is_packed_ || is_column || (decompress && packing_of(path) != packing::none);
  }
  return made;
}

result<void> line_reader::rewind() {
  input_.reset();
  next_path_ = 0;
  bytes_before_ = lines_before_ = 0;
  rest_ = {};
  batch_size_ = 0;
  return {};
}

// CSV has to be read from its beginning, to know which newlines are in quotes.
std::shared_ptr<const part_list> line_reader::parts(std::uint64_t bytes) const {
  const record_form& form = splitter_.form();
  const bool can_be = can_rewind_ && parts_ == nullptr && !form.csv && form.width == 0 && form.column.empty();
  auto parts = can_be ? part_list::divide(paths_, form.terminator, decompress_, bytes) : std::vector<file_part>();
  return std::make_shared<part_list>(paths_, form.terminator, std::move(parts));
}

line_reader line_reader::of(std::shared_ptr<const part_list> parts, std::size_t index) const {
  line_reader made({paths_[(*parts)[index].file]}, splitter_.form(), decompress_);
  made.parts_ = std::move(parts);
  made.part_ = index;
  return made;
}

std::uint64_t line_reader::bytes_read() const noexcept {
  return bytes_before_ + (input_ ? input_->consumed() : 0);
}

std::string line_reader::where(std::size_t index) const {
  return display_name(path()) + ": " + splitter_.form().unit() + ' ' + std::to_string(number(index));
}

// False: there is no other file.
result<bool> line_reader::open_next() {
  if (next_path_ == paths_.size()) return false;
  const bool is_whole = parts_ == nullptr || (*parts_)[part_].is_whole;
  const std::string& path = paths_[next_path_];
  const std::string& column = splitter_.form().column;
  auto opened = !column.empty() ? input::open_column(path, column)
                : is_whole      ? input::open(path, decompress_ ? reading::keys : reading::plain)
                                : input::open_part(path, (*parts_)[part_].begin, (*parts_)[part_].end);
  if (!opened) return opened.error();
  input_ = std::move(*opened);
  ++next_path_;
  lines_before_ = 0;
  rest_ = {};
  splitter_.restart();
  return true;
}

// Keeps the line that is not complete and reads on behind it. False: the file has ended.
result<bool> line_reader::read_more() {
  if (rest_.begin != 0) {
    std::memmove(block_.data(), block_.data() + rest_.begin, rest_.end - rest_.begin);
    rest_.end -= rest_.begin;
    rest_.scan -= rest_.begin;
    rest_.begin = 0;
  }
  if (rest_.end == block_.size()) block_.resize(2 * block_.size());
  auto got = input_->read(std::span(block_).subspan(rest_.end));
  if (!got) return got.error();
  rest_.end += *got;
  rest_.data = block_.data();
  return *got != 0;
}

std::span<const bytes_view> line_reader::batch(std::size_t count) {
  batch_size_ = count;
  return {lines_.data(), count};
}

result<std::span<const bytes_view>> line_reader::next() {
  lines_before_ += batch_size_;
  batch_size_ = 0;
  for (;;) {
    if (!input_) {
      auto opened = open_next();
      if (!opened) return opened.error();
      if (!*opened) return batch(0);
    }
    if (const std::size_t count = splitter_.split(rest_, lines_); count != 0) return batch(count);
    auto more = read_more();
    if (!more) return more.error();
    if (*more) continue;
    if (rest_.begin != rest_.end) {  // the last line has no terminator
      lines_[0] = bytes_view(block_).subspan(rest_.begin, rest_.end - rest_.begin);
      rest_.begin = rest_.scan = rest_.end;
      return batch(1);
    }
    bytes_before_ += input_->consumed();
    input_.reset();
  }
}

}  // namespace seen::cli
