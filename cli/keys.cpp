// Lines are found eight bytes at a time, and are views into the block that was read: a key is copied only if it has to be
// decoded.
#include "keys.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "words.hpp"

namespace seen::cli {
namespace {

constexpr std::size_t first_block = std::size_t{256} << 10;

// The high bit of every byte of `word` that is zero, and no other. (The usual (x - 1) & ~x also marks a 1 that follows
// a 0: its borrow runs on. Adding to the low seven bits carries nowhere.)
constexpr std::uint64_t zero_bytes(std::uint64_t word) noexcept {
  constexpr std::uint64_t low7 = 0x7f7f'7f7f'7f7f'7f7f;
  return ~(((word & low7) + low7) | word | low7);
}

int hex_digit(std::byte b) noexcept {
  const char c = static_cast<char>(b);
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Whether a number is one of 32 bits, signed or not.
constexpr bool has_32_bits(std::int64_t number) noexcept {
  return number >= -(std::int64_t{1} << 31) && number < (std::int64_t{1} << 32);
}

}  // namespace

key_reader::key_reader(std::vector<std::string> paths, const key_format& format)
    : paths_(std::move(paths)), format_(format), block_(first_block), lines_(largest_batch) {}

result<key_reader> key_reader::open(std::vector<std::string> paths, const key_format& format) {
  key_reader made(std::move(paths), format);
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
    if (is_stdin) {
      const auto at = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
      if (at < 0) return io_error(path, "seek");
      made.stdin_begins_ = at;
    }
  }
  return made;
}

result<void> key_reader::rewind() {
  if (stdin_begins_ && ::lseek(STDIN_FILENO, *stdin_begins_, SEEK_SET) < 0) return io_error(dash, "seek");
  input_.reset();
  next_path_ = 0;
  bytes_before_ = lines_before_ = 0;
  begin_ = scan_ = end_ = batch_size_ = 0;
  return {};
}

std::uint64_t key_reader::bytes_read() const noexcept {
  return bytes_before_ + (input_ ? input_->consumed() : 0);
}

std::string key_reader::where(std::size_t index) const {
  const char* const unit = format_.terminator == '\n' ? ": line " : ": key ";
  return display_name(path()) + unit + std::to_string(number(index));
}

// False: there is no other file.
result<bool> key_reader::open_next() {
  if (next_path_ == paths_.size()) return false;
  auto opened = input::open(paths_[next_path_], format_.decompress);
  if (!opened) return opened.error();
  input_ = std::move(*opened);
  ++next_path_;
  lines_before_ = 0;
  begin_ = scan_ = end_ = 0;
  return true;
}

// Finds the complete lines in the block, as many as a batch takes, and returns how many.
std::size_t key_reader::split() {
  const std::byte* const data = block_.data();
  const auto terminator = static_cast<std::byte>(format_.terminator);
  const std::uint64_t pattern = 0x0101'0101'0101'0101 * std::to_integer<std::uint64_t>(terminator);
  bytes_view* const lines = lines_.data();
  std::size_t count = 0, begin = begin_, at = scan_;
  const std::size_t end = end_;
  while (at + 8 <= end && count + 8 <= largest_batch) {
    for (std::uint64_t hits = zero_bytes(load_le<std::uint64_t>(data + at) ^ pattern); hits != 0; hits &= hits - 1) {
      const std::size_t hit = at + static_cast<std::size_t>(std::countr_zero(hits)) / 8;
      lines[count++] = bytes_view(data + begin, hit - begin);
      begin = hit + 1;
    }
    at += 8;
  }
  for (; at < end && end - at < 8 && count < largest_batch; ++at) {
    if (data[at] != terminator) continue;
    lines[count++] = bytes_view(data + begin, at - begin);
    begin = at + 1;
  }
  begin_ = begin;
  scan_ = at;
  return count;
}

// Keeps the line that is not complete and reads on behind it. False: the file has ended.
result<bool> key_reader::read_more() {
  if (begin_ != 0) {
    std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    scan_ -= begin_;
    begin_ = 0;
  }
  if (end_ == block_.size()) block_.resize(2 * block_.size());
  auto got = input_->read(std::span(block_).subspan(end_));
  if (!got) return got.error();
  end_ += *got;
  return *got != 0;
}

result<key_batch> key_reader::next() {
  lines_before_ += batch_size_;
  batch_size_ = 0;
  for (;;) {
    if (!input_) {
      auto opened = open_next();
      if (!opened) return opened.error();
      if (!*opened) return key_batch{};
    }
    if (const std::size_t count = split(); count != 0) return batch(count);
    auto more = read_more();
    if (!more) return more.error();
    if (*more) continue;
    if (begin_ != end_) {  // the last line has no terminator
      lines_[0] = bytes_view(block_).subspan(begin_, end_ - begin_);
      begin_ = scan_ = end_;
      return batch(1);
    }
    bytes_before_ += input_->consumed();
    input_.reset();
  }
}

// The keys of the first `count` lines.
result<key_batch> key_reader::batch(std::size_t count) {
  batch_size_ = count;
  const std::span<const bytes_view> lines(lines_.data(), count);
  const bool numbers = !format_.hex && format_.accepts.form != key_form::bytes;
  if (format_.field == 0 && !format_.hex && !numbers) return key_batch{lines, lines};
  keys_.assign(lines.begin(), lines.end());
  if (format_.field != 0) {
    for (std::size_t i = 0; i < count; ++i) {
      auto found = column(keys_[i], i);
      if (!found) return found.error();
      keys_[i] = *found;
    }
  }
  if (format_.hex || numbers) {
    std::size_t room = 8 * count;
    if (format_.hex)
      room = std::accumulate(keys_.begin(), keys_.end(), std::size_t{0},
                             [](std::size_t sum, bytes_view key) { return sum + key.size() / 2; });
    decoded_.resize(std::max(decoded_.size(), room));
    std::byte* to = decoded_.data();
    for (std::size_t i = 0; i < count; ++i) {
      auto bytes = numbers ? number(keys_[i], to, i) : decoded(keys_[i], to, i);
      if (!bytes) return bytes.error();
      keys_[i] = *bytes;
    }
  }
  return key_batch{keys_, lines};
}

result<bytes_view> key_reader::column(bytes_view line, std::size_t index) const {
  const auto delimiter = static_cast<std::byte>(format_.delimiter);
  for (std::uint64_t skipped = 1;; ++skipped) {
    const auto end = std::find(line.begin(), line.end(), delimiter);
    if (skipped == format_.field) return line.first(static_cast<std::size_t>(end - line.begin()));
    if (end == line.end()) {
      return {errc::invalid_argument, where(index) + ": has " + std::to_string(skipped) +
                                          (skipped == 1 ? " field" : " fields") + ", no field " +
                                          std::to_string(format_.field)};
    }
    line = line.subspan(static_cast<std::size_t>(end - line.begin()) + 1);
  }
}

result<bytes_view> key_reader::decoded(bytes_view text, std::byte*& to, std::size_t index) const {
  if (text.size() % 2 != 0) {
    return {errc::invalid_argument, where(index) + ": " + std::to_string(text.size()) +
                                        (text.size() == 1 ? " hexadecimal digit" : " hexadecimal digits") +
                                        ", not an even number"};
  }
  std::byte* const begin = to;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) {
      return {errc::invalid_argument,
              where(index) + ": character " + std::to_string(i + (high < 0 ? 1 : 2)) + " is not a hexadecimal digit"};
    }
    *to++ = static_cast<std::byte>(high * 16 + low);
  }
  const bytes_view key(begin, to);
  const bool too_large = format_.accepts.form == key_form::int32 && key.size() == accepted_keys::number_width &&
                         !has_32_bits(static_cast<std::int64_t>(load_le<std::uint64_t>(begin)));
  if (!format_.accepts.takes(key) || too_large) return no_key(text, index);
  return key;
}

