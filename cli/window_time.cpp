// A mapped filter is copied: what is told to a filter is written into it.
#include "window_time.hpp"

#include <chrono>
#include <utility>

#include "abilities.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "words.hpp"

namespace seen::cli {

void define_now(option_list& app, std::string& now) {
  app.value(
      {"--now",
       "the time, in the unit of the filter's period, or auto (seconds since 1970): a filter that forgets by time "
       "moves on to it",
       "TIME"},
      now);
}

result<std::optional<std::uint64_t>> parse_time(const std::string& now) {
  if (now.empty()) return std::optional<std::uint64_t>();
  if (now == "auto") {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::optional(static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(since).count()));
  }
  auto parsed = parse_option("--now", now, parse_count);
  if (!parsed) return {parsed.error().code, parsed.error().detail + ", and not auto"};
  return std::optional(*parsed);
}

result<void> tell_time(const std::string& path, any_filter& filter, std::optional<std::uint64_t> now) {
  if (!now) return {};
  if (auto able = require(filter.kind(), &plan_row::can_forget, "be told the time (--now)"); !able) {
    return about(path, able.error());
  }
  const auto clock = filter.info().clock;
  if (!clock) {
    return {
        errc::unsupported,
        path + ": its window is counted in adds, not in time (--now): seen build --shape period=1h makes one of time"};
  }
  if (*now < *clock) {
    return {errc::invalid_argument, path + ": time cannot go back: --now is " + std::to_string(*now) +
                                        ", and the filter was told " + std::to_string(*clock) + " before"};
  }
  if (filter.is_mapped()) {
    auto own = filter.copy();
    if (!own) return about(path, own.error());
    filter = std::move(*own);
  }
  if (auto told = filter.advance(*now); !told) return about(path, told.error());
  return {};
}

}  // namespace seen::cli
