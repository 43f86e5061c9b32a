// fastfilter_cpp: binary fuse filters in C++ in the form that its authors recommend (little memory for the build), and a
// classic filter with counters of four bits. Seeds are drawn anew for every filter.
#include <climits>
#include <cmath>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "peers.hpp"

// clang-format off: after the headers that they need and do not include
#include <bloom/counting_bloom.h>
#include <xorfilter/3wise_xor_binary_fuse_filter_lowmem.h>
#include <xorfilter/4wise_xor_binary_fuse_filter_lowmem.h>
// clang-format on

namespace seen::bench {
namespace {

/// A filter that is built from all its keys.
template <class Filter>
struct of_fastfilter {
  explicit of_fastfilter(std::size_t n) : f(n) {}
  void add_batch(std::span<const std::uint64_t> keys) {
    if (f.AddAll(keys.data(), 0, keys.size()) != 0) throw std::runtime_error("fastfilter_cpp: not built");
  }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return f.Contain(key) == 0; }
  [[nodiscard]] std::size_t bytes() const { return f.SizeInBytes(); }
  Filter f;
};

template <class Fingerprint>
using fuse = of_fastfilter<xorbinaryfusefilter_lowmem::XorBinaryFuseFilter<std::uint64_t, Fingerprint>>;
template <class Fingerprint>
using fuse_4 = of_fastfilter<xorbinaryfusefilter_lowmem4wise::XorBinaryFuseFilter<std::uint64_t, Fingerprint>>;

/// Ten counters per key and seven probes, one key at a time: its batch numbers counters by 32 bits.
struct counters {
  explicit counters(std::size_t n) : f(n) {}
  void add(std::uint64_t key) { f.Add(key); }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return f.Contain(key) == 0; }
  [[nodiscard]] std::size_t bytes() const { return f.SizeInBytes(); }
  counting_bloomfilter::CountingBloomFilter<std::uint64_t, 10, true> f;
};

}  // namespace

std::string add_fastfilter(std::vector<family>& families) {
  auto& fuses = family_of(families, "static").contenders;
  fuses.push_back(contends<fuse<std::uint8_t>>(peers::fuse_cpp));
  fuses.push_back(contends<fuse_4<std::uint8_t>>(peers::fuse_4_cpp));
  family_of(families, "static 16").contenders.push_back(contends<fuse<std::uint16_t>>(peers::fuse_16_cpp));
  family_of(families, "counting").contenders.push_back(contends<counters>(peers::counting));
  return "";
}

}  // namespace seen::bench
