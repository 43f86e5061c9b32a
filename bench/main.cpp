// seen_bench: every kind against its peers. `seen_bench --help` lists what it takes, docs/performance.md says what it prints.
//
// The native kinds, the harness and the tables are also in the installed command, as `seen bench`.
#include <seen/base/instructions.hpp>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>

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
  std::vector<double> sizes = {};
  std::string json = {}, plots = {}, keys = {}, peak_of = {}, targets = "all";
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
  for (const std::size_t size : options.sizes) sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  std::vector<std::string> all{"--sizes", sizes,       "--rounds",  std::to_string(options.rounds),
                               "--run",   options.run, "--targets", what.targets};
  for (const auto& [name, value] :
       {std::pair{"--only", options.only}, {"--calls", what.calls}, {"--queries", what.queries}}) {
    if (!value.empty()) all.insert(all.end(), {name, value});
  }
  if (what.sweep) all.push_back("--sweep");
  return all;
}

int run(int argc, char** argv) {
  CLI::App app("Every kind of seen against its peers, in turns, in one process.", "seen_bench");
  run_options options{.sizes = {100'000, 4'000'000, 100'000'000}, .run = SEEN_BENCH_VARIANT};
  asked what;
  app.add_option("--sizes", what.sizes, "numbers of keys (100000,4000000,100000000)")->delimiter(',');
  app.add_option("--rounds", options.rounds, "rounds that count (9)")->check(CLI::Range(1, 1000));
  app.add_option("--only", options.only,
                 "contenders, families or threads, shared, hashes, builds, opening, peaks; with commas");
  app.add_option("--calls", what.calls, "of the rows of filters only build, single, batch, dependent; with commas");
  app.add_option("--queries", what.queries, "of these rows only streamed or cached queries");
  app.add_option("--processes", what.in_processes.processes,
                 "so many processes one after another; medians over them (1)")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--huge-pages", what.in_processes.huge_pages,
               "in a process where malloc asks for huge pages, for everybody");
  app.add_option("--run", options.run, "the name of this run in its records");
  app.add_option("--targets", what.targets, "instruction sets that batches may use")
      ->check(CLI::IsMember({"all", "avx2", "scalar"}));
  app.add_flag("--sweep", what.sweep, "sizes from 1e4 to 1e8, lookups of a few contenders");
  app.add_option("--json", what.json, "write the records to a file");
  app.add_option("--plot", what.plots, "write pictures (SVG) to a folder");
  app.add_option("--report", what.report, "run nothing; print the tables of these files of records");
  app.add_option("--write-keys", what.keys, "run nothing; write the keys for programs in other languages to a folder");
  app.add_option("--peak-of", what.peak_of, "build one kind, print its peak memory (KiB) and size (bytes)");
  CLI11_PARSE(app, argc, argv);
  if (!what.sizes.empty()) options.sizes.assign(what.sizes.begin(), what.sizes.end());
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
    records = run_apart(argv[0], for_child, what.in_processes);
  } else if (what.report.empty()) {
    records = run_families(all_families(), options);
    for (record& r : run_sections(options, argv[0])) records.push_back(std::move(r));
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

}  // namespace
}  // namespace seen::bench

int main(int argc, char** argv) {
  try {
    return seen::bench::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "seen_bench: %s\n", e.what());
    return 1;
  }
}
