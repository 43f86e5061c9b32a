// The SQL of a guard. Columns are always written with their table before them: a bare name in double quotes that no column has any
// more would be text to SQLite, and compare as such.
#include "guarded_table.hpp"

#include <algorithm>
#include <charconv>

#include "affinity.hpp"
#include "values.hpp"

namespace seen::sqlite {
namespace {

constexpr const char* who = "seen_guard";

// A name as SQL has it: 'visits', "visits", [visits] and `visits` are visits.
std::string unquoted(std::string_view word) {
  constexpr std::string_view opening = "'\"`[", closing = "'\"`]";
  const auto kind = word.empty() ? opening.npos : opening.find(word.front());
  if (kind == opening.npos || word.size() < 2 || word.back() != closing[kind]) return std::string(word);
  std::string name;
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    name += word[i];
    if (word[i] == closing[kind] && word[i] != ']') ++i;  // a doubled quote is one
  }
  return name;
}

double rate_of(const std::string& word) {
  double rate = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), rate);
  if (read.ec == std::errc() && read.ptr == word.data() + word.size() && rate > 0 && rate < 1) return rate;
  throw failure(SQLITE_ERROR, std::string(who) + ": the rate is a number between 0 and 1, not " + word);
}

bool same_name(const std::string& a, const std::string& b) {
  return sqlite3_stricmp(a.c_str(), b.c_str()) == 0;
}

// What stands behind the columns of a table: the words after the last parenthesis, without comments. Names in quotes may hold anything.
std::string behind_columns(std::string_view text) {
  constexpr std::string_view opening = "'\"`[", closing = "'\"`]";
  std::string tail;
  const auto end_of = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == text.npos ? text.size() : found + mark.size();
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t quote = opening.find(text[i]);
    if (quote != opening.npos) {
      i = end_of(closing.substr(quote, 1), i + 1);
    } else if (text.substr(i, 2) == "--") {
      i = end_of("\n", i);
    } else if (text.substr(i, 2) == "/*") {
      i = end_of("*/", i + 2);
    } else if (text[i] == ')') {
      tail.clear();
      ++i;
    } else {
      tail += text[i++];
    }
  }
  return tail;
}

// Of a STRICT table: the word stands behind the columns.
bool is_strict(sqlite3* db, const guarded_table& t) {
  statement read(db, sql("SELECT sql FROM \"%w\".sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
                         t.database.c_str()));
  read.bind(1, t.table);
  if (!read.step()) return false;
  return sqlite3_strlike("%strict%", behind_columns(read.text(0)).c_str(), 0) == 0;
}

// A name of the rowid; empty where there is no rowid.
std::string name_of_rowid(sqlite3* db, const guarded_table& t) {
  for (const char* const name : {"rowid", "_rowid_", "oid"}) {
    const auto taken = [&](const guarded_column& c) { return same_name(c.name, name); };
    if (std::any_of(t.columns.begin(), t.columns.end(), taken)) continue;
    try {
      const statement tried(db, sql("SELECT x.%s FROM \"%w\".\"%w\" AS x", name, t.database.c_str(), t.table.c_str()));
      return name;
    } catch (const failure&) {
      return {};
    }
  }
  throw failure(SQLITE_ERROR, std::string(who) + ": columns of " + t.table + " have taken every name of its rowid");
}

// All text comes after all numbers and before all blobs, so that an index finds it.
std::string condition(const std::string& column, guarded_table::match how) {
  const std::string equal = column + " = ?1";
  if (how == guarded_table::match::equal) return equal;
  return "(" + equal + " OR (" + column + " >= '' AND " + column + " < x''))";
}

}  // namespace

guarded_table guarded_table::from_words(int count, const char* const* words) {
  constexpr int first = 3;
  if (count < first + 2 || count > first + 4) {
    throw failure(SQLITE_ERROR,
                  "seen_guard: takes a table, a column, and maybe a rate and a kind: "
                  "seen_guard(visits, address, 0.01, 'ribbon')");
  }
  guarded_table made;
  made.database = words[1];
  made.guard = words[2];
  made.table = unquoted(words[first]);
  made.column = unquoted(words[first + 1]);
  if (count > first + 2) made.wanted.fpr = rate_of(words[first + 2]);
  if (count > first + 3) made.wanted.kind = unquoted(words[first + 3]);
  return made;
}

