// One field behind a delimiter of one byte, the usual case, is found without looking at what follows it. Otherwise the
// record is cut as far as a chosen field can be, and the fields are picked by number.
#include "records/fields.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "records/cleaning.hpp"
#include "records/csv.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

constexpr std::size_t all_fields = std::numeric_limits<std::size_t>::max();

bool is_blank(std::byte b) noexcept {
  return b == std::byte{' '} || b == std::byte{'\t'};
}

void split_blanks(bytes_view record, std::size_t needed, std::vector<bytes_view>& fields) {
  for (auto at = record.begin(); fields.size() != needed;) {
    at = std::find_if_not(at, record.end(), is_blank);
    if (at == record.end()) return;
    const auto end = std::find_if(at, record.end(), is_blank);
    fields.emplace_back(at, end);
    at = end;
  }
}

void split_delimited(bytes_view record, std::string_view delimiter, std::size_t needed,
                     std::vector<bytes_view>& fields) {
  const std::string_view text = as_text(record);
  for (std::size_t begin = 0; fields.size() != needed;) {
    const std::size_t end = text.find(delimiter, begin);
    fields.push_back(record.subspan(begin, (end == text.npos ? text.size() : end) - begin));
    if (end == text.npos) return;
    begin = end + delimiter.size();
  }
}

std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

error no_field_list(const std::string& text) {
  return {errc::invalid_argument,
          '"' + text + "\" is not a list of fields: 2, 2-4, 1,3-5, 3-, -1 (the last); names need --header"};
}

}  // namespace

std::string fields_in_words(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " field" : " fields");
}

