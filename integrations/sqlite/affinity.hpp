// The affinity of a declared type, by the five rules of SQLite's documentation (datatype3.html, section 3.1), and what "=" makes of it.
//
//   the column has        a number is asked for                       text is asked for
//   INTEGER, REAL,        compared as numbers                         the text counts as a number where it looks like one
//   NUMERIC
//   TEXT, BLOB (none)     against a column of numbers: as numbers     compared as text
//                         otherwise as text, or not at all
//
// A virtual table is not told against what its column is compared. So where a number is asked for in a column of TEXT or BLOB, all of
// the column's text is offered beside what is equal as it stands, and SQLite, which knows, chooses.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace seen::sqlite {

/// "INTEGER", "TEXT", "BLOB", "REAL" or "NUMERIC". `strict`: of a STRICT table, in which ANY keeps what it is given.
[[nodiscard]] inline std::string affinity_of(std::string type, bool strict) {
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto has = [&](std::string_view part) { return type.find(part) != std::string::npos; };
  if (has("INT")) return "INTEGER";
  if (has("CHAR") || has("CLOB") || has("TEXT")) return "TEXT";
  if (has("BLOB") || type.empty() || (strict && type == "ANY")) return "BLOB";
  if (has("REAL") || has("FLOA") || has("DOUB")) return "REAL";
  return "NUMERIC";
}

}  // namespace seen::sqlite
