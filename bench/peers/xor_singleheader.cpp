// Binary fuse and xor filters by their authors, in C (xor_singleheader), which pyfusefilter ships.
#include <stdexcept>

#include "peers.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <binaryfusefilter.h>
#include <xorfilter.h>
#pragma GCC diagnostic pop

namespace seen::bench {
namespace {

// Their builders take keys that are not const, and change them only if some are equal; ours are all different.
std::uint64_t* unchanged(std::span<const std::uint64_t> keys) {
  return const_cast<std::uint64_t*>(keys.data());
}

/// The functions of one width of fingerprint.
struct fuse_8 {
  using filter = binary_fuse8_t;
  static constexpr auto allocate = binary_fuse8_allocate;
  static constexpr auto populate = binary_fuse8_populate;
  static constexpr auto contain = binary_fuse8_contain;
  static constexpr auto size_in_bytes = binary_fuse8_size_in_bytes;
  static constexpr auto free = binary_fuse8_free;
};
struct fuse_16 {
  using filter = binary_fuse16_t;
  static constexpr auto allocate = binary_fuse16_allocate;
  static constexpr auto populate = binary_fuse16_populate;
  static constexpr auto contain = binary_fuse16_contain;
  static constexpr auto size_in_bytes = binary_fuse16_size_in_bytes;
  static constexpr auto free = binary_fuse16_free;
};

template <class Functions>
struct fuse_in_c {
  explicit fuse_in_c(std::size_t n) {
    if (!Functions::allocate(static_cast<std::uint32_t>(n), &f)) throw std::runtime_error("binary fuse: no memory");
  }
  fuse_in_c(const fuse_in_c&) = delete;
  ~fuse_in_c() { Functions::free(&f); }

  void add_batch(std::span<const std::uint64_t> keys) {
    if (!Functions::populate(unchanged(keys), static_cast<std::uint32_t>(keys.size()), &f)) {
      throw std::runtime_error("binary fuse: not built");
    }
  }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return Functions::contain(key, &f); }
  [[nodiscard]] std::size_t bytes() const { return Functions::size_in_bytes(&f); }

  typename Functions::filter f{};
};

struct xor_in_c {
  explicit xor_in_c(std::size_t n) {
    if (!xor8_allocate(static_cast<std::uint32_t>(n), &f)) throw std::runtime_error("xor: no memory");
  }
  xor_in_c(const xor_in_c&) = delete;
  ~xor_in_c() { xor8_free(&f); }

  void add_batch(std::span<const std::uint64_t> keys) {
    if (!xor8_buffered_populate(unchanged(keys), static_cast<std::uint32_t>(keys.size()), &f)) {
      throw std::runtime_error("xor: not built");
    }
  }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return xor8_contain(key, &f); }
  [[nodiscard]] std::size_t bytes() const { return xor8_size_in_bytes(&f); }

  xor8_t f{};
};

}  // namespace

std::string add_xor_singleheader(std::vector<family>& families) {
  auto& all = family_of(families, "static").contenders;
  all.push_back(contends<fuse_in_c<fuse_8>>(peers::fuse));
  all.push_back(contends<xor_in_c>(peers::xor8));
  family_of(families, "static 16").contenders.push_back(contends<fuse_in_c<fuse_16>>(peers::fuse_16));
  return "";
}

}  // namespace seen::bench
