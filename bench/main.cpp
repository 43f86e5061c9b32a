// seen_bench: every kind against its peers. `seen_bench --help` lists what it takes, docs/performance.md says what it prints.
//
// The native kinds, the harness and the tables are also in the installed command, as `seen bench`.
#include <seen/base/instructions.hpp>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <sstream>

#include "../cli/command_line.hpp"
#include "../cli/numbers.hpp"
#include "core/plot.hpp"
#include "core/tables.hpp"
#include "families.hpp"
#include "machine.hpp"
#include "peers/peers.hpp"
#include "processes.hpp"
#include "sections.hpp"
#include "targets.hpp"

namespace seen::bench {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<family> all_families() {
  std::vector<family> families = native_families();
  families.push_back(foreign_family());
  for (auto* add : {add_boost, add_rocksdb, add_libbloom, add_xor_singleheader, add_fastfilter, add_cuckoofilter,
                    add_vqf, add_burr, add_libfilter}) {
    if (const std::string why = add(families); !why.empty()) std::fprintf(stderr, "skipped: %s\n", why.c_str());
  }
  return families;
}

struct asked {
  std::string json = {}, plots = {}, keys = {}, peak_of = {}, targets = "all";
  bool reports = false;
  std::vector<std::string> report = {};
  std::string calls = {}, queries = {};
  bool sweep = false;
  apart in_processes = {};
};

// Of the sections beside filters, those that --only names; all without it.
std::vector<record> run_sections(const run_options& options, const std::string& self) {
  std::vector<record> records;
  const auto section = [&](const char* name, auto measure) {
    if (!is_wanted(options.only, name)) return;
    options.progress(name);
    for (record& r : measure()) records.push_back(std::move(r));
  };
  const std::size_t largest = *std::max_element(options.sizes.begin(), options.sizes.end());
  section("threads", [&] { return run_threads(options.run, options.rounds); });
  section("shared", [&] { return run_shared(options.run, options.rounds); });
  section("hashes", [&] { return run_hashes(options.run, options.rounds); });
  section("builds", [&] { return run_builds(options.run, largest, options.rounds); });
  section("opening", [&] { return run_opening(options.run); });
  section("peaks", [&] { return run_peaks(options.run, self, largest); });
  return records;
}

// One row over many sizes, for the picture of cost by size.
void make_sweep(run_options& options) {
  options.sizes.clear();
  for (double n = 1e4; n < 1.1e8; n *= std::sqrt(10.0)) options.sizes.push_back(static_cast<std::size_t>(n));
  options.only = "blocked_bloom,bloom,binary_fuse,ribbon fast,cuckoo 16,quotient,";
  for (const char* peer : {peers::multiblock64, peers::classic, peers::fuse, peers::rocksdb_ribbon}) {
    options.only += std::string(peer) + ",";
  }
  options.run = "sweep";
  options.rows = [](const row_key& row) {
    return row.mix == "absent" && row.queries == "streamed" && (row.call == "single" || row.call == "batch");
  };
}

// Rows by their calls and queries, if any are named; rows without queries are wanted with any.
void choose_rows(run_options& options, const asked& what) {
  if (what.calls.empty() && what.queries.empty()) return;
  options.rows = [calls = what.calls, queries = what.queries, further = options.rows](const row_key& row) {
    return is_wanted(calls, row.call) && (row.queries.empty() || is_wanted(queries, row.queries)) &&
           (!further || further(row));
  };
}

// The arguments with which a child does what is asked of this process.
std::vector<std::string> for_a_child(const run_options& options, const asked& what) {
  std::string sizes;
  for (const std::size_t size : options.sizes) {
    if (!sizes.empty()) sizes += ',';
    sizes += std::to_string(size);
  }
  std::vector<std::string> all{"--sizes", sizes,       "--rounds",  std::to_string(options.rounds),
                               "--run",   options.run, "--targets", what.targets};
  for (const auto& [name, value] :
       {std::pair{"--only", options.only}, {"--calls", what.calls}, {"--queries", what.queries}}) {
    if (!value.empty()) all.insert(all.end(), {name, value});
  }
  if (what.sweep) all.push_back("--sweep");
  return all;
}

int run(run_options& options, const asked& what) {
  const std::string self = program_invocation_name;
  if (!what.peak_of.empty()) return print_peak(what.peak_of, options.sizes.front());
  if (!what.keys.empty()) return write_keys(what.keys, options.sizes), 0;
  if (what.targets != "all") {
    (void)limit_instructions(what.targets == "avx2" ? instruction_set::avx2 : instruction_set::plain);
  }
  if (what.in_processes.huge_pages) options.run += ", huge pages";
  const bool has_children = what.in_processes.huge_pages || what.in_processes.processes > 1;
  const std::vector<std::string> for_child = for_a_child(options, what);
  if (what.sweep) make_sweep(options);
  choose_rows(options, what);
  options.progress = [](const std::string& now) { std::fprintf(stderr, "%s\n", now.c_str()); };

  std::vector<record> records;
  for (const std::string& path : what.report) {
    for (record& r : from_json(read_text(path))) records.push_back(std::move(r));
  }
  if (what.report.empty() && has_children) {
    records = run_apart(self, for_child, what.in_processes);
  } else if (what.report.empty()) {
    records = run_families(all_families(), options);
    for (record& r : run_sections(options, self)) records.push_back(std::move(r));
    records.push_back(this_machine(options.run));
  }
  if (!what.json.empty()) std::ofstream(what.json) << to_json(records);
  if (!what.plots.empty()) write_pictures(records, what.plots).value();
  for (const std::string& text : {machine_lines(records), filter_tables(records), thread_tables(records),
                                  shared_table(records), hash_table(records), other_tables(records)}) {
    std::fputs(text.c_str(), stdout);
  }
  for (const std::string& name : runs_of(records)) std::fputs(target_table(records, name).c_str(), stdout);
  return 0;
}

// As they are given, before they are numbers.
struct asked_words {
  std::vector<std::string> sizes = {};
  std::string rounds = {}, processes = {};
};

// What the command line fills.
struct command_line {
  run_options options{.sizes = {100'000, 4'000'000, 100'000'000}, .run = SEEN_BENCH_VARIANT};
  asked what;
  asked_words words;
};

result<int> number_of_times(const char* option, const std::string& text) {
  auto number = cli::parse_count(text);
  if (number && *number != 0 && *number <= 1000) return static_cast<int>(*number);
  return {errc::invalid_argument, std::string(option) + ": " + text + " is not a number from 1 to 1000"};
}

result<void> read_words(command_line& given) {
  if (!given.words.sizes.empty()) given.options.sizes.clear();
  for (const std::string& each : given.words.sizes) {
    auto size = cli::parse_count(each);
    if (!size) return size.error().prefixed("--sizes: ");
    given.options.sizes.push_back(static_cast<std::size_t>(*size));
  }
  if (!given.words.rounds.empty()) {
    auto rounds = number_of_times("--rounds", given.words.rounds);
    if (!rounds) return rounds.error();
    given.options.rounds = *rounds;
  }
  if (!given.words.processes.empty()) {
    auto processes = number_of_times("--processes", given.words.processes);
    if (!processes) return processes.error();
    given.what.in_processes.processes = *processes;
  }
  if (given.what.reports == given.what.report.empty()) {
    return {errc::invalid_argument, "--report: needs files of records, which nothing else takes"};
  }
  const std::string& targets = given.what.targets;
  if (targets == "all" || targets == "avx2" || targets == "scalar") return {};
  return {errc::invalid_argument, "--targets: " + targets + " is not all, avx2 or scalar"};
}

cli::action define(cli::option_list& list) {
  auto given = std::make_shared<command_line>();
  run_options& options = given->options;
  asked& what = given->what;
  list.list({"--sizes", "numbers of keys, with commas (100k,4M,100M)", "N,..."}, given->words.sizes);
  list.value({"--rounds", "rounds that count (9)", "N"}, given->words.rounds);
  list.value(
      {"--only", "contenders, families or threads, shared, hashes, builds, opening, peaks; with commas", "NAME,..."},
      options.only);
  list.value({"--calls", "of the rows of filters only build, single, batch, dependent; with commas", "CALL,..."},
             what.calls);
  list.value({"--queries", "of these rows only streamed or cached queries", "NAME"}, what.queries);
  list.value({"--processes", "so many processes one after another; medians over them (1)", "N"},
             given->words.processes);
  list.flag({"--huge-pages", "in a process where malloc asks for huge pages, for everybody"},
            what.in_processes.huge_pages);
  list.value({"--run", "the name of this run in its records", "NAME"}, options.run);
  list.value({"--targets", "instruction sets that batches may use: all, avx2, scalar", "NAME"}, what.targets);
  list.flag({"--sweep", "sizes from 1e4 to 1e8, lookups of a few contenders"}, what.sweep);
  list.value({"--json", "write the records to a file", "FILE"}, what.json);
  list.value({"--plot", "write pictures (SVG) to a folder", "DIR"}, what.plots);
  list.flag({"--report", "run nothing; print the tables of these files of records"}, what.reports);
  list.values({"files", "records of earlier runs", "FILE"}, what.report);
  list.value({"--write-keys", "run nothing; write the keys for programs in other languages to a folder", "DIR"},
             what.keys);
  list.value({"--peak-of", "build one kind, print its peak memory (KiB) and size (bytes)", "KIND"}, what.peak_of);
  return [given]() -> result<cli::exit_status> {
    if (auto read = read_words(*given); !read) return read.error();
    return run(given->options, given->what) == 0 ? cli::exit_status::yes : cli::exit_status::error;
  };
}

constexpr cli::verb seen_bench{"seen_bench", "Every kind of seen against its peers, in turns, in one process.", define};

}  // namespace
}  // namespace seen::bench

int main(int argc, char** argv) {
  try {
    auto asked = seen::cli::read_command_line(seen::bench::seen_bench, argc, argv);
    auto done = asked ? (*asked)() : asked.error();
    if (done) return static_cast<int>(*done);
    std::fprintf(stderr, "seen_bench: %s\n", done.error().detail.c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "seen_bench: %s\n", e.what());
  }
  return 1;
}
