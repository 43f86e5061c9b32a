// A filter for an unknown number of keys, and what its growth costs: docs/filters/scalable_bloom.md quotes both.
#include <seen/seen.hpp>

#include <cstdio>

namespace {

// Bits per key of a chain grown to 1023 times its first capacity, every link full.
template <class Filter>
void price(const char* name) {
  for (const double growth : {2.0, 4.0}) {
    for (const double tightening : {0.5, 0.8}) {
      typename Filter::shape_type chain{.first_capacity = 1000, .fpr = 0.01};
      chain.growth = growth;
      chain.tightening = tightening;
      Filter f(chain);
      for (std::uint64_t key = 0; f.estimated_count() < 1e6; ++key) {
        for (std::uint64_t some = key + 1000; key < some; ++key) f.add(key);
      }
      const auto bits = 8.0 * static_cast<double>(seen::memory_of(f.engine()));
      std::printf("%-24s growth %g, tightening %g: %2zu links, %.1f bits per key, rate %.4f\n", name, growth,
                  tightening, f.engine().links_in_chain(), bits / f.estimated_count(), f.estimated_fpr());
    }
  }
}

}  // namespace

int main() {
  seen::scalable_bloom visited({.capacity = 1000, .fpr = 0.01});  // room for 1000 at first, 1 % however many come
  for (int page = 0; page < 100'000; ++page) visited.add(page);   // may throw std::bad_alloc, as a vector's push_back
  std::printf("~%.0f keys in %zu links, at most %.4f wrong\n", visited.estimated_count(),
              visited.engine().links_in_chain(), visited.engine().bound());

  seen::scalable_bloom slow(seen::scalable_bloom_shape{.first_capacity = 1000, .fpr = 0.01, .tightening = 0.8});
  slow.add("alice");

  price<seen::scalable_bloom>("scalable-bloom");
  price<seen::scalable_classic_bloom>("scalable-classic-bloom");
  return visited.may_contain(7) && slow.may_contain("alice") ? 0 : 1;
}
