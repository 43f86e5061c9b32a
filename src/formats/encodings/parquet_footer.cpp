#include "formats/encodings/parquet_footer.hpp"

#include <seen/base/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "formats/encodings/bytes.hpp"
#include "formats/encodings/thrift.hpp"

namespace seen::inline v1::parquet {
namespace {

using foreign::thrift_reader;
using type = thrift_reader::type;

constexpr std::size_t deepest_path = 64;

constexpr bool is_integer(type kind) {
  return kind == type::i16 || kind == type::i32 || kind == type::i64;
}

// Takes an integer field into `to`; false if it is not an integer.
bool take(thrift_reader& in, type kind, std::int64_t& to) {
  if (!is_integer(kind)) return false;
  to = in.integer();
  return true;
}

constexpr std::int64_t converted_decimal = 5, logical_decimal = 5;
constexpr std::int64_t converted_uint8 = 11, converted_uint64 = 14, logical_integer = 10;

// Whether the members of a logical integer say that it has no sign.
bool reads_unsigned(thrift_reader& in) {
  bool is_unsigned = false;
  in.fields([&](std::int64_t id, type kind) {
    is_unsigned = is_unsigned || (id == 2 && kind == type::no);
    return false;
  });
  return is_unsigned;
}

// Times of the elder annotations, by their numbers.
void take_converted(schema_node& node, std::int64_t converted) {
  constexpr std::int64_t date = 6, time_ms = 7, time_us = 8, timestamp_ms = 9, timestamp_us = 10;
  node.decimal = node.decimal || converted == converted_decimal;
  node.is_unsigned = node.is_unsigned || (converted >= converted_uint8 && converted <= converted_uint64);
  if (converted == date) node.logical = logical_type::date;
  if (converted == time_ms || converted == time_us) node.logical = logical_type::time;
  if (converted == timestamp_ms || converted == timestamp_us) node.logical = logical_type::timestamp;
  if (converted == time_ms || converted == timestamp_ms) node.unit = 1'000;
  if (converted == time_us || converted == timestamp_us) node.unit = 1'000'000;
}

// A logical time: its unit is a union of three empty structures.
void read_time(thrift_reader& in, schema_node& node) {
  in.fields([&](std::int64_t id, type kind) {
    if (id != 2 || kind != type::structure) return false;
    in.fields([&](std::int64_t which, type) {
      node.unit = which == 1 ? 1'000 : which == 2 ? 1'000'000 : 1'000'000'000;
      return false;
    });
    return true;
  });
}

void read_logical(thrift_reader& in, schema_node& node) {
  constexpr std::int64_t date = 6, time = 7, timestamp = 8;
  in.fields([&](std::int64_t which, type member) {
    node.decimal = node.decimal || which == logical_decimal;
    if (which == date) node.logical = logical_type::date;
    if (member != type::structure) return false;
    if (which == logical_integer) {
      node.is_unsigned = reads_unsigned(in) || node.is_unsigned;
      return true;
    }
    if (which != time && which != timestamp) return false;
    node.logical = which == time ? logical_type::time : logical_type::timestamp;
    read_time(in, node);
    return true;
  });
}

schema_node read_node(thrift_reader& in) {
  schema_node node;
  in.fields([&](std::int64_t id, type kind) {
    std::int64_t value = 0;
    switch (id) {
      case 1:
        if (!take(in, kind, value)) return false;
        node.type = physical_type{value};
        return true;
      case 2:
        return take(in, kind, node.type_length);
      case 3:
        return take(in, kind, node.repetition);
      case 4:
        if (kind != type::binary) return false;
        node.name = in.text();
        return true;
      case 5:
        return take(in, kind, node.children);
      case 6:
        if (!take(in, kind, value)) return false;
        take_converted(node, value);
        return true;
      case 7:
        return take(in, kind, node.scale);
      case 10:
        if (kind != type::structure) return false;
        read_logical(in, node);
        return true;
      default:
        return false;
    }
  });
  return node;
}

// The elements stand in the order of a walk through the tree: every group's children follow it; false where not.
bool find_columns(footer& f) {
  struct open_group {
    std::size_t node;
    std::int64_t left;
  };
  std::vector<open_group> open;
  f.columns.clear();
  for (std::size_t i = 0; i < f.schema.size(); ++i) {
    while (!open.empty() && open.back().left == 0) open.pop_back();
    schema_node& node = f.schema[i];
    if (i != 0) {
      if (open.empty()) return false;
      node.parent = open.back().node;
      --open.back().left;
    }
    if (node.children < 0 || open.size() > deepest_path) return false;
    if (i != 0 && node.children == 0 && node.type != physical_type{-1}) f.columns.push_back(i);
    if (i == 0 || node.children != 0) open.push_back({i, node.children});
  }
  return std::all_of(open.begin(), open.end(), [](const open_group& g) { return g.left == 0; });
}

struct chunk {
  column_chunk pages = {};
  std::optional<std::int64_t> filter = {};
  std::int64_t filter_length = 0;
};

chunk read_chunk(thrift_reader& in) {
  chunk c;
  in.fields([&](std::int64_t id, type kind) {
    if (id == 1 || id == 8) c.pages.elsewhere = true;
    if (id != 3 || kind != type::structure) return false;
    in.fields([&](std::int64_t inner, type inner_kind) {
      std::int64_t value = 0;
      switch (inner) {
        case 4:
          return take(in, inner_kind, c.pages.codec);
        case 5:
          return take(in, inner_kind, c.pages.values);
        case 7:
          return take(in, inner_kind, c.pages.bytes);
        case 9:
          return take(in, inner_kind, c.pages.data);
        case 11:
          return take(in, inner_kind, c.pages.dictionary);
        case 14:
          if (!take(in, inner_kind, value)) return false;
          c.filter = value;
          return true;
        case 15:
          return take(in, inner_kind, c.filter_length);
        default:
          return false;
      }
    });
    return true;
  });
  return c;
}

// A row group; false where it has another number of chunks than there are columns.
bool read_group(thrift_reader& in, footer& f, std::size_t& chunks) {
  const std::size_t group = f.rows.size();
  f.rows.push_back(0);
  chunks = 0;
  in.fields([&](std::int64_t id, type kind) {
    if (id == 3) return take(in, kind, f.rows.back());
    if (id != 1 || kind != type::list) return false;
    in.list([&](type each) {
      if (each != type::structure) return in.fail();
      const chunk c = read_chunk(in);
      if (c.filter && !c.pages.elsewhere) {
        f.filters.push_back({group, chunks, static_cast<std::uint64_t>(*c.filter),
                             c.filter_length > 0 ? static_cast<std::uint64_t>(c.filter_length) : 0});
      }
      f.chunks.push_back(c.pages);
      ++chunks;
    });
    return true;
  });
  return chunks == f.columns.size();
}

// Whether a column's path is this text, without writing the path down.
bool is_path(const footer& f, std::size_t column, std::string_view text) {
  for (std::size_t node = f.columns[column];; node = f.schema[node].parent) {
    const std::string_view name = f.schema[node].name;
    if (!text.ends_with(name)) return false;
    text.remove_suffix(name.size());
    if (f.schema[node].parent == 0) return text.empty();
    if (!text.ends_with('.')) return false;
    text.remove_suffix(1);
  }
}

std::string columns_with_filters(const footer& f) {
  constexpr std::size_t most = 20;
  std::vector<std::size_t> with;
  for (const filter_place& each : f.filters) with.push_back(each.column);
  std::sort(with.begin(), with.end());
  with.erase(std::unique(with.begin(), with.end()), with.end());
  const std::size_t more = with.size() - std::min(with.size(), most);
  with.resize(with.size() - more);
  const std::string text = listed(with, [&](std::size_t column) { return f.path_of(column); });
  return more != 0 ? text + " and " + std::to_string(more) + " more" : text;
}

}  // namespace

std::string_view name_of(physical_type type) noexcept {
  constexpr std::array<std::string_view, 8> names{"BOOLEAN", "INT32",  "INT64",      "INT96",
                                                  "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
  const auto i = static_cast<std::uint64_t>(type);
  return i < names.size() ? names[static_cast<std::size_t>(i)] : "a type unknown here";
}

result<footer> footer::read(const source& from) {
  foreign::byte_reader tail(from, from.size < 8 ? 0 : from.size - 8);
  const std::uint64_t length = tail.le<std::uint32_t>();
  const auto magic = tail.le<std::uint32_t>();
  if (auto ok = tail.check("the end of the footer"); !ok) return ok.error();
  if (magic != load_le<std::uint32_t>(std::as_bytes(std::span(file_magic)).data())) {
    return error{errc::corrupt, from.name + ": begins as a Parquet file and does not end as one"};
  }
  if (from.size < 12 || length > from.size - 12) {
    return error{errc::corrupt, from.name + ": a footer of " + std::to_string(length) + " bytes in a file of " +
                                    std::to_string(from.size)};
  }
  foreign::byte_reader body(from, from.size - 8 - length);
  const std::vector<std::byte> bytes = body.bytes(length);
  if (auto ok = body.check("the footer"); !ok) return ok.error();
  footer f;
  thrift_reader in(bytes);
  bool sound = true;
  in.fields([&](std::int64_t id, type kind) {
    if (kind != type::list || (id != 2 && id != 4)) return false;
    if (id == 4) sound = find_columns(f);  // the schema stands before the row groups
    std::size_t chunks = 0;
    in.list([&](type each) {
      if (each != type::structure || !sound) return in.fail();
      if (id == 2) f.schema.push_back(read_node(in));
      if (id == 4) sound = read_group(in, f, chunks);
    });
    return true;
  });
  if (in.failed() || !sound) {
    return error{errc::corrupt, from.name + ": offset " + std::to_string(from.size - 8 - length) +
                                    ": the footer is not a Thrift structure of columns and their chunks"};
  }
  return f;
}

std::optional<std::size_t> footer::find(std::string_view part) const {
  const auto only = [&](auto matches) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!matches(i)) continue;
      if (found) return std::optional<std::size_t>();
      found = i;
    }
    return found;
  };
  if (const auto found = only([&](std::size_t i) { return is_path(*this, i, part); })) return found;
  return only([&](std::size_t i) { return column(i).name == part; });
}

