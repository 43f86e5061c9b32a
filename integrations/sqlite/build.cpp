// seen_build(x [, fpr [, kind]]) and seen_merge(filter): aggregates whose answer is the bytes of a native file.
//
//   select seen_build(address) from users                     1 % wrong, of the default kind
//   select seen_build(address, 0.001, 'ribbon') from users    a static kind too: its keys are all there at the end
//   select seen_merge(filter) from daily                      of equal shape: kinds and sizes as for `seen merge`
//
// NULL is not a key and is skipped. Of no rows seen_build makes a filter that says no to everything, so that `not seen_may_contain`
// is true of it and not NULL; seen_merge makes NULL, since it knows no shape.
#include <memory>
#include <optional>

#include "collector.hpp"
#include "functions.hpp"

namespace seen::sqlite {
namespace {

constexpr std::string_view build_name = "seen_build";
constexpr std::string_view merge_name = "seen_merge";

wish wish_in(int count, sqlite3_value** given) {
  wish wanted;
  const auto at = [&](int i) { return argument{given[i]}; };
  if (count > 1 && at(1).type() != SQLITE_NULL) {
    if (at(1).type() != SQLITE_FLOAT && at(1).type() != SQLITE_INTEGER) {
      throw failure(SQLITE_MISMATCH,
                    std::string("seen_build: the rate is a number, and this is ") + name_of_type(at(1).type()));
    }
    wanted.fpr = at(1).real();
  }
  if (count > 2 && at(2).type() != SQLITE_NULL) {
    if (at(2).type() != SQLITE_TEXT) {
      throw failure(SQLITE_MISMATCH,
                    std::string("seen_build: the kind is TEXT, and this is ") + name_of_type(at(2).type()));
    }
    const bytes_view name = bytes_of(at(2));
    wanted.kind.assign(reinterpret_cast<const char*>(name.data()), name.size());
  }
  return wanted;
}

struct building_state {
  explicit building_state(const wish& first) : wanted(first), keys(build_name, first) {}
  wish wanted;
  collector keys;
};

// The state of an aggregate is a pointer in SQLite's memory: zero at the first row, deleted at the end, even after an error.
template <class State>
State*& state_of(sqlite3_context* of) {
  auto** const place = static_cast<State**>(sqlite3_aggregate_context(of, sizeof(State*)));
  if (place == nullptr) throw std::bad_alloc();
  return *place;
}
template <class State>
std::unique_ptr<State> last_state_of(sqlite3_context* of) noexcept {
  auto** const place = static_cast<State**>(sqlite3_aggregate_context(of, 0));
  return std::unique_ptr<State>(place == nullptr ? nullptr : std::exchange(*place, nullptr));
}

void build_step(sqlite3_context* to, int count, sqlite3_value** given) {
  answer(to, [&] {
    auto*& state = state_of<building_state>(to);
    const wish wanted = wish_in(count, given);
    if (state == nullptr) state = new building_state(wanted);
    if (!(state->wanted == wanted)) throw failure(SQLITE_ERROR, "seen_build: rate and kind differ from row to row");
    const argument key{given[0]};
    if (key.type() != SQLITE_NULL) with_key(key, [&](const auto& k) { state->keys.add(k); });
  });
}

void build_final(sqlite3_context* to) {
  const auto state = last_state_of<building_state>(to);
  answer(to, [&] {
    collector keys = state ? std::move(state->keys) : collector(build_name, wish());
    answer_with(to, build_name, std::move(keys).finish());
  });
}

void merge_step(sqlite3_context* to, int, sqlite3_value** given) {
  answer(to, [&] {
    const argument next{given[0]};
    if (next.type() == SQLITE_NULL) return;
    auto*& merged = state_of<any_filter>(to);
    any_filter filter = filter_in(sqlite3_context_db_handle(to), merge_name, next);
    if (merged != nullptr) return need(merge_name, merged->merge(filter));
    merged = new any_filter(std::move(filter));
  });
}

void merge_final(sqlite3_context* to) {
  const auto merged = last_state_of<any_filter>(to);
  answer(to, [&] {
    if (merged) answer_with(to, merge_name, *merged);
  });
}

}  // namespace

void register_building(sqlite3* db) {
  constexpr int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const int count : {1, 2, 3}) {
    check(db, sqlite3_create_function_v2(db, build_name.data(), count, flags, nullptr, nullptr, build_step, build_final,
                                         nullptr));
  }
  check(db, sqlite3_create_function_v2(db, merge_name.data(), 1, flags, nullptr, nullptr, merge_step, merge_final,
                                       nullptr));
}

}  // namespace seen::sqlite
