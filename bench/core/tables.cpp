// Tables for the terminal. Nanoseconds per key are medians of rounds; ratios are medians of the rounds' ratios.
#include "tables.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <string_view>
#include <tuple>

#include "limits.hpp"

namespace seen::bench {
namespace {

struct titled {
  std::string_view family, title;
};
constexpr std::array titles{
    titled{"block", "one cache line per key, 0.39 %"},
    titled{"classic", "seven probes, 1 %"},
    titled{"growing", "kinds that grow or forget, 1 %"},
    titled{"text 16", "keys of 16 bytes, 0.39 %"},
    titled{"text 64", "keys of 64 bytes, 0.39 %"},
    titled{"static", "built once, 8-bit fingerprints, 0.39 %"},
    titled{"static 16", "built once, 16-bit fingerprints, 0.0015 %"},
    titled{"cuckoo", "keys can be removed, fingerprints of 16 and 12 bits"},
    titled{"quotient", "keys can be removed and counted, resizable, 0.44 %"},
    titled{"counting", "keys are counted, 0.82 %"},
    titled{"foreign", "files of other libraries and native ones with the same hash, seven probes, 1 %"},
};

constexpr std::array mixes{"absent", "half", "present"};

// A table: the records of one run, size and family, which stand next to each other.
struct group {
  const std::vector<record>* all;
  std::string run, family;
  std::uint64_t keys = 0;
  std::vector<std::string> filters = {};

