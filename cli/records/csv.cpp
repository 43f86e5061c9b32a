// A record without quotes, as most are, ends at the next newline: two searches for a byte.
#include "records/csv.hpp"

#include <algorithm>
#include <cstring>

namespace seen::cli {
namespace {

constexpr std::byte csv_quote{'"'};
constexpr std::byte csv_newline{'\n'};

const std::byte* find_byte(const std::byte* begin, const std::byte* end, std::byte wanted) noexcept {
  const auto* const found = static_cast<const std::byte*>(
      begin == end ? nullptr : std::memchr(begin, std::to_integer<int>(wanted), static_cast<std::size_t>(end - begin)));
  return found != nullptr ? found : end;
}

}  // namespace

const std::byte* csv_scanner::find_end(bytes_view bytes) noexcept {
  const std::byte* at = bytes.data();
  const std::byte* const end = at + bytes.size();
  while (at != end) {
    if (state_ == state::in_quotes) {
      at = find_byte(at, end, csv_quote);
      if (at == end) break;
      state_ = state::quote_in_quotes;
      ++at;
      continue;
    }
    if (state_ == state::quote_in_quotes && *at == csv_quote) {
      state_ = state::in_quotes;
      ++at;
      continue;
    }
    const std::byte* const newline = find_byte(at, end, csv_newline);
    if (find_byte(at, newline, csv_quote) == newline) {
      if (newline != end) return newline;
      state_ = end[-1] == delimiter_ ? state::field_begins : state::in_field;
      return end;
    }
    for (; at != newline; ++at) {
      if (*at == csv_quote && state_ == state::field_begins) break;
      state_ = *at == delimiter_ ? state::field_begins : state::in_field;
    }
    if (at != newline) {
      state_ = state::in_quotes;
      ++at;
    } else if (newline != end) {
      return newline;
    }
  }
  return end;
}

const char* split_csv_fields(bytes_view record, char delimiter, std::vector<bytes_view>& fields) {
  const auto between = static_cast<std::byte>(delimiter);
  const std::byte* at = record.data();
  const std::byte* const end = at + record.size();
  for (;;) {
    const std::byte* const begin = at;
    if (at != end && *at == csv_quote) {
      for (++at;; ++at) {
        at = find_byte(at, end, csv_quote);
        if (at == end) return "a quote is not closed";
        if (++at == end || *at != csv_quote) break;
      }
      if (at != end && *at != between) return "something follows a closing quote";
    } else {
      at = find_byte(at, end, between);
    }
    fields.emplace_back(begin, at);
    if (at == end) return nullptr;
    ++at;
  }
}

bytes_view csv_content(bytes_view field, scratch& room) {
  if (field.empty() || field.front() != csv_quote) return field;
  const bytes_view inside = field.subspan(1, field.size() - 2);
  if (std::find(inside.begin(), inside.end(), csv_quote) == inside.end()) return inside;
  std::byte* const begin = room.room(inside.size());
  std::byte* to = begin;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    *to++ = inside[i];
    if (inside[i] == csv_quote) ++i;
  }
  const auto size = static_cast<std::size_t>(to - begin);
  room.keep(size);
  return {begin, size};
}

}  // namespace seen::cli