// N, N-, N-M, where both may be negative.
result<field_choice::range> field_choice::parse_range(std::string_view text) {
  const auto number = [&](std::int64_t& value) {
    const auto [stopped, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
    return true;
  };
  const std::string whole(text);
  range parsed;
  if (!number(parsed.first)) return no_field_list(whole);
  parsed.last = parsed.first;
  if (!text.empty()) {
    if (text.front() != '-') return no_field_list(whole);
    text.remove_prefix(1);
    parsed.single = false;
    parsed.last = -1;
    if (!text.empty() && (!number(parsed.last) || !text.empty())) return no_field_list(whole);
  }
  if (parsed.first == 0 || parsed.last == 0) return {errc::invalid_argument, "fields are counted from 1"};
  if ((parsed.first < 0) == (parsed.last < 0) && parsed.first > parsed.last) {
    return {errc::invalid_argument, '"' + whole + "\" ends before it begins"};
  }
  return parsed;
}

result<field_choice> field_choice::parse(const std::string& text, field_separator separator, bool with_names) {
  field_choice made;
  made.text_ = text;
  made.separator_ = std::move(separator);
  made.with_names_ = with_names;
  made.several_ = text.find_first_of(",-") != text.npos;  // for all that is known before the names are
  if (with_names) return made;
  std::vector<range> ranges;
  for (const std::string& item : items_of(text)) {
    auto one = parse_range(item);
    if (!one) return one.error();
    ranges.push_back(*one);
  }
  made.choose(std::move(ranges));
  made.several_ = made.ranges_.size() > 1 || !made.ranges_.front().single;
  return made;
}

void field_choice::choose(std::vector<range> ranges) {
  ranges_ = std::move(ranges);
  needed_ = 0;
  for (const range& each : ranges_) {
    const bool is_bounded = each.first > 0 && each.last > 0;
    needed_ = is_bounded ? std::max(needed_, static_cast<std::size_t>(each.last)) : all_fields;
  }
  const bool is_simple = ranges_.size() == 1 && ranges_.front().single && needed_ != all_fields &&
                         separator_.how == field_separator::way::delimiter && separator_.delimiter.size() == 1;
  plain_ = is_simple ? needed_ : 0;
}

result<void> field_choice::resolve(bytes_view record, bool trim) {
  if (!with_names_) return {};
  needed_ = all_fields;
  std::string problem;
  if (!split(record, problem)) return {errc::invalid_argument, problem};
  scratch room;
  std::vector<std::string> names;
  for (const bytes_view field : fields_) {
    const bytes_view name = separator_.how == field_separator::way::csv ? csv_content(field, room) : field;
    names.emplace_back(as_text(trim ? trimmed(name) : name));
  }
  const auto is_name = [&](const std::string& text) {
    return std::find(names.begin(), names.end(), text) != names.end();
  };
  const auto named = [&](const std::string& name) -> result<range> {
    if (std::count(names.begin(), names.end(), name) > 1) {
      return {errc::invalid_argument, "two fields are called \"" + name + '"'};
    }
    const std::int64_t place = std::find(names.begin(), names.end(), name) - names.begin() + 1;
    return range{place, place, true};
  };
  std::vector<range> ranges;
  // A name may hold a comma, and look like a number.
  for (const std::string& item : is_name(text_) ? std::vector{text_} : items_of(text_)) {
    auto one = is_name(item) ? named(item) : parse_range(item);
    if (!one && !is_name(item)) {
      std::string there;
      for (const std::string& name : names) there += (there.empty() ? "" : ", ") + name;
      return {errc::invalid_argument, "no field is called \"" + item + "\"; there are " + there};
    }
    if (!one) return one.error();
    ranges.push_back(*one);
  }
  choose(std::move(ranges));
  return {};
}

bool field_choice::split(bytes_view record, std::string& problem) {
  fields_.clear();
  switch (separator_.how) {
    case field_separator::way::csv:
      return split_csv(record, problem);
    case field_separator::way::blanks:
      split_blanks(record, needed_, fields_);
      break;
    case field_separator::way::delimiter:
      split_delimited(record, separator_.delimiter, needed_, fields_);
      break;
  }
  return true;
}

// A record with quotes is looked through to its end: a quote that is not closed may have swallowed half of the file.
bool field_choice::split_csv(bytes_view record, std::string& problem) {
  if (as_text(record).find('"') == std::string_view::npos) {
    split_delimited(record, separator_.delimiter, needed_, fields_);
    return true;
  }
  const char* const wrong = split_csv_fields(record, separator_.delimiter.front(), fields_);
  if (wrong == nullptr) return true;
  problem = "field " + std::to_string(fields_.size() + 1) + ": " + wrong;
  return false;
}

bool field_choice::pick(const range& chosen, std::vector<bytes_view>& keys, scratch& room, std::string& problem) const {
  const auto count = static_cast<std::int64_t>(fields_.size());
  const auto placed = [&](std::int64_t n) { return n < 0 ? count + 1 + n : n; };
  const std::int64_t first = placed(chosen.first);
  const std::int64_t last = chosen.single ? first : std::min(placed(chosen.last), count);
  if (first < 1 || first > count || last < first) {
    problem = "has " + fields_in_words(fields_.size()) + ", no field " + std::to_string(chosen.first);
    if (first >= 1 && first <= count) problem += " to " + std::to_string(chosen.last);
    return false;
  }
  for (std::int64_t i = first; i <= last; ++i) {
    const bytes_view field = fields_[static_cast<std::size_t>(i) - 1];
    keys.push_back(separator_.how == field_separator::way::csv ? csv_content(field, room) : field);
  }
  return true;
}

bool field_choice::find_plain(bytes_view record, bytes_view& field) const noexcept {
  const auto* at = reinterpret_cast<const char*>(record.data());
  const char* const end = at + record.size();
  const int delimiter = static_cast<unsigned char>(separator_.delimiter.front());
  const auto next = [&] {
    const void* const found = at == end ? nullptr : std::memchr(at, delimiter, static_cast<std::size_t>(end - at));
    return found != nullptr ? static_cast<const char*>(found) : end;
  };
  for (std::size_t left = plain_; --left != 0;) {
    at = next();
    if (at == end) return false;
    ++at;
  }
  field = {reinterpret_cast<const std::byte*>(at), static_cast<std::size_t>(next() - at)};
  return true;
}

bool field_choice::cut(bytes_view record, std::vector<bytes_view>& keys, scratch& room, std::string& problem) {
  if (bytes_view field; is_plain() && find_plain(record, field)) {
    keys.push_back(field);
    return true;
  }
  if (!split(record, problem)) return false;
  return std::all_of(ranges_.begin(), ranges_.end(),
                     [&](const range& each) { return pick(each, keys, room, problem); });
}

}  // namespace seen::cli
