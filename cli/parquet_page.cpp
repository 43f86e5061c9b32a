// Every decoder appends what it can and says false at the first byte that makes no sense.
#include "parquet_page.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>

#include "formats/encodings/bytes.hpp"

namespace seen::cli {
namespace {

using foreign::take_varint;
using parquet::physical_type;

std::optional<std::uint32_t> take_length(bytes_view& from) {
  if (from.size() < sizeof(std::uint32_t)) return {};
  const auto length = load_le<std::uint32_t>(from.data());
  from = from.subspan(sizeof length);
  return length;
}

std::optional<bytes_view> take_bytes(bytes_view& from, std::uint64_t count) {
  if (count > from.size()) return {};
  const bytes_view taken = from.first(static_cast<std::size_t>(count));
  from = from.subspan(taken.size());
  return taken;
}

// `bits` bits from bit `at` on, lowest first; what lies beyond the end is zero.
std::uint64_t bits_at(bytes_view from, std::uint64_t at, unsigned bits) {
  std::uint64_t value = 0;
  for (unsigned got = 0; got < bits;) {
    const std::uint64_t byte = (at + got) / 8;
    const auto skipped = static_cast<unsigned>((at + got) % 8);
    const auto whole = byte < from.size() ? std::to_integer<std::uint64_t>(from[static_cast<std::size_t>(byte)]) : 0;
    value |= whole >> skipped << got;
    got += 8 - skipped;
  }
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

// Calls use(number, times) for runs of `count` numbers of so many bits.
template <class Use>
bool decode_runs(bytes_view from, unsigned bits, std::uint64_t count, Use use) {
  if (bits > 32) return false;
  while (count != 0) {
    const auto head = take_varint(from);
    if (!head || *head >> 1 == 0) return false;
    if ((*head & 1) == 0) {
      const auto value = take_bytes(from, (bits + 7) / 8);
      if (!value) return false;
      const std::uint64_t times = std::min(*head >> 1, count);
      use(bits_at(*value, 0, bits), times);
      count -= times;
      continue;
    }
    // Groups of eight; the last one may be cut where the numbers end.
    const std::uint64_t there = std::min<std::uint64_t>(*head >> 1, ceil_div(count, 8));
    const auto packed = take_bytes(from, std::min<std::uint64_t>(there * bits, from.size()));
    const std::uint64_t times = std::min(there * 8, count);
    if (!packed || packed->size() * 8 < times * bits) return false;
    for (std::uint64_t i = 0; i < times; ++i) use(bits_at(*packed, i * bits, bits), 1);
    count -= times;
  }
  return true;
}

// Integers as differences. Where they end, `from` begins.
bool decode_deltas(bytes_view& from, std::uint64_t count, std::vector<std::uint64_t>& numbers) {
  const auto block = take_varint(from), parts = take_varint(from), total = take_varint(from), first = take_varint(from);
  const auto unzigzag = [](std::uint64_t x) { return (x >> 1) ^ (std::uint64_t{0} - (x & 1)); };
  if (!first || *parts == 0 || *block == 0 || *block > most_page_values || *block % *parts != 0) return false;
  const std::uint64_t in_part = *block / *parts;
  if (*total != count || in_part % 8 != 0) return false;
  std::uint64_t last = unzigzag(*first);
  if (count != 0) numbers.push_back(last);
  while (numbers.size() < count) {
    const auto least = take_varint(from);
    const auto widths = least ? take_bytes(from, *parts) : std::nullopt;
    if (!widths) return false;
    for (const std::byte width : *widths) {
      if (numbers.size() == count) break;
      const auto bits = std::to_integer<unsigned>(width);
      const auto packed = bits > 64 ? std::nullopt : take_bytes(from, in_part / 8 * bits);
      if (!packed) return false;
      const std::uint64_t here = std::min<std::uint64_t>(in_part, count - numbers.size());
      for (std::uint64_t i = 0; i < here; ++i) {
        last += unzigzag(*least) + bits_at(*packed, i * bits, bits);
        numbers.push_back(last);
      }
    }
  }
  return true;
}

bool decode_plain(bytes_view page, const parquet_column& column, std::uint64_t count, parquet_values& to) {
  if (column.type == physical_type::boolean) {
    if (page.size() < ceil_div(count, 8)) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
      std::byte* const value = to.room.room(1);
      *value = static_cast<std::byte>(bits_at(page, i, 1));
      to.room.keep(1);
      to.values.emplace_back(value, 1);
    }
    return true;
  }
  for (; count != 0; --count) {
    const auto length =
        column.length != 0 ? std::optional(static_cast<std::uint32_t>(column.length)) : take_length(page);
    const auto value = length ? take_bytes(page, *length) : std::nullopt;
    if (!value) return false;
    to.values.push_back(*value);
  }
  return true;
}

bool decode_indices(bytes_view page, std::uint64_t count, const std::vector<bytes_view>& dictionary,
                    parquet_values& to) {
  if (count == 0) return true;
  if (page.empty()) return false;
  bool sound = true;
  const bool decoded = decode_runs(
      page.subspan(1), std::to_integer<unsigned>(page.front()), count, [&](std::uint64_t index, std::uint64_t times) {
        sound = sound && index < dictionary.size();
        if (!sound) return;
        to.values.insert(to.values.end(), static_cast<std::size_t>(times), dictionary[static_cast<std::size_t>(index)]);
      });
  return decoded && sound;
}

bool decode_integers(bytes_view page, const parquet_column& column, std::uint64_t count, parquet_values& to) {
  std::vector<std::uint64_t> numbers;
  if (column.length == 0 || column.length > 8 || !decode_deltas(page, count, numbers)) return false;
  for (const std::uint64_t number : numbers) {
    std::byte* const value = to.room.room(sizeof number);
    store_le(value, number);
    to.room.keep(sizeof number);
    to.values.emplace_back(value, column.length);
  }
  return true;
}

// Lengths, then bytes; with `prefixed` how many bytes of the value before each begins with, first of all.
bool decode_texts(bytes_view page, bool prefixed, std::uint64_t count, parquet_values& to) {
  std::vector<std::uint64_t> shared, lengths;
  if (prefixed && !decode_deltas(page, count, shared)) return false;
  if (!decode_deltas(page, count, lengths)) return false;
  bytes_view before;
  std::uint64_t made = 0;  // each value may repeat the one before, and so all of them grow with the square of the page
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto own = take_bytes(page, lengths[static_cast<std::size_t>(i)]);
    if (!own) return false;
    bytes_view value = *own;
    if (const std::uint64_t lent = prefixed ? shared[static_cast<std::size_t>(i)] : 0; lent != 0) {
      constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
      made += lent + own->size();
      if (lent > before.size() || made > most_bytes) return false;
      const auto from_before = static_cast<std::size_t>(lent);
      std::byte* const whole = to.room.room(from_before + own->size());
      std::copy_n(before.begin(), from_before, whole);
      std::copy(own->begin(), own->end(), whole + from_before);
      to.room.keep(from_before + own->size());
      value = {whole, from_before + own->size()};
    }
    to.values.push_back(value);
    before = value;
  }
  return true;
}

bool decode_split(bytes_view page, const parquet_column& column, std::uint64_t count, parquet_values& to) {
  const std::size_t length = column.length;
  if (length == 0 || page.size() / length < count) return false;
  const auto rows = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < rows; ++i) {
    std::byte* const value = to.room.room(length);
    for (std::size_t b = 0; b < length; ++b) value[b] = page[b * rows + i];
    to.room.keep(length);
    to.values.emplace_back(value, length);
  }
  return true;
}

