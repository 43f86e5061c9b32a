// seen_guard(table, column [, fpr [, kind]]): a table with a filter in front of it.
//
//   create virtual table known using seen_guard(visits, address);
//   select * from known where address = ?;
//
//   address = ? ──► filter ──no──► added since? ──no──► no row
//                     └─maybe─┐        └─maybe─┐
//                             └────────────────┴──────► the same question to the table
//
// It has the rows of its table and cannot be written to: write to the table. Every other question than equality in the column is
// answered by reading the whole table.
//
// When is what is in memory the truth? What is kept (guarded_table.hpp) changes with the table in one transaction, so only memory can
// be old. refresh() decides, before each lookup:
//
//   this connection is not writing   what it sees changes only with SQLite's data version of the file: while that stands, nothing
//                                    has to be read
//   it is writing                    what is kept is read at every lookup, since the running statement, a trigger or a savepoint
//                                    that is rolled back may have changed it; a column whose values are decided late is looked up
//                                    in the table itself
//
// And the filter counts only if the triggers are there as they were created: without them (someone dropped them, or the table) the
// table is asked every time, until seen_guard_rebuild is called.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "functions.hpp"
#include "guarded_table.hpp"

namespace seen::sqlite {
namespace guards {
namespace {

constexpr std::string_view who = "seen_guard";

enum plan_number : int { scan_all, look_up, look_up_each };

struct guard;

// Which statement reads the table: how, and which of its columns.
struct reading {
  std::optional<guarded_table::match> how;  // nothing: all of it
  std::uint64_t columns = 0;

  friend bool operator==(const reading&, const reading&) = default;
};

// The guards of a connection, for seen_guard_rebuild.
struct guard_list {
  std::map<std::pair<std::string, std::string>, guard*> by_name;  // "main", "known": both may have dots in them
};

struct guard : sqlite3_vtab {
  guard(sqlite3* connection, guard_list* all, guarded_table made)
      : sqlite3_vtab{}, db(connection), list(all), behind(std::move(made)) {}

  sqlite3* db;
  guard_list* list;
  guarded_table behind;

  // --- what is in memory
  std::optional<any_filter> filter;
  std::int64_t build = 0;  // the filter's number
  bool trusted = false;    // the triggers are there
  bool has_added = false;
  bool writing = false;             // this connection, at the last lookup
  std::optional<unsigned> version;  // of the file when all this was read, by a connection that was not writing
  std::optional<std::int64_t> trusted_version;  // of the schema in which the triggers were seen then

  statement state_query, schema_query, filter_query, triggers_query;
  std::array<statement, 2> added_query;
  std::vector<std::pair<reading, statement>> idle;  // of cursors that are closed

  [[nodiscard]] bool may_hold(const argument& value);
  void refresh();
  void read_state();
  void check_triggers();
  [[nodiscard]] bool filter_may_hold(const argument& value) const;
  std::uint64_t rebuild();
  void forget() noexcept;