result<std::vector<filter_place>> footer::select(std::string_view part, const std::string& file) const {
  const auto refuse = [&](const std::string& what) {
    return error{errc::invalid_argument, file + ": " + what + "; filters are there for " + columns_with_filters(*this)};
  };
  if (filters.empty()) return error{errc::unsupported, file + ": no column of the file has a Bloom filter"};
  std::optional<std::size_t> column;
  std::optional<std::uint64_t> group;
  if (part.empty()) {
    const std::size_t first = filters.front().column;
    const bool alone = std::all_of(filters.begin(), filters.end(), [&](const auto& f) { return f.column == first; });
    if (!alone) return refuse("name a column");
    column = first;
  } else {
    column = find(part);
    const std::size_t mark = part.rfind('#');
    if (!column && mark != part.npos) {
      std::uint64_t number = 0;
      const char* const end = part.data() + part.size();
      const auto read = std::from_chars(part.data() + mark + 1, end, number);
      if (read.ec == std::errc() && read.ptr == end) {
        group = number;
        column = find(part.substr(0, mark));
      }
    }
    if (!column) return refuse(no_such(part));
  }
  if (group && *group >= rows.size()) {
    return refuse("there is no row group " + std::to_string(*group) + " of " + std::to_string(rows.size()));
  }
  std::vector<filter_place> chosen;
  std::size_t expected = 0;  // the next row group whose filter is due
  const auto check_up_to = [&](std::size_t end) -> result<void> {
    for (; expected < end; ++expected) {
      if ((group && *group != expected) || (rows[expected] == 0 && !group)) continue;
      return refuse("row group " + std::to_string(expected) + " has no filter of " + path_of(*column) +
                    ", so that keys may be there that no filter knows of (name one that has: column#number)");
    }
    return {};
  };
  for (const filter_place& each : filters) {
    if (each.column != *column || (group && *group != each.group)) continue;
    if (auto complete = check_up_to(each.group); !complete) return complete.error();
    expected = each.group + 1;
    chosen.push_back(each);
  }
  if (chosen.empty()) return refuse("the column " + path_of(*column) + " has no filter");
  if (auto complete = check_up_to(rows.size()); !complete) return complete.error();
  return chosen;
}

std::string footer::no_such(std::string_view part) const {
  const auto named =
      std::count_if(columns.begin(), columns.end(), [&](std::size_t i) { return schema[i].name == part; });
  return (named > 1 ? "several columns are called " + std::string(part) + " (name one by its path)"
                    : "no column is called " + std::string(part));
}

std::string footer::path_of(std::size_t column) const {
  constexpr std::size_t longest = 200;
  std::string path;
  for (std::size_t node = columns[column]; node != 0; node = schema[node].parent) {
    path = schema[node].name.substr(0, longest) + (path.empty() ? "" : ".") + path;
    if (path.size() > longest) return "…" + path.substr(path.size() - longest);
  }
  return path;
}

}  // namespace seen::inline v1::parquet
