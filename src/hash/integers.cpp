// Integer keys hashed many at a time. The hash is written once, in its header, as a few operations on 64-bit words; here
// the loop over it is compiled for several instruction sets, and the compiler makes vectors of it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hash/integers.cpp"
#include <seen/hash/xxh3.hpp>
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
  for (std::size_t i = 0; i < n; ++i) digests[i] = hash(integer_key{keys[i]});
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

void xxh64::hash_many(std::span<const std::uint64_t> keys, std::span<digest> digests) const noexcept {
  hash_all(*this, keys, digests);
}

}  // namespace seen::inline v1
#endif
