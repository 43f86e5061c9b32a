// seen info: what a filter file holds. Works on keyed files without their secret, and on unsealed ones.
#include <seen/any_filter.hpp>

#include <fmt/core.h>
#include <memory>

#include "facts.hpp"
#include "filter_file.hpp"
#include "info_json.hpp"
#include "json.hpp"
#include "options.hpp"
#include "output.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct info_options {
  std::string path;
  filter_options filter;
  bool json = false, alert = false;
};

std::string as_json(const std::string& path, const filter_info& info) {
  json document = json::object().add("file", path).add("file_bytes", info.origin.file_bytes);
  return add_info(document, info).text() + '\n';
}

std::string as_text(const std::string& path, const filter_info& info) {
  std::string text = path + '\n';
  for (const auto& [word, value] : facts_of(info)) text += fmt::format("  {:<9} {}\n", word, value);
  return text;
}

// A line per finding, for whoever gets the mail.
exit_status alert(const std::string& path, const filter_info& info) {
  const filter_health& health = info.health;
  if (health.saturated) {
    warn(false, fmt::format("{}: saturated: {:.1f} % in use, and the estimates are weak", path, 100 * health.fill));
  }
  if (health.past_capacity) {
    warn(false,
         fmt::format("{}: past capacity: {}, planned for {}", path,
                     health.keys < 0x1p63 ? key_count(health.keys, info.keys_exact) + " keys" : "too many keys to tell",
                     grouped(info.target.capacity)));
  }
  if (health.above_fpr) {
    warn(false, fmt::format("{}: above the rate: {} now, {} asked", path, short_number(health.fpr),
                            short_number(info.target.fpr)));
  }
  return health.healthy() ? exit_status::yes : exit_status::no;
}

result<exit_status> tell(const info_options& o) {
  if (auto apart = stdout_spares({{o.path}}); !apart) return apart.error();
  auto open = o.filter.read();
  if (!open) return open.error();
  auto info = inspect_filter(o.path, *open);
  if (!info) return info.error();
  if (o.alert) return alert(o.path, *info);
  if (auto printed = print(o.json ? as_json(o.path, *info) : as_text(o.path, *info)); !printed) return printed.error();
  return exit_status::yes;
}

}  // namespace

action define_info(option_list& app) {
  auto o = std::make_shared<info_options>();
  app.value({"filter", "the filter file", "FILE", need::required}, o->path);
  app.flag({"--json", "one JSON document"}, o->json);
  app.flag({"--alert", "nothing, and status 1 if it is saturated, past its capacity or above its rate"}, o->alert);
  app.never_both("--alert", "--json");
  o->filter.define_format(app);
  app.footer(
      "Examples:\n"
      "  seen info users.seen\n"
      "  seen info users.seen --json | jq .fpr_now\n"
      "  seen info --alert users.seen || rebuild");
  return [o] { return tell(*o); };
}

}  // namespace seen::cli
