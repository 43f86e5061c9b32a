// The bodies of kernels/range_adds.hpp: a comparison of several digests, and those that pass stored side by side.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/range_adds.cpp"
#include <seen/kernels/range_adds.hpp>

#include "base/dispatch.hpp"

#if SEEN_KERNEL_TARGET
HWY_BEFORE_NAMESPACE();
namespace seen::inline v1::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::size_t between(std::span<const digest> digests, std::uint64_t first, std::uint64_t last, digest* out) {
  const hn::ScalableTag<std::uint64_t> d;
  static_assert(sizeof(digest) == sizeof(std::uint64_t));
  const auto* const from = reinterpret_cast<const std::uint64_t*>(digests.data());
  auto* const to = reinterpret_cast<std::uint64_t*>(out);
  const auto low = hn::Set(d, first), width = hn::Set(d, last - first);
  std::size_t found = 0, i = 0;
  for (; i + hn::Lanes(d) <= digests.size(); i += hn::Lanes(d)) {
    const auto some = hn::LoadU(d, from + i);
    const auto is_in = hn::Not(hn::Gt(hn::Sub(some, low), width));
    // A whole vector is stored, for which there is room, since `found` is never beyond i. (CompressStore, which stores
    // no more than it must, takes fifty times as long on Zen 4.)
    hn::StoreU(hn::Compress(some, is_in), d, to + found);
    found += hn::CountTrue(d, is_in);
  }
  for (; i < digests.size(); ++i) {
    to[found] = from[i];
    found += from[i] - first <= last - first;
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace seen::inline v1::kernels
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace seen::inline v1::kernels {

std::size_t digests_between(std::span<const digest> digests, std::uint64_t first, std::uint64_t last,
                            digest* out) noexcept {
  SEEN_RETURN_BEST(between, (digests, first, last, out));
  std::size_t found = 0;
  for (const digest d : digests) {
    out[found] = d;
    found += d.value - first <= last - first;
  }
  return found;
}

}  // namespace seen::inline v1::kernels
#endif
