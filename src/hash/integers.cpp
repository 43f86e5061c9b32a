// Integer keys hashed many at a time. The hash is written once, in its header, as a few operations on 64-bit words; here
// the loop over it is compiled for several instruction sets, and the compiler makes vectors of it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hash/integers.cpp"
#include <seen/hash/xxh3.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/hash/xxh64.hpp>

#include <cassert>
#include <cstddef>

#include "base/dispatch.hpp"

#if SEEN_KERNEL_TARGET
HWY_BEFORE_NAMESPACE();
namespace seen::inline v1::HWY_NAMESPACE {

template <class Hash>
void hash_all(const Hash hash, std::span<const std::uint64_t> keys, digest* digests) {
  const std::size_t n = keys.size();
  // On Zen 5 a folded product of halves is 0.16 ns per key with AVX-512 and 1.9 with AVX2; whole products are 0.53 with
  // either.
  if constexpr (HWY_TARGET <= HWY_AVX3 && requires { hash.in_halves(integer_key{}); }) {
    for (std::size_t i = 0; i < n; ++i) digests[i] = hash.in_halves(integer_key{keys[i]});
  } else {
    for (std::size_t i = 0; i < n; ++i) digests[i] = hash(integer_key{keys[i]});
  }
}

}  // namespace seen::inline v1::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace seen::inline v1 {
namespace {

template <class Hash>
void hash_all(const Hash hash, std::span<const std::uint64_t> keys, std::span<digest> digests) noexcept {
  assert(digests.size() >= keys.size());
  SEEN_RETURN_BEST(hash_all, (hash, keys, digests.data()));
  for (std::size_t i = 0; i < keys.size(); ++i) digests[i] = hash(integer_key{keys[i]});
}

}  // namespace

void xxh3_64::hash_many(std::span<const std::uint64_t> keys, std::span<digest> digests) const noexcept {
  hash_all(*this, keys, digests);
}

void xxh3_fold::hash_many(std::span<const std::uint64_t> keys, std::span<digest> digests) const noexcept {
  hash_all(*this, keys, digests);
}

void xxh64::hash_many(std::span<const std::uint64_t> keys, std::span<digest> digests) const noexcept {
  hash_all(*this, keys, digests);
}

}  // namespace seen::inline v1
#endif
