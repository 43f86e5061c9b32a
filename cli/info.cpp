// seen info: what a filter file holds. Works on keyed files without their secret, and on unsealed ones.
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "json_text.hpp"
#include "options.hpp"
#include "output.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

using nlohmann::ordered_json;

struct info_options {
  std::string path;
  filter_options filter;
  bool json = false;
};

bytes_view bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// What the word of the file is worth.
const char* trust(const file_origin& origin) {
  if (!origin.sealed) return "unsealed: a writable map was not closed; seen verify --recover repairs it";
  return origin.verified ? "verified: every checksum matches" : "unverified: the file has no checksums";
}

double bits_per_key(const filter_info& info) {
  return 8 * static_cast<double>(info.bytes) / info.keys;
}

// Infinity, when every bit is set, becomes null.
ordered_json json_keys(const filter_info& info) {
  if (info.keys_exact) return static_cast<std::uint64_t>(std::llround(info.keys));
  return info.keys;
}

const kind_row* row_of(const filter_info& info) {
  const auto found = find_kind(info.kind);
  return found ? *found : nullptr;
}

// The variant that a parameter chooses, where it has a name.
const kind_variant* variant_of(const kind_row* kind, const named_field& field) {
  if (kind == nullptr) return nullptr;
  const auto same = [&](const kind_variant& v) { return v.field == field.name && v.value == field.value; };
  const auto found = std::find_if(kind->variants.begin(), kind->variants.end(), same);
  return found != kind->variants.end() ? &*found : nullptr;
}

// "9,586 bits", "1 shard", "growth 1.5", "segment-length 128", "4-wise".
std::string in_words(const kind_row* kind, const named_field& field) {
  if (const kind_variant* const variant = variant_of(kind, field)) return std::string(variant->name);
  if (field.type == field_type::real) return field.name + ' ' + exact_number(field.as_real());
  if (!field.name.ends_with('s')) return field.name + ' ' + grouped(field.value);
  return grouped(field.value) + ' ' + (field.value == 1 ? field.name.substr(0, field.name.size() - 1) : field.name);
}

std::string as_json(const std::string& path, const filter_info& info) {
  ordered_json params = ordered_json::object();
  for (const named_field& field : info.fields) params[field.name] = json_value(field);
  const kind_row* const kind = row_of(info);
  ordered_json document{
      {"file", path},
      {"file_bytes", info.origin.file_bytes},
      {"format", info.format},
      {"recognised", name_of(info.origin.recognised)},
      {"encoding", info.origin.variant.empty() ? ordered_json() : ordered_json(info.origin.variant)},
      {"verified", info.origin.verified},
      {"sealed", info.origin.sealed},
      {"kind", info.kind},
  };
  for (const named_field& field : info.fields) {
    if (const kind_variant* const variant = variant_of(kind, field)) document["variant"] = variant->name;
  }
  document.update(ordered_json{
      {"params", params},
      {"bytes", info.bytes},
      {"keys", json_keys(info)},
      {"keys_exact", info.keys_exact},
      {"bits_per_key", std::isnormal(info.keys) ? ordered_json(bits_per_key(info)) : ordered_json()},
      {"fill", info.fill ? ordered_json(*info.fill) : ordered_json()},
      {"saturated", info.saturated},
      {"fpr_now", info.fpr_now},
      {"fpr_at_capacity", info.fpr_at_capacity != 0 ? ordered_json(info.fpr_at_capacity) : ordered_json()},
      {"asked", info.asked.capacity != 0 ? ordered_json{{"capacity", info.asked.capacity}, {"fpr", info.asked.fpr}}
                                         : ordered_json()},
      {"hash", ordered_json{{"name", describe(info.hash.id)},
                            {"seed", std::to_string(info.hash.seed)},  // beyond 2^53 many readers round numbers
                            {"keyed", info.hash.keyed},
                            {"check", fmt::format("{:016x}", info.hash.check)},
                            {"secret_stored", info.origin.secret_stored}}},
  });
  const bool text = is_utf8(bytes_of(info.origin.metadata));
  document[text ? "metadata" : "metadata_hex"] =
      text ? info.origin.metadata : hex_digits(bytes_of(info.origin.metadata));
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string picture(double fill) {
  constexpr std::size_t width = 40;
  const auto full = static_cast<std::size_t>(std::lround(std::clamp(fill, 0.0, 1.0) * width));
  return '[' + std::string(full, '#') + std::string(width - full, '.') + ']';
}

std::string as_text(const std::string& path, const filter_info& info) {
  std::string params;
  for (const named_field& field : info.fields) params += ", " + in_words(row_of(info), field);
  std::string text = fmt::format("{}\n", path);
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("  {:<9} {}\n", name, value);
  };
  line("kind", info.kind + params);
  line("keys", key_count(info.keys, info.keys_exact) +
                   (info.asked.capacity != 0 ? fmt::format(" of {} planned", grouped(info.asked.capacity)) : ""));
  line("size", human_bytes(info.bytes) +
                   (std::isnormal(info.keys) ? fmt::format(", {:.2f} bits a key", bits_per_key(info)) : std::string()));
  if (info.fill) {
    line("fill", fmt::format("{} {:.1f} %{}", picture(*info.fill), 100 * *info.fill,
                             info.saturated ? ", saturated: the estimates are weak" : ""));
  }
  line("rate",
       short_number(info.fpr_now) + " now" +
           (info.fpr_at_capacity != 0 ? fmt::format(", {} at capacity", short_number(info.fpr_at_capacity)) : "") +
           (info.asked.capacity != 0 ? fmt::format(", {} asked", short_number(info.asked.fpr)) : ""));
  line("hash", describe(info.hash) + (info.origin.secret_stored ? ", its secret is in the file" : ""));
  const std::string encoding = info.origin.variant.empty() ? "" : " (" + info.origin.variant + ")";
  const char* const guess = info.origin.recognised == recognition::guessed
                                ? ", guessed, as are its hash and keys: to change it, name it (--format)"
                                : "";
  line("file", fmt::format("{}{}{}, {} bytes, {}", info.format, encoding, guess, grouped(info.origin.file_bytes),
                           trust(info.origin)));
  if (!info.origin.metadata.empty()) line("metadata", shown(bytes_of(info.origin.metadata)));
  return text;
}

result<exit_status> tell(const info_options& o) {
  if (auto apart = stdout_spares({{o.path}}); !apart) return apart.error();
  auto open = o.filter.read();
  if (!open) return open.error();
  auto info = any_filter::inspect(o.path, *open);
  if (!info) return about(o.path, info.error());
  if (auto printed = print(o.json ? as_json(o.path, *info) : as_text(o.path, *info)); !printed) return printed.error();
  return exit_status::yes;
}

}  // namespace

action define_info(CLI::App& app) {
  auto o = std::make_shared<info_options>();
  app.add_option("filter", o->path, "the filter file")->type_name("FILE")->required();
  app.add_flag("--json", o->json, "one JSON document");
  o->filter.define_format(app);
  app.footer(
      "Examples:\n"
      "  seen info users.seen\n"
      "  seen info users.seen --json | jq .fpr_now");
  return [o] { return tell(*o); };
}

}  // namespace seen::cli
