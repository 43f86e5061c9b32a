// libfilter's block filter, from its header: lookups and adds are inline there, the memory is ours. It takes hashes: keys are
// hashed by one folded product, as Boost hashes them.
#include <seen/base/bits.hpp>

#include <cstdlib>
#include <cstring>
#include <new>

#include "peers.hpp"

extern "C" {
#include <filter/block.h>
}

namespace seen::bench {
namespace {

struct of_libfilter {
  explicit of_libfilter(std::size_t n) : f{} {
    f.num_buckets_ = units_for(n, 12.84, 256);
    f.block_.block = static_cast<std::uint32_t*>(std::aligned_alloc(32, bytes()));
    if (f.block_.block == nullptr) throw std::bad_alloc();
    std::memset(f.block_.block, 0, bytes());
  }
  of_libfilter(const of_libfilter&) = delete;
  ~of_libfilter() { std::free(f.block_.block); }

  static std::uint64_t hashed(std::uint64_t key) {
    constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15;
    return folded_product(key, odd);
  }
  void add(std::uint64_t key) { libfilter_block_add_hash(hashed(key), &f); }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const {
    return libfilter_block_find_hash(hashed(key), &f);
  }
  [[nodiscard]] std::size_t bytes() const { return 32 * f.num_buckets_; }

  libfilter_block f;
};

}  // namespace

std::string add_libfilter(std::vector<family>& families) {
  family_of(families, "block").contenders.push_back(contends<of_libfilter>(peers::libfilter));
  return "";
}

}  // namespace seen::bench
