// Every number of docs/guide.md: a filter of twenty bits worked by hand, what overfilling does, how the estimate compares with a count.
//
// Without an argument it prints the tables of the page and fails if a claim of the page does not hold. With `pictures` it prints
// what docs/pictures/make.py draws, a line per fact.
#include <seen/filters/bloom.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

int broken = 0;

void claim(bool holds, const char* what) {
  if (holds) return;
  std::printf("NOT SO: %s\n", what);
  ++broken;
}

// --- a filter of twenty bits

// Which bits belong to a key. A digest is a fraction of 2^64: times the number of bits, cut at the point, it is a position. The
// next digest is the one before times a constant.
std::vector<std::uint64_t> positions(const seen::bloom& f, std::string_view key) {
  std::vector<std::uint64_t> at;
  std::uint64_t x = f.digest_of(key).value;
  for (std::uint32_t i = 0; i < f.probes(); ++i, x *= seen::chain_rule::multiplier)
    at.push_back(seen::mulhi(x, f.bits()));
  return at;
}

bool is_set(const seen::bloom& f, std::uint64_t bit) {
  return (f.words()[bit / 64] >> bit % 64 & 1) != 0;
}

seen::bloom tiny_filter() {
  seen::bloom tiny(seen::bloom_shape{.bits = 20, .probes = 3});
  for (const auto* name : {"alice", "bob", "carol"}) tiny.add(name);
  return tiny;
}

void print_key(const seen::bloom& f, const char* key) {
  std::uint64_t x = f.digest_of(key).value;
  std::printf("  %-6s", key);
  for (const auto bit : positions(f, key)) {
    const double fraction = std::ldexp(static_cast<double>(x), -64);
    std::printf("  %.5f x 20 = %6.3f: bit %2llu (%d)", fraction, 20 * fraction, static_cast<unsigned long long>(bit),
                is_set(f, bit));
    x *= seen::chain_rule::multiplier;
  }
  std::printf("  %s\n", f.may_contain(key) ? "maybe" : "no");
}

