// Builds on two threads, files opened, and the memory a build takes.
#include <seen/seen.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>
#include <sys/resource.h>

#include "core/harness.hpp"
#include "core/tables.hpp"
#include "sections.hpp"

namespace seen::bench {
namespace {

template <class F>
double built_in(const std::vector<digest>& digests, unsigned threads) {
  const double begin = now_ns();
  if (!F::build(digests, {.fpr = 1.0 / 256, .threads = threads})) std::abort();
  return (now_ns() - begin) / static_cast<double>(digests.size());
}

template <class F>
double added_in(const std::vector<digest>& digests, unsigned threads) {
  const double begin = now_ns();
  F f({.capacity = digests.size(), .fpr = 1.0 / 256});
  f.add_many(digests, parallel{.threads = threads});
  return (now_ns() - begin) / static_cast<double>(digests.size());
}

record row_of(const std::string& run, const char* family, const std::string& filter, std::uint64_t keys,
              const char* call, unsigned threads = 1) {
  record r{.run = run, .family = family, .filter = filter, .peer = "", .keys = keys};
  r.row = {call, "", "", threads};
  return r;
}

/// Keys that are made as they are read: a build's memory without its keys.
class made_keys {
 public:
  class iterator {
   public:
    using value_type = std::uint64_t;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    explicit iterator(std::uint64_t at) : at_(at) {}
    std::uint64_t operator*() const { return mix(at_ + 1); }
    iterator& operator++() { return ++at_, *this; }
    iterator operator++(int) { return iterator(at_++); }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    std::uint64_t at_ = 0;
  };
  explicit made_keys(std::uint64_t n) : n_(n) {}
  [[nodiscard]] iterator begin() const { return iterator(0); }
  [[nodiscard]] iterator end() const { return iterator(n_); }

 private:
  std::uint64_t n_;
};

template <class F>
std::uint64_t build_and_weigh(std::size_t n) {
  if constexpr (static_engine<typename F::engine_type>) {
    return memory_of(F::build(made_keys(n), {.fpr = 1.0 / 256}).value().engine());
  } else {
    F f({.capacity = n, .fpr = 1.0 / 256});
    if constexpr (fallible_engine<typename F::engine_type>) {
      if (f.add_many(made_keys(n)) != n) throw std::runtime_error("not all keys fit");
    } else {
      f.add_many(made_keys(n));
    }
    return memory_of(f.engine());
  }
}

struct weighed {
  const char* kind;
  std::uint64_t (*build)(std::size_t);
};
constexpr std::array kinds_weighed{
    weighed{"bloom", build_and_weigh<bloom>},
    weighed{"blocked_bloom", build_and_weigh<blocked_bloom>},
    weighed{"split_block", build_and_weigh<split_block>},
    weighed{"blocked_counting_bloom", build_and_weigh<blocked_counting_bloom>},
    weighed{"cuckoo", build_and_weigh<cuckoo>},
    weighed{"quotient", build_and_weigh<quotient>},
    weighed{"scalable_bloom", build_and_weigh<scalable_bloom>},
    weighed{"binary_fuse", build_and_weigh<binary_fuse>},
    weighed{"ribbon", build_and_weigh<ribbon>},
    weighed{"xor_filter", build_and_weigh<xor_filter>},
};

}  // namespace

std::vector<record> run_builds(const std::string& run, std::size_t n, int rounds) {
  std::vector<digest> digests;
  digests.reserve(n);
  for (std::size_t i = 0; i < n; ++i) digests.emplace_back(mix(i + 1));
  struct built {
    const char* name;
    double (*in)(const std::vector<digest>&, unsigned);
  };
  constexpr std::array kinds{built{"binary_fuse", built_in<binary_fuse>}, built{"ribbon", built_in<ribbon>},
                             built{"xor_filter", built_in<xor_filter>}, built{"blocked_bloom", added_in<blocked_bloom>},
                             built{"bloom", added_in<bloom>}};
  std::vector<record> records;
  for (const built& each : kinds) {
    for (unsigned threads = 1; threads <= 2; ++threads)
      records.push_back(row_of(run, "build", each.name, n, "build", threads));
  }
  const int times = n > 10'000'000 ? std::min(rounds, 3) : rounds;
  for (int round = 0; round < times; ++round) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      for (unsigned threads = 1; threads <= 2; ++threads) {
        records[2 * i + threads - 1].ns.push_back(kinds[i].in(digests, threads));
      }
    }
  }
  return records;
}

