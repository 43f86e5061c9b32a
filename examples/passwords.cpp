// Leaked passwords, refused when an account is made: a file that is mapped, and asked on the spot.
//
// The situation. Passwords that were stolen elsewhere are published as lists of their digests (SHA-1, 20 bytes each), in
// files of many gigabytes. Nobody should be allowed to choose one of them again.
//
// There are three ways to ask. The sorted list is exact, and large. A service on the network takes no space here, but a part
// of each digest leaves the machine, if only its first bits (k-anonymity). A filter is made from the list once per release:
// it takes a fifteenth of the space, every process maps it in microseconds, and nothing leaves the machine. A "no" is
// certain, so no leaked password passes. A "maybe" needs no confirmation: one good password in a thousand is refused, and
// its owner takes another.
//
// The list does not change between releases, so the kind is ribbon, the smallest. Digests are drawn at random here; a
// program that asks about real passwords hashes them with SHA-1, and those 20 bytes are the key.
//
// Exits with 1 if a leaked password passed, or if the number of good ones that were refused is not the expected one.
#include <seen/filters/ribbon.hpp>
#include <seen/io.hpp>
#include <seen/math/binomial.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace {

using count = unsigned long long;
using password_digest = std::array<std::byte, 20>;  // bytes are a key

constexpr count leaked_passwords = 100'000;
constexpr count new_accounts = 100'000;
constexpr double fpr = 0.001;
constexpr const char* path = "passwords.seen";

std::vector<password_digest> digests(count n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<password_digest> drawn(n);
  for (password_digest& d : drawn) {
    const std::array<std::uint64_t, 3> words{random(), random(), random()};
    std::memcpy(d.data(), words.data(), d.size());
  }
  return drawn;
}

// What became of the passwords that users chose.
struct outcome {
  count leaked_passed = 0;
  count good_refused = 0;
};

template <class IsRefused>
outcome judge(const std::vector<password_digest>& leaked, const std::vector<password_digest>& good,
              IsRefused is_refused) {
  outcome all;
  for (const password_digest& d : leaked) all.leaked_passed += !is_refused(d);
  for (const password_digest& d : good) all.good_refused += is_refused(d);
  return all;
}

void print_row(const char* way, double bytes, double bytes_of_a_billion, count requests, const outcome& of) {
  std::printf("%-34s %8.2f %13.2f %17llu %14llu %13llu\n", way, bytes / (1 << 20), bytes_of_a_billion / (1 << 30),
              requests, of.leaked_passed, of.good_refused);
}

// Whether chance gives so many hits: a bound of six sigma, which is wrong once in 10^9 runs.
bool is_plausible(count hits, count trials, double p) {
  return seen::math::binomial_at_least(trials, hits, p) > 1e-9 && seen::math::binomial_at_most(trials, hits, p) > 1e-9;
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
  auto leaked = digests(leaked_passwords, 1);
  const auto good = digests(new_accounts, 2);

  // Once per release of the list, on any machine.
  const auto built = seen::ribbon::build(leaked, {.fpr = fpr}).value();
  seen::save(built, path).value();

  // In every process that makes accounts.
  const auto begin = std::chrono::steady_clock::now();
  const auto mapped = seen::map<seen::ribbon>(path).value();
  const double opened = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  const auto by_filter = [&](const password_digest& d) { return mapped->may_contain(d); };
  const outcome filtered = judge(leaked, good, by_filter);

  const auto as_it_came = leaked;
  std::sort(leaked.begin(), leaked.end());
  const auto by_list = [&](const password_digest& d) { return std::binary_search(leaked.begin(), leaked.end(), d); };
  const outcome exact = judge(as_it_came, good, by_list);

  const double list_bytes = static_cast<double>(leaked.size() * sizeof(password_digest));
  const double filter_bytes = static_cast<double>(seen::serialized_size(built).value());
  const double billion = static_cast<double>(seen::plan<seen::ribbon>({.capacity = 1'000'000'000, .fpr = fpr}).bytes());
  std::printf("New accounts: users try %llu leaked passwords, which must be refused, and %llu good ones.\n\n",
              leaked_passwords, new_accounts);
  std::printf("%-34s %8s %13s %17s %14s %13s\n", "asked", "MiB", "GiB per 10^9", "network requests", "leaked passed",
              "good refused");
  print_row("the list, sorted", list_bytes, sizeof(password_digest) * 1e9, 0, exact);
  print_row("a service, by the digest's prefix", 0, 0, leaked_passwords + new_accounts, exact);
  print_row("a mapped ribbon filter, 0.1 %", filter_bytes, billion, 0, filtered);
  std::printf("\n%.2f bits per password; the file was ready to be asked after %.0f microseconds.\n",
              8 * filter_bytes / static_cast<double>(leaked.size()), opened);

  const double rate = mapped->shape().expected_fpr(leaked_passwords);
  check("no leaked password passes", filtered.leaked_passed == 0 && exact.leaked_passed == 0);
  check("the list refuses nothing else", exact.good_refused == 0);
  check("as many good ones are refused as expected", is_plausible(filtered.good_refused, new_accounts, rate));
  check("the expected rate is at most the planned one", rate <= fpr);
  check("the file is whole", mapped.verify().has_value());
  std::remove(path);
  if (status == 0) std::puts("No leaked password passed, and nothing left the machine.");
  return status;
}
