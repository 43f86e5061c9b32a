// A list of dangerous addresses behind a keyed filter: what a mail gateway asks about every link.
//
// The situation. 60,000 addresses are known to lead to malware or to false banks. The gateway looks up every link of every
// mail. The exact list lies in a database elsewhere, and the answer is nearly always "not listed".
//
// With a filter the gateway asks the database only after a "maybe". A "no" is certain, so no listed address passes. A
// "maybe" is confirmed before anything is blocked, so no other address suffers. New entries come every day as a filter of
// the same shape, and are merged into the gateway's.
//
// Strangers choose these keys. Whoever has the list and can compute the hash finds harmless addresses to which the filter
// says "maybe", and may send them by the million. Each costs an exact lookup, as if there were no filter. A keyed hash
// (SipHash) prevents it: its secret stays in the house and is not in the file, so addresses chosen elsewhere meet this
// filter like any others.
//
// Exits with 1 if a listed address passed, another one was blocked, or a rate is not the expected one.
#include <seen/filters/blocked_bloom.hpp>
#include <seen/hash/siphash.hpp>
#include <seen/io.hpp>
#include <seen/math/binomial.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace {

using count = unsigned long long;
using keyed_filter = seen::filter<seen::blocked_bloom::engine_type, seen::siphash_1_3>;

constexpr count listed_at_first = 46'000;
constexpr count days = 7;
constexpr count new_per_day = 2'000;
constexpr count listed_at_last = listed_at_first + days * new_per_day;
constexpr seen::target planned{.capacity = listed_at_last, .fpr = 0.01};

std::string listed(count i) {
  return "http://login-" + std::to_string(i) + ".bank.example/";
}
std::string ordinary(count i) {
  return "https://news.example/today/" + std::to_string(i);
}
std::string harmless(count i) {
  return "https://mallory.example/?p=" + std::to_string(i);
}

// A gateway calls seen::secret::random() once and keeps the secret; this one is fixed so that every run is the same.
seen::secret fixed_secret(std::string_view sixteen_letters) {
  seen::secret s;
  std::memcpy(s.bytes.data(), sixteen_letters.data(), s.bytes.size());
  return s;
}

// The database of the list. It is exact, and too slow to be asked about every link.
class exact_list {
 public:
  void add(const std::string& address) { addresses_.insert(address); }
  bool contains(const std::string& address) {
    ++lookups_;
    return addresses_.contains(address);
  }
  [[nodiscard]] count lookups() const { return lookups_; }

 private:
  std::unordered_set<std::string> addresses_;
  count lookups_ = 0;
};

// What a gateway does with an address.
template <class Filter>
bool is_blocked(const Filter& filter, exact_list& list, const std::string& address) {
  return filter.may_contain(address) && list.contains(address);
}

// What became of some addresses.
struct verdict {
  count blocked = 0;
  count lookups = 0;  // exact ones
};

template <class Filter>
verdict ask(const Filter& filter, exact_list& list, const std::vector<std::string>& addresses) {
  const count before = list.lookups();
  verdict all;
  for (const std::string& address : addresses) all.blocked += is_blocked(filter, list, address);
  all.lookups = list.lookups() - before;
  return all;
}

// What the keepers of the list do every day, who share the secret: the new entries, as a file. The secret is not in it.
std::vector<std::byte> entries_of_day(count day, const seen::secret& key, exact_list& list) {
  keyed_filter entries(planned, seen::siphash_1_3(key));
  const count first = listed_at_first + day * new_per_day;
  for (count i = first; i < first + new_per_day; ++i) {
    entries.add(listed(i));
    list.add(listed(i));
  }
  return seen::to_bytes(entries).value();
}

void print_row(const char* links, std::size_t asked, const verdict& plain, const verdict& keyed) {
  std::printf("%-22s %10zu %12zu %12llu %14llu %10llu\n", links, asked, asked, plain.lookups, keyed.lookups,
              keyed.blocked);
}

