// seen info: what a filter file holds. Works on keyed files without their secret, and on unsealed ones.
#include <seen/any_filter.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <memory>

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

bytes_view bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// What the word of the file is worth.
const char* trust(const file_origin& origin) {
  if (!origin.sealed) return "unsealed: a writable map was not closed; seen verify --recover repairs it";
  return origin.verified ? "verified: every checksum matches" : "unverified: the file has no checksums";
}

// "9,586 bits", "1 shard", "growth 1.5", "segment-length 128", "4-wise".
std::string in_words(const filter_info& info, const named_field& field) {
  if (const kind_variant* const variant = variant_of(info, field)) return std::string(variant->name);
  if (field.type == field_type::real) return field.name + ' ' + exactly(field.as_real());
  if (!field.name.ends_with('s')) return field.name + ' ' + grouped(field.value);
  return grouped(field.value) + ' ' + (field.value == 1 ? field.name.substr(0, field.name.size() - 1) : field.name);
}

std::string as_json(const std::string& path, const filter_info& info) {
  json document = json::object().add("file", path).add("file_bytes", info.origin.file_bytes);
  return add_info(document, info).text() + '\n';
}

std::string picture(double fill) {
  constexpr std::size_t width = 40;
  const auto full = static_cast<std::size_t>(std::lround(std::clamp(fill, 0.0, 1.0) * width));
  return '[' + std::string(full, '#') + std::string(width - full, '.') + ']';
}

// Of the memory that it was read into just now: what this system gives to a program that asks.
std::string pages(const filter_info& info) {
  if (*info.huge_page_bytes == 0) return "small";
  if (*info.huge_page_bytes >= info.bytes) return "huge";
  return "huge for " + human_bytes(*info.huge_page_bytes) + ", small for the rest";
}

std::string as_text(const std::string& path, const filter_info& info) {
  std::string shape;
  for (const named_field& field : info.shape) shape += ", " + in_words(info, field);
  std::string text = fmt::format("{}\n", path);
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("  {:<9} {}\n", name, value);
  };
  line("kind", info.kind + shape);
  line("keys", key_count(info.keys, info.keys_exact) +
                   (info.target.capacity != 0 ? fmt::format(" of {} planned", grouped(info.target.capacity)) : ""));
  line("size",
       human_bytes(info.bytes) +
           (std::isnormal(info.keys) ? fmt::format(", {:.2f} bits per key", bits_per_key(info)) : std::string()));
  if (info.huge_page_bytes) line("pages", pages(info));
  if (info.fill) {
    line("fill", fmt::format("{} {:.1f} %{}", picture(*info.fill), 100 * *info.fill,
                             info.saturated ? ", saturated: the estimates are weak" : ""));
  }
  line("rate",
       short_number(info.fpr_now) + " now" +
           (info.fpr_at_capacity != 0 ? fmt::format(", {} at capacity", short_number(info.fpr_at_capacity)) : "") +
           (info.target.capacity != 0 ? fmt::format(", {} asked", short_number(info.target.fpr)) : ""));
  line("hash", describe(info.hash) + (info.origin.secret_stored ? ", its secret is in the file" : ""));
  const std::string variant = info.origin.variant.empty() ? "" : " (" + info.origin.variant + ")";
  const char* const guess = info.origin.recognised == recognition::guessed
                                ? ", guessed, as are its hash and keys: to change it, name it (--format)"
                                : "";
  line("file", fmt::format("{}{}{}, {} bytes, {}", info.format, variant, guess, grouped(info.origin.file_bytes),
                           trust(info.origin)));
  if (!info.origin.metadata.empty()) line("metadata", shown(bytes_of(info.origin.metadata)));
  return text;
}

// A line per finding, for whoever gets the mail.
exit_status alert(const std::string& path, const filter_info& info) {
  const filter_health& health = info.health;
  if (health.saturated) {
    remark(false,
           fmt::format("seen: {}: saturated: {:.1f} % in use, and the estimates are weak", path, 100 * health.fill));
  }
  if (health.past_capacity) {
    remark(false, fmt::format("seen: {}: past capacity: {}, planned for {}", path,
                              health.keys < 0x1p63 ? key_count(health.keys, info.keys_exact) + " keys"
                                                   : "too many keys to tell",
                              grouped(info.target.capacity)));
  }
  if (health.above_fpr) {
    remark(false, fmt::format("seen: {}: above the rate: {} now, {} asked", path, short_number(health.fpr),
                              short_number(info.target.fpr)));
  }
  return health.healthy() ? exit_status::yes : exit_status::alarm;
}

result<exit_status> tell(const info_options& o) {
  if (auto apart = stdout_spares({{o.path}}); !apart) return apart.error();
  auto open = o.filter.read();
  if (!open) return open.error();
  auto info = any_filter::inspect(o.path, *open);
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
  app.flag({"--alert", "nothing, and status 3 if it is saturated, past its capacity or above its rate"}, o->alert);
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