bool guarded_table::look(sqlite3* db) {
  columns.clear();
  statement read(db,
                 "SELECT name, type, pk, hidden != 0 OR (\"notnull\" AND dflt_value IS NOT NULL) FROM "
                 "pragma_table_xinfo(?1, ?2)");
  read.bind(1, table);
  read.bind(2, database);
  const bool strict = is_strict(db, *this);
  while (read.step()) {
    const std::string name = read.text(0);
    const char* collation = nullptr;
    if (sqlite3_table_column_metadata(db, database.c_str(), table.c_str(), name.c_str(), nullptr, &collation, nullptr,
                                      nullptr, nullptr) != SQLITE_OK) {
      break;  // a view
    }
    columns.push_back({name, affinity_of(read.text(1), strict), collation, static_cast<int>(read.integer(2))});
    if (same_name(name, column)) decided_late = read.integer(3) != 0;
  }
  const auto here = [&](const guarded_column& c) { return same_name(c.name, column); };
  const auto found = std::find_if(columns.begin(), columns.end(), here);
  if (found == columns.end()) {
    columns.clear();
    return false;
  }
  place = static_cast<std::size_t>(found - columns.begin());
  rowid_name = name_of_rowid(db, *this);
  has_rowid = !rowid_name.empty();
  decided_late |= has_rowid && found->key_place > 0 && found->affinity == "INTEGER";
  return true;
}

failure guarded_table::is_gone() const {
  return {SQLITE_ERROR, std::string(who) + ": there is no table " + table + " with a column " + column};
}

std::string guarded_table::declaration() const {
  if (columns.empty()) return sql("CREATE TABLE x(\"%w\")", column.c_str());
  std::string text;
  std::vector<std::pair<int, std::string>> key;
  for (const guarded_column& each : columns) {
    text += text.empty() ? "CREATE TABLE x(" : ", ";
    text += sql("\"%w\" %s COLLATE \"%w\"", each.name.c_str(), each.affinity.c_str(), each.collation.c_str());
    if (each.key_place > 0) key.emplace_back(each.key_place, sql("\"%w\"", each.name.c_str()));
  }
  if (has_rowid) return text + ")";
  std::sort(key.begin(), key.end());
  text += ", PRIMARY KEY(";
  for (const auto& [number, name] : key) text += (number > 1 ? ", " : "") + name;
  return text + ")) WITHOUT ROWID";
}

bool guarded_table::is_numeric() const {
  const std::string& affinity = columns[place].affinity;
  return affinity != "TEXT" && affinity != "BLOB";
}

std::string guarded_table::trigger(const char* when, const char* event) const {
  const char* const c = column.c_str();
  const char* const g = guard.c_str();
  const bool is_update = std::string_view(event) == "update";
  const std::string changed = is_update ? sql(" AND NEW.\"%w\" IS NOT OLD.\"%w\"", c, c) : std::string();
  // Any update is looked at, not UPDATE OF the column: a column may change by another name, or by what it is computed from. And
  // the values are looked for first, because OR ABORT of the statement outside would replace an OR IGNORE here.
  return sql(
      "\"%w_%s_%s\" %s %s ON \"%w\" WHEN NEW.\"%w\" IS NOT NULL%s BEGIN "
      "INSERT INTO \"%w_added\" SELECT NEW.\"%w\" WHERE NOT EXISTS "
      "(SELECT 1 FROM \"%w_added\" AS a WHERE a.key = NEW.\"%w\"); END",
      g, when, event, when, event, table.c_str(), c, changed.c_str(), g, c, g, c);
}

std::vector<std::string> guarded_table::triggers() const {
  return {trigger("before", "insert"), trigger("after", "insert"), trigger("before", "update"),
          trigger("after", "update")};
}

void guarded_table::create_triggers(sqlite3* db) const {
  for (const std::string& each : triggers()) run(db, sql("CREATE TRIGGER \"%w\".", database.c_str()) + each);
}

void guarded_table::drop_triggers(sqlite3* db) const {
  for (const char* const name : {"before_insert", "after_insert", "before_update", "after_update"}) {
    run(db, sql("DROP TRIGGER IF EXISTS \"%w\".\"%w_%s\"", database.c_str(), guard.c_str(), name));
  }
}