void work_by_hand() {
  const seen::bloom tiny = tiny_filter();
  std::puts("twenty bits, three per key; (1): the bit is set");
  for (const auto* key : {"alice", "bob", "carol", "trent", "tom", "paul"}) print_key(tiny, key);

  std::uint64_t by_hand = 0;
  for (const auto* name : {"alice", "bob", "carol"}) {
    for (const auto bit : positions(tiny, name)) by_hand |= std::uint64_t{1} << bit;
  }
  claim(tiny.words()[0] == by_hand, "the bits by hand are those of the library");
  const std::map<std::string, std::vector<std::uint64_t>> page = {{"alice", {6, 9, 19}}, {"bob", {1, 17, 6}},
                                                                  {"carol", {17, 4, 0}}, {"trent", {3, 10, 16}},
                                                                  {"tom", {17, 11, 13}}, {"paul", {0, 17, 6}}};
  for (const auto& [key, bits] : page) claim(positions(tiny, key) == bits, ("the page's bits of " + key).c_str());
  claim(tiny.may_contain("alice") && tiny.may_contain("bob") && tiny.may_contain("carol"), "what was added is found");
  claim(!tiny.may_contain("trent") && !tiny.may_contain("tom"), "trent and tom are absent");
  claim(tiny.may_contain("paul"), "paul is a false positive");

  int maybe = 0;
  for (int key = 0; key < 100'000; ++key) maybe += tiny.may_contain(key);
  std::printf("  7 of 20 bits are set: (7/20)^3 = %.2f %%; of 100,000 other keys %.2f %% get a maybe\n\n",
              100 * tiny.estimated_fpr(), maybe / 1000.0);
  claim(std::abs(tiny.estimated_fpr() - 0.042875) < 1e-12, "(7/20)^3");
  claim(std::abs(maybe / 1e5 - 0.042875) < 6 * std::sqrt(0.042875 * (1 - 0.042875) / 1e5),
        "the measured rate is (7/20)^3");  // 6 sigma
}

// --- a filter in front of something slow

std::map<std::string, std::string, std::less<>> table;  // stands for a disk, a database, a network
int slow_lookups = 0;

const std::string* slow_lookup(std::string_view key) {
  ++slow_lookups;
  const auto found = table.find(key);
  return found == table.end() ? nullptr : &found->second;
}

const std::string* find(const seen::bloom& known, std::string_view key) {
  if (!known.may_contain(key)) return nullptr;  // certain: nothing is read
  return slow_lookup(key);                      // maybe: the table decides
}

void guard_a_table() {
  seen::bloom known({.capacity = 1000, .fpr = 0.01});
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "user-" + std::to_string(i);
    table.emplace(key, "…");
    known.add(key);
  }
  int found = 0, ghosts = 0;
  for (int i = 0; i < 1000; ++i) found += find(known, "user-" + std::to_string(i)) != nullptr;
  slow_lookups = 0;
  for (int i = 0; i < 10'000; ++i) ghosts += find(known, "ghost-" + std::to_string(i)) != nullptr;
  std::printf("of 10,000 keys that are not in the table %d were looked up in it\n\n", slow_lookups);
  claim(found == 1000 && ghosts == 0, "the guarded table answers as the table does");
  claim(slow_lookups < 170, "about one miss in a hundred goes through");  // mean 100.4, 6 sigma are 60
}

// --- sizes

void print_sizes() {
  std::puts("rate      bits per key  bits set per key  MB for 10^6 keys");
  for (const double fpr : {0.1, 0.01, 0.001, 0.0001}) {
    const auto p = seen::plan<seen::bloom>({.capacity = 1'000'000, .fpr = fpr});
    std::printf("%-8g  %12.2f  %16u  %16.2f\n", fpr, static_cast<double>(p.bits) / 1e6, p.probes,
                static_cast<double>(p.bytes()) / 1e6);
  }
  std::puts("");
}

// --- overfilling

void overfill() {
  constexpr int capacity = 10'000, asked = 20'000;
  seen::bloom f({.capacity = capacity, .fpr = 0.01});
  int added = 0;
  std::puts("  keys  of capacity  bits set  rate by the model  measured  estimated keys  saturated");
  for (const double times : {0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0}) {
    while (added < times * capacity) f.add(added++);
    int wrong = 0, lost = 0;
    for (int key = 0; key < asked; ++key) wrong += f.may_contain(-1 - key);
    for (int key = 0; key < added; ++key) lost += !f.may_contain(key);
    const double expected = f.shape().expected_fpr(static_cast<std::uint64_t>(added)), measured = 1.0 * wrong / asked;
    std::printf("%6d  %10gx  %7.1f%%  %16.2f%%  %7.2f%%  %14.0f  %s\n", added, times, 100 * f.fill(), 100 * expected,
                100 * measured, f.estimated_count(), f.saturated() ? "yes" : "no");
    claim(lost == 0, "no key is lost, however full the filter");
    // 6 sigma of the questions, and 6 of what one filter of 10,000 keys may differ from the mean (1 % of the rate each)
    claim(std::abs(measured - expected) < 6 * std::sqrt(expected * (1 - expected) / asked) + 0.06 * expected,
          "the model's rate");
  }
  std::puts("");
}

// --- the estimate beside a counter

void cross_check() {
  seen::bloom known({.capacity = 100'000, .fpr = 0.01});
  std::uint64_t counted = 0;  // rows that the program has written
  for (; counted < 50'000; ++counted) known.add(counted);
  for (std::uint64_t row = 0; row < 10'000; ++row) known.add(row);  // again: a key that comes twice sets no new bit
  std::printf("counted %llu rows, the filter estimates %.0f\n", static_cast<unsigned long long>(counted),
              known.estimated_count());
  claim(std::abs(known.estimated_count() / static_cast<double>(counted) - 1) < 0.01, "the estimate is within 1 %");

  for (; counted < 60'000; ++counted) {
    if (counted % 2 != 0) known.add(counted);  // half of the new rows take a way that forgets the filter
  }
  std::printf("counted %llu rows, the filter estimates %.0f: somebody writes without adding\n\n",
              static_cast<unsigned long long>(counted), known.estimated_count());
  claim(known.estimated_count() < 0.95 * static_cast<double>(counted), "a missing add shows");
}

// --- two generations

class recent {
 public:
  explicit recent(const seen::target& each) : now_(each), before_(each) {}

  void add(std::string_view key) { now_.add(key); }
  bool may_contain(std::string_view key) const { return now_.may_contain(key) || before_.may_contain(key); }
  void turn() { before_ = now_.reset(); }  // reset empties the filter and returns the full one

 private:
  seen::bloom now_, before_;
};

void rotate() {
  recent visitors({.capacity = 10'000, .fpr = 0.005});  // two filters are asked: half the rate for each
  visitors.add("alice");
  visitors.turn();  // once a day
  claim(visitors.may_contain("alice"), "the generation before is asked, too");
  visitors.turn();
  claim(!visitors.may_contain("alice"), "the one before that is forgotten");
}

// --- for the pictures

void print_facts() {
  const seen::bloom tiny = tiny_filter();
  for (const auto* key : {"alice", "bob", "carol", "trent", "tom", "paul"}) {
    std::printf("key\t%s", key);
    for (const auto bit : positions(tiny, key)) std::printf("\t%llu", static_cast<unsigned long long>(bit));
    std::puts("");
  }
  constexpr std::uint64_t n = 1'000'000;
  for (const double fpr : {0.1, 0.01, 0.001}) {
    const auto p = seen::plan<seen::bloom>({.capacity = n, .fpr = fpr});
    for (std::uint64_t tenth = 0; tenth <= 50; ++tenth) {
      std::printf("rate\t%g\t%g\t%.6f\n", fpr, static_cast<double>(tenth) / 10, p.expected_fpr(n / 10 * tenth));
    }
  }
}

}  // namespace

int main(int count, char** words) {
  if (count > 1 && std::string_view(words[1]) == "pictures") {
    print_facts();
    return 0;
  }
  work_by_hand();
  guard_a_table();
  print_sizes();
  overfill();
  cross_check();
  rotate();
  return broken == 0 ? 0 : 1;
}
