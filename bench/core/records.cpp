// Records to JSON; medians and ratios.
#include "records.hpp"

#include <algorithm>
#include <cmath>

#include "../../cli/json.hpp"

namespace seen::bench {
namespace {

double rounded(double x) {  // four significant digits are more than a benchmark knows
  if (x == 0 || !std::isfinite(x)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(x))) - 3);
  return std::round(x / unit) * unit;
}

cli::json as_json(const record& r) {
  cli::json rounds = cli::json::array();
  for (const double ns : r.ns) rounds.push(rounded(ns));
  return cli::json::object()
      .add("run", r.run)
      .add("keys", r.keys)
      .add("family", r.family)
      .add("filter", r.filter)
      .add("peer", r.peer)
      .add("call", r.row.call)
      .add("mix", r.row.mix)
      .add("queries", r.row.queries)
      .add("threads", r.row.threads)
      .add("median_ns", rounded(median(r.ns)))
      .add("bits_per_key", rounded(r.bits_per_key))
      .add("fpr", rounded(r.fpr))
      .add("over_lower_bound", rounded(over_lower_bound(r)))
      .add("ns", rounds);
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

double over_lower_bound(const record& r) {
  return r.fpr > 0 && r.fpr < 1 ? r.bits_per_key / std::log2(1 / r.fpr) : 0;
}

ratio ratios(const std::vector<double>& theirs, const std::vector<double>& ours) {
  std::vector<double> all;
  for (std::size_t i = 0; i < std::min(theirs.size(), ours.size()); ++i) {
    if (ours[i] > 0) all.push_back(theirs[i] / ours[i]);
  }
  std::sort(all.begin(), all.end());
  if (all.empty()) return {};
  return {all[all.size() / 2], all[all.size() / 10], all[all.size() - 1 - all.size() / 10]};
}

const record* find(const std::vector<record>& records, const place& at, const std::string& filter, const row_key& row) {
  const auto found = std::find_if(records.begin(), records.end(), [&](const record& r) {
    return r.keys == at.keys && r.filter == filter && r.row == row && r.run == at.run && r.family == at.family &&
           !r.ns.empty();
  });
  return found == records.end() ? nullptr : &*found;
}

const record* counterpart(const std::vector<record>& records, const record& ours, const std::string& peer) {
  const place at{ours.run, ours.family, ours.keys};
  const record* same = find(records, at, peer, ours.row);
  if (ours.row.call != "batch") return same;
  row_key row = ours.row;
  row.call = "single";
  const record* single = find(records, at, peer, row);
  if (same == nullptr) return single;
  return single != nullptr && median(single->ns) < median(same->ns) ? single : same;
}

std::vector<std::string> runs_of(const std::vector<record>& records) {
  std::vector<std::string> runs;
  for (const record& r : records) {
    if (std::find(runs.begin(), runs.end(), r.run) == runs.end()) runs.push_back(r.run);
  }
  return runs;
}

std::string to_json(const std::vector<record>& records) {
  std::string out = "[\n";
  for (const record& r : records) {
    out += as_json(r).line();
    out += &r == &records.back() ? "\n" : ",\n";
  }
  return out += "]\n";
}

}  // namespace seen::bench
