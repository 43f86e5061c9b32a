// The only file of this folder that is compiled for every kind.
#include "hostile/ways.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "support/all_filters.hpp"

namespace seen::testing {
namespace {

void ask(const auto& f) {
  for (const std::string_view key : {"key-0", "key-1", "key-2", "key-3", "key-4"}) (void)f.may_contain(key);
}

template <class T>
result<void> told(const result<T>& r) {
  if (!r) return r.error();
  if constexpr (requires { r->may_contain("key"); }) {
    ask(*r);
  } else {
    ask(**r);
  }
  return {};
}

template <class F>
view_outcome view_and_verify(bytes_view bytes, const open_options& options) {
  const auto viewed = view<F>(bytes, options);
  if (!viewed) return {.opened = viewed.error(), .whole = {}};
  return {.opened = told(viewed),
          .whole = viewed->verify(),
          .sealed = viewed->header().state == native::seal_state::sealed};
}

template <class F>
constexpr typed_ways ways_of() {
  typed_ways ways{
      .kind = F::kind.name,
      .from_bytes = [](bytes_view bytes, const open_options& how) { return told(from_bytes<F>(bytes, how)); },
      .view = view_and_verify<F>,
      .load = [](const std::string& path) { return told(load<F>(path)); },
      .map = [](const std::string& path) { return told(map<F>(path)); },
      .map_writable = nullptr};
  if constexpr (monotone_engine<typename F::engine_type>) {
    ways.map_writable = [](const std::string& path) { return told(map_writable<F>(path)); };
  }
  return ways;
}

template <class... Filters>
std::vector<typed_ways> ways_of_all(::testing::Types<Filters...>) {
  return {ways_of<Filters>()...};
}

}  // namespace

const typed_ways& ways_into(std::string_view kind) {
  static const std::vector<typed_ways> all = ways_of_all(all_filters());
  for (const typed_ways& each : all) {
    if (each.kind == kind) return each;
  }
  ADD_FAILURE() << "add " << kind << " to support/all_filters.hpp";
  return all.front();
}

}  // namespace seen::testing
