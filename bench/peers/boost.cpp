// Boost.Bloom: its default hash for integers, XXH3 for text. Its head adds and looks up ranges in bulk; the crate, which is
// older, has one call per key.
#include <seen/hash/xxh3.hpp>

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
/// The hash that ours has for text.
struct by_xxh3 {
  using is_avalanching = std::true_type;
  std::size_t operator()(std::string_view key) const { return XXH3_64bits_withSeed(key.data(), key.size(), 0); }
};

template <class Filter, class Key>
concept in_bulk = requires(const Filter& f, const Key* keys) {
  f.may_contain(keys, keys, [](const Key&, bool) {});
};

/// `millibits` thousandths of a bit per key.
template <class Filter, int millibits, std::size_t words = 0>
struct of_boost {
  static constexpr std::size_t key_words = words;
  using key_type = key_of_words<words>;

  explicit of_boost(std::size_t n) : f(units_for(n, millibits / 1000.0, 1)) {}
  void add(key_type key) { f.insert(key); }
  void add_batch(std::span<const key_type> keys) { f.insert(keys.begin(), keys.end()); }
  [[nodiscard, gnu::always_inline]] bool contains(key_type key) const { return f.may_contain(key); }
  std::size_t contains_batch(std::span<const key_type> keys, bool* out) const requires in_bulk<Filter, key_type> {
    std::size_t found = 0;
    f.may_contain(keys.begin(), keys.end(), [&](const key_type&, bool is_in) {
      *out++ = is_in;
      found += is_in;
    });
    return found;
  }
  [[nodiscard]] std::size_t bytes() const { return f.capacity() / 8; }
  Filter f;
};

template <class Subfilter, class Hash = boost::hash<std::uint64_t>, class Key = std::uint64_t>
using lines = boost::bloom::filter<Key, 1, Subfilter, 0, Hash>;
using multiblock64 = boost::bloom::fast_multiblock64<8>;
using multiblock32 = boost::bloom::fast_multiblock32<8>;

template <std::size_t words>
void add_text(family& text) {
  text.contenders.push_back(
      contends<of_boost<lines<multiblock64, by_xxh3, std::string_view>, 12180, words>>(peers::multiblock64));
  text.contenders.push_back(
      contends<of_boost<lines<multiblock32, by_xxh3, std::string_view>, 12840, words>>(peers::multiblock32));
}

}  // namespace

std::string add_boost(std::vector<family>& families) {
  auto& block = family_of(families, "block").contenders;
  block.push_back(contends<of_boost<lines<multiblock64>, 12180>>(peers::multiblock64));
  block.push_back(contends<of_boost<lines<multiblock32>, 12840>>(peers::multiblock32));
  block.push_back(contends<of_boost<lines<multiblock64, as_it_is>, 12180>>(peers::multiblock64_digests));
  block.push_back(contends<of_boost<lines<multiblock32, as_it_is>, 12840>>(peers::multiblock32_digests));
  family_of(families, "classic")
      .contenders.push_back(contends<of_boost<boost::bloom::filter<std::uint64_t, 7>, 9585>>(peers::classic));
  add_text<2>(family_of(families, "text 16"));
  add_text<8>(family_of(families, "text 64"));
  return "";
}

std::vector<shared_filter> boost_readers() {
  return {is_read<of_boost<lines<multiblock64>, 12180>>(peers::multiblock64),
          is_read<of_boost<lines<multiblock32>, 12840>>(peers::multiblock32)};
}

}  // namespace seen::bench
