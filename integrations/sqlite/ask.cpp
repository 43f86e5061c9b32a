// seen_may_contain(filter, x) and seen_info(filter).
//
//   select * from visits where not seen_may_contain(?, address)                               the filter is bound
//   select * from visits where not seen_may_contain((select filter from filters), address)    SQLite copies its bytes for each row
//
// Either way it is opened and checked once, and then asked row after row. SQLite keeps what belongs to an argument that is constant
// (sqlite3_get_auxdata). Of a subquery or a column it does not say whether the next row has the same; there the last few filters of
// the connection are kept, and known again by their headers, which hold the checksums of all that follows.
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "functions.hpp"
#include "info_json.hpp"

namespace seen::sqlite {
namespace {

constexpr std::string_view ask_name = "seen_may_contain";
constexpr std::string_view info_name = "seen_info";

using shared_filter = std::shared_ptr<const any_filter>;

// The header of a native file: empty if these bytes do not begin as one. (docs/formats/native.md)
bytes_view header_of(bytes_view file) {
  constexpr std::size_t shortest = 144, longest = 262'144, at_length = 12;
  constexpr std::array<unsigned char, 8> magic{0x8d, 'S', 'E', 'N', '1', 0x0d, 0x0a, 0x1a};
  if (file.size() < shortest || std::memcmp(file.data(), magic.data(), magic.size()) != 0) return {};
  const std::size_t length = load_le<std::uint32_t>(file.data() + at_length);
  return length >= shortest && length <= std::min(longest, file.size()) ? file.first(length) : bytes_view();
}

// The last filters that were asked on a connection.
class recent_filters {
 public:
  shared_filter find(bytes_view header) {
    const auto same = [&](const entry& e) { return std::ranges::equal(e.header, header); };
    const auto found = std::find_if(entries_.begin(), entries_.end(), same);
    if (header.empty() || found == entries_.end()) return nullptr;
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().filter;
  }
  void keep(bytes_view header, shared_filter filter) {
    if (header.empty()) return;
    std::rotate(entries_.begin(), entries_.end() - 1, entries_.end());
    entries_.front() = {std::vector<std::byte>(header.begin(), header.end()), std::move(filter)};
  }

 private:
  struct entry {
    std::vector<std::byte> header;
    shared_filter filter;
  };
  std::array<entry, 4> entries_;
};

// Of the first argument, a filter.
shared_filter shared_filter_in(sqlite3_context* of, const argument& from) {
  if (const auto* const kept = static_cast<const shared_filter*>(sqlite3_get_auxdata(of, 0))) return *kept;
  auto& recent = *static_cast<recent_filters*>(sqlite3_user_data(of));
  const bytes_view header = from.type() == SQLITE_BLOB ? header_of(bytes_of(from)) : bytes_view();
  shared_filter filter = recent.find(header);
  if (!filter) {
    filter = std::make_shared<const any_filter>(filter_in(sqlite3_context_db_handle(of), ask_name, from));
    recent.keep(header, filter);
  }
  auto* const kept = new shared_filter(filter);
  sqlite3_set_auxdata(of, 0, kept, [](void* p) { delete static_cast<shared_filter*>(p); });
  return filter;
}

void ask(sqlite3_context* to, int, sqlite3_value** given) {
  answer(to, [&] {
    const argument from{given[0]}, key{given[1]};
    if (from.type() == SQLITE_NULL || key.type() == SQLITE_NULL) return;
    const shared_filter filter = shared_filter_in(to, from);
    with_key(key, [&](const auto& k) { sqlite3_result_int(to, filter->may_contain(k)); });
  });
}

void tell(sqlite3_context* to, int, sqlite3_value** given) {
  answer(to, [&] {
    const argument from{given[0]};
    if (from.type() == SQLITE_NULL) return;
    const any_filter filter = filter_in(sqlite3_context_db_handle(to), info_name, from);
    cli::json document = cli::json::object();
    const std::string text = cli::add_info(document, filter.info()).line();
    sqlite3_result_text64(to, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  });
}

}  // namespace

void register_asking(sqlite3* db) {
  constexpr int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  auto recent = std::make_unique<recent_filters>();
  // SQLite deletes it, also where it cannot make the function.
  check(db, sqlite3_create_function_v2(db, ask_name.data(), 2, flags, recent.release(), ask, nullptr, nullptr,
                                       [](void* p) { delete static_cast<recent_filters*>(p); }));
  check(db, sqlite3_create_function_v2(db, info_name.data(), 1, flags, nullptr, tell, nullptr, nullptr, nullptr));
}

}  // namespace seen::sqlite
