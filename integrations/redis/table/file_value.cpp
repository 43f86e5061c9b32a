#include "table/file_value.hpp"

#include <seen/registry.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace seen::redis {
namespace {

double field_of(const filter_info& about, std::string_view name) {
  for (const named_field& each : about.shape) {
    if (each.name != name) continue;
    return each.type == field_type::real ? each.as_real() : static_cast<double>(each.value);
  }
  return 0;
}

// What the client would have asked for.
terms terms_of(const filter_info& about) {
  terms asked;
  asked.error = about.target.fpr;
  constexpr auto unknown = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  asked.capacity = about.target.capacity != 0 ? about.target.capacity : unknown;
  const double growth = std::max(field_of(about, "growth"), field_of(about, "expansion"));
  asked.expansion =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(growth)));  // 0 where it does not grow
  asked.window = static_cast<std::uint64_t>(field_of(about, "period"));
  asked.kind = about.kind;
  return asked;
}

}  // namespace

family usual_family(const any_filter& filter) {
  const auto kind = find_kind(filter.kind());
  if (kind && (*kind)->build != nullptr) return family::lookup;
  return filter.kind().find("cuckoo") != std::string_view::npos ? family::cuckoo : family::bloom;
}

value file_value(any_filter filter, const filter_info& about, family of) {
  const std::uint64_t keys = about.keys > 0 ? static_cast<std::uint64_t>(std::llround(about.keys)) : 0;
  return value::holding(of, std::move(filter), terms_of(about), {.items = keys}, about.bytes);
}

// The clock of a filter that forgets. Commands tell it milliseconds since 1970; `seen uniq` tells it what it is told, and a filter that counts
// something else would be told that all its keys are old.
result<void> check_clock(const std::string& path, const filter_info& about) {
  constexpr std::uint64_t year_2001 = 1'000'000'000'000;
  if (!about.clock || *about.clock == 0 || *about.clock >= year_2001) return {};
  return {errc::unsupported,
          path + ": forgets by a clock that does not count milliseconds since 1970, which commands tell it"};
}

}  // namespace seen::redis
