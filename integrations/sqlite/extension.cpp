// seen_sqlite.so: approximate membership in SQL, for any program that has SQLite inside.
//
//   .load ./seen_sqlite                       in the shell; conn.load_extension("./seen_sqlite") in Python
//
//   seen_build, seen_merge          build.cpp       keys to a filter; the bytes are those of a native file
//   seen_may_contain, seen_info     ask.cpp         a filter to answers
//   seen_file                       file_table.cpp  a filter's file as a row
//   seen_guard                      guard.cpp       a table with a filter in front of it
//
// It is C++ inside and nothing but SQLite's C interface outside.
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "functions.hpp"

namespace seen::sqlite {
namespace {

int begin(sqlite3* db, char** words, const sqlite3_api_routines* api) noexcept {
  SQLITE_EXTENSION_INIT2(api)
  constexpr int oldest = 3037000;  // sqlite3_txn_state, pragma_table_list
  return guarded(
      [&] {
        if (sqlite3_libversion_number() < oldest) {
          throw failure(SQLITE_ERROR, std::string("seen: SQLite 3.37 is needed, and this is ") + sqlite3_libversion());
        }
        statement loaded(db, "SELECT 1 FROM pragma_function_list WHERE name = 'seen_build'");
        if (loaded.step()) return;  // a connection has it once
        register_building(db);
        register_asking(db);
        register_file(db);
        register_guard(db);
      },
      [&](int, const char* said) { *words = sqlite3_mprintf("%s", said); });
}

}  // namespace
}  // namespace seen::sqlite

// SQLite looks for the first name; the second is the one it makes of seen_sqlite.so.
extern "C" {
int sqlite3_extension_init(sqlite3* db, char** words, const sqlite3_api_routines* api) {
  return seen::sqlite::begin(db, words, api);
}
int sqlite3_seensqlite_init(sqlite3* db, char** words, const sqlite3_api_routines* api) {
  return seen::sqlite::begin(db, words, api);
}
}
