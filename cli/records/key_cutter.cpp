// Messages end in what would help, where an option would.
#include "records/key_cutter.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "records/cleaning.hpp"
#include "records/hex.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

// Whether a number is one of 32 bits, signed or not.
constexpr bool has_32_bits(std::int64_t number) noexcept {
  return number >= -(std::int64_t{1} << 31) && number < (std::int64_t{1} << 32);
}

// Decimal, signed or not, as the 8 bytes of such a key; nothing of any other text.
std::optional<std::uint64_t> parse_key(bytes_view text, key_form form) {
  const char* const begin = reinterpret_cast<const char*>(text.data());
  const char* const end = begin + text.size();
  const auto parsed = [&](auto& value) {
    const auto [stopped, failed] = std::from_chars(begin, end, value);
    return failed == std::errc() && stopped == end;
  };
  std::uint64_t whole = 0;
  std::int64_t with_sign = 0;
  double real = 0;
  if (form == key_form::real) return parsed(real) ? std::optional(std::bit_cast<std::uint64_t>(real)) : std::nullopt;
  if (parsed(with_sign)) {
    if (form == key_form::int32 && !has_32_bits(with_sign)) return std::nullopt;
    return static_cast<std::uint64_t>(with_sign);
  }
  return form == key_form::integer && parsed(whole) ? std::optional(whole) : std::nullopt;
}

}  // namespace

bytes_view key_cutter::without_ends(bytes_view record) const noexcept {
  return format_.crlf || format_.csv ? without_return(record) : record;
}

result<void> key_cutter::read_names(bytes_view record) {
  const bytes_view names = without_ends(record);
  return format_.fields.resolve(names, format_.trim);
}

record_kind key_cutter::cut(bytes_view record, std::vector<bytes_view>& keys, std::vector<bytes_view>& texts) {
  if (format_.width != 0 && record.size() != format_.width) {
    problem_ = "has " + std::to_string(record.size()) + (record.size() == 1 ? " byte, not " : " bytes, not ") +
               std::to_string(format_.width);
    return record_kind::bad;
  }
  record = without_ends(record);
  // Blanks are left to the fields: a tab may be the first of them.
  const bytes_view seen = format_.trim ? trimmed(record) : record;
  if (format_.skip_blank && seen.empty()) return record_kind::left_out;
  if (!format_.comment.empty() && as_text(seen).starts_with(format_.comment)) return record_kind::left_out;
  const bool apart = decodes();
  std::vector<bytes_view>& found = apart ? texts : keys;
  const std::size_t begin = found.size();
  if (!find_texts(record, found)) {
    found.resize(begin);
    return record_kind::bad;
  }
  std::size_t end = begin;
  for (std::size_t i = begin; i < found.size(); ++i) {
    bytes_view text = found[i];
    if (format_.trim) text = trimmed(text);
    if (format_.lower) text = lowered(text, room_);
    if (format_.skip_blank && text.empty()) continue;
    found[end++] = text;
  }
  found.resize(end);
  if (apart) {
    const std::size_t keys_begin = keys.size();
    for (std::size_t i = begin; i < end; ++i) {
      bytes_view key;
      if (!decode(texts[i], key)) {
        texts.resize(begin);
        keys.resize(keys_begin);
        return record_kind::bad;
      }
      keys.push_back(key);
    }
  }
  return begin == end ? record_kind::left_out : record_kind::keys;
}

std::size_t key_cutter::cut_plain(std::span<const bytes_view> records, std::vector<bytes_view>& keys,
                                  std::vector<bytes_view>& texts) {
  if (!format_.is_plain()) return 0;
  const std::size_t begin = keys.size();
  const bool has_texts = format_.hex && !format_.fields.empty();
  std::vector<bytes_view>& found = has_texts ? texts : keys;
  found.resize(begin + records.size());
  const std::span<bytes_view> cut = std::span(found).subspan(begin);
  std::size_t count = 0;
  if (format_.fields.empty()) {
    std::copy(records.begin(), records.end(), cut.begin());
    count = records.size();
  } else {
    while (count != records.size() && format_.fields.find_plain(records[count], cut[count])) ++count;
  }
  if (format_.hex) {
    keys.resize(begin + count);
    count = decode_plain(cut.first(count), keys.data() + begin);
    keys.resize(begin + count);
  }
  found.resize(begin + count);
  return count;
}

