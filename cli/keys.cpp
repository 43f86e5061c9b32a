// A key is copied only if it has to be decoded.
#include "keys.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>
#include <utility>

#include "words.hpp"

namespace seen::cli {
namespace {

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

result<key_reader> key_reader::open(std::vector<std::string> paths, const key_format& format) {
  auto lines = line_reader::open(std::move(paths), {.terminator = format.terminator}, format.decompress);
  if (!lines) return lines.error();
  return key_reader(std::move(*lines), format);
}

result<key_batch> key_reader::next() {
  auto found = lines_.next();
  if (!found) return found.error();
  const std::span<const bytes_view> lines = *found;
  const std::size_t count = lines.size();
  const bool numbers = !format_.hex && format_.accepts.form != key_form::bytes;
  if (format_.field == 0 && !format_.hex && !numbers) return key_batch{lines, lines};
  keys_.assign(lines.begin(), lines.end());
  if (format_.field != 0) {
    for (std::size_t i = 0; i < count; ++i) {
      auto field = column(keys_[i], i);
      if (!field) return field.error();
      keys_[i] = *field;
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
