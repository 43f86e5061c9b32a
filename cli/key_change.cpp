// Everything that can be refused is refused before the first key is read.
#include "key_change.hpp"

#include "numbers.hpp"
#include "words.hpp"

namespace seen::cli {

namespace {

constexpr std::uint64_t forever = ~std::uint64_t{0};

// Seconds of --wait: none where it is not given.
result<std::uint64_t> patience(const std::optional<std::string>& wait) {
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
  auto seconds = patience(options.wait);
  if (!seconds) return seconds.error();
  auto locked = locked_file::lock(options.path, *seconds);
  if (!locked) return locked.error();
  auto filter = locked->open(*open, needed == &plan_row::can_remove ? "remove" : "add");
  if (!filter) return filter.error();
  if (auto able = require(filter->kind(), needed, in_words); !able) return about(options.path, able.error());
  format->accepts = filter->origin().accepts;
  auto reader = key_reader::open(files_or_stdin(options.files), *format);
  if (!reader) return reader.error();
  return key_change{std::move(*locked), std::move(*filter), std::move(*reader)};
}

}  // namespace seen::cli
