// Boost.Bloom, as published: its default hash for integers, one call per key (this version has no bulk calls).
#include <boost/bloom/fast_multiblock32.hpp>
#include <boost/bloom/fast_multiblock64.hpp>
#include <boost/bloom/filter.hpp>
#include <boost/container_hash/hash_is_avalanching.hpp>

#include "../contenders.hpp"
#include "peers.hpp"

namespace seen::bench {
namespace {

/// Keys that are digests already: Boost's word for it is an avalanching hash.
struct as_it_is {
  using is_avalanching = std::true_type;
  std::size_t operator()(std::uint64_t x) const { return x; }
};

/// `millibits` thousandths of a bit per key.
template <class Filter, int millibits>
struct of_boost {
  explicit of_boost(std::size_t n) : f(units_for(n, millibits / 1000.0, 1)) {}
  void add(std::uint64_t key) { f.insert(key); }
  [[nodiscard]] bool contains(std::uint64_t key) const { return f.may_contain(key); }
  [[nodiscard]] std::size_t bytes() const { return f.capacity() / 8; }
  Filter f;
};

template <class Subfilter, class Hash = boost::hash<std::uint64_t>>
using lines = boost::bloom::filter<std::uint64_t, 1, Subfilter, 0, Hash>;
using multiblock64 = boost::bloom::fast_multiblock64<8>;
using multiblock32 = boost::bloom::fast_multiblock32<8>;

}  // namespace

std::string add_boost(std::vector<family>& families) {
  auto& block = family_of(families, "block").contenders;
  block.push_back(contends<of_boost<lines<multiblock64>, 12180>>(peers::multiblock64));
  block.push_back(contends<of_boost<lines<multiblock32>, 12840>>(peers::multiblock32));
  block.push_back(contends<of_boost<lines<multiblock64, as_it_is>, 12180>>(peers::multiblock64_digests));
  block.push_back(contends<of_boost<lines<multiblock32, as_it_is>, 12840>>(peers::multiblock32_digests));
  family_of(families, "classic")
      .contenders.push_back(contends<of_boost<boost::bloom::filter<std::uint64_t, 7>, 9585>>(peers::classic));
  return "";
}

}  // namespace seen::bench
