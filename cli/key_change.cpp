// Everything that can be refused is refused before the first key is read.
#include "key_change.hpp"

#include "filter_file.hpp"
#include "numbers.hpp"
#include "remarks.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

// A file that nobody else changes: its lock, or the map with it.
struct held_file {
  std::optional<locked_file> file;
  std::optional<any_filter> map;
};

// Maps the file where keys may be added to it as it lies. The map takes the lock itself, so the one that was waited for is
// given back before: another process may be quicker, and is waited for as well.
result<held_file> take(const key_change_options& options, const open_options& open, bool adding,
                       std::uint64_t patience) {
  bool may_map = adding && !is_small(options.path);
  for (;;) {
    auto locked = locked_file::lock(options.path, patience);
    if (!locked) return locked.error();
    if (!may_map) return held_file{std::move(*locked), std::nullopt};
    { const locked_file released = std::move(*locked); }
    auto mapped = any_filter::map_writable(options.path, open);
    if (mapped) return held_file{std::nullopt, std::move(*mapped)};
    if (mapped.error().code == errc::unsupported) may_map = false;  // a kind or format that is loaded
    if (may_map && mapped.error().code != errc::busy) return mapped.error();
  }
}

}  // namespace

namespace {

constexpr std::uint64_t forever = ~std::uint64_t{0};

// Seconds of --wait: none where it is not given.
result<std::uint64_t> seconds_of(const std::optional<std::string>& wait) {
  if (!wait) return std::uint64_t{0};
  if (wait->empty()) return forever;
  return parse_option("--wait", *wait, parse_duration);
}

}  // namespace

void key_change_options::define(option_list& app, const char* about_the_file) {
  app.value({"filter", about_the_file, "FILE", need::required}, path);
  app.values({"files", lists_help, "FILE"}, files);
  filter.define(app);
  app.optional_value(
      {"--wait", "wait while another process is changing the file, so many seconds at most (2m)", "SECONDS"}, wait);
  outcome.define(app);
  keys.define(app);
}

result<key_change> key_change::begin(const key_change_options& options, ability needed, const char* in_words) {
  auto format = options.keys.read(options.outcome.quiet);
  if (!format) return format.error();
  auto open = options.filter.read();
  if (!open) return open.error();
  for (const std::string& each : files_or_stdin(options.files)) {
    if (is_same_file(each, options.path)) {
      return {errc::invalid_argument, display_name(each) + ": is the filter itself, not a list of keys"};
    }
  }
  std::vector<std::string> kept = options.filter.secrets();
  for (const std::string& each : files_or_stdin(options.files)) kept.push_back(each);
  if (auto apart = saving_spares(options.path, kept); !apart) return apart.error();
  auto seconds = seconds_of(options.wait);
  if (!seconds) return seconds.error();
  const bool adding = needed == &plan_row::can_add;
  // What a killed add left unsealed has lost nothing, and is sealed by this one.
  if (adding) open->recover = true;
  auto held = take(options, *open, adding, *seconds);
  if (!held) return held.error();
  std::optional<any_filter>& filter = held->map;
  if (!filter) {
    auto loaded = held->file->open(*open, adding ? "add" : "remove", options.outcome.quiet);
    if (!loaded) return loaded.error();
    filter = std::move(*loaded);
  }
  if (auto able = require(filter->kind(), needed, in_words); !able) return about(options.path, able.error());
  if (!filter->origin().sealed) {
    warn(options.outcome.quiet,
         options.path +
             ": a program that added keys to it was ended before it was done; no key is lost, and "
             "this add seals it");
  }
  format->accepts = filter->origin().accepts;
  auto reader = key_reader::open(files_or_stdin(options.files), *format);
  if (!reader) return reader.error();
  return key_change{std::move(*open), *seconds, std::move(held->file), std::move(*filter), std::move(*reader)};
}

bool key_change::stays_in_place(std::uint64_t keys) const {
  // A key touches as many pages as it has probes, and the device writes each of them whole.
  constexpr std::uint64_t bytes_per_key = std::uint64_t{128} << 10;
  return filter.is_writable_map() && keys <= filter.origin().file_bytes / bytes_per_key;
}

result<void> key_change::load(const key_change_options& options) {
  { const any_filter map = std::move(filter); }  // with its lock
  auto locked = locked_file::lock(options.path, patience);
  if (!locked) return locked.error();
  auto loaded = locked->open(open, "add", options.outcome.quiet);
  if (!loaded) return loaded.error();
  file = std::move(*locked);
  filter = std::move(*loaded);
  return {};
}

result<void> key_change::save(bool quiet) {
  return file ? file->save(filter, quiet) : filter.seal();
}

}  // namespace seen::cli