std::string guarded_table::triggers_query() const {
  std::string wanted;
  for (const std::string& each : triggers()) {
    wanted += (wanted.empty() ? "" : ", ") + sql("%Q", ("CREATE TRIGGER " + each).c_str());
  }
  return sql("SELECT count(*) = 4 FROM \"%w\".sqlite_schema WHERE type = 'trigger' AND sql IN (", database.c_str()) +
         wanted + ")";
}

void guarded_table::check_collation() const {
  const std::string& collation = columns[place].collation;
  if (same_name(collation, "BINARY")) return;
  throw failure(SQLITE_ERROR, std::string(who) + ": the column " + column + " is compared by " + collation +
                                  ", and a filter knows bytes only");
}

void guarded_table::create_added(sqlite3* db) const {
  run(db, sql("CREATE TABLE \"%w\".\"%w_added\"(key %s PRIMARY KEY) WITHOUT ROWID", database.c_str(), guard.c_str(),
              columns[place].affinity.c_str()));
}

void guarded_table::create_kept(sqlite3* db) const {
  check_collation();
  run(db, sql("CREATE TABLE \"%w\".\"%w_filter\"(build INTEGER, filter BLOB)", database.c_str(), guard.c_str()));
  create_added(db);
  create_triggers(db);
}

void guarded_table::fit_kept(sqlite3* db) const {
  check_collation();
  statement read(db, "SELECT type FROM pragma_table_xinfo(?1, ?2) WHERE name = 'key'");
  read.bind(1, guard + "_added");
  read.bind(2, database);
  const bool fits = read.step() && read.text(0) == columns[place].affinity;
  read.reset();
  if (fits) return;
  run(db, sql("DROP TABLE IF EXISTS \"%w\".\"%w_added\"", database.c_str(), guard.c_str()));
  create_added(db);
}

void guarded_table::drop_kept(sqlite3* db) const {
  drop_triggers(db);
  for (const char* const kept : {"filter", "added"}) {
    run(db, sql("DROP TABLE IF EXISTS \"%w\".\"%w_%s\"", database.c_str(), guard.c_str(), kept));
  }
}

std::uint64_t guarded_table::build(sqlite3* db) const {
  const char* const d = database.c_str();
  const char* const g = guard.c_str();
  const char* const c = column.c_str();
  collector keys(who, wanted);
  statement read(db, sql("SELECT x.\"%w\" FROM \"%w\".\"%w\" AS x WHERE x.\"%w\" IS NOT NULL", c, d, table.c_str(), c));
  while (read.step()) with_comparison_key(cell{read.get(), 0}, [&](const auto& key) { keys.add(key); });
  read.reset();
  const any_filter filter = std::move(keys).finish();
  const std::vector<std::byte> bytes = need(who, filter.to_bytes());
  std::int64_t number = 0;
  sqlite3_randomness(sizeof number, &number);
  run(db, sql("DELETE FROM \"%w\".\"%w_added\"", d, g));
  run(db, sql("DELETE FROM \"%w\".\"%w_filter\"", d, g));
  statement write(db, sql("INSERT INTO \"%w\".\"%w_filter\" VALUES (?1, ?2)", d, g));
  write.bind(1, number);
  write.bind_blob(2, bytes.data(), bytes.size());
  write.step();
  return bytes.size();
}

std::string guarded_table::added_query(match how) const {
  return sql("SELECT 1 FROM \"%w\".\"%w_added\" AS a WHERE ", database.c_str(), guard.c_str()) +
         condition("a.key", how) + " LIMIT 1";
}

std::string guarded_table::rows_query(std::uint64_t used) const {
  std::string text = "SELECT " + (has_rowid ? "x." + rowid_name : std::string("NULL"));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    // The last bit stands for all columns from the 64th on. Without a rowid the key tells rows apart, asked for or not.
    const bool is_used = (used >> std::min<std::size_t>(i, 63) & 1) != 0 || (!has_rowid && columns[i].key_place > 0);
    text += is_used ? sql(", x.\"%w\"", columns[i].name.c_str()) : std::string(", NULL");
  }
  return text + sql(" FROM \"%w\".\"%w\" AS x", database.c_str(), table.c_str());
}

std::string guarded_table::rows_query(std::uint64_t used, match how) const {
  return rows_query(used) + " WHERE " + condition(sql("x.\"%w\"", column.c_str()), how);
}

}  // namespace seen::sqlite
