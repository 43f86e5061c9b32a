// seen_file(path [, format [, part]]): the filter of a file, as a table of one row.
//
//   select keys, bytes, fpr from seen_file('users.seen')
//   select count(*) from visits where seen_may_contain((select filter from seen_file('users.seen')), address)
//
// The arguments are hidden columns, as of every table-valued function. The file is looked into once per scan; it is opened as a
// filter only if the column `filter` is read. It reads what the process may read, so views and triggers cannot use it
// (SQLITE_VTAB_DIRECTONLY): a database from elsewhere must not be able to look around.
#include <optional>

#include "functions.hpp"
#include "info_json.hpp"

namespace seen::sqlite {
namespace file_rows {
namespace {

constexpr std::string_view who = "seen_file";

enum column : int { kind, format, keys, bytes, fpr, info, filter, path, as_format, part };
constexpr const char* declaration =
    "CREATE TABLE x(kind TEXT, format TEXT, keys REAL, bytes INTEGER, fpr REAL, info TEXT, filter BLOB, path HIDDEN, "
    "as_format "
    "HIDDEN, part HIDDEN)";

struct file_cursor : sqlite3_vtab_cursor {
  std::string path;
  open_options how;
  std::optional<filter_info> found;  // empty: no row
};

std::string text_in(sqlite3_value* value) {
  const argument given{value};
  if (given.type() == SQLITE_NULL) return {};
  const bytes_view text = bytes_of(argument{value});
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

int connect(sqlite3* db, void*, int, const char* const*, sqlite3_vtab** made, char** words) {
  return guarded(
      [&] {
        check(db, sqlite3_declare_vtab(db, declaration));
        check(db, sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY));
        *made = new sqlite3_vtab{};
      },
      [&](int, const char* said) { *words = sqlite3_mprintf("%s", said); });
}

// Every argument that is given has to be there when the scan begins; their numbers go along as text.
int plan(sqlite3_vtab* table, sqlite3_index_info* query) {
  return method(table, [&] {
    std::string given;
    for (int i = 0; i < query->nConstraint; ++i) {
      const auto& each = query->aConstraint[i];
      if (each.iColumn < column::path || each.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
      if (each.usable == 0) throw failure(SQLITE_CONSTRAINT, "seen_file: an argument is not known yet");
      given += static_cast<char>('0' + each.iColumn);
      query->aConstraintUsage[i].argvIndex = static_cast<int>(given.size());
      query->aConstraintUsage[i].omit = 1;
    }
    if (given.find(static_cast<char>('0' + column::path)) == std::string::npos) {
      throw failure(SQLITE_ERROR, "seen_file: needs the path of a file: seen_file('users.seen')");
    }
    query->idxStr = sqlite3_mprintf("%s", given.c_str());
    if (query->idxStr == nullptr) throw std::bad_alloc();
    query->needToFreeIdxStr = 1;
    query->estimatedCost = 1000;
    query->estimatedRows = 1;
    query->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
  });
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** made) {
  return method(table, [&] { *made = new file_cursor{}; });
}

int close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<file_cursor*>(cursor);
  return SQLITE_OK;
}

int begin(sqlite3_vtab_cursor* cursor, int, const char* given, int count, sqlite3_value** values) {
  auto& at = *static_cast<file_cursor*>(cursor);
  return method(cursor->pVtab, [&] {
    at.found.reset();
    at.how = {};
    for (int i = 0; i < count; ++i) {
      const int which = given[i] - '0';
      if (argument{values[i]}.type() == SQLITE_NULL) {
        if (which == column::path) return;  // no file, no row
        continue;
      }
      std::string& to = which == column::path ? at.path : which == column::as_format ? at.how.format : at.how.part;
      to = text_in(values[i]);
    }
    at.found = need(who, any_filter::inspect(at.path, at.how));
  });
}

int next(sqlite3_vtab_cursor* cursor) {
  static_cast<file_cursor*>(cursor)->found.reset();
  return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* cursor) {
  return !static_cast<file_cursor*>(cursor)->found;
}

void show(sqlite3_context* to, const std::string& text) {
  sqlite3_result_text64(to, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void show_column(sqlite3_context* to, const file_cursor& at, int which) {
  const filter_info& said = *at.found;
  switch (which) {
    case column::kind:
      return show(to, said.kind);
    case column::format:
      return show(to, said.format);
    case column::keys:
      return sqlite3_result_double(to, said.keys);
    case column::bytes:
      return sqlite3_result_int64(to, static_cast<sqlite3_int64>(said.bytes));
    case column::fpr:
      return sqlite3_result_double(to, said.fpr_now);
    case column::info: {
      cli::json document = cli::json::object();
      return show(to, cli::add_info(document, said).line());
    }
    case column::filter:
      return answer_with(to, who, need(who, any_filter::load(at.path, at.how)));
    case column::path:
      return show(to, at.path);
    case column::as_format:
      return at.how.format.empty() ? sqlite3_result_null(to) : show(to, at.how.format);
    default:
      return at.how.part.empty() ? sqlite3_result_null(to) : show(to, at.how.part);
  }
}

int read_column(sqlite3_vtab_cursor* cursor, sqlite3_context* to, int which) {
  return method(cursor->pVtab, [&] { show_column(to, *static_cast<file_cursor*>(cursor), which); });
}

int rowid(sqlite3_vtab_cursor*, sqlite3_int64* number) {
  *number = 1;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete table;
  return SQLITE_OK;
}

constexpr sqlite3_module module = [] {
  sqlite3_module m{};  // without xCreate it is there under its name, and cannot be made again
  m.xConnect = connect;
  m.xBestIndex = plan;
  m.xDisconnect = disconnect;
  m.xOpen = open;
  m.xClose = close;
  m.xFilter = begin;
  m.xNext = next;
  m.xEof = at_end;
  m.xColumn = read_column;
  m.xRowid = rowid;
  return m;
}();

}  // namespace
}  // namespace file_rows

void register_file(sqlite3* db) {
  check(db, sqlite3_create_module_v2(db, file_rows::who.data(), &file_rows::module, nullptr, nullptr));
}

}  // namespace seen::sqlite
