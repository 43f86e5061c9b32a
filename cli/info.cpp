// seen info: what a filter file holds. Works on keyed files without their secret, and on unsealed ones.
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <memory>

#include "json.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shape.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

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
json json_keys(const filter_info& info) {
  if (info.keys_exact) return json(static_cast<std::uint64_t>(std::llround(info.keys)));
  return json(info.keys);
}

const kind_row* row_of(const filter_info& info) {
  const auto found = find_kind(info.kind);
  return found ? *found : nullptr;
}

// The variant that a field of the shape chooses, where it has a name.
const kind_variant* variant_of(const kind_row* kind, const named_field& field) {
  if (kind == nullptr) return nullptr;
  const auto same = [&](const kind_variant& v) { return v.field == field.name && v.value == field.value; };
  const auto found = std::find_if(kind->variants.begin(), kind->variants.end(), same);
  return found != kind->variants.end() ? &*found : nullptr;
}

// The variant of the file's format, or of the kind if its shape has one with a name; empty without either.
std::string variant_of(const filter_info& info) {
  if (!info.origin.variant.empty()) return info.origin.variant;
  for (const named_field& field : info.shape) {
    if (const kind_variant* const variant = variant_of(row_of(info), field)) return std::string(variant->name);
  }
  return {};
}

// "9,586 bits", "1 shard", "growth 1.5", "segment-length 128", "4-wise".
std::string in_words(const kind_row* kind, const named_field& field) {
  if (const kind_variant* const variant = variant_of(kind, field)) return std::string(variant->name);
  if (field.type == field_type::real) return field.name + ' ' + exactly(field.as_real());
  if (!field.name.ends_with('s')) return field.name + ' ' + grouped(field.value);
  return grouped(field.value) + ' ' + (field.value == 1 ? field.name.substr(0, field.name.size() - 1) : field.name);
}

json json_hash(const filter_info& info) {
  return json::object()
      .add("name", describe(info.hash.id))
      .add("seed", std::to_string(info.hash.seed))  // beyond 2^53 many readers round numbers
      .add("keyed", info.hash.keyed)
      .add("check", fmt::format("{:016x}", info.hash.check))
      .add("secret_stored", info.origin.secret_stored);
}

json json_target(const target& asked) {
  if (asked.capacity == 0) return {};
  return json::object().add("capacity", asked.capacity).add("fpr", asked.fpr);
}

std::string as_json(const std::string& path, const filter_info& info) {
  json shape = json::object();
  for (const named_field& field : info.shape) shape.add(field.name, json_value(field));
  const std::string variant = variant_of(info);
  json document = json::object()
                      .add("file", path)
                      .add("file_bytes", info.origin.file_bytes)
                      .add("format", info.format)
                      .add("recognised", name_of(info.origin.recognised))
                      .add("variant", variant.empty() ? json() : json(variant))
                      .add("verified", info.origin.verified)
                      .add("sealed", info.origin.sealed)
                      .add("kind", info.kind);
  document.add("shape", shape)
      .add("bytes", info.bytes)
      .add("keys", json_keys(info))
      .add("keys_exact", info.keys_exact)
      .add("bits_per_key", std::isnormal(info.keys) ? json(bits_per_key(info)) : json())
      .add("fill", info.fill ? json(*info.fill) : json())
      .add("saturated", info.saturated)
      .add("fpr_now", info.fpr_now)
      .add("fpr_at_capacity", info.fpr_at_capacity != 0 ? json(info.fpr_at_capacity) : json())
      .add("target", json_target(info.target))
      .add("hash", json_hash(info));
  const bytes_view metadata = bytes_of(info.origin.metadata);
  if (is_utf8(metadata)) {
    document.add("metadata", info.origin.metadata);
  } else {
    document.add("metadata_hex", hex_digits(metadata));
  }
  return document.text() + '\n';
}

std::string picture(double fill) {
  constexpr std::size_t width = 40;
  const auto full = static_cast<std::size_t>(std::lround(std::clamp(fill, 0.0, 1.0) * width));
  return '[' + std::string(full, '#') + std::string(width - full, '.') + ']';
}

std::string as_text(const std::string& path, const filter_info& info) {
  std::string shape;
  for (const named_field& field : info.shape) shape += ", " + in_words(row_of(info), field);
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

result<exit_status> tell(const info_options& o) {
  if (auto apart = stdout_spares({{o.path}}); !apart) return apart.error();
  auto open = o.filter.read();
  if (!open) return open.error();
  auto info = any_filter::inspect(o.path, *open);
  if (!info) return info.error();
  if (auto printed = print(o.json ? as_json(o.path, *info) : as_text(o.path, *info)); !printed) return printed.error();
  return exit_status::yes;
}

}  // namespace

action define_info(option_list& app) {
  auto o = std::make_shared<info_options>();
  app.value({"filter", "the filter file", "FILE", need::required}, o->path);
  app.flag({"--json", "one JSON document"}, o->json);
  o->filter.define_format(app);
  app.footer(
      "Examples:\n"
      "  seen info users.seen\n"
      "  seen info users.seen --json | jq .fpr_now");
  return [o] { return tell(*o); };
}

}  // namespace seen::cli
