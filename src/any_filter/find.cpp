// A kind or format by its name or number, and the error that lists the names there are.
#include <seen/base/names.hpp>
#include <seen/base/text.hpp>
#include <seen/registry.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace seen::inline v1 {
namespace {

const kind_row& row_of(const kind_row& row) {
  return row;
}
const format_row& row_of(const format_row* row) {
  return *row;
}

std::string_view name_of(const kind_row& row) {
  return row.kind.name;
}
std::string_view name_of(const format_row& row) {
  return row.name;
}

template <class Row, class Rows>
result<const Row*> find_row(const Rows& rows, std::string_view name, const char* what) {
  std::vector<std::string_view> names;
  for (const auto& each : rows) {
    const Row& row = row_of(each);
    if (is_same_name(name_of(row), name)) return &row;
    names.push_back(name_of(row));
  }
  return {errc::invalid_argument, "no " + std::string(what) + " " + std::string(name) + "; there are " + listed(names) +
                                      did_you_mean(name, names)};
}

}  // namespace

// `xor` is a keyword of C++, where the kind is xor_filter.
result<const kind_row*> find_kind(std::string_view name) {
  if (is_same_name(name, "xor-filter")) name = "xor";
  // A beginning that no other kind has will do: cuck.
  const kind_row* begins_so = nullptr;
  std::string several;
  for (const kind_row& each : kinds()) {
    if (is_same_name(each.kind.name, name)) return &each;
    if (name.empty() || !is_same_name(each.kind.name.substr(0, name.size()), name)) continue;
    begins_so = &each;
    append_name(several, each.kind.name);
  }
  if (begins_so == nullptr) return find_row<kind_row>(kinds(), name, "kind");
  if (several == begins_so->kind.name) return begins_so;
  return {errc::invalid_argument, "the kind " + std::string(name) + " could be any of " + several};
}

result<const format_row*> find_format(std::string_view name) {
  return find_row<format_row>(formats(), name, "format");
}

const kind_row* find_kind(std::uint16_t id) noexcept {
  for (const kind_row& each : kinds()) {
    if (each.kind.id == id) return &each;
  }
  return nullptr;
}

}  // namespace seen::inline v1
