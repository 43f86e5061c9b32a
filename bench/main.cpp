// seen_bench [--sizes 100000,4000000,100000000] [--rounds 9] [--json FILE]
//
// One table a size: nanoseconds a key (median of the rounds), and for every contender but the first the ratio
// baseline / contender with its spread (10th to 90th percentile of the ratios of neighbouring rounds).
#include <seen/seen.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "bits_and_blooms.hpp"
#include "harness.hpp"

namespace seen::bench {
namespace {

template <class F>
struct of_seen {
  explicit of_seen(std::size_t n) : f({.capacity = n, .fpr = 0.01}) {}
  void add(std::uint64_t key) { f.add(key); }
  [[nodiscard]] bool contains(std::uint64_t key) const { return f.may_contain(key); }
  void add_batch(std::span<const std::uint64_t> keys) { f.add_many(keys); }
  std::size_t contains_batch(std::span<const std::uint64_t> keys, bool* out) const {
    return f.may_contain_many(keys, {out, keys.size()});
  }
  [[nodiscard]] std::size_t bytes() const { return f.engine().bytes().size(); }
  F f;
};
struct seen_bloom : of_seen<bloom> {
  static constexpr const char* name = "bloom";
  using of_seen::of_seen;
};
struct seen_concurrent : of_seen<concurrent_bloom> {
  static constexpr const char* name = "concurrent_bloom";
  using of_seen::of_seen;
};
struct seen_partitioned : of_seen<partitioned_bloom> {
  static constexpr const char* name = "partitioned_bloom";
  using of_seen::of_seen;
};

// The baseline has no batch: its single-key row stands against both.
const measurement& counterpart(const entry& baseline, const std::string& label) {
  std::string wanted = label;
  if (wanted.starts_with("batch ")) wanted = "single " + wanted.substr(6);
  for (const measurement& m : baseline.rows) {
    if (m.label == wanted) return m;
  }
  return baseline.rows.front();
}

struct ratio {
  double median = 0, low = 0, high = 0;
};

ratio ratios(const measurement& baseline, const measurement& ours) {
  std::vector<double> all;
  for (std::size_t i = 0; i < std::min(baseline.ns.size(), ours.ns.size()); ++i)
    all.push_back(baseline.ns[i] / ours.ns[i]);
  std::sort(all.begin(), all.end());
  if (all.empty()) return {};
  return {all[all.size() / 2], all[all.size() / 10], all[all.size() - 1 - all.size() / 10]};
}

void print(const std::vector<entry>& contenders, std::size_t n, std::ostream& json) {
  std::printf("\n%zu keys at 1 %%\n%-18s", n, "ns a key");
  for (const entry& e : contenders) std::printf(" %31s", e.name.c_str());
  std::printf("\n%-18s", "bits a key");
  for (const entry& e : contenders) std::printf(" %31.2f", e.bits_per_key);
  const entry& most = *std::max_element(contenders.begin(), contenders.end(),
                                        [](const entry& a, const entry& b) { return a.rows.size() < b.rows.size(); });
  for (const measurement& labelled : most.rows) {
    std::printf("\n%-18s", labelled.label.c_str());
    for (const entry& e : contenders) {
      const auto mine =
          std::find_if(e.rows.begin(), e.rows.end(), [&](const auto& m) { return m.label == labelled.label; });
      if (mine == e.rows.end()) {
        std::printf(" %31s", "-");
        continue;
      }
      const ratio r = ratios(counterpart(contenders[0], mine->label), *mine);
      json << (json.tellp() > 2 ? ",\n " : "") << R"({"keys":)" << n << R"(,"filter":")" << e.name << R"(","row":")"
           << mine->label << R"(","ns":)" << median(mine->ns) << R"(,"ratio":)" << r.median << R"(,"ratio_low":)"
           << r.low << R"(,"ratio_high":)" << r.high << "}";
      if (&e == &contenders[0]) {
        std::printf(" %31.2f", median(mine->ns));
      } else {
        std::printf(" %10.2f %5.2fx (%5.2f-%5.2f)", median(mine->ns), r.median, r.low, r.high);
      }
    }
  }
  std::printf("\n");
}

