// Admission to a cache: an object is written to the disk when it is asked for a second time, not the first.
//
// The situation. A server of a content delivery network keeps objects on a disk, and makes room by dropping the object that
// was used longest ago (LRU). Most objects are asked for once and never again [Maggs, Sitaraman 2015]. Each of these is
// written all the same: it wears out the disk, and drops an object that somebody would have asked for.
//
// With a filter of the last requests in front, an object is kept only if it was asked for lately; otherwise it is just
// passed on. A "no" is certain, so no object that was asked for within the window is refused. A wrong "maybe" costs one
// write that would have happened without the filter anyway. The filter has to forget, or it would admit everything in the
// end: hence windowed_bloom. The middle row of the table has an exact memory of the same requests, for comparison.
//
// Exits with 1 if an object of the window was refused, if the number of wrong admissions is not the expected one, or if the
// filter does not pay.
#include <seen/filters/windowed_bloom.hpp>
#include <seen/math/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <list>
#include <random>
#include <unordered_map>
#include <vector>

namespace {

using count = unsigned long long;
using object = std::uint32_t;

constexpr object objects = 400'000;  // that can be asked for
constexpr count requests = 300'000;
constexpr std::size_t room = 5'000;  // objects on the disk
constexpr count window = 100'000;    // requests that admission looks back
constexpr double fpr = 0.01;

// Object i is asked for with a probability proportional to 1 / (i + 1)^0.8.
std::vector<object> zipf_stream() {
  std::vector<double> sums;
  double sum = 0;
  for (object i = 0; i < objects; ++i) sums.push_back(sum += std::pow(i + 1, -0.8));
  std::mt19937_64 random(20);
  std::vector<object> stream;
  for (count i = 0; i < requests; ++i) {
    const double drawn = static_cast<double>(random() >> 11) * 0x1p-53 * sum;
    stream.push_back(static_cast<object>(std::upper_bound(sums.begin(), sums.end(), drawn) - sums.begin()));
  }
  return stream;
}

// A cache that throws out what was used longest ago.
class lru_cache {
 public:
  // Whether the object is there; if so, it counts as used now.
  bool use(object o) {
    const auto found = where_.find(o);
    if (found == where_.end()) return false;
    order_.splice(order_.begin(), order_, found->second);
    return true;
  }
  void put(object o) {
    if (where_.size() == room) {
      where_.erase(order_.back());
      order_.pop_back();
    }
    order_.push_front(o);
    where_[o] = order_.begin();
  }

 private:
  std::list<object> order_;  // the last used first
  std::unordered_map<object, std::list<object>::iterator> where_;
};

struct outcome {
  count hits = 0;
  count writes = 0;
};

// Runs the stream through a cache; `admits` is asked about every request, in order.
template <class Admits>
outcome serve(const std::vector<object>& stream, Admits admits) {
  lru_cache cache;
  outcome all;
  for (const object o : stream) {
    const bool is_admitted = admits(o);
    if (cache.use(o)) {
      ++all.hits;
    } else if (is_admitted) {
      cache.put(o);
      ++all.writes;
    }
  }
  return all;
}

// How many requests ago each object was asked for, exactly.
class exact_memory {
 public:
  static constexpr count never = ~count{0};

  count age_and_add(object o) {
    const count age = last_[o] == 0 ? never : now_ - last_[o];
    last_[o] = now_++;
    return age;
  }
  // What a table of the objects of one window takes at least: eight bytes for the object, eight for when it was asked for.
  [[nodiscard]] double bytes() const {
    const auto is_young = [&](count last) { return last != 0 && now_ - last <= window; };
    return 16.0 * static_cast<double>(std::count_if(last_.begin(), last_.end(), is_young));
  }

 private:
  std::vector<count> last_ = std::vector<count>(objects);
  count now_ = 1;
};

// The filter's answers beside the exact ones.
struct comparison {
  count refused = 0;    // asked for within the window, and not admitted: the promise is 0
  count strangers = 0;  // not asked for within the window, nor shortly before it
  count let_in = 0;     // of those, admitted by mistake
  double expected = 0;  // how many of those there should be: the sum of the filter's rates
};

// Serves with the filter, which is asked about every request and then told of it.
outcome serve_filtered(const std::vector<object>& stream, seen::windowed_bloom& lately, comparison& beside) {
  const count oldest = (lately.shape().slices + 1) * lately.shape().slice_length();
  exact_memory truth;
  double rate_now = 0;
  count served = 0;
  return serve(stream, [&](object o) {
    if (served++ % 2000 == 0) rate_now = lately.estimated_fpr();
    const bool was_asked = lately.test_and_add(o);
    const count age = truth.age_and_add(o);
    beside.refused += age <= window && !was_asked;
    if (age > oldest) {
      ++beside.strangers;
      beside.let_in += was_asked;
      beside.expected += rate_now;
    }
    return was_asked;
  });
}

void print_row(const char* name, const outcome& of, double bytes, const outcome& before) {
  std::printf("%-38s %10.1f %12llu %10.1f %10.1f\n", name, 100 * static_cast<double>(of.hits) / requests, of.writes,
              100 * static_cast<double>(of.writes) / static_cast<double>(before.writes), bytes / 1024);
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
  const std::vector<object> stream = zipf_stream();
  std::vector<object> asked(objects);
  for (const object o : stream) ++asked[o];
  const auto different = static_cast<count>(objects) - static_cast<count>(std::count(asked.begin(), asked.end(), 0U));
  const auto once = static_cast<count>(std::count(asked.begin(), asked.end(), 1U));

  const outcome everything = serve(stream, [](object) { return true; });

  exact_memory memory;
  const outcome exact = serve(stream, [&](object o) { return memory.age_and_add(o) <= window; });

  seen::windowed_bloom lately({.capacity = window, .fpr = fpr});  // the last 100,000 requests
  comparison beside;
  const outcome filtered = serve_filtered(stream, lately, beside);

  std::printf(
      "A cache serves %llu requests for %llu objects. %.0f %% of these are asked for once; its disk holds %zu.\n\n",
      requests, different, 100 * static_cast<double>(once) / static_cast<double>(different), room);
  std::printf("%-38s %10s %12s %10s %10s\n", "kept on the disk", "hits %", "disk writes", "writes %", "KiB");
  print_row("everything", everything, 0, everything);
  print_row("what was asked before, exact", exact, memory.bytes(), everything);
  print_row("what was asked before, windowed_bloom", filtered, static_cast<double>(lately.shape().bytes()), everything);
  std::printf(
      "\nRefused though asked for within %llu requests: %llu. Admitted by mistake: %llu of %llu, %.0f expected.\n",
      window, beside.refused, beside.let_in, beside.strangers, beside.expected);

  const double rate = beside.expected / static_cast<double>(beside.strangers);
  check("nothing that was asked for within the window is refused", beside.refused == 0);
  check("as many are admitted by mistake as expected", is_plausible(beside.let_in, beside.strangers, rate));
  check("the expected rate is at most the planned one", rate <= fpr);
  check("there are more hits and less than half of the writes",
        filtered.hits > everything.hits && 2 * filtered.writes < everything.writes);
  if (status == 0) std::puts("More hits, and less than half of the writes.");
  return status;
}
