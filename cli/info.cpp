// seen info: what filter files hold. Works on keyed files without their secret, and on unsealed ones.
//
// A file beyond 16 MiB is described by its header, whose census tells how full it is; --deep reads all of it.
#include <seen/any_filter.hpp>

#include <cmath>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "each_file.hpp"
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
  std::vector<std::string> files;
  filter_options filter;
  bool json = false, alert = false, deep = false;
};

std::string as_json(const std::string& path, const filter_info& info) {
  json document = json::object().add("file", path).add("file_bytes", info.origin.file_bytes);
  return add_info(document, info).line() + '\n';
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

result<filter_info> describe(const std::string& path, const info_options& o, const open_options& open) {
  if (o.deep || is_small(path)) return inspect_filter(path, open);
  auto info = glance_at(path, open);
  // A kind whose header does not tell how full it is, by a program that has to know.
  if (info && o.alert && std::isnan(info->keys)) return inspect_filter(path, open);
  return info;
}

result<exit_status> tell_one(const std::string& path, const info_options& o, const open_options& open, bool first) {
  auto info = describe(path, o, open);
  if (!info) return info.error();
  if (o.alert) return alert(path, *info);
  const char* const between = first || o.json ? "" : "\n";
  if (auto printed = print(between + (o.json ? as_json(path, *info) : as_text(path, *info))); !printed)
    return printed.error();
  return exit_status::yes;
}

result<exit_status> tell(const info_options& o) {
  if (auto apart = stdout_spares({o.files}); !apart) return apart.error();
  auto open = o.filter.read();
  if (!open) return open.error();
  return each_file(o.files, [&](const std::string& path, bool first) { return tell_one(path, o, *open, first); });
}

}  // namespace

action define_info(option_list& app) {
  auto o = std::make_shared<info_options>();
  app.values({"filters", "filter files", "FILE", need::required}, o->files);
  app.flag({"--json", "one JSON document per file, each on a line"}, o->json);
  app.flag({"--deep,--check", "read a file beyond 16 MiB, too: count its bits and compare every checksum"}, o->deep);
  app.flag({"--alert", "nothing, and status 1 if it is saturated, past its capacity or above its rate"}, o->alert);
  app.never_both("--alert", "--json");
  o->filter.define_format(app);
  app.footer(
      "Examples:\n"
      "  seen info users.seen\n"
      "  seen info users.seen --json | jq .fpr_now\n"
      "  seen info --json *.seen | jq -r '[.file, .keys] | @tsv'\n"
      "  seen info --alert users.seen || rebuild");
  return [o] { return tell(*o); };
}

}  // namespace seen::cli
