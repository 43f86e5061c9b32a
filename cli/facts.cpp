// A word and a value each, in the order in which people ask.
#include "facts.hpp"

#include <seen/any_filter.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <span>

#include "info_json.hpp"
#include "remarks.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

bytes_view bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// What the word of the file is worth.
const char* trust(const file_origin& origin) {
  if (!origin.sealed) {
    return "unsealed: keys are being added to it, or were when that was ended; the next seen add seals it, or seen "
           "verify "
           "--recover";
  }
  if (origin.mapped) return "its header is whole, its body was not read (--deep)";
  return origin.verified ? "verified: every checksum matches" : "unverified: the file has no checksums";
}

// "9,586 bits", "1 shard", "growth 1.5", "segment-length 128", "4-wise".
std::string in_words(const filter_info& info, const named_field& field) {
  if (const kind_variant* const variant = variant_of(info, field)) return std::string(variant->name);
  if (field.type == field_type::real) return field.name + ' ' + exactly(field.as_real());
  if (!field.name.ends_with('s')) return field.name + ' ' + grouped(field.value);
  return grouped(field.value) + ' ' + (field.value == 1 ? field.name.substr(0, field.name.size() - 1) : field.name);
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

}  // namespace

std::vector<std::pair<std::string, std::string>> facts_of(const filter_info& info, bool with_bar) {
  std::string shape;
  for (const named_field& field : info.shape) shape += ", " + in_words(info, field);
  std::vector<std::pair<std::string, std::string>> facts;
  const auto line = [&](const char* name, std::string value) { facts.emplace_back(name, std::move(value)); };
  line("kind", info.kind + shape);
  line("keys", (std::isnan(info.keys) ? "not counted (--deep)" : key_count(info.keys, info.keys_exact)) +
                   (info.target.capacity != 0 ? fmt::format(" of {} planned", grouped(info.target.capacity)) : ""));
  line("size",
       human_bytes(info.bytes) +
           (std::isnormal(info.keys) ? ", " + grouped(bits_per_key(info), 2) + " bits per key" : std::string()));
  if (info.huge_page_bytes) line("pages", pages(info));
  if (info.fill) {
    line("fill", fmt::format("{}{:.1f} %{}", with_bar ? picture(*info.fill) + ' ' : std::string(), 100 * *info.fill,
                             info.saturated ? ", saturated: the estimates are weak" : ""));
  }
  std::string rate;
  if (!std::isnan(info.fpr_now)) append_name(rate, short_number(info.fpr_now) + " now");
  if (info.fpr_at_capacity != 0) append_name(rate, short_number(info.fpr_at_capacity) + " at capacity");
  if (info.target.capacity != 0) append_name(rate, short_number(info.target.fpr) + " asked");
  if (!rate.empty()) line("rate", rate);
  line("hash", (info.origin.assumed_hash.empty() ? describe(info.hash) : assumed_hash(info.format, info.origin)) +
                   (info.origin.secret_stored ? ", its secret is in the file" : ""));
  if (!info.origin.assumed_key_type.empty()) {
    line("keys are", assumed_keys(info.format, info.origin));
  } else if (info.origin.accepts.form != key_form::bytes) {
    line("keys are", info.origin.accepts.in_words());
  }
  const std::string variant = info.origin.variant.empty() ? "" : " (" + info.origin.variant + ")";
  const char* const guess = info.origin.recognised == recognition::guessed
                                ? ", guessed, as are its hash and keys: to change it, name it (--format)"
                                : "";
  line("file", fmt::format("{}{}{}, {} bytes, {}", info.format, variant, guess, grouped(info.origin.file_bytes),
                           trust(info.origin)));
  if (!info.origin.metadata.empty()) line("metadata", shown(bytes_of(info.origin.metadata)));
  return facts;
}

}  // namespace seen::cli
