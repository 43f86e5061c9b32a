// Shared by all rows of kinds, without their types: named fields, and the sentences that refuse them.
#include "kinds/row.hpp"

#include <seen/base/text.hpp>

#include <algorithm>
#include <string>

namespace seen::inline v1::rows {

result<chosen_fields> choose(const described_kind& kind, const std::vector<named_field>& fields) {
  chosen_fields chosen{std::vector<std::uint64_t>(kind.field_names.size()), std::vector<bool>(kind.field_names.size())};
  for (const named_field& field : fields) {
    const auto at = std::find(kind.field_names.begin(), kind.field_names.end(), field.name);
    if (at == kind.field_names.end()) {
      return {errc::invalid_argument, std::string(kind.name) + " has no field " + field.name + " in its shape"};
    }
    const auto i = static_cast<std::size_t>(at - kind.field_names.begin());
    if (field.type != kind.type_of_field(i)) {
      return {errc::invalid_argument, std::string(kind.name) + ": " + field.name + " is " +
                                          (field.type == field_type::integer ? "a real number" : "an integer")};
    }
    chosen.values[i] = field.value;
    chosen.given[i] = true;
  }
  return chosen;
}

result<void> check_wishes(const described_kind& kind, const chosen_fields& chosen,
                          std::span<const std::uint64_t> usual) {
  for (std::size_t i = 0; i < chosen.values.size(); ++i) {
    if (!chosen.given[i] || chosen.values[i] != 0 || usual[i] == 0) continue;
    return {errc::invalid_argument,
            std::string(kind.name) + ": " + std::string(kind.field_names[i]) + " is 0; leave it out for the usual one"};
  }
  return {};
}

result<void> check_complete(const described_kind& kind, const chosen_fields& chosen) {
  const auto missing = std::find(chosen.given.begin(), chosen.given.end(), false);
  if (missing == chosen.given.end()) return {};
  const std::string_view name = kind.field_names[static_cast<std::size_t>(missing - chosen.given.begin())];
  return {errc::invalid_argument, std::string(kind.name) + " needs " + std::string(name) + " too"};
}

error either_or(const described_kind& kind) {
  return {errc::invalid_argument, std::string(kind.name) + " takes either a capacity and a rate or its whole shape: " +
                                      listed(kind.field_names)};
}

error built_at_once(std::string_view kind) {
  return {errc::unsupported, "a " + std::string(kind) + " filter is built from all its keys at once"};
}

}  // namespace seen::inline v1::rows
