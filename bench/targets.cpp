// The targets as data, and their evaluation.
#include "targets.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string_view>

#include "core/limits.hpp"
#include "core/tables.hpp"
#include "families.hpp"

namespace seen::bench {
namespace {

// Sizes by the level of the cache that a filter of about 12 bits per key lives in.
enum class level { l2, l3, dram };

level level_of(std::uint64_t keys) {
  return keys <= 400'000 ? level::l2 : keys <= 10'000'000 ? level::l3 : level::dram;
}

constexpr std::string_view name_of(level l) {
  return l == level::l2 ? "L2" : l == level::l3 ? "L3" : "DRAM";
}

// How many times as fast as the peer at each of the three sizes; 0: no target there.
struct aims {
  double l2, l3, dram;

  [[nodiscard]] constexpr double at(level l) const { return l == level::l2 ? l2 : l == level::l3 ? l3 : dram; }
};

// The two sides that a target compares. `mix` "worst": the lowest ratio of absent, half and present keys.
struct target_row {
  std::string_view family, filter, peer, call, mix, queries;
  aims at_least;
};

constexpr std::string_view its_peers = "";  // those that the contender's own record names
constexpr std::string_view worst = "worst", streamed = "streamed", cached = "cached";

constexpr std::array against_peers{
    target_row{"block", "blocked_bloom", its_peers, "single", worst, streamed, {1.25, 1.1, 1.15}},
    target_row{"block", "blocked_bloom", its_peers, "batch", worst, streamed, {1.5, 1.5, 1.55}},
    target_row{"block", "blocked_bloom", its_peers, "batch", worst, cached, {1.4, 1.4, 0}},
    target_row{"block", "blocked_bloom", limit_name, "batch", worst, streamed, {0, 0, 1 / 1.15}},
    target_row{"block", "blocked_bloom", its_peers, "build", "", "", {1.15, 1.2, 1.4}},
    target_row{"block", "blocked digests", its_peers, "single", worst, streamed, {1.1, 1.1, 0}},
    target_row{"block", "split_block", its_peers, "single", worst, streamed, {1, 1.1, 1.1}},
    target_row{"block", "split_block", its_peers, "batch", worst, streamed, {1.1, 1.3, 1.5}},
    target_row{"block", "split_block", its_peers, "batch", worst, cached, {1.4, 1.4, 0}},
    target_row{"block", "split_block", limit_name, "batch", worst, streamed, {0, 0, 1 / 1.15}},
    target_row{"block", "split_block", its_peers, "build", "", "", {1.05, 1.1, 1.3}},
    target_row{"block", "split digests", its_peers, "single", worst, streamed, {1.1, 1.1, 0}},
    target_row{"text 16", "blocked_bloom", its_peers, "single", worst, streamed, {1.05, 1.05, 1}},
    target_row{"text 16", "blocked_bloom", its_peers, "build", "", "", {1.05, 1, 1}},
    target_row{"text 64", "blocked_bloom", its_peers, "single", worst, streamed, {1.05, 1.05, 1}},
    target_row{"text 64", "blocked_bloom", its_peers, "build", "", "", {1.05, 1, 1}},
    target_row{"classic", "bloom", its_peers, "single", worst, streamed, {1.2, 1.1, 1.15}},
    target_row{"classic", "bloom", its_peers, "batch", worst, streamed, {1.05, 1, 1}},
    target_row{"classic", "bloom", "bloom", "batch", worst, streamed, {1, 1, 1}},
    target_row{"classic", "bloom", its_peers, "build", "", "", {1.1, 1.05, 1.5}},
    target_row{"static", "binary_fuse", its_peers, "single", worst, streamed, {1.15, 1, 1}},
    target_row{"static", "binary_fuse", its_peers, "batch", worst, streamed, {0, 1.3, 2.3}},
    target_row{"static", "binary_fuse", its_peers, "build", "", "", {1, 1.05, 1.4}},
    target_row{"static", "binary_fuse 4-wise", its_peers, "single", worst, streamed, {1, 1, 1}},
    target_row{"static 16", "binary_fuse 16", its_peers, "single", worst, streamed, {1, 1, 1}},
    target_row{"static", "ribbon fast", its_peers, "single", worst, streamed, {0.9, 1.05, 1}},
    target_row{"static", "ribbon fast", its_peers, "batch", worst, streamed, {1.05, 1.2, 2.5}},
    target_row{"static", "ribbon fast", "binary_fuse", "batch", worst, streamed, {0, 0, 1.3}},
    target_row{"static", "ribbon compact", peers::burr, "single", "absent", streamed, {5, 5, 0}},
    target_row{"static", "ribbon compact", peers::burr, "batch", "absent", streamed, {0, 0, 7}},
    target_row{"cuckoo", "cuckoo 16", its_peers, "single", worst, streamed, {1, 1.1, 1.1}},
    target_row{"cuckoo", "cuckoo 16", its_peers, "batch", worst, streamed, {0, 0, 4.5}},
    target_row{"cuckoo", "cuckoo 16", its_peers, "build", "", "", {2, 2, 5}},
    target_row{"cuckoo", "cuckoo 12", its_peers, "single", worst, streamed, {0.9, 0.95, 1}},
    target_row{"quotient", "quotient", its_peers, "single", worst, streamed, {1.1, 1, 0.95}},
    target_row{"quotient", "quotient", its_peers, "batch", "absent", streamed, {0, 0, 2}},
    target_row{"quotient", "quotient", its_peers, "build", "", "", {0.9, 0.9, 1.4}},
    target_row{"counting", "blocked_counting", its_peers, "single", "absent", streamed, {4, 0, 0}},
    target_row{"counting", "blocked_counting", its_peers, "batch", "absent", streamed, {0, 0, 4.5}},
};

constexpr std::array with_avx2{
    target_row{"block", "blocked_bloom", its_peers, "single", worst, streamed, {1, 0, 0}},
    target_row{"block", "blocked_bloom", its_peers, "batch", worst, streamed, {1, 0, 0}},
    target_row{"block", "split_block", its_peers, "single", worst, streamed, {1, 0, 0}},
    target_row{"block", "split_block", its_peers, "batch", worst, streamed, {1, 0, 0}},
};

constexpr std::array with_huge_pages{
    target_row{"block", "blocked_bloom", its_peers, "single", worst, streamed, {0, 0, 1}},
    target_row{"block", "blocked_bloom", its_peers, "batch", worst, streamed, {0, 0, 1.25}},
    target_row{"block", "blocked_bloom", its_peers, "build", "", "", {0, 0, 1}},
};

std::span<const target_row> rows_for(std::string_view run) {
  if (run == "avx2") return with_avx2;
  if (run.ends_with("huge pages")) return with_huge_pages;
  return against_peers;
}

// Space that goes with a speed: at most so many times the lower bound, or so many bits per key.
struct space_row {
  std::string_view family, filter, what;
  bool over_bound;  // else bits per key
  double at_most;
};
constexpr std::array spaces{
    space_row{"static", "ribbon compact", "times the lower bound", true, 1.01},
    space_row{"static", "ribbon fast", "bits per key: 6 % below binary fuse 8", false, 0.94 * 9.01},
    space_row{"counting", "blocked_counting", "bits per key: 1.2 times 40", false, 48},
};

std::vector<std::string> mixes_of(std::string_view mix) {
  if (mix == worst) return {"absent", "half", "present"};
  return {std::string(mix)};
}

std::string line(std::string_view filter, std::string_view what, std::string_view at, std::string_view aim,
                 std::string_view reached, bool met) {
  return fmt::format("{:<20} {:<42} {:<5} {:>12} {:>22}   {}\n", filter, what, at, aim, reached,
                     met ? "met" : "MISSED");
}

std::string spread(const ratio& r) {
  return fmt::format("{:.2f} ({:.2f}-{:.2f})", r.median, r.low, r.high);
}

class evaluation {
 public:
  evaluation(const std::vector<record>& records, const std::string& run) : records_(records), run_(run) {
    for (const record& r : records) {
      if (r.run == run && std::find(sizes_.begin(), sizes_.end(), r.keys) == sizes_.end()) sizes_.push_back(r.keys);
    }
  }

