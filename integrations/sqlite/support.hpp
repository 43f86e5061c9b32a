// What every function and table of the extension begins with: SQLite's interface, errors, and SQL to run.
//
//   the library      SQLite            here
//   result<T>        a code            failure, an exception: need() makes it of the first, check() of the second
//   std::bad_alloc   SQLITE_NOMEM      itself
//                       ▲
//                       └── guarded(): nothing is thrown through SQLite, which is C
//
// Inside the extension errors are exceptions, because every way out of it passes a guarded().
#pragma once

#include <seen/base/result.hpp>

#include <cstdarg>
#include <exception>
#include <memory>
#include <new>
#include <sqlite3ext.h>
#include <string>
#include <string_view>
#include <utility>

extern const sqlite3_api_routines* sqlite3_api;

namespace seen::sqlite {

/// An error as SQLite tells it: one of its codes, and a sentence.
class failure : public std::exception {
 public:
  failure(int code, std::string words) : code_(code), words_(std::move(words)) {}
  [[nodiscard]] int code() const noexcept { return code_; }
  [[nodiscard]] const char* what() const noexcept override { return words_.c_str(); }

 private:
  int code_;
  std::string words_;
};

/// SQLite's code for an error of the library.
[[nodiscard]] inline int code_of(const error& e) noexcept {
  switch (e.code) {
    case errc::no_memory:
      return SQLITE_NOMEM;
    case errc::too_large:
      return SQLITE_TOOBIG;
    default:
      return SQLITE_ERROR;
  }
}

/// The value, or the error as a failure, with the name of the function before it.
template <class T>
T need(std::string_view who, result<T> from) {
  if (!from) throw failure(code_of(from.error()), std::string(who) + ": " + from.error().detail);
  return std::move(*from);
}
inline void need(std::string_view who, result<void> from) {
  if (!from) throw failure(code_of(from.error()), std::string(who) + ": " + from.error().detail);
}

/// Throws what SQLite says is wrong, if anything is.
inline void check(sqlite3* db, int code) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  if (code == SQLITE_NOMEM) throw std::bad_alloc();
  throw failure(code, sqlite3_errmsg(db));
}

/// Runs the work; what it throws is told by `tell(code, words)`, and its code returned.
template <class Work, class Tell>
int guarded(Work work, Tell tell) noexcept {
  try {
    work();
    return SQLITE_OK;
  } catch (const failure& e) {
    tell(e.code(), e.what());
    return e.code();
  } catch (...) {
    const error e = current_error();
    tell(code_of(e), e.detail.c_str());
    return code_of(e);
  }
}

/// The body of an SQL function.
template <class Work>
void answer(sqlite3_context* to, Work work) noexcept {
  guarded(work, [&](int code, const char* words) {
    if (code == SQLITE_NOMEM) return sqlite3_result_error_nomem(to);
    sqlite3_result_error(to, words, -1);
    sqlite3_result_error_code(to, code);
  });
}

/// The body of a method of a table.
template <class Work>
int method(sqlite3_vtab* table, Work work) noexcept {
  return guarded(work, [&](int code, const char* words) {
    if (code == SQLITE_NOMEM) return;
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", words);
  });
}

/// SQL text with names and values in it, as sqlite3_mprintf puts them there: "%w" within double quotes is a name.
[[nodiscard]] inline std::string sql(const char* format, ...) {
  va_list values;
  va_start(values, format);
  const std::unique_ptr<char, void (*)(void*)> text(sqlite3_vmprintf(format, values), sqlite3_free);
  va_end(values);
  if (!text) throw std::bad_alloc();
  return text.get();
}

inline void run(sqlite3* db, const std::string& text) {
  check(db, sqlite3_exec(db, text.c_str(), nullptr, nullptr, nullptr));
}

/// A prepared statement.
class statement {
 public:
  statement() = default;
  statement(sqlite3* db, const std::string& text) {
    sqlite3_stmt* made = nullptr;
    check(db, sqlite3_prepare_v3(db, text.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr));
    prepared_.reset(made);
  }

  explicit operator bool() const noexcept { return prepared_ != nullptr; }
  [[nodiscard]] sqlite3_stmt* get() const noexcept { return prepared_.get(); }

  /// True if there is a row.
  bool step() {
    const int code = sqlite3_step(get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) check(sqlite3_db_handle(get()), code);
    return code == SQLITE_ROW;
  }
  void bind(int place, sqlite3_value* value) { bound(sqlite3_bind_value(get(), place, value)); }
  void bind(int place, std::int64_t value) { bound(sqlite3_bind_int64(get(), place, value)); }
  void bind(int place, std::string_view text) {
    bound(sqlite3_bind_text64(get(), place, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  }
  void bind_blob(int place, const void* bytes,
                 std::size_t size) {  // which the caller keeps until the statement is reset
    bound(sqlite3_bind_blob64(get(), place, bytes, size, SQLITE_STATIC));
  }
  [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(get(), column); }
  [[nodiscard]] std::string text(int column) const {
    const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(get(), column));
    return bytes == nullptr ? std::string() : std::string(bytes);
  }
  /// Ends the reading: what it held of the database is let go, and nothing stays bound.
  void reset() noexcept {
    sqlite3_reset(get());
    sqlite3_clear_bindings(get());
  }

 private:
  struct finalizer {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
  };
  void bound(int code) { check(sqlite3_db_handle(get()), code); }

  std::unique_ptr<sqlite3_stmt, finalizer> prepared_;
};

/// Resets a statement at the end of a scope.
class resetting {
 public:
  explicit resetting(statement& s) noexcept : statement_(s) {}
  ~resetting() { statement_.reset(); }
  resetting(const resetting&) = delete;
  resetting& operator=(const resetting&) = delete;

 private:
  statement& statement_;
};

}  // namespace seen::sqlite