// Every contender must give the right answers, or its times mean nothing.
bool answers_agree(const std::vector<entry>& contenders) {
  for (const entry& e : contenders) {
    for (const measurement& m : e.rows) {
      if (m.label.ends_with("present") && m.answer != m.keys) {
        std::printf("%s: %s: %zu of %zu found: FALSE NEGATIVES\n", e.name.c_str(), m.label.c_str(),
                    static_cast<std::size_t>(m.answer), m.keys);
        return false;
      }
    }
  }
  return true;
}

// Maps a small and a large file in turns: opening must take the same time.
int time_opening() {
  struct sized {
    const char* label;
    std::uint64_t bits;
    std::string path;
    std::vector<double> us = {};
  };
  const std::string folder = std::filesystem::temp_directory_path().string();
  std::vector<sized> files{{"1 MiB", std::uint64_t{1} << 23, folder + "/seen_bench_small.seen"},
                           {"1 GiB", std::uint64_t{1} << 33, folder + "/seen_bench_large.seen"}};
  for (const sized& f : files) {
    bloom filter(bloom_params{.bits = f.bits, .probes = 7});
    filter.add(42);
    if (auto saved = save(filter, f.path); !saved) {
      std::printf("%s\n", saved.error().detail.c_str());
      return 1;
    }
  }
  for (int round = 0; round < 201; ++round) {
    for (sized& f : files) {
      const double begin = now_ns();
      const auto mapped = map<bloom>(f.path);
      if (round != 0) f.us.push_back((now_ns() - begin) / 1000);
      if (!mapped || !(*mapped)->may_contain(42)) return 1;
    }
  }
  std::printf("\nopening a mapped file, microseconds: median (10th-90th percentile of 200)\n");
  for (sized& f : files) {
    std::sort(f.us.begin(), f.us.end());
    std::printf("  %s  %7.1f (%.1f-%.1f)\n", f.label, f.us[100], f.us[20], f.us[180]);
    std::filesystem::remove(f.path);
  }
  return 0;
}

int run(int argc, char** argv) {
  std::vector<std::size_t> sizes{100'000, 4'000'000, 100'000'000};
  int rounds = 9;
  std::string json_path;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--json") == 0) json_path = argv[i + 1];
    if (std::strcmp(argv[i], "--sizes") == 0) {
      sizes.clear();
      std::stringstream list(argv[i + 1]);
      for (std::string one; std::getline(list, one, ',');) sizes.push_back(static_cast<std::size_t>(std::stod(one)));
    }
  }
  std::printf("seen %s, %s, %d rounds; ratio = baseline / contender, median (10th-90th percentile)\n", version,
#ifdef __AVX2__
              "built for this machine",
#else
              "built for any machine of this architecture",
#endif
              rounds);
  std::ostringstream json;
  json << "[\n";
  for (const std::size_t n : sizes) {
    const workload work(n, 1'000'000);
    std::vector<entry> contenders;
    contenders.push_back(enter<bits_and_blooms>(work));
    contenders.push_back(enter<seen_bloom>(work));
    contenders.push_back(enter<seen_concurrent>(work));
    contenders.push_back(enter<seen_partitioned>(work));
    run_rounds(contenders, rounds, n > 10'000'000 ? 1 : rounds);
    if (!answers_agree(contenders)) return 1;
    print(contenders, n, json);
  }
  json << "\n]\n";
  if (!json_path.empty()) {
    if (std::FILE* out = std::fopen(json_path.c_str(), "w")) {
      std::fputs(json.str().c_str(), out);
      std::fclose(out);
    }
  }
  return time_opening();
}

}  // namespace
}  // namespace seen::bench

int main(int argc, char** argv) {
  return seen::bench::run(argc, argv);
}
