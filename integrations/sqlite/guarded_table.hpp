// What stands behind a guard: the table it guards, and what is kept beside it, in SQL.
//
//   visits(address, …)    the table: everything is read from it, and written to it by whoever likes
//   guard_filter          the filter, and a number that no other filter of this guard has
//   guard_added           values that came into the column since the filter was built
//   guard_before_insert,  triggers of the table that put them there. They are plain SQL, so that a program that has never heard of
//   guard_after_update …  this extension does not lose a row by writing
//
// A filter of old values beside a table of new ones answers for both: what neither has is not in the table. A value that is removed
// stays in the filter, which costs a false positive until the filter is built again, and never a row.
//
// There are four triggers. Those BEFORE a row is written are there because another trigger may ask for the row AFTER it is written, and
// nothing says whose turn comes first. Those AFTER it know what is not decided before (decided_late). What no trigger notices:
// triggers that are switched off for a connection, RBU, sqlite3_blob_write into a column without an index, a table made anew whose
// triggers are created again from their text, and a value that is decided late in a row after which a trigger of the user's raises
// IGNORE, which ends all others.
//
// Whether two values are equal is the table's affair: a comparison of text with numbers depends on declared types (affinity.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collector.hpp"
#include "support.hpp"

namespace seen::sqlite {

/// A column as SQLite compares it: its name, the type that stands for its affinity, and its collation.
struct guarded_column {
  std::string name;
  std::string affinity;
  std::string collation;
  int key_place = 0;  ///< in the primary key, from 1; 0: not in it

  friend bool operator==(const guarded_column&, const guarded_column&) = default;
};

struct guarded_table {
  std::string database, guard;  ///< the schema's name ("main"), and the guard's
  std::string table, column;
  wish wanted;

  std::vector<guarded_column> columns;  ///< empty if there is no such table any more
  std::size_t place = 0;                ///< of the guarded column
  bool has_rowid = true;
  std::string rowid_name;     ///< a name of the rowid that no column has taken
  bool decided_late = false;  ///< the value may be a rowid, computed, or a default in the place of NULL

  /// From the words of CREATE VIRTUAL TABLE: module, database, name, and what stands in parentheses.
  static guarded_table from_words(int count, const char* const* words);

  /// Looks at the table as it is now. False if there is no such table or column.
  bool look(sqlite3* db);
  [[nodiscard]] failure is_gone() const;
  /// What sqlite3_declare_vtab wants: the same columns.
  [[nodiscard]] std::string declaration() const;
  /// True if a comparison with the column takes text for numbers.
  [[nodiscard]] bool is_numeric() const;

  // --- what is kept

  void create_kept(sqlite3* db) const;  ///< tables and triggers
  void drop_kept(sqlite3* db) const;    ///< the same; nothing that is not there is missed
  void create_triggers(sqlite3* db) const;
  void drop_triggers(sqlite3* db) const;
  /// Whether the triggers are there as they were created.
  [[nodiscard]] std::string triggers_query() const;
  /// Makes the table of added values anew where the column, in a table that was made anew itself, has another affinity than before.
  void fit_kept(sqlite3* db) const;
  /// Builds the filter of what is in the table now; returns how many bytes it takes.
  std::uint64_t build(sqlite3* db) const;

  // --- what is asked

  /// How values equal to one are found.
  enum class match {
    equal,          ///< column = ?1
    equal_or_text,  ///< and all text: which of it is equal to the number, SQLite finds out afterwards
  };
  /// Whether such a value came since the filter was built.
  [[nodiscard]] std::string added_query(match how) const;
  /// Rows of the table: the rowid, or NULL, then the columns in `used`, or NULL for the others.
  [[nodiscard]] std::string rows_query(std::uint64_t used) const;
  [[nodiscard]] std::string rows_query(std::uint64_t used, match how) const;

 private:
  void check_collation() const;
  void create_added(sqlite3* db) const;
  [[nodiscard]] std::string trigger(const char* when, const char* event) const;
  [[nodiscard]] std::vector<std::string> triggers() const;
};

}  // namespace seen::sqlite
