// The cuckoo filter by its authors (efficient/cuckoofilter). Its tables have a power of two of buckets: up to 25 % more space
// than ours at some sizes.
#include <climits>
#include <cstring>
#include <cuckoofilter.h>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "peers.hpp"

namespace seen::bench {
namespace {

template <std::size_t bits>
struct of_cuckoofilter {
  explicit of_cuckoofilter(std::size_t n) : f(n) {}
  void add(std::uint64_t key) {
    if (f.Add(key) != cuckoofilter::Ok) throw std::runtime_error("cuckoofilter: full");
  }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const {
    return f.Contain(key) == cuckoofilter::Ok;
  }
  [[nodiscard]] std::size_t bytes() const { return f.SizeInBytes(); }
  cuckoofilter::CuckooFilter<std::uint64_t, bits> f;
};

}  // namespace

std::string add_cuckoofilter(std::vector<family>& families) {
  auto& cuckoos = family_of(families, "cuckoo").contenders;
  cuckoos.push_back(contends<of_cuckoofilter<16>>(peers::cuckoo_16));
  cuckoos.push_back(contends<of_cuckoofilter<12>>(peers::cuckoo_12));
  return "";
}

}  // namespace seen::bench
