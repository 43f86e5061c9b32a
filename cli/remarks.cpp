// Puts what the library knows of a filter into terms of the command line.
#include "remarks.hpp"

#include <seen/base/text.hpp>
#include <seen/registry.hpp>

#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include "filter_file.hpp"
#include "words.hpp"

namespace seen::cli {

namespace {

// "utf8 (assumed; --key-type: utf8, utf16)"
std::string with_choices(const std::string& assumed, const char* option, std::span<const std::string_view> choices) {
  return assumed.empty() ? std::string() : assumed + " (assumed; " + option + ": " + listed(choices) + ")";
}

// What the header of a large file says, if it says how full the filter is. Every page of the rest that is touched costs up to 2 MiB,
// where the system keeps the file in pieces of that size.
std::optional<filter_info> header_info(const std::string& path, const open_options& how) {
  if (!begins_as_filter(path)) return std::nullopt;
  auto info = glance_at(path, how);
  if (!info || std::isnan(info->fpr_now)) return std::nullopt;
  return std::move(*info);
}

// Distinct keys are as good as random ones to whatever hashes them. Where keys are numbers these are such, and large.
std::size_t hits_among_strangers(const any_filter& filter, std::size_t count) {
  std::size_t hits = 0;
  for (std::size_t i = 1; i <= count; ++i) hits += filter.may_contain(i * 0x9e37'79b9'7f4a'7c15);
  return hits;
}

}  // namespace

std::string assumed_keys(std::string_view format_name, const file_origin& origin) {
  const auto format = find_format(format_name);
  return format ? with_choices(origin.assumed_key_type, "--key-type", (*format)->key_types) : std::string();
}

std::string assumed_hash(std::string_view format_name, const file_origin& origin) {
  const auto format = find_format(format_name);
  return format ? with_choices(origin.assumed_hash, "--hash", (*format)->hashes) : std::string();
}

void warn_if_assumed(bool quiet, const std::string& path, const any_filter& filter) {
  const file_origin& origin = filter.origin();
  const bool guessed = origin.recognised == recognition::guessed;
  if (quiet || (!guessed && origin.assumed_hash.empty() && origin.assumed_key_type.empty())) return;
  const std::string format(filter.format());
  std::string text = path + ": taken for a " + format + " file";
  if (!origin.assumed_hash.empty()) text += ", its hash for " + assumed_hash(format, origin);
  if (!origin.assumed_key_type.empty()) text += ", its keys for " + assumed_keys(format, origin);
  text += ", which its content does not prove";
  warn(false, guessed ? text + "; --format " + format + " says so" : text);
}

void warn_if_too_full(bool quiet, const std::string& path, const any_filter& filter, const open_options& how) {
  if (quiet) return;
  const std::optional<filter_info> info =
      filter.origin().file_bytes > small_file ? header_info(path, how) : filter.info();
  if (!info) {
    constexpr std::size_t asked = 64, most = 56;  // a filter made for a rate of 1/2 has more once in 10^10
    const std::size_t hits = hits_among_strangers(filter, asked);
    if (hits > most) {
      warn(false, path + ": too full to tell keys apart: it says yes to " + std::to_string(hits) + " of " +
                      std::to_string(asked) + " keys that nobody added");
    }
    return;
  }
  const bool planned = info->target.capacity != 0;
  // Some kinds are full and keep their rate. The rate is an estimate: a tenth more says nothing.
  if (!info->health.saturated && !info->health.above_fpr) return;
  if (planned && info->fpr_now < 1.1 * info->target.fpr) return;
  std::string text = path + ": too full: its rate is " + short_number(info->fpr_now);
  if (planned) {
    text += ", and " + short_number(info->target.fpr) + " was asked for " + keys_in_words(info->target.capacity) +
            " (-n); it holds " + key_count(info->keys, info->keys_exact);
  }
  warn(false, text);
}

std::string doubt(const filter_info& info) {
  if (info.origin.recognised != recognition::guessed) return {};
  return " (or it is not what it was taken for: name its --format, --hash and --key-type)";
}

std::string how_full(const filter_info& info, double before) {
  std::string text;
  // Where the kind counts what it holds.
  if (info.keys_exact) text += " after " + keys_in_words(static_cast<std::uint64_t>(std::llround(info.keys - before)));
  if (info.target.capacity != 0) text += ", planned for " + keys_in_words(info.target.capacity);
  return text;
}

std::string advice_on_equal_keys(const filter_info& info) {
  const bool takes_each = info.format == native::format_name;
  return takes_each ? "Equal keys take a place each: make them unique (sort -u), or " : "To hold more, ";
}

}  // namespace seen::cli
