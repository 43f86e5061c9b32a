// What the extension's files bring to a connection: each registers its functions or its table.
#pragma once

#include <seen/any_filter.hpp>

#include "support.hpp"
#include "values.hpp"

namespace seen::sqlite {

void register_building(sqlite3* db);  ///< seen_build, seen_merge
void register_asking(sqlite3* db);    ///< seen_may_contain, seen_info
void register_file(sqlite3* db);      ///< seen_file
void register_guard(sqlite3* db);     ///< seen_guard, seen_guard_rebuild

/// A packed filter unfolds to what SQLite would hold, and no further.
[[nodiscard]] inline open_options how_to_open(sqlite3* db) {
  open_options how;
  how.max_bytes = static_cast<std::uint64_t>(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1));
  return how;
}

/// The filter in an argument that is not NULL.
[[nodiscard]] inline any_filter filter_in(sqlite3* db, std::string_view who, const argument& from) {
  if (from.type() != SQLITE_BLOB) {
    throw failure(SQLITE_MISMATCH, std::string(who) + ": a filter is a BLOB, and this is " + name_of_type(from.type()));
  }
  return need(who, any_filter::from_bytes(bytes_of(from), how_to_open(db)));
}

/// The filter's file as the answer of a function.
inline void answer_with(sqlite3_context* to, std::string_view who, const any_filter& filter) {
  const std::vector<std::byte> bytes = need(who, filter.to_bytes());
  sqlite3_result_blob64(to, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

}  // namespace seen::sqlite
