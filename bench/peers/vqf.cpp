// The vector quotient filter by its authors (splatlab/vqf), tags of eight bits, at the load of 0.93 that they give. It takes
// hashes; keys are mixed by MurmurHash3's finaliser here, as its users do. It needs BMI2.
#include "peers.hpp"

#ifdef __BMI2__

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <stdexcept>

// It prints the size of every filter it makes.
#define printf(...) static_cast<void>(0)
#include <vqf_filter.c>
#undef printf
#undef restrict
#ifdef __AVX512BW__
#include <shuffle_matrix_512.c>
#endif

namespace seen::bench {
namespace {

struct of_vqf {
  explicit of_vqf(std::size_t n) : f(vqf_init(static_cast<std::uint64_t>(static_cast<double>(n) / 0.93))) {}
  of_vqf(const of_vqf&) = delete;
  ~of_vqf() { std::free(f); }

  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
    return x ^ (x >> 33);
  }
  void add(std::uint64_t key) {
    if (!vqf_insert(f, mixed(key))) throw std::runtime_error("VQF: full");
  }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return vqf_is_present(f, mixed(key)); }
  [[nodiscard]] std::size_t bytes() const { return f->metadata.total_size_in_bytes; }

  vqf_filter* f;
};

}  // namespace

std::string add_vqf(std::vector<family>& families) {
  family_of(families, "quotient").contenders.push_back(contends<of_vqf>(peers::vqf));
  return "";
}

}  // namespace seen::bench

#else

namespace seen::bench {

std::string add_vqf(std::vector<family>&) {
  return "VQF: this program is built without BMI2";
}

}  // namespace seen::bench

#endif
