// Concurrent kinds on several threads, and the keys they share with programs in other languages.
//
// A thread takes its part of the keys. Integer keys, and peers in the same process, are in shared.hpp.
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/split_block.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <string_view>

#include "core/harness.hpp"
#include "core/tables.hpp"
#include "sections.hpp"
#include "together.hpp"

namespace seen::bench {
namespace {

constexpr std::size_t shared_keys = 1'000'000;
constexpr std::array thread_counts{1u, 2u, 4u, 16u};
constexpr std::array calls{"add", "again", "contains", "both"};

/// Keys of 16 bytes and views of them; the queries are half present, half absent.
struct wide_keys {
  wide_keys() : added_bytes(2 * shared_keys), asked_bytes(2 * shared_keys) {
    for (std::size_t i = 0; i < shared_keys; ++i) {
      const std::uint64_t from = mix(i) >> 63 ? mix(i) % shared_keys : i + shared_keys;
      for (std::size_t half = 0; half < 2; ++half) {
        added_bytes[2 * i + half] = mix(2 * i + half + 1);
        asked_bytes[2 * i + half] = mix(2 * from + half + 1);
      }
      added.emplace_back(reinterpret_cast<const char*>(&added_bytes[2 * i]), 16);
      asked.emplace_back(reinterpret_cast<const char*>(&asked_bytes[2 * i]), 16);
    }
  }
  std::vector<std::uint64_t> added_bytes, asked_bytes;
  std::vector<std::string_view> added = {}, asked = {};
};

template <class F>
std::map<std::string, double> one_by_one(const wide_keys& keys, unsigned threads) {
  F f({.capacity = shared_keys, .fpr = 0.01});
  std::atomic<std::uint64_t> found{0};
  const auto add = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) f.add(keys.added[i]);
  };
  std::map<std::string, double> ns{{"add", together(threads, shared_keys, add)}};
  ns["again"] = together(threads, shared_keys, add, many_passes);
  ns["contains"] = together(
      threads, shared_keys,
      [&](std::size_t from, std::size_t to) {
        std::uint64_t here = 0;
        for (std::size_t i = from; i < to; ++i) here += f.may_contain(keys.asked[i]);
        found += here;
      },
      many_passes);
  ns["both"] = together(
      threads, shared_keys,
      [&](std::size_t from, std::size_t to) {
        std::uint64_t here = 0;
        for (std::size_t i = from; i < to; ++i) {
          if (i % 2 == 0) {
            f.add(keys.added[i]);
          } else {
            here += f.may_contain(keys.asked[i]);
          }
        }
        found += here;
      },
      many_passes);
  return ns;
}

template <class F>
std::map<std::string, double> in_batches(const wide_keys& keys, unsigned threads) {
  F f({.capacity = shared_keys, .fpr = 0.01});
  const auto out = std::make_unique<bool[]>(shared_keys);
  const auto part = [](const std::vector<std::string_view>& all, std::size_t from, std::size_t to) {
    return std::span(all).subspan(from, to - from);
  };
  const auto add = [&](std::size_t from, std::size_t to) { f.add_many(part(keys.added, from, to)); };
  const auto ask = [&](std::size_t from, std::size_t to) {
    f.may_contain_many(part(keys.asked, from, to), {out.get() + from, to - from});
  };
  std::map<std::string, double> ns{{"add", together(threads, shared_keys, add)}};
  ns["again"] = together(threads, shared_keys, add, many_passes);
  ns["contains"] = together(threads, shared_keys, ask, many_passes);
  ns["both"] = together(
      threads, shared_keys,
      [&](std::size_t from, std::size_t to) {
        add(from, from + (to - from) / 2);
        ask(from + (to - from) / 2, to);
      },
      many_passes);
  return ns;
}

void write_bytes(const std::string& path, const std::vector<std::uint64_t>& words) {
  std::ofstream out(path, std::ios::binary);  // little-endian, as the machines this runs on are
  out.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(8 * words.size()));
}

}  // namespace

std::vector<record> run_threads(const std::string& run, int rounds) {
  const wide_keys keys;
  struct shared {
    const char* name;
    std::map<std::string, double> (*measure)(const wide_keys&, unsigned);
  };
  constexpr std::array filters{shared{"concurrent_bloom", one_by_one<concurrent_bloom>},
                               shared{"bloom in batches", in_batches<concurrent_bloom>},
                               shared{"concurrent_blocked", one_by_one<concurrent_blocked_bloom>},
                               shared{"blocked in batches", in_batches<concurrent_blocked_bloom>},
                               shared{"concurrent_split", one_by_one<concurrent_split_block>},
                               shared{"split in batches", in_batches<concurrent_split_block>}};
  std::map<std::tuple<std::size_t, unsigned, std::string>, std::vector<double>> ns;
  for (int round = 0; round <= rounds; ++round) {
    for (const unsigned threads : thread_counts) {
      for (std::size_t i = 0; i < filters.size(); ++i) {
        for (const auto& [call, spent] : filters[i].measure(keys, threads)) {
          if (round != 0) ns[{i, threads, call}].push_back(spent);
        }
      }
    }
  }
  std::vector<record> records;
  for (const auto& [at, all] : ns) {
    const auto& [i, threads, call] = at;
    record r{.run = run, .family = "threads", .filter = filters[i].name, .peer = "", .keys = shared_keys};
    r.row = {call, "", "", threads};
    r.ns = all;
    records.push_back(std::move(r));
  }
  return records;
}

std::string thread_tables(const std::vector<record>& records) {
  std::vector<std::pair<std::string, std::string>> filters;  // run, name
  for (const record& r : records) {
    const std::pair one{r.run, r.filter};
    if (r.family == "threads" && std::find(filters.begin(), filters.end(), one) == filters.end())
      filters.push_back(one);
  }
  if (filters.empty()) return "";
  std::string text = fmt::format("\n== threads: {} keys of 16 bytes at 1 %, ns an operation on the wall\n{:<30}",
                                 grouped(shared_keys), "");
  for (const char* call : {"add", "add again", "contains", "half of each"}) text += fmt::format("{:>22}", call);
  text += fmt::format("\n{:<30}", "threads");
  for (std::size_t i = 0; i < calls.size(); ++i) text += "     1    2    4   16 ";
  text += '\n';
  for (const auto& [run, filter] : filters) {
    text += fmt::format("{:<30}", fmt::format("{:<21} {}", filter, run));
    for (const char* call : calls) {
      text += ' ';
      for (const unsigned threads : thread_counts) {
        const record* r = find(records, {run, "threads", shared_keys}, filter, {call, "", "", threads});
        text += r == nullptr ? "    -" : fmt::format("{:>5.{}f}", median(r->ns), median(r->ns) < 99.5 ? 1 : 0);
      }
      text += ' ';
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

void write_keys(const std::string& folder, const std::vector<std::size_t>& sizes) {
  std::filesystem::create_directories(folder);
  for (const std::size_t n : sizes) {
    const workload work(n);
    const std::string end = fmt::format("-{}.u64", n);
    write_bytes(folder + "/added" + end, work.added);
    write_bytes(folder + "/absent" + end, work.absent);
    write_bytes(folder + "/half" + end, work.half);
    write_bytes(folder + "/present" + end, work.present);
  }
  const wide_keys wide;
  write_bytes(folder + "/added.16", wide.added_bytes);
  write_bytes(folder + "/half.16", wide.asked_bytes);
}

}  // namespace seen::bench
