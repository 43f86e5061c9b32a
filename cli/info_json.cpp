// The members of the document: what is unknown is null, and what would be infinite, too.
#include "info_json.hpp"

#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "shape.hpp"

namespace seen::cli {
namespace {

// Keys are whole, an estimate of them too. Infinity, when every bit is set, becomes null, and so does what was not counted; and so
// would be what no integer holds.
json json_keys(double keys) {
  constexpr double most = 1e18;
  return keys >= 0 && keys < most ? json(static_cast<std::uint64_t>(std::llround(keys))) : json();
}

json json_hash(const filter_info& info) {
  std::array<std::byte, 8> check;  // its digits, the highest first
  for (int i = 0; i < 8; ++i)
    check[static_cast<std::size_t>(i)] = static_cast<std::byte>(info.hash.check >> (56 - 8 * i));
  return json::object()
      .add("name", describe(info.hash.id))
      .add("seed", std::to_string(info.hash.seed))  // beyond 2^53 many readers round numbers
      .add("keyed", info.hash.keyed)
      .add("check", hex_digits(check))
      .add("secret_stored", info.origin.secret_stored);
}

json json_health(const filter_health& health) {
  return json::object()
      .add("saturated", health.saturated)
      .add("past_capacity", health.past_capacity)
      .add("above_fpr", health.above_fpr)
      .add("most_keys", json_keys(std::ceil(health.most_keys)))
      .add("most_fpr", health.most_fpr);
}

json name_or_null(const std::string& name) {
  return name.empty() ? json() : json(name);
}

json json_target(const target& asked) {
  if (asked.capacity == 0) return {};
  return json::object().add("capacity", asked.capacity).add("fpr", asked.fpr);
}

// The variant of the file's format, or of the kind if its shape has one with a name; empty without either.
std::string variant_name(const filter_info& info) {
  if (!info.origin.variant.empty()) return info.origin.variant;
  for (const named_field& field : info.shape) {
    if (const kind_variant* const variant = variant_of(info, field)) return std::string(variant->name);
  }
  return {};
}

}  // namespace

double bits_per_key(const filter_info& info) {
  return 8 * static_cast<double>(info.bytes) / info.keys;
}

const kind_variant* variant_of(const filter_info& info, const named_field& field) {
  const auto kind = find_kind(info.kind);
  if (!kind) return nullptr;
  const auto& variants = (*kind)->variants;
  const auto same = [&](const kind_variant& v) { return v.field == field.name && v.value == field.value; };
  const auto found = std::find_if(variants.begin(), variants.end(), same);
  return found != variants.end() ? &*found : nullptr;
}

namespace {

// What the filter is, whatever file it lies in.
json& add_content(json& document, const filter_info& info) {
  json shape = json::object();
  for (const named_field& field : info.shape) shape.add(field.name, json_value(field));
  return document.add("kind", info.kind)
      .add("shape", shape)
      .add("bytes", info.bytes)
      .add("huge_page_bytes", info.huge_page_bytes ? json(*info.huge_page_bytes) : json())
      .add("keys", json_keys(info.keys))
      .add("keys_exact", info.keys_exact)
      .add("counted", info.counted)
      .add("bits_per_key", std::isnormal(info.keys) ? json(bits_per_key(info)) : json())
      .add("fill", info.fill ? json(*info.fill) : json())
      .add("saturated", info.saturated)
      .add("fpr_now", info.fpr_now)
      .add("fpr_at_capacity", info.fpr_at_capacity != 0 ? json(info.fpr_at_capacity) : json())
      .add("target", json_target(info.target))
      .add("health", std::isnan(info.keys) ? json() : json_health(info.health))
      .add("hash", json_hash(info))
      .add("assumed_hash", name_or_null(info.origin.assumed_hash))
      .add("key_form", name_of(info.origin.accepts.form))
      .add("assumed_key_type", name_or_null(info.origin.assumed_key_type))
      .add("clock", info.clock ? json(*info.clock) : json());
}

}  // namespace

json& add_filter(json& document, const filter_info& info) {
  document.add("format", info.format).add("variant", name_or_null(variant_name(info)));
  return add_content(document, info);
}

json& add_info(json& document, const filter_info& info) {
  document.add("format", info.format)
      .add("recognised", name_of(info.origin.recognised))
      .add("variant", name_or_null(variant_name(info)))
      .add("verified", info.origin.verified)
      .add("sealed", info.origin.sealed);
  add_content(document, info);
  const bytes_view metadata = std::as_bytes(std::span(info.origin.metadata));
  if (is_utf8(metadata)) {
    document.add("metadata", info.origin.metadata);
  } else {
    document.add("metadata_hex", hex_digits(metadata));
  }
  return document;
}

}  // namespace seen::cli