  [[nodiscard]] guarded_table::match match_of(const argument& value) const {
    const bool is_number = value.type() == SQLITE_INTEGER || value.type() == SQLITE_FLOAT;
    return is_number && !behind.is_numeric() ? guarded_table::match::equal_or_text : guarded_table::match::equal;
  }
  template <class Text>
  statement& prepared(statement& kept, Text text) {
    if (!kept) kept = statement(db, text());
    return kept;
  }
  [[nodiscard]] std::string kept_in(const char* what) const {
    return sql("\"%w\".\"%w_%s\"", behind.database.c_str(), behind.guard.c_str(), what);
  }
};

// What is in memory is not known to be true any more.
void guard::forget() noexcept {
  version.reset();
  trusted_version.reset();
}

void guard::read_state() {
  statement& read = prepared(state_query, [&] {
    return "SELECT build, EXISTS (SELECT 1 FROM " + kept_in("added") + ") FROM " + kept_in("filter");
  });
  const resetting done(read);
  if (!read.step()) throw failure(SQLITE_CORRUPT_VTAB, "seen_guard: " + kept_in("filter") + " is empty");
  has_added = read.integer(1) != 0;
  if (filter && build == read.integer(0)) return;
  statement& load = prepared(filter_query, [&] { return "SELECT filter FROM " + kept_in("filter"); });
  const resetting loaded(load);
  load.step();
  auto opened = any_filter::from_bytes(bytes_of(cell{load.get(), 0}), how_to_open(db));
  if (!opened) {
    throw failure(SQLITE_CORRUPT_VTAB, "seen_guard: the filter of " + behind.guard + " is damaged (" +
                                           opened.error().detail + "); select seen_guard_rebuild('" + behind.guard +
                                           "') makes a new one");
  }
  filter = std::move(*opened);
  build = read.integer(0);
}

// Versions of a schema only rise. While it is the one that a connection saw that was not writing, nobody has touched the triggers.
void guard::check_triggers() {
  statement& ask = prepared(schema_query, [&] { return sql("PRAGMA \"%w\".schema_version", behind.database.c_str()); });
  const resetting asked(ask);
  ask.step();
  const std::int64_t now = ask.integer(0);
  trusted = trusted_version == now;
  if (trusted) return;
  statement& look = prepared(triggers_query, [&] { return behind.triggers_query(); });
  const resetting looked(look);
  trusted = look.step() && look.integer(0) != 0;
  if (trusted && !writing) trusted_version = now;
}

void guard::refresh() {
  const char* const database = behind.database.c_str();
  writing = sqlite3_txn_state(db, database) == SQLITE_TXN_WRITE;
  unsigned now = 0;
  const bool known = sqlite3_file_control(db, database, SQLITE_FCNTL_DATA_VERSION, &now) == SQLITE_OK;
  if (!writing && known && version == now) return;
  version.reset();
  check_triggers();
  if (trusted) read_state();
  if (!writing && known) version = now;
}

// A real number that is compared with text becomes text of 15 digits, which may be another number.
bool guard::filter_may_hold(const argument& value) const {
  const auto asked = [&](const auto& key) { return filter->may_contain(key); };
  if (with_comparison_key(value, asked)) return true;
  if (value.type() != SQLITE_FLOAT || behind.is_numeric()) return false;
  statement as_text(db, "SELECT CAST(?1 AS TEXT)");
  as_text.bind(1, value.value);
  as_text.step();
  return with_comparison_key(cell{as_text.get(), 0}, asked);
}

bool guard::may_hold(const argument& value) {
  refresh();
  if (!trusted || (writing && behind.decided_late)) return true;
  if (filter_may_hold(value)) return true;
  if (!has_added) return false;
  const auto how = match_of(value);
  statement& ask =
      prepared(added_query[how == guarded_table::match::equal ? 0 : 1], [&] { return behind.added_query(how); });
  const resetting asked(ask);
  ask.bind(1, value.value);
  return ask.step();
}

// All of it or nothing. A commit that has to wait for readers fails and leaves the transaction open, which would keep everyone out: one
// that began here ends here.
template <class Work>
auto in_savepoint(sqlite3* db, Work work) {
  const bool is_outermost = sqlite3_get_autocommit(db) != 0;
  run(db, "SAVEPOINT seen_guard");
  try {
    auto made = work();
    run(db, "RELEASE seen_guard");
    return made;
  } catch (...) {
    const char* const back = is_outermost ? "ROLLBACK" : "ROLLBACK TO seen_guard; RELEASE seen_guard";
    sqlite3_exec(db, back, nullptr, nullptr, nullptr);
    throw;
  }
}

std::uint64_t guard::rebuild() {
  forget();
  guarded_table now = behind;
  if (!now.look(db)) throw behind.is_gone();
  if (now.columns != behind.columns) {  // SQLite compares by the columns that it was told when it connected
    throw failure(SQLITE_ERROR, "seen_guard_rebuild: the columns of " + behind.table +
                                    " have changed: open the database again, and rebuild then");
  }
  return in_savepoint(db, [&] {
    behind.fit_kept(db);
    statement look(db, behind.triggers_query());
    if (!look.step() || look.integer(0) == 0) {
      behind.drop_triggers(db);
      behind.create_triggers(db);
    }
    look.reset();
    return behind.build(db);
  });
}

// --- the table

// As SQLite makes a virtual table: anew (with what is kept), or again for a connection.
template <bool is_new>
int connect(sqlite3* db, void* all, int count, const char* const* words, sqlite3_vtab** made, char** said) {
  return guarded(
      [&] {
        auto* const list = static_cast<guard_list*>(all);
        auto table = std::make_unique<guard>(db, list, guarded_table::from_words(count, words));
        // A guard whose table is gone can be dropped, if nothing else.
        if (!table->behind.look(db) && is_new) throw table->behind.is_gone();
        check(db, sqlite3_declare_vtab(db, table->behind.declaration().c_str()));
        if (is_new) {
          table->behind.create_kept(db);
          table->behind.build(db);
        }
        list->by_name[{table->behind.database, table->behind.guard}] = table.get();
        *made = table.release();
      },
      [&](int, const char* text) { *said = sqlite3_mprintf("%s", text); });
}

int disconnect(sqlite3_vtab* table) {
  auto* const self = static_cast<guard*>(table);
  auto& names = self->list->by_name;
  std::erase_if(names, [&](const auto& each) { return each.second == self; });
  delete self;
  return SQLITE_OK;
}

int destroy(sqlite3_vtab* table) {
  auto* const self = static_cast<guard*>(table);
  const int code = method(table, [&] {
    self->idle.clear();
    for (statement* const each : {&self->state_query, &self->filter_query, &self->triggers_query, &self->schema_query,
                                  &self->added_query[0], &self->added_query[1]}) {
      *each = statement();
    }
    self->behind.drop_kept(self->db);
  });
  return code == SQLITE_OK ? disconnect(table) : code;
}

// A comparison by another collation than bytes is not one that a filter can answer.
bool is_lookup(const guard& self, sqlite3_index_info* query, int i) {
  const auto& each = query->aConstraint[i];
  return each.usable != 0 && each.op == SQLITE_INDEX_CONSTRAINT_EQ && !self.behind.columns.empty() &&
         each.iColumn == static_cast<int>(self.behind.place) &&
         sqlite3_stricmp(sqlite3_vtab_collation(query, i), "BINARY") == 0;
}

// "column IN (…)", taken as a whole. Value by value, SQLite would compare each with the column again as if it had no type of its own:
// '05' IN (SELECT an integer) would be lost. Before 3.38 it cannot be asked for, nor for row values.
bool takes_all_of_in([[maybe_unused]] sqlite3_index_info* query, [[maybe_unused]] int i) {
#if SQLITE_VERSION_NUMBER >= 3038000
  if (sqlite3_libversion_number() >= 3038000 && sqlite3_vtab_in(query, i, -1) != 0) {
    return sqlite3_vtab_in(query, i, 1) != 0;
  }
#endif
  return false;
}

int plan(sqlite3_vtab* table, sqlite3_index_info* query) {
  return method(table, [&] {
    const auto& self = *static_cast<guard*>(table);
    query->idxNum = scan_all;
    query->estimatedCost = 1e9;
    query->estimatedRows = 1'000'000'000;
    for (int i = 0; i < query->nConstraint; ++i) {
      if (!is_lookup(self, query, i)) continue;
      query->idxNum = takes_all_of_in(query, i) ? look_up_each : look_up;
      query->aConstraintUsage[i].argvIndex = 1;  // and SQLite compares again: it knows all of the types
      query->estimatedCost = 10;
      query->estimatedRows = 5;
      break;
    }
    query->idxStr = sqlite3_mprintf("%llu", query->colUsed);
    if (query->idxStr == nullptr) throw std::bad_alloc();
    query->needToFreeIdxStr = 1;
  });
}

using own_value = std::unique_ptr<sqlite3_value, void (*)(sqlite3_value*)>;

struct guard_cursor : sqlite3_vtab_cursor {
  statement rows;
  reading what;  // of the statement
  bool at_end = true;
  std::vector<own_value> waiting;  // values of IN that the table may hold, and that are still to be looked up
};

guard& guard_of(sqlite3_vtab_cursor* cursor) {
  return *static_cast<guard*>(cursor->pVtab);
}

// Hands the statement back, so that the next lookup need not prepare it.
void put_away(guard& self, guard_cursor& at) {
  constexpr std::size_t most = 8;
  if (!at.rows) return;
  at.rows.reset();
  if (self.idle.size() < most) self.idle.emplace_back(at.what, std::move(at.rows));
  at.rows = statement();
}

void take(guard& self, guard_cursor& at, const reading& what) {
  if (at.rows && at.what == what) return;
  put_away(self, at);
  const auto found = std::find_if(self.idle.begin(), self.idle.end(), [&](const auto& e) { return e.first == what; });
  if (found == self.idle.end()) {
    at.rows = statement(
        self.db, what.how ? self.behind.rows_query(what.columns, *what.how) : self.behind.rows_query(what.columns));
  } else {
    at.rows = std::move(found->second);
    self.idle.erase(found);
  }
  at.what = what;
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** made) {
  return method(table, [&] { *made = new guard_cursor{}; });
}

int close(sqlite3_vtab_cursor* cursor) {
  const std::unique_ptr<guard_cursor> own(static_cast<guard_cursor*>(cursor));
  return method(cursor->pVtab, [&] { put_away(guard_of(cursor), *own); });
}

// The values of IN that the table may hold, the first one last; nothing if reading the whole table is better than keeping so many.
std::optional<std::vector<own_value>> maybes_of([[maybe_unused]] guard& self, [[maybe_unused]] sqlite3_value* all) {
  std::vector<own_value> found;
#if SQLITE_VERSION_NUMBER >= 3038000
  sqlite3_value* each = nullptr;
  int code = sqlite3_vtab_in_first(all, &each);
  for (; code == SQLITE_OK; code = sqlite3_vtab_in_next(all, &each)) {
    const argument value{each};
    if (value.type() == SQLITE_NULL || !self.may_hold(value)) continue;
    constexpr std::size_t most = 10'000;
    if (found.size() == most) return std::nullopt;
    found.emplace_back(value.copy(), sqlite3_value_free);
    if (!found.back()) throw std::bad_alloc();
  }
  check(self.db, code);
#endif
  std::reverse(found.begin(), found.end());
  return found;
}

// The next row: of the statement, or of the next value that waits.
void advance(guard_cursor& at) {
  at.at_end = !at.rows.step();
  while (at.at_end && !at.waiting.empty()) {
    at.rows.reset();
    at.rows.bind(1, at.waiting.back().get());
    at.waiting.pop_back();
    at.at_end = !at.rows.step();
  }
}

// No row may come twice: what is equal to a value as it stands is equal to no other, but all text is for each number again.
void look_up_values(guard& self, guard_cursor& at, sqlite3_value* all, std::uint64_t columns) {
  auto maybes = maybes_of(self, all);
  const auto wants_text = [&](const own_value& v) {
    return self.match_of(argument{v.get()}) == guarded_table::match::equal_or_text;
  };
  if (!maybes || (maybes->size() > 1 && std::any_of(maybes->begin(), maybes->end(), wants_text))) {
    take(self, at, {std::nullopt, columns});
    return advance(at);
  }
  if (maybes->empty()) return;
  at.waiting = std::move(*maybes);
  take(self, at, {self.match_of(argument{at.waiting.back().get()}), columns});
  at.rows.bind(1, at.waiting.back().get());
  at.waiting.pop_back();
  advance(at);
}

int begin(sqlite3_vtab_cursor* cursor, int number, const char* used, int, sqlite3_value** values) {
  auto& at = *static_cast<guard_cursor*>(cursor);
  return method(cursor->pVtab, [&] {
    guard& self = guard_of(cursor);
    if (self.behind.columns.empty()) throw self.behind.is_gone();
    at.at_end = true;
    at.waiting.clear();
    if (at.rows) at.rows.reset();
    const std::uint64_t columns = std::strtoull(used, nullptr, 10);
    if (number == look_up_each) {
      return look_up_values(self, at, values[0], columns);
    }
    if (number == look_up) {
      const argument value{values[0]};
      if (value.type() == SQLITE_NULL || !self.may_hold(value)) return;
      take(self, at, {self.match_of(value), columns});
      at.rows.bind(1, value.value);
    } else {
      take(self, at, {std::nullopt, columns});
    }
    advance(at);
  });
}

int next(sqlite3_vtab_cursor* cursor) {
  auto& at = *static_cast<guard_cursor*>(cursor);
  return method(cursor->pVtab, [&] { advance(at); });
}

int at_end(sqlite3_vtab_cursor* cursor) {
  return static_cast<guard_cursor*>(cursor)->at_end;
}

int read_column(sqlite3_vtab_cursor* cursor, sqlite3_context* to, int which) {
  sqlite3_result_value(to, sqlite3_column_value(static_cast<guard_cursor*>(cursor)->rows.get(), which + 1));
  return SQLITE_OK;
}

int rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* number) {
  *number = static_cast<guard_cursor*>(cursor)->rows.integer(0);
  return SQLITE_OK;
}

int rename(sqlite3_vtab* table, const char* name) {
  auto& self = *static_cast<guard*>(table);
  return method(table, [&] {
    throw failure(SQLITE_ERROR,
                  "seen_guard: a guard is not renamed: drop " + self.behind.guard + " and create " + name);
  });
}

// The filter is ours alone (SQLite protects it where a program asks for that). What is added is written by triggers of the table, in
// programs that do not know us.
int is_kept(const char* name) {
  return sqlite3_stricmp(name, "filter") == 0;
}

constexpr sqlite3_module module = [] {
  sqlite3_module m{};
  m.iVersion = 3;
  m.xCreate = connect<true>;
  m.xConnect = connect<false>;
  m.xBestIndex = plan;
  m.xDisconnect = disconnect;
  m.xDestroy = destroy;
  m.xOpen = open;
  m.xClose = close;
  m.xFilter = begin;
  m.xNext = next;
  m.xEof = at_end;
  m.xColumn = read_column;
  m.xRowid = rowid;
  m.xRename = rename;
  m.xShadowName = is_kept;
  return m;
}();

// seen_guard_rebuild('known'), or of another database seen_guard_rebuild('known', 'archive'): how many bytes the new filter takes.
void rebuild(sqlite3_context* to, int count, sqlite3_value** given) {
  answer(to, [&] {
    sqlite3* const db = sqlite3_context_db_handle(to);
    std::array<std::string, 2> name{"", "main"};
    for (int i = 0; i < count; ++i) {
      const argument each{given[i]};
      if (each.type() != SQLITE_TEXT) throw failure(SQLITE_MISMATCH, "seen_guard_rebuild: a name is TEXT");
      const bytes_view text = bytes_of(each);
      name[static_cast<std::size_t>(i)].assign(reinterpret_cast<const char*>(text.data()), text.size());
    }
    // Whoever has not asked the guard yet on this connection does so now.
    const statement meet(db, sql("SELECT 1 FROM \"%w\".\"%w\"", name[1].c_str(), name[0].c_str()));
    const auto& names = static_cast<guard_list*>(sqlite3_user_data(to))->by_name;
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& each) {
      return sqlite3_stricmp(each.first.first.c_str(), name[1].c_str()) == 0 &&
             sqlite3_stricmp(each.first.second.c_str(), name[0].c_str()) == 0;
    });
    if (found == names.end()) throw failure(SQLITE_ERROR, "seen_guard_rebuild: " + name[0] + " is not a guard");
    sqlite3_result_int64(to, static_cast<sqlite3_int64>(found->second->rebuild()));
  });
}

}  // namespace
}  // namespace guards

void register_guard(sqlite3* db) {
  // The list lives as long as the connection: until its functions are gone, which is after its tables.
  auto list = std::make_unique<guards::guard_list>();
  guards::guard_list* const shared = list.get();
  constexpr int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
  check(db, sqlite3_create_module_v2(db, guards::who.data(), &guards::module, list.release(),
                                     [](void* p) { delete static_cast<guards::guard_list*>(p); }));
  for (const int count : {1, 2}) {
    check(db, sqlite3_create_function_v2(db, "seen_guard_rebuild", count, flags, shared, guards::rebuild, nullptr,
                                         nullptr, nullptr));
  }
}

}  // namespace seen::sqlite
