// The visited set of a crawler: a filter that grows with the crawl, is saved when the crawl stops, and is resumed.
//
// The situation. A crawler fetches a page, reads its links and asks of each one: "Have I met this address before?" Mostly it
// has: each of the 60,000 pages here has eight links, so there are eight questions per page. Nobody knows in advance how
// many pages there are. The crawl stops half-way and is resumed from files.
//
// Without a filter the crawler keeps every address, in memory or in a database that it asks over and over. With one it keeps
// two to three bytes per address. A "no" is certain, so no page is fetched twice. The price is paid on the other side:
// nothing confirms a "maybe" here, and a new page that is taken for a known one is missed. How many are missed is known in
// advance, because scalable_bloom keeps its rate however many addresses come. A filter of fixed size that was planned for
// too few does not, as the last row of the table shows.
//
// Exits with 1 if a page was fetched twice, or if the number of missed pages is not the predicted one.
#include <seen/filters/bloom.hpp>
#include <seen/filters/scalable_bloom.hpp>
#include <seen/io.hpp>
#include <seen/math/binomial.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

using count = unsigned long long;
using page = std::uint32_t;

constexpr page pages = 60'000;
constexpr unsigned links_per_page = 8;
constexpr double fpr = 0.01;

// The simulated web: link i of a page leads to a page that SplitMix64 draws.
page link_of(page from, unsigned i) {
  std::uint64_t x = (std::uint64_t{from} * links_per_page + i + 1) * 0x9e37'79b9'7f4a'7c15;
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
  return static_cast<page>((x ^ x >> 31) % pages);
}

std::string address_of(page p) {
  return "https://example.org/articles/" + std::to_string(p) + ".html";
}

// What happened, known from outside: the crawler itself sees nothing of this.
struct journal {
  std::vector<bool> met = std::vector<bool>(pages);
  std::vector<bool> fetched = std::vector<bool>(pages);
  count asked = 0;      // links that were looked up in the visited set
  count different = 0;  // addresses among them
  count fetches = 0;
  count fetched_twice = 0;  // the promise is 0
  count missed = 0;         // new addresses that were taken for known ones
};

// Fetches pages until the frontier is empty or `most` were fetched. `known` says whether an address was met before, and
// remembers it.
template <class Known>
void crawl(std::deque<page>& frontier, journal& log, count most, Known known) {
  for (; most != 0 && !frontier.empty(); --most) {
    const page here = frontier.front();
    frontier.pop_front();
    ++log.fetches;
    log.fetched_twice += log.fetched[here];
    log.fetched[here] = true;
    for (unsigned i = 0; i < links_per_page; ++i) {
      const page next = link_of(here, i);
      const bool is_known = known(address_of(next));
      ++log.asked;
      log.different += !log.met[next];
      log.missed += is_known && !log.met[next];
      log.met[next] = true;
      if (!is_known) frontier.push_back(next);
    }
  }
}

// The crawl begins with a page whose address is remembered like any other.
template <class Known>
std::deque<page> begin(journal& log, Known known) {
  static_cast<void>(known(address_of(0)));
  log.met[0] = true;
  log.different = 1;
  return {0};
}

void save_frontier(const std::deque<page>& frontier, const char* path) {
  std::ofstream out(path);
  for (const page p : frontier) out << p << '\n';
}
std::deque<page> load_frontier(const char* path) {
  std::deque<page> frontier;
  std::ifstream in(path);
  for (page p = 0; in >> p;) frontier.push_back(p);
  return frontier;
}

// Crawls half of the way and saves; then a new filter is loaded, and crawls the rest. Returns the filter, and adds up in
// `predicted` how many pages it should miss: for each new address the rate of a chain that was offered so many.
seen::scalable_bloom crawl_in_two_runs(journal& log, double& predicted) {
  constexpr const char* filter_file = "crawler.seen";
  constexpr const char* frontier_file = "crawler.frontier";
  count summed = 0;
  const auto remembering = [&](seen::scalable_bloom& visited) {
    return [&](const std::string& address) {
      for (; summed < log.different; summed += 500) predicted += 500 * visited.shape().expected_fpr(summed + 250);
      return visited.test_and_add(address);
    };
  };
  {
    seen::scalable_bloom visited({.capacity = 1000, .fpr = fpr});  // room for 1000 at first, 1 % however many come
    std::deque<page> frontier = begin(log, remembering(visited));
    crawl(frontier, log, pages / 2, remembering(visited));
    seen::save(visited, filter_file).value();
    save_frontier(frontier, frontier_file);
  }
  seen::scalable_bloom visited = seen::load<seen::scalable_bloom>(filter_file).value();
  std::deque<page> frontier = load_frontier(frontier_file);
  crawl(frontier, log, pages, remembering(visited));
  std::remove(filter_file);
  std::remove(frontier_file);
  return visited;
}

void print_row(const char* name, double bytes, const journal& log) {
  std::printf("%-40s %9.1f %9.1f %9llu %9llu %9llu %9.2f\n", name, bytes / 1024, 8 * bytes / static_cast<double>(pages),
              log.fetches, log.fetched_twice, log.missed,
              100 * static_cast<double>(log.missed) / static_cast<double>(log.different));
}

int status = 0;

// A broken promise is printed, and makes the exit status 1.
void check(const char* promise, bool is_kept) {
  if (is_kept) return;
  std::printf("BROKEN: %s\n", promise);
  status = 1;
}

}  // namespace

int main() {
  journal exact_log;
  std::unordered_set<std::string> addresses;
  double text = 0;
  const auto exactly = [&](const std::string& address) {
    const bool is_new = addresses.insert(address).second;
    if (is_new) text += static_cast<double>(address.size());
    return !is_new;
  };
  std::deque<page> frontier = begin(exact_log, exactly);
  crawl(frontier, exact_log, pages, exactly);

  journal log;
  double predicted = 0;
  const seen::scalable_bloom visited = crawl_in_two_runs(log, predicted);

  journal fixed_log;
  seen::bloom fixed({.capacity = 5000, .fpr = fpr});
  const auto in_fixed = [&](const std::string& address) { return fixed.test_and_add(address); };
  frontier = begin(fixed_log, in_fixed);
  crawl(frontier, fixed_log, pages, in_fixed);

  std::printf("A crawler follows %llu links and asks of each: met before? Stopped and resumed half-way.\n\n",
              log.asked);
  std::printf("%-40s %9s %9s %9s %9s %9s %9s\n", "visited set", "KiB", "bits/page", "fetched", "twice", "missed",
              "% of all");
  print_row("addresses (their text alone)", text, exact_log);
  print_row("scalable_bloom, 1 %, from 1000 keys", static_cast<double>(seen::memory_of(visited.engine())), log);
  print_row("bloom, 1 %, planned for 5000 keys", static_cast<double>(fixed.shape().bytes()), fixed_log);
  std::printf("\nMissed: %llu; predicted: %.0f.\n", log.missed, predicted);

  // Chance: a Poisson variable, and 4.5 % that chains differ by (docs/filters/scalable_bloom.md), one standard deviation each.
  const double sigma = std::sqrt(predicted + std::pow(0.045 * predicted, 2));
  check("no page is fetched twice", exact_log.fetched_twice + log.fetched_twice + fixed_log.fetched_twice == 0);
  check("as many are missed as predicted", std::abs(static_cast<double>(log.missed) - predicted) < 6 * sigma);
  check("at most 1 % are missed", seen::math::binomial_at_least(log.different, log.missed, fpr) > 1e-9);
  if (status == 0) std::puts("No page was fetched twice.");
  return status;
}
