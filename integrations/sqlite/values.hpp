// Which key a value of SQLite is.
//
//   INTEGER       the library's integer key: its 64-bit value
//   TEXT, BLOB    their bytes (of text, in UTF-8 whatever the database keeps)
//   REAL          the integer that it equals, where there is one, since 1 = 1.0 in SQL; otherwise the 8 bytes of its IEEE 754 form
//   NULL          is no key
//
// comparison_key goes further, for filters that stand in front of a table. "=" in SQL may take text for a number: a column of
// integers holds '05' = 5. There, text that looks like a number is that number's key, so that whatever two values could be equal
// under any affinity, they have one key. Text that is alike as a number and not as text costs a false positive, and never a row.
#pragma once

#include <seen/base/bits.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "support.hpp"

namespace seen::sqlite {

/// An argument of a function, or a value of a constraint.
struct argument {
  sqlite3_value* value;

  [[nodiscard]] int type() const { return sqlite3_value_type(value); }
  [[nodiscard]] std::int64_t integer() const { return sqlite3_value_int64(value); }
  [[nodiscard]] double real() const { return sqlite3_value_double(value); }
  [[nodiscard]] const void* text() const { return sqlite3_value_text(value); }
  [[nodiscard]] const void* blob() const { return sqlite3_value_blob(value); }
  [[nodiscard]] int size() const { return sqlite3_value_bytes(value); }
  [[nodiscard]] sqlite3_value* copy() const { return sqlite3_value_dup(value); }
};

/// A column of the row that a statement is at.
struct cell {
  sqlite3_stmt* row;
  int column;

  [[nodiscard]] int type() const { return sqlite3_column_type(row, column); }
  [[nodiscard]] std::int64_t integer() const { return sqlite3_column_int64(row, column); }
  [[nodiscard]] double real() const { return sqlite3_column_double(row, column); }
  [[nodiscard]] const void* text() const { return sqlite3_column_text(row, column); }
  [[nodiscard]] const void* blob() const { return sqlite3_column_blob(row, column); }
  [[nodiscard]] int size() const { return sqlite3_column_bytes(row, column); }
  [[nodiscard]] sqlite3_value* copy() const { return sqlite3_value_dup(sqlite3_column_value(row, column)); }
};

/// "INTEGER", "TEXT", …
[[nodiscard]] inline const char* name_of_type(int type) noexcept {
  constexpr const char* names[] = {"INTEGER", "REAL", "TEXT", "BLOB", "NULL"};
  return names[type - SQLITE_INTEGER];
}

/// The bytes of a value; text has them in UTF-8. They last until the value is looked at as something else.
template <class Value>
[[nodiscard]] bytes_view bytes_of(const Value& value) {
  const void* const data = value.type() == SQLITE_TEXT ? value.text() : value.blob();
  const auto size = static_cast<std::size_t>(value.size());
  if (data == nullptr && (size != 0 || value.type() == SQLITE_TEXT)) throw std::bad_alloc();
  return {static_cast<const std::byte*>(data), size};
}

/// Calls use(key) with the key of a value that is not NULL: an integer or bytes.
template <class Value, class Use>
auto with_key(const Value& value, Use use) {
  switch (value.type()) {
    case SQLITE_INTEGER:
      return use(value.integer());
    case SQLITE_FLOAT: {
      const double real = value.real();
      constexpr double limit = 9223372036854775808.0;  // 2^63: whole numbers from -limit to below it are integers
      if (real >= -limit && real < limit && std::trunc(real) == real) return use(static_cast<std::int64_t>(real));
      return use(std::bit_cast<std::int64_t>(real));
    }
    default:
      return use(bytes_of(value));
  }
}

/// Whether text may look like a number to SQLite: by how it begins.
[[nodiscard]] inline bool may_look_like_number(bytes_view text) noexcept {
  constexpr std::string_view beginnings = "0123456789+-. \t\n\v\f\r";
  return !text.empty() && beginnings.find(static_cast<char>(text[0])) != std::string_view::npos;
}

/// with_key, with the key of the number where text looks like one.
template <class Value, class Use>
auto with_comparison_key(const Value& value, Use use) {
  if (value.type() == SQLITE_TEXT && may_look_like_number(bytes_of(value))) {
    const std::unique_ptr<sqlite3_value, void (*)(sqlite3_value*)> own(value.copy(), sqlite3_value_free);
    if (!own) throw std::bad_alloc();
    if (sqlite3_value_numeric_type(own.get()) != SQLITE_TEXT) return with_key(argument{own.get()}, use);
  }
  return with_key(value, use);
}

}  // namespace seen::sqlite