  std::string table() {
    std::string text;
    for (const target_row& row : rows_for(run_)) {
      for (const std::uint64_t keys : sizes_) text += against_peer(row, keys);
    }
    for (const space_row& row : spaces) text += space(row);
    text += builds() + sharing() + scaling() + against_go() + opening();
    if (text.empty()) return text;
    return fmt::format("\n== targets | {} | {} met, {} missed\n", run_, met_, missed_) +
           fmt::format("{:<20} {:<42} {:<5} {:>12} {:>22}\n", "filter", "against", "size", "target", "reached") + text;
  }

 private:
  const record* at(std::string_view family, std::string_view filter, const row_key& row, std::uint64_t keys) const {
    return find(records_, {run_, std::string(family), keys}, std::string(filter), row);
  }
  std::string judged(std::string_view filter, std::string_view what, std::string_view where, std::string_view aim,
                     std::string_view reached, bool met) {
    (met ? met_ : missed_)++;
    return line(filter, what, where, aim, reached, met);
  }

  std::string against_peer(const target_row& row, std::uint64_t keys) {
    const double aim = row.at_least.at(level_of(keys));
    if (aim == 0) return "";
    std::optional<ratio> lowest;
    std::string peer;
    for (const std::string& mix : mixes_of(row.mix)) {
      const record* ours = at(row.family, row.filter, {std::string(row.call), mix, std::string(row.queries), 1}, keys);
      if (ours == nullptr) return "";
      row_key wanted = ours->row;
      if (row.peer == row.filter) wanted.call = "single";  // our own loop over single keys
      const record* theirs =
          row.peer == row.filter || row.peer == limit_name
              ? at(row.family, row.peer, wanted, keys)
              : counterpart(records_, *ours, row.peer == its_peers ? ours->peer : std::string(row.peer));
      if (theirs == nullptr) return "";
      const ratio r = ratios(theirs->ns, ours->ns);
      if (!lowest || r.median < lowest->median) lowest = r, peer = theirs->filter;
    }
    const std::string keys_of_text =
        row.family.starts_with("text") ? fmt::format(" of {} bytes", row.family.substr(5)) : "";
    const std::string what = fmt::format(
        "{}{}{}{}: {}", row.call, row.mix.empty() || row.mix == worst ? "" : fmt::format(" {}", row.mix),
        row.queries == cached ? " cached" : "", keys_of_text, row.peer == row.filter ? "our own single keys" : peer);
    return judged(row.filter, what, name_of(level_of(keys)), fmt::format(">= {:.2f}x", aim), spread(*lowest),
                  lowest->median >= aim);
  }