std::vector<record> run_opening(const std::string& run) {
  struct sized {
    const char* label;
    std::uint64_t bits;
    std::string path;
  };
  const std::string folder = std::filesystem::temp_directory_path().string();
  const std::array files{sized{"1 MiB", std::uint64_t{1} << 23, folder + "/seen_bench_small.seen"},
                         sized{"1 GiB", std::uint64_t{1} << 33, folder + "/seen_bench_large.seen"}};
  std::vector<record> records;
  for (const sized& f : files) {
    bloom filter(bloom_shape{.bits = f.bits, .probes = 7});
    filter.add(42);
    if (auto saved = save(filter, f.path); !saved) throw std::runtime_error(saved.error().detail);
    records.push_back(row_of(run, "open", f.label, f.bits / 8, "open"));
  }
  for (int round = 0; round < 201; ++round) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      const double begin = now_ns();
      const auto mapped = map<bloom>(files[i].path);
      if (round != 0) records[i].ns.push_back(now_ns() - begin);
      if (!mapped || !(*mapped)->may_contain(42)) throw std::runtime_error("a mapped file lost its key");
    }
  }
  for (const sized& f : files) std::filesystem::remove(f.path);
  return records;
}

int print_peak(const std::string& kind, std::size_t n) {
  for (const weighed& each : kinds_weighed) {
    if (each.kind != kind) continue;
    const std::uint64_t bytes = each.build(n);
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    std::printf("%ld %llu\n", used.ru_maxrss, static_cast<unsigned long long>(bytes));
    return 0;
  }
  return 1;
}

std::vector<record> run_peaks(const std::string& run, const std::string& self, std::size_t n) {
  std::vector<record> records;
  for (const weighed& each : kinds_weighed) {
    const std::string command = fmt::format("'{}' --peak-of {} --sizes {}", self, each.kind, n);
    std::FILE* child = popen(command.c_str(), "r");
    long kib = 0;
    unsigned long long bytes = 0;
    const bool read = child != nullptr && std::fscanf(child, "%ld %llu", &kib, &bytes) == 2;
    if (child != nullptr) pclose(child);
    if (!read) continue;
    records.push_back(row_of(run, "peak", each.kind, n, "peak"));
    records.back().ns = {1024.0 * static_cast<double>(kib) / static_cast<double>(n)};
    records.back().bits_per_key = 8 * static_cast<double>(bytes) / static_cast<double>(n);
  }
  return records;
}

std::string other_tables(const std::vector<record>& records) {
  std::string builds, opening, peaks;
  for (const record& r : records) {
    if (r.family == "build" && r.row.threads == 1) {
      const record* two = find(records, {r.run, "build", r.keys}, r.filter, {"build", "", "", 2});
      const ratio gain = two == nullptr ? ratio{} : ratios(r.ns, two->ns);
      builds +=
          fmt::format("{:<24}{:>14} {:>10.1f} {:>10.1f}   {:.2f} ({:.2f}-{:.2f})   {}\n", r.filter, grouped(r.keys),
                      median(r.ns), two == nullptr ? 0 : median(two->ns), gain.median, gain.low, gain.high, r.run);
    }
    if (r.family == "open") {
      std::vector<double> sorted = r.ns;
      std::sort(sorted.begin(), sorted.end());
      opening += fmt::format("{:<24}{:>10.1f}  ({:.1f}-{:.1f})   {}\n", r.filter, median(r.ns) / 1e3,
                             sorted[sorted.size() / 10] / 1e3, sorted[sorted.size() * 9 / 10] / 1e3, r.run);
    }
    if (r.family == "peak") {
      const double filter = r.bits_per_key / 8 * static_cast<double>(r.keys) / (1 << 20);
      const double peak = median(r.ns) * static_cast<double>(r.keys) / (1 << 20);
      peaks += fmt::format("{:<24}{:>14} {:>12.0f} {:>12.0f} {:>10.2f}x\n", r.filter, grouped(r.keys), filter, peak,
                           peak / filter);
    }
  }
  std::string text;
  if (!builds.empty()) {
    text += fmt::format("\n== filters built from digests, ns per key on the wall\n{:<24}{:>14} {:>10} {:>10}   gain\n",
                        "", "keys", "1 thread", "2 threads") +
            builds;
  }
  if (!opening.empty())
    text += "\n== opening a mapped file, microseconds: median (10th-90th percentile of 200)\n" + opening;
  if (!peaks.empty()) {
    text += fmt::format(
                "\n== memory of a build at 1/256, keys made as they are read, MiB\n{:<24}{:>14} {:>12} {:>12} {:>11}\n",
                "", "keys", "filter", "peak", "peak/filter") +
            peaks;
  }
  return text;
}

}  // namespace seen::bench
