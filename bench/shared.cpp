// The section "shared": its filters, rounds and table.
#include "shared.hpp"

#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/split_block.hpp>

#include <fmt/format.h>

#include "contenders.hpp"
#include "core/tables.hpp"
#include "peers/dynamic_bloom.hpp"
#include "peers/peers.hpp"
#include "sections.hpp"

namespace seen::bench {
namespace {

constexpr std::size_t shared_keys = 1'000'000;
constexpr std::array thread_counts{1u, 2u};
constexpr std::array calls{"add", "again", "contains"};

/// The shapes of the family of blocks.
struct blocked {
  explicit blocked(std::size_t n) : f(blocked_bloom_shape{.blocks = units_for(n, 12.18, 512), .probes = 8}) {}
  void add(std::uint64_t key) { f.add(key); }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return f.may_contain(key); }
  concurrent_blocked_bloom f;
};
struct split {
  explicit split(std::size_t n) : f(split_block_shape{.blocks = units_for(n, 12.84, 256)}) {}
  void add(std::uint64_t key) { f.add(key); }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return f.may_contain(key); }
  concurrent_split_block f;
};

}  // namespace

std::vector<record> run_shared(const std::string& run, int rounds) {
  std::vector<shared_filter> filters{shares<blocked>("concurrent_blocked", peers::dynamic_bloom),
                                     shares<split>("concurrent_split", peers::dynamic_bloom),
                                     shares<dynamic_bloom>(peers::dynamic_bloom)};
  for (shared_filter& each : boost_readers()) filters.push_back(std::move(each));
  const workload keys(shared_keys, shared_keys);
  std::vector<record> records;
  const auto record_of = [&](const shared_filter& filter, const std::string& call, unsigned threads) -> record& {
    const row_key row{call, "", "", threads};
    for (record& r : records) {
      if (r.filter == filter.name && r.row == row) return r;
    }
    records.push_back(
        {.run = run, .family = "shared", .filter = filter.name, .peer = filter.peer, .keys = shared_keys, .row = row});
    return records.back();
  };
  for (int round = 0; round <= rounds; ++round) {  // round 0 warms up
    for (const unsigned threads : thread_counts) {
      for (const shared_filter& each : filters) {
        for (const auto& [call, ns] : each.measure(keys, threads)) {
          if (round != 0) record_of(each, call, threads).ns.push_back(ns);
        }
      }
    }
  }
  return records;
}

std::string shared_table(const std::vector<record>& records) {
  std::string text;
  for (const std::string& run : runs_of(records)) {
    std::vector<std::string> filters;
    for (const record& r : records) {
      if (r.run != run || r.family != "shared") continue;
      if (std::find(filters.begin(), filters.end(), r.filter) == filters.end()) filters.push_back(r.filter);
    }
    if (filters.empty()) continue;
    text += fmt::format("\n== shared: {} integer keys, ns an operation on the wall | {}\n{:<24}", grouped(shared_keys),
                        run, "");
    for (const char* call : {"add", "add again", "contains"}) text += fmt::format("{:>16}", call);
    text += fmt::format("\n{:<24}", "threads");
    for (std::size_t i = 0; i < calls.size(); ++i) text += "       1       2";
    for (const std::string& filter : filters) {
      text += fmt::format("\n{:<24}", filter);
      for (const char* call : calls) {
        for (const unsigned threads : thread_counts) {
          const record* r = find(records, {run, "shared", shared_keys}, filter, {call, "", "", threads});
          text += r == nullptr ? fmt::format("{:>8}", "-") : fmt::format("{:>8.2f}", median(r->ns));
        }
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace seen::bench
