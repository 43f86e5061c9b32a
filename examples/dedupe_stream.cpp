// Duplicates of the last hour, dropped from a stream: a filter that forgets by the clock.
//
// The situation. A queue delivers every message at least once: if no receipt comes in time, it delivers the message again.
// Whoever counts clicks or sends mail must not act twice. A message that came within the last hour is to be recognised, and
// memory must not grow with the age of the stream.
//
// Without a filter the consumer keeps the identifiers of an hour with their times, and removes the old ones. With
// windowed_bloom it keeps 21 bits per identifier and tells the filter what time it is. A "no" is certain: what is called new
// did not come within the hour. Nothing confirms a "maybe" here, so up to one new message in a thousand is dropped; if none
// may be lost, ask a database about the maybes. A message is forgotten after 8/7 of the hour at the latest.
//
// Time is simulated, eight hours of it; nothing here waits.
//
// Exits with 1 if a duplicate of the last hour passed, or if the number of messages dropped by mistake is not the expected
// one.
#include <seen/filters/windowed_bloom.hpp>
#include <seen/math/binomial.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <unordered_map>
#include <vector>

namespace {

using count = unsigned long long;
using seconds = std::uint64_t;

constexpr seconds hour = 3600;
constexpr seconds length_of_stream = 8 * hour;
constexpr count messages_per_hour = 20'000;
constexpr double fpr = 0.001;

struct delivery {
  seconds time;
  std::uint64_t message;

  friend bool operator>(const delivery& a, const delivery& b) {
    return a.time != b.time ? a.time > b.time : a.message > b.message;
  }
};

// Every message is delivered once; one in four a second time: up to three hours later, most of them soon.
std::vector<delivery> deliveries() {
  std::mt19937_64 random(3600);
  std::vector<delivery> all;
  for (count i = 0; i < messages_per_hour * (length_of_stream / hour); ++i) {
    const delivery first{random() % length_of_stream, i};
    all.push_back(first);
    if (random() % 4 != 0) continue;
    const seconds within = random() % 4 == 0 ? 3 * hour : hour;
    all.push_back({first.time + 1 + random() % within, i});
  }
  std::sort(all.begin(), all.end(), [](const delivery& a, const delivery& b) { return b > a; });
  return all;
}

// What became of the deliveries of one sort.
struct tally {
  count all = 0;
  count dropped = 0;

  void add(bool was_dropped) {
    ++all;
    dropped += was_dropped;
  }
};

void print_row(const char* sort, const tally& of, const char* promised) {
  std::printf("%-34s %12llu %12llu %12llu   %s\n", sort, of.all, of.dropped, of.all - of.dropped, promised);
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
  using shape = seen::windowed_bloom_shape;
  seen::windowed_bloom lately(shape::plan({.capacity = 25'000, .fpr = fpr}, {.period = hour}).value());
  const seconds oldest = (lately.shape().slices + 1) * lately.shape().slice_length();

  std::unordered_map<std::uint64_t, seconds> last;  // the truth: when each message came last
  tally fresh, young, between, old;
  double expected = 0, rate_now = 0;
  count done = 0;
  for (const delivery& d : deliveries()) {
    lately.advance(d.time);
    if (done++ % 500 == 0) rate_now = lately.estimated_fpr();
    const bool is_dropped = lately.test_and_add(d.message);

    const auto [before, is_first] = last.try_emplace(d.message, d.time);
    const seconds age = d.time - before->second;
    before->second = d.time;
    if (is_first) {
      fresh.add(is_dropped);
    } else {
      (age <= hour ? young : age < oldest ? between : old).add(is_dropped);
    }
    if (is_first || age >= oldest) expected += rate_now;
  }

  const double filter_bytes = static_cast<double>(lately.shape().bytes());
  std::printf(
      "A queue makes %llu deliveries in 8 hours; messages that came within the last hour are to be dropped.\n\n", done);
  std::printf("%-34s %12s %12s %12s   %s\n", "delivery", "deliveries", "dropped", "passed", "promised");
  print_row("first", fresh, "at most 0.1 % dropped");
  print_row("again, within an hour", young, "all dropped");
  print_row("again, 60 to 69 minutes later", between, "either");
  print_row("again, later than that", old, "passed, but for 0.1 %");
  std::printf(
      "\nThe filter takes %.1f KiB, however long the stream is; an hour's identifiers with times, %.1f KiB at least.\n",
      filter_bytes / 1024, 16.0 * 25'000 / 1024);

  const count wrong = fresh.dropped + old.dropped, trials = fresh.all + old.all;
  const double rate = expected / static_cast<double>(trials);
  std::printf("Dropped by mistake: %llu, %.0f expected.\n", wrong, expected);
  check("every duplicate of the last hour is dropped", young.dropped == young.all);
  check("as many others are dropped as expected", is_plausible(wrong, trials, rate));
  check("the expected rate is at most the planned one", rate <= fpr);
  if (status == 0) std::puts("No duplicate of the last hour passed.");
  return status;
}
