// seen_bench [--sizes 100000,4000000,100000000] [--rounds 9] [--only bloom,split_block] [--json FILE]
//
// One table a size: nanoseconds a key (median of the rounds), and for every contender but the first the ratio
// baseline / contender with its spread (10th to 90th percentile of the ratios of neighbouring rounds).
#include <seen/seen.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <type_traits>

#include "bits_and_blooms.hpp"
#include "building.hpp"
#include "contenders.hpp"
#include "harness.hpp"

namespace seen::bench {
namespace {

// Lines of a table of blocked_bloom's size, in memory as a filter's is.
entry lines_for(const workload& work) {
  const std::size_t bytes = plan<blocked_bloom>({.capacity = work.added.size(), .fpr = 0.01}).bytes();
  auto table = std::make_shared<storage>(storage::allocate(bytes).value());
  std::memset(table->data(), 1, bytes);  // pages that exist
  const xxh3_64 hash;
  return random_lines<storage>(
      "random lines", std::move(table), bytes / 64, [hash](std::uint64_t key) { return hash(integer_key{key}).value; },
      work);
}

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

// A few contenders side by side, against the first of all.
void print_some(const entry& baseline, std::span<const entry> some, std::size_t n, std::ostream& json) {
  std::printf("\n%-18s", "ns a key");
  for (const entry& e : some) std::printf(" %31s", e.name.c_str());
  std::printf("\n%-18s", "bits a key");
  for (const entry& e : some) std::printf(" %31.2f", e.bits_per_key);
  const entry& most = *std::max_element(some.begin(), some.end(),
                                        [](const entry& a, const entry& b) { return a.rows.size() < b.rows.size(); });
  for (const measurement& labelled : most.rows) {
    std::printf("\n%-18s", labelled.label.c_str());
    for (const entry& e : some) {
      const auto mine =
          std::find_if(e.rows.begin(), e.rows.end(), [&](const auto& m) { return m.label == labelled.label; });
      if (mine == e.rows.end()) {
        std::printf(" %31s", "-");
        continue;
      }
      const ratio r = ratios(counterpart(baseline, mine->label), *mine);
      json << (json.tellp() > 2 ? ",\n " : "") << R"({"keys":)" << n << R"(,"filter":")" << e.name << R"(","row":")"
           << mine->label << R"(","ns":)" << median(mine->ns) << R"(,"ratio":)" << r.median << R"(,"ratio_low":)"
           << r.low << R"(,"ratio_high":)" << r.high << "}";
      if (&e == &baseline) {
        std::printf(" %31.2f", median(mine->ns));
      } else {
        std::printf(" %10.2f %5.2fx (%5.2f-%5.2f)", median(mine->ns), r.median, r.low, r.high);
      }
    }
  }
  std::printf("\n");
}

void print(const std::vector<entry>& contenders, std::size_t n, std::ostream& json) {
  constexpr std::size_t columns = 4;
  std::printf("\n%zu keys at 1 %%\n", n);
  for (std::span rest(contenders); !rest.empty(); rest = rest.subspan(std::min(columns, rest.size()))) {
    print_some(contenders[0], rest.first(std::min(columns, rest.size())), n, json);
  }
}

// What the machine takes for a random line, and how many of those a lookup takes: of independent lines, at known
// addresses and at hashed ones, for one key, and of prefetched lines for a batch.
void print_machine(const entry& machine, const std::vector<entry>& contenders) {
  const double known = median(machine.rows[0].ns), hashed = median(machine.rows[1].ns);
  const double prefetched = median(machine.rows[2].ns);
  std::printf(
      "a random line of as many bytes: %.2f ns at a known address, %.2f hashed, %.2f prefetched; in such lines:", known,
      hashed, prefetched);
  for (const entry& e : contenders) {
    std::printf("\n  %-26s", e.name.c_str());
    for (const measurement& m : e.rows) {
      const double ns = median(m.ns);
      if (m.label.starts_with("single")) {
        std::printf(" %s %.2f known %.2f hashed;", m.label.c_str(), ns / known, ns / hashed);
      }
      if (m.label.starts_with("batch")) std::printf(" %s %.2f;", m.label.c_str(), ns / prefetched);
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
  std::string json_path, only;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--json") == 0) json_path = argv[i + 1];
    if (std::strcmp(argv[i], "--only") == 0) only = argv[i + 1];
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
    const auto wanted = [&](std::string name) {
      return only.empty() || (',' + only + ',').find(',' + name + ',') != std::string::npos;
    };
    const auto enter_wanted = [&]<class... C>(std::type_identity<C>...) {
      ((wanted(C::name) ? contenders.push_back(enter<C>(work)) : void()), ...);
    };
    enter_wanted(std::type_identity<bits_and_blooms>(), std::type_identity<seen_bloom>(),
                 std::type_identity<seen_concurrent>(), std::type_identity<seen_partitioned>(),
                 std::type_identity<seen_blocked>(), std::type_identity<seen_concurrent_blocked>(),
                 std::type_identity<seen_split_block>(), std::type_identity<seen_counting>(),
                 std::type_identity<seen_blocked_counting>(), std::type_identity<seen_cuckoo>(),
                 std::type_identity<seen_concurrent_cuckoo>(), std::type_identity<seen_quotient>(),
                 std::type_identity<seen_scalable>(), std::type_identity<seen_windowed>(),
                 std::type_identity<seen_binary_fuse>(), std::type_identity<seen_binary_fuse_4>(),
                 std::type_identity<seen_binary_fuse_shards>(), std::type_identity<seen_ribbon_fast>(),
                 std::type_identity<seen_ribbon_compact>(), std::type_identity<seen_xor>());
    if (contenders.empty() && wanted("builds")) {
      time_building(n, rounds);
      continue;
    }
    if (contenders.empty()) return std::printf("no contender is called %s\n", only.c_str()), 1;
    entry machine = lines_for(work);
    run_rounds(contenders, machine, rounds, n > 10'000'000 ? 1 : rounds);
    if (!answers_agree(contenders)) return 1;
    print(contenders, n, json);
    print_machine(machine, contenders);
    if (only.empty() || wanted("builds")) time_building(n, rounds);
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