  // Integer keys in a filter that threads share.
  std::string sharing() {
    struct aim {
      const char *filter, *call, *peer;
      double at_least;
    };
    std::string text;
    for (const auto& [filter, call, peer, at_least] : {aim{"concurrent_blocked", "add", peers::dynamic_bloom, 1.15},
                                                       aim{"concurrent_split", "add", peers::dynamic_bloom, 1.15},
                                                       aim{"concurrent_split", "contains", peers::multiblock32, 0.9}}) {
      for (const unsigned threads : {1u, 2u}) {
        for (const std::uint64_t keys : sizes_) {
          const record* ours = at("shared", filter, {call, "", "", threads}, keys);
          const record* theirs = at("shared", peer, {call, "", "", threads}, keys);
          if (ours == nullptr || theirs == nullptr) continue;
          const ratio r = ratios(theirs->ns, ours->ns);
          text += judged(filter, fmt::format("{}, {} thread{}: {}", call, threads, threads == 1 ? "" : "s", peer), "",
                         fmt::format(">= {:.2f}x", at_least), spread(r), r.median >= at_least);
        }
      }
    }
    return text;
  }

  std::string space(const space_row& row) {
    const record* largest = nullptr;
    for (const record& r : records_) {
      if (r.run != run_ || r.family != row.family || r.filter != row.filter) continue;
      if (largest == nullptr || r.keys > largest->keys) largest = &r;
    }
    if (largest == nullptr) return "";
    const double is = row.over_bound ? over_lower_bound(*largest) : largest->bits_per_key;
    constexpr double noise = 0.001;  // of a rate measured with 4 million keys, in bits per key over the bound
    return judged(row.filter, row.what, name_of(level_of(largest->keys)), fmt::format("<= {:.2f}", row.at_most),
                  fmt::format("{:.3f}", is), is <= row.at_most + noise);
  }