bool decode_flags(bytes_view page, std::uint64_t count, parquet_values& to) {
  const auto length = take_length(page);
  const auto runs = length ? take_bytes(page, *length) : std::nullopt;
  return runs && decode_runs(*runs, 1, count, [&](std::uint64_t flag, std::uint64_t times) {
           std::byte* const value = to.room.room(1);
           *value = static_cast<std::byte>(flag);
           to.room.keep(1);
           to.values.insert(to.values.end(), static_cast<std::size_t>(times), bytes_view(value, 1));
         });
}

}  // namespace

bool count_present(bytes_view levels, const parquet_column& column, std::uint64_t places, std::uint64_t& present) {
  present = 0;
  return decode_runs(
      levels, static_cast<unsigned>(std::bit_width(column.optional)), places,
      [&](std::uint64_t level, std::uint64_t times) { present += level == column.optional ? times : 0; });
}

bool take_levels(bytes_view& page, const parquet_column& column, std::uint64_t places, std::uint64_t& present) {
  present = places;
  if (column.repeated != 0) {
    const auto length = take_length(page);
    if (!length || !take_bytes(page, *length)) return false;
  }
  if (column.optional == 0) return true;
  const auto length = take_length(page);
  const auto levels = length ? take_bytes(page, *length) : std::nullopt;
  return levels && count_present(*levels, column, places, present);
}

bool decode_values(bytes_view page, parquet_encoding how, const parquet_column& column, std::uint64_t count,
                   const std::vector<bytes_view>& dictionary, parquet_values& to) {
  switch (how) {
    case parquet_encoding::plain:
      return decode_plain(page, column, count, to);
    case parquet_encoding::plain_dictionary:
    case parquet_encoding::rle_dictionary:
      return decode_indices(page, count, dictionary, to);
    case parquet_encoding::rle:
      return column.type == physical_type::boolean && decode_flags(page, count, to);
    case parquet_encoding::delta_binary_packed:
      return decode_integers(page, column, count, to);
    case parquet_encoding::delta_length_byte_array:
      return column.length == 0 && decode_texts(page, false, count, to);
    case parquet_encoding::delta_byte_array:
      return (column.length == 0 || column.type == physical_type::fixed_len_byte_array) &&
             decode_texts(page, true, count, to);
    case parquet_encoding::byte_stream_split:
      return decode_split(page, column, count, to);
  }
  return false;
}

}  // namespace seen::cli