error key_reader::no_key(bytes_view text, std::size_t index) const {
  const std::string in_hex = format_.hex ? ": " + format_.accepts.lengths() + " in hexadecimal" : "";
  return {errc::invalid_argument, where(index) + ": " + shown(text) + " is not " + format_.accepts.in_words() +
                                      ", which the keys of this filter are" + in_hex};
}

// Decimal, signed or not. Any other text is an error, not a key of letters.
result<bytes_view> key_reader::number(bytes_view text, std::byte*& to, std::size_t index) const {
  const char* const begin = reinterpret_cast<const char*>(text.data());
  const char* const end = begin + text.size();
  const auto parsed = [&](auto& value) {
    const auto [stopped, failed] = std::from_chars(begin, end, value);
    return failed == std::errc() && stopped == end;
  };
  std::uint64_t whole = 0;
  std::int64_t with_sign = 0;
  double real = 0;
  const key_form form = format_.accepts.form;
  bool fits = false;
  if (form == key_form::real) {
    fits = parsed(real);
    whole = std::bit_cast<std::uint64_t>(real);
  } else if (parsed(with_sign)) {
    fits = form != key_form::int32 || has_32_bits(with_sign);
    whole = static_cast<std::uint64_t>(with_sign);
  } else {
    fits = form == key_form::integer && parsed(whole);
  }
  if (!fits) return no_key(text, index);
  store_le(to, whole);
  return bytes_view(std::exchange(to, to + 8), 8);
}

}  // namespace seen::cli
