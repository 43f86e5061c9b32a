// libbloom: MurmurHash2 and double hashing, sized for a rate; its capacity is an int of bits, so up to 2^31.
#include <bloom.h>
#include <stdexcept>

#include "peers.hpp"

namespace seen::bench {
namespace {

struct of_libbloom {
  explicit of_libbloom(std::size_t n) {
    if (bloom_init(&f, static_cast<int>(n), 0.01) != 0) throw std::runtime_error("libbloom: cannot be made");
  }
  of_libbloom(const of_libbloom&) = delete;
  ~of_libbloom() { bloom_free(&f); }

  void add(std::uint64_t key) { (void)bloom_add(&f, &key, sizeof key); }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const {
    return bloom_check(&f, &key, sizeof key) == 1;
  }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(f.bytes); }

  mutable struct bloom f {};
};

}  // namespace

std::string add_libbloom(std::vector<family>& families) {
  family_of(families, "classic").contenders.push_back(contends<of_libbloom>(peers::libbloom));
  return "";
}

}  // namespace seen::bench