  std::string builds() {
    std::string text;
    for (const record& one : records_) {
      if (one.run != run_ || one.family != "build" || one.filter != "binary_fuse" || one.row.threads != 1) continue;
      const record* two = at("build", one.filter, {"build", "", "", 2}, one.keys);
      if (level_of(one.keys) != level::dram || two == nullptr) continue;
      const ratio gain = ratios(one.ns, two->ns);
      text += judged(one.filter, "build: 2 threads against 1", name_of(level::dram), ">= 1.80x", spread(gain),
                     gain.median >= 1.8);
    }
    return text;
  }

  // Two threads against one, of lookups and of adds that find their bits set.
  std::string scaling() {
    std::string text;
    for (const record& one : records_) {
      if (one.run != run_ || one.family != "threads" || one.row.threads != 1 || one.filter.ends_with("batches"))
        continue;
      if (one.row.call != "again" && one.row.call != "contains") continue;
      const record* two = at("threads", one.filter, {one.row.call, "", "", 2}, one.keys);
      if (two == nullptr) continue;
      const ratio gain = ratios(one.ns, two->ns);
      text +=
          judged(one.filter, fmt::format("{}: 2 threads against 1", one.row.call == "again" ? "add again" : "contains"),
                 "", ">= 1.80x", spread(gain), gain.median >= 1.8);
    }
    return text;
  }

  // The best of our forms against each of Go's, on the same keys: other processes, so rounds are paired only by number.
  std::string against_go() {
    struct aim {
      const char *filter, *call;
      double at_least;
    };
    std::string text;
    for (const auto& [theirs_name, call, at_least] : {aim{"Go bits-and-blooms", "add", 3},
                                                      {"Go bits-and-blooms", "contains", 10},
                                                      {"Go phrozen's design", "add", 3},
                                                      {"Go phrozen's design", "contains", 10},
                                                      {"Go blobloom Sync", "add", 3},
                                                      {"Go blobloom Sync", "contains", 5}}) {
      for (const unsigned threads : {1u, 2u}) {
        const record *ours = nullptr, *theirs = nullptr;
        for (const record& r : records_) {
          if (r.family != "threads" || r.row.call != call || r.row.threads != threads) continue;
          if (r.run == run_ && (ours == nullptr || median(r.ns) < median(ours->ns))) ours = &r;
          if (r.run == "go" && r.filter == theirs_name) theirs = &r;
        }
        if (ours == nullptr || theirs == nullptr) continue;
        const ratio r = ratios(theirs->ns, ours->ns);
        text += judged("concurrent, best",
                       fmt::format("{}, {} thread{}: {}", call, threads, threads == 1 ? "" : "s", theirs_name), "16 B",
                       fmt::format(">= {:.2f}x", at_least), spread(r), r.median >= at_least);
      }
    }
    return text;
  }

  // 1 GiB is 1024 times 1 MiB; half as long again is what its page table costs.
  std::string opening() {
    const record *small = nullptr, *large = nullptr;
    for (const record& r : records_) {
      if (r.run != run_ || r.family != "open") continue;
      (r.filter == "1 MiB" ? small : large) = &r;
    }
    if (small == nullptr || large == nullptr) return "";
    const ratio r = ratios(large->ns, small->ns);
    return judged("mapped file", "opening 1 GiB against 1 MiB", "", "<= 1.50", spread(r), r.median <= 1.5);
  }

  const std::vector<record>& records_;
  std::string run_;
  std::vector<std::uint64_t> sizes_ = {};
  int met_ = 0, missed_ = 0;
};

}  // namespace

std::string target_table(const std::vector<record>& records, const std::string& run) {
  if (run == "go" || run == "rust" || run == "python") return "";  // peers alone
  return evaluation(records, run).table();
}

}  // namespace seen::bench