// In hexadecimal, as many as are good; `keys` may be where the texts stand.
std::size_t key_cutter::decode_plain(std::span<const bytes_view> texts, bytes_view* keys) {
  std::size_t digits = 0;
  for (const bytes_view text : texts) digits += text.size();
  const std::size_t count = decode_hex(texts, room_.room(digits / 2), keys);
  if (count != 0)
    room_.keep(static_cast<std::size_t>(keys[count - 1].data() - keys[0].data()) + keys[count - 1].size());
  return count;
}

bool key_cutter::find_texts(bytes_view record, std::vector<bytes_view>& texts) {
  if (format_.path) return format_.path->find(record, texts, room_, problem_);
  if (!format_.fields.empty()) return format_.fields.cut(record, texts, room_, problem_);
  texts.push_back(record);
  return true;
}

bool key_cutter::decode(bytes_view text, bytes_view& key) {
  key = text;
  if (format_.hex && !decode_digits(text, key)) return false;
  if (format_.numbers() && !decode_number(text, key)) return false;
  if (format_.width != 0 && !fits(key)) return no_key(text);
  if (format_.digest != nullptr) {
    std::byte* const to = room_.room(format_.digest->size);
    format_.digest->compute(key, to);
    room_.keep(format_.digest->size);
    key = {to, format_.digest->size};
  }
  return true;
}

bool key_cutter::decode_digits(bytes_view text, bytes_view& key) {
  const char* const hint = ends_in_return(text) ? "; it ends in a carriage return (--crlf)" : "";
  if (text.size() % 2 != 0) {
    problem_ = std::to_string(text.size()) + (text.size() == 1 ? " hexadecimal digit" : " hexadecimal digits") +
               ", not an even number" + hint;
    return false;
  }
  if (decode_hex({&text, 1}, room_.room(text.size() / 2), &key) == 0) {
    problem_ = "character " + std::to_string(find_no_digit(text) + 1) + " is not a hexadecimal digit" + hint;
    return false;
  }
  room_.keep(key.size());
  return fits(key) || no_key(text);
}

// Whether the filter takes these bytes, which were not read as a number.
bool key_cutter::fits(bytes_view key) const noexcept {
  const bool too_large = format_.accepts.form == key_form::int32 && key.size() == accepted_keys::number_width &&
                         !has_32_bits(static_cast<std::int64_t>(load_le<std::uint64_t>(key.data())));
  return format_.accepts.takes(key) && !too_large;
}

bool key_cutter::decode_number(bytes_view text, bytes_view& key) {
  auto number = parse_key(text, format_.accepts.form);
  if (const auto written = number ? std::nullopt : format_.written.parse(as_text(text))) {
    if (format_.accepts.form != key_form::int32 || has_32_bits(*written)) number = static_cast<std::uint64_t>(*written);
  }
  if (!number) return no_key(text);
  std::byte* const to = room_.room(sizeof *number);
  store_le(to, *number);
  room_.keep(sizeof *number);
  key = {to, sizeof *number};
  return true;
}

bool key_cutter::no_key(bytes_view text) {
  problem_ = shown(text) + " is not " + format_.accepts.in_words() + ", which the keys of this filter are";
  if (format_.numbers()) problem_ += format_.written.in_words();
  if (!format_.numbers()) problem_ += ": " + format_.accepts.lengths() + (format_.hex ? " in hexadecimal" : "");
  if (ends_in_return(text)) problem_ += "; it ends in a carriage return (--crlf)";
  return false;
}

}  // namespace seen::cli