  [[nodiscard]] const record* at(const std::string& filter, const row_key& row) const {
    return find(*all, {run, family, keys}, filter, row);
  }
};

std::vector<group> groups_of(const std::vector<record>& records) {
  std::vector<group> groups;
  for (const record& r : records) {
    if (std::none_of(titles.begin(), titles.end(), [&](const titled& t) { return t.family == r.family; })) continue;
    auto found = std::find_if(groups.begin(), groups.end(), [&](const group& g) {
      return std::tie(g.run, g.family, g.keys) == std::tie(r.run, r.family, r.keys);
    });
    if (found == groups.end()) found = groups.insert(groups.end(), {&records, r.run, r.family, r.keys});
    if (std::find(found->filters.begin(), found->filters.end(), r.filter) == found->filters.end()) {
      found->filters.push_back(r.filter);
    }
  }
  return groups;
}

std::string cell(const record* r) {
  if (r == nullptr) return fmt::format("{:>7}", "-");
  const double ns = median(r->ns);
  return fmt::format("{:>7.{}f}", ns, ns < 10 ? 2 : ns < 1000 ? 1 : 0);
}

void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

std::string cells(const group& g, const std::string& filter, const char* call, const char* queries) {
  std::string text;
  for (const char* mix : mixes) {
    if (std::string_view(call) == "dependent" && std::string_view(mix) == "half") continue;
    text += cell(g.at(filter, {call, mix, queries, 1}));
  }
  return text + "  ";
}

std::string streamed_table(const group& g) {
  std::string text =
      fmt::format("{:<53}{:>21}  {:>21}  {:>14}\n", "queries streamed, ns per key", "single", "batch", "dependent");
  text += fmt::format("{:<21}{:>8}{:>8}{:>7}{:>8}  {}\n", "", "bits/key", "rate %", "bound", "build",
                      " absent   half present   absent   half present   absent present");
  for (const std::string& filter : g.filters) {
    const record* any = nullptr;
    for (const record& r : *g.all) {
      if (r.run == g.run && r.keys == g.keys && r.filter == filter && r.family == g.family) any = &r;
    }
    text += fmt::format("{:<21}{:>8.2f}{:>8}{:>7}", filter, any->bits_per_key,
                        any->fpr > 0 ? fmt::format("{:.4f}", 100 * any->fpr) : "-",
                        any->fpr > 0 ? fmt::format("{:.2f}x", over_lower_bound(*any)) : "-");
    text += fmt::format(" {}  ", cell(g.at(filter, {"build", "", "", 1}))) + cells(g, filter, "single", "streamed") +
            cells(g, filter, "batch", "streamed") + cells(g, filter, "dependent", "streamed");
    end_line(text);
  }
  if (const record* known = g.at(limit_name, {"known", "absent", "streamed", 1}); known != nullptr) {
    text += fmt::format("{:<54}{}\n", "random line at a known address, not hashed", cell(known));
  }
  return text;
}

std::string cached_table(const group& g) {
  const bool any = std::any_of(g.filters.begin(), g.filters.end(), [&](const std::string& filter) {
    return g.at(filter, {"single", "absent", "cached", 1}) != nullptr;
  });
  if (!any) return "";
  std::string text = fmt::format("{:<54}{:>21}  {:>21}\n", "4096 queries again and again", "single", "batch");
  for (const std::string& filter : g.filters) {
    text +=
        fmt::format("{:<54}{}{}", filter, cells(g, filter, "single", "cached"), cells(g, filter, "batch", "cached"));
    end_line(text);
  }
  return text;
}

std::string ratio_cell(const group& g, const record* ours) {
  const record* theirs = ours == nullptr ? nullptr : counterpart(*g.all, *ours, ours->peer);
  if (theirs == nullptr) return "";
  const ratio r = ratios(theirs->ns, ours->ns);
  return fmt::format("{:.2f} ({:.2f}-{:.2f})", r.median, r.low, r.high);
}

// The peers of a list that took part, as a sentence names them.
std::string present_of(const group& g, const std::string& peers) {
  std::string said;
  for (const std::string& peer : words_of(peers)) {
    if (std::find(g.filters.begin(), g.filters.end(), peer) == g.filters.end()) continue;
    said += (said.empty() ? "" : " and ") + peer;
  }
  return said.find(" and ") == std::string::npos ? said : "the faster of " + said;
}

std::string ratio_lines(const group& g, const std::string& filter, const std::string& peers) {
  std::string text;
  const std::string build = ratio_cell(g, g.at(filter, {"build", "", "", 1}));
  if (!build.empty()) text += fmt::format("    {:<19} {}\n", "build", build);
  for (const auto& [call, queries] : {std::pair{"single", "streamed"},
                                      {"batch", "streamed"},
                                      {"dependent", "streamed"},
                                      {"single", "cached"},
                                      {"batch", "cached"}}) {
    std::string line;
    for (const char* mix : mixes) {
      const std::string one = ratio_cell(g, g.at(filter, {call, mix, queries, 1}));
      if (!one.empty()) line += fmt::format(" {} {:<20}", mix, one);
    }
    if (line.empty()) continue;
    line.erase(line.find_last_not_of(' ') + 1);
    text += fmt::format("    {:<19}{}\n", fmt::format("{}, {}", call, queries), line);
  }
  return text.empty() ? "" : fmt::format("  {} against {}\n", filter, present_of(g, peers)) + text;
}

std::string peer_of(const group& g, const std::string& filter) {
  for (const record& r : *g.all) {
    if (r.run == g.run && r.keys == g.keys && r.filter == filter && !r.peer.empty()) return r.peer;
  }
  return "";
}

}  // namespace

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string filter_tables(const std::vector<record>& records) {
  std::string text;
  for (const group& g : groups_of(records)) {
    const auto title =
        std::find_if(titles.begin(), titles.end(), [&](const titled& t) { return t.family == g.family; });
    text += fmt::format("\n== {}: {} | {} keys | {}\n", g.family, title->title, grouped(g.keys), g.run);
    text += streamed_table(g) + cached_table(g);
    std::string against;
    for (const std::string& filter : g.filters) {
      if (const std::string peer = peer_of(g, filter); !peer.empty()) against += ratio_lines(g, filter, peer);
    }
    if (!against.empty()) text += "times faster, median of the rounds (10th-90th percentile)\n" + against;
  }
  return text;
}

}  // namespace seen::bench
