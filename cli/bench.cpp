// seen bench: what the kinds take on this machine, from the harness that `make bench` runs against peers.
//
// The kinds take turns round by round, next to random lines of memory; see bench/core/harness.hpp. Their code is the
// library's: built for any machine of the architecture, batches dispatched to what this one can.
#include <seen/base/names.hpp>
#include <seen/base/text.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../bench/core/plot.hpp"
#include "../bench/core/tables.hpp"
#include "bench_families.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "output.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct bench_options {
  std::vector<std::string> sizes{"100k", "2M"};
  std::string rounds = "3";
  std::vector<std::string> only = {};
  std::string plot = {};
  bool json = false, quiet = false;
};

bool begins_with(std::string_view known, std::string_view name) {
  return is_same_name(known.substr(0, name.size()), name);
}

// Whether a contender or a family is meant by a name: its own with dashes or underscores, or its first word.
bool is_meant(std::string_view known, std::string_view name) {
  if (!begins_with(known, name)) return false;
  return known.size() == name.size() || known[name.size()] == ' ' || known.substr(name.size()) == "_filter";
}

/// The names of contenders and families that are meant.
result<std::vector<std::string>> names_meant(const std::vector<bench::family>& families,
                                             const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  const auto add = [&](std::string_view name) {
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  };
  for (const bench::family& family : families) {
    add(family.name);
    for (const bench::contender& c : family.contenders) add(c.name);
  }
  std::vector<std::string> meant;
  for (const std::string& name : names) {
    const std::size_t before = meant.size();
    for (const std::string_view each : known) {
      if (is_meant(each, name)) meant.emplace_back(each);
    }
    if (meant.size() != before) continue;
    const auto begins = [&](std::string_view each) { return begins_with(each, name); };
    if (std::count_if(known.begin(), known.end(), begins) == 1) {
      meant.emplace_back(*std::find_if(known.begin(), known.end(), begins));
      continue;
    }
    return {errc::invalid_argument,
            "--only: nothing is called \"" + name + "\"; known: " + listed(known) + did_you_mean(name, known)};
  }
  return meant;
}

result<bench::run_options> options_of(const bench_options& asked) {
  bench::run_options options;
  options.run = "installed";
  auto rounds = parse_option("--rounds", asked.rounds, parse_count);
  if (!rounds) return rounds.error();
  if (*rounds == 0 || *rounds > 1000) {
    return {errc::invalid_argument, "--rounds: " + asked.rounds + " is not a number from 1 to 1000"};
  }
  options.rounds = static_cast<int>(*rounds);
  if (!asked.plot.empty() && !std::filesystem::is_directory(asked.plot)) {
    return {errc::invalid_argument, "--plot: " + asked.plot + " is not a directory"};
  }
  for (const std::string& text : asked.sizes) {
    auto size = parse_option("--sizes", text, parse_count);
    if (!size) return size.error();
    if (*size == 0 || *size > 1'000'000'000) {
      return {errc::invalid_argument, "--sizes: takes numbers of keys from 1 to 1e9, not " + text};
    }
    options.sizes.push_back(static_cast<std::size_t>(*size));
  }
  for (const std::string& name : asked.only) options.only += (options.only.empty() ? "" : ",") + name;
  // A quarter of what `make bench` asks: a minute has to do for all kinds.
  options.queries =
      std::clamp<std::size_t>(2 * *std::max_element(options.sizes.begin(), options.sizes.end()), 10'000, 250'000);
  if (!asked.quiet) options.progress = [](const std::string& what) { remark(false, what); };
  return options;
}

}  // namespace

action define_bench(option_list& app) {
  auto asked = std::make_shared<bench_options>();
  app.list({"--sizes", "numbers of keys, with commas (100k,2M)", "N,..."}, asked->sizes);
  app.value({"--rounds", "rounds that count (3)", "N"}, asked->rounds);
  app.list({"--only", "kinds or families, with commas", "NAME,..."}, asked->only);
  app.value({"--plot", "write pictures (SVG) to a folder", "DIR"}, asked->plot);
  app.flag({"--json", "one JSON array, one record per row"}, asked->json);
  app.flag({"-q,--quiet", "do not say what is being measured"}, asked->quiet);
  app.footer(
      "Examples:\n"
      "  seen bench                                 every kind, in less than a minute\n"
      "  seen bench --only block --sizes 1e8        one family, larger than any cache\n"
      "  seen bench --json --rounds 9 > here.json");
  return [asked]() -> result<exit_status> {
    const std::vector<bench::family> families = bench_families();
    auto only = names_meant(families, asked->only);
    if (!only) return only.error();
    asked->only = std::move(*only);
    auto options = options_of(*asked);
    if (!options) return options.error();
    const std::vector<bench::record> records = bench::run_families(families, *options);
    if (!asked->plot.empty()) {
      if (auto written = bench::write_pictures(records, asked->plot); !written) return written.error();
    }
    if (auto printed = print(asked->json ? bench::to_json(records) : bench::filter_tables(records)); !printed) {
      return printed.error();
    }
    return exit_status::yes;
  };
}

}  // namespace seen::cli