template <class Make>
std::vector<std::string> addresses(count n, Make make) {
  std::vector<std::string> made;
  for (count i = 0; i < n; ++i) made.push_back(make(i));
  return made;
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
  const seen::secret key = fixed_secret("kept by us alone");
  exact_list list;
  seen::blocked_bloom plain(planned);                     // XXH3: anyone can compute it
  keyed_filter gateway(planned, seen::siphash_1_3(key));  // SipHash: only we can
  keyed_filter at_once(planned, seen::siphash_1_3(key));  // the same list, not merged from parts
  const auto all_listed = addresses(listed_at_last, listed);
  for (count i = 0; i < listed_at_first; ++i) {
    gateway.add(all_listed[i]);
    list.add(all_listed[i]);
  }
  plain.add_many(all_listed);
  at_once.add_many(all_listed);

  for (count day = 0; day < days; ++day) {
    const std::vector<std::byte> update = entries_of_day(day, key, list);
    const keyed_filter entries = seen::from_bytes<keyed_filter>(update, {.secret = key}).value();
    gateway.merge(entries).value();  // refused if shape or secret differed
  }

  // The attacker's work at home: of 200,000 harmless addresses those to which the public filter says "maybe".
  std::vector<std::string> chosen;
  for (count i = 0; i < 200'000; ++i) {
    if (std::string address = harmless(i); plain.may_contain(address)) chosen.push_back(std::move(address));
  }

  const auto mail = addresses(100'000, ordinary);
  std::printf(
      "A mail gateway looks up links among %llu bad ones, behind a filter of %zu KiB; %llu came in daily updates.\n\n",
      listed_at_last, gateway.shape().bytes() / 1024, days * new_per_day);
  std::printf("%-22s %10s %12s %12s\n", "", "", "exact", "lookups with");
  std::printf("%-22s %10s %12s %12s %14s %10s\n", "links", "asked", "no filter", "XXH3 filter", "SipHash filter",
              "blocked");
  const verdict of_listed = ask(gateway, list, all_listed), plain_of_listed = ask(plain, list, all_listed);
  const verdict of_mail = ask(gateway, list, mail), plain_of_mail = ask(plain, list, mail);
  const verdict of_chosen = ask(gateway, list, chosen), plain_of_chosen = ask(plain, list, chosen);
  print_row("listed", all_listed.size(), plain_of_listed, of_listed);
  print_row("ordinary mail", mail.size(), plain_of_mail, of_mail);
  print_row("chosen by an attacker", chosen.size(), plain_of_chosen, of_chosen);
  std::puts("");

  const double rate = gateway.shape().expected_fpr(listed_at_last);
  const seen::secret guess = fixed_secret("guessed by them.");
  const auto bytes = seen::to_bytes(gateway).value();
  check("all that is listed is blocked",
        of_listed.blocked == listed_at_last && plain_of_listed.blocked == listed_at_last);
  check("nothing else is blocked",
        of_mail.blocked + of_chosen.blocked + plain_of_mail.blocked + plain_of_chosen.blocked == 0);
  check("the rate is the expected one", is_plausible(of_mail.lookups, mail.size(), rate));
  check("so is that of XXH3", is_plausible(plain_of_mail.lookups, mail.size(), rate));
  check("chosen addresses defeat XXH3", plain_of_chosen.lookups == chosen.size());
  check("they do not defeat SipHash", is_plausible(of_chosen.lookups, chosen.size(), rate));
  check("merged day by day is the same as built at once", gateway == at_once);
  check("the secret is not in the file", !seen::from_bytes<keyed_filter>(bytes));
  check("another secret does not open it", !seen::from_bytes<keyed_filter>(bytes, {.secret = guess}));
  check("a filter of another secret is not merged", !gateway.merge(keyed_filter(planned, seen::siphash_1_3(guess))));
  if (status == 0)
    std::puts("All that is listed was blocked, nothing else was, and choosing addresses gained nothing.");
  return status;
}
