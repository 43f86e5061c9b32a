// Records to JSON; medians and ratios.
#include "records.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

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

std::vector<record> merged(const std::vector<std::vector<record>>& processes) {
  std::vector<record> all = processes.empty() ? std::vector<record>() : processes.front();
  for (record& r : all) r.ns.clear();
  for (const std::vector<record>& one : processes) {
    if (one.size() != all.size()) throw std::runtime_error("two processes have different rows");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const place here{all[i].run, all[i].family, all[i].keys}, there{one[i].run, one[i].family, one[i].keys};
      if (here != there || all[i].filter != one[i].filter || all[i].row != one[i].row) {
        throw std::runtime_error("two processes have different rows");
      }
      if (!one[i].ns.empty()) all[i].ns.push_back(median(one[i].ns));
    }
  }
  return all;
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

const record* counterpart(const std::vector<record>& records, const record& ours, const std::string& peers) {
  const record* fastest = nullptr;
  for (const std::string& peer : words_of(peers)) {
    for (const char* call : {ours.row.call.c_str(), "single"}) {
      row_key row = ours.row;
      row.call = call;
      const record* theirs = find(records, {ours.run, ours.family, ours.keys}, peer, row);
      if (theirs != nullptr && (fastest == nullptr || median(theirs->ns) < median(fastest->ns))) fastest = theirs;
      if (ours.row.call != "batch") break;
    }
  }
  return fastest;
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
