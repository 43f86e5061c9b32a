// The bodies of kernels/cuckoo_map.hpp: the arithmetic of kernels/cuckoo_map.hpp, a digest to a lane of 64 bits.
//
// All numbers but the digest are below 2^32, so nearly every product is one of the lower halves of lanes (MulEven), and
// a difference that may be negative is mended by the smaller of two unsigned halves.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cuckoo.cpp"
#include <seen/kernels/cuckoo_map.hpp>

#include "base/dispatch.hpp"

#if SEEN_KERNEL_TARGET
HWY_BEFORE_NAMESPACE();
namespace seen::inline v1::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using lanes64 = hn::CappedTag<std::uint64_t, 8>;
using lanes32 = hn::Repartition<std::uint32_t, lanes64>;
using words = hn::Vec<lanes64>;

HWY_INLINE words constant(std::uint64_t x) {
  return hn::Set(lanes64(), x);
}
HWY_INLINE words product(words a, words b) {  // of the lower halves
  return hn::MulEven(hn::BitCast(lanes32(), a), hn::BitCast(lanes32(), b));
}
/// a·b modulo 2^64, where `high` is b >> 32.
HWY_INLINE words low_product(words a, words b, words high) {
#if HWY_TARGET == HWY_AVX3
  (void)high;
  return hn::Mul(a, b);
#else
  const words middle = hn::Add(product(hn::ShiftRight<32>(a), b), product(a, high));
  return hn::Add(product(a, b), hn::ShiftLeft<32>(middle));
#endif
}
HWY_INLINE words or_one(words x) {  // 0 is taken for 1
  return hn::Sub(x, hn::VecFromMask(lanes64(), hn::Eq(x, hn::Zero(lanes64()))));
}

void locate(const cuckoo_map& map, std::uint32_t bits, const digest* digests, cuckoo_block& to) {
  const lanes64 d;
  const words multiplier = constant(cuckoo_map::fingerprint_multiplier);
  const words multiplier_high = constant(cuckoo_map::fingerprint_multiplier >> 32);
  const words mirror = constant(cuckoo_map::mirror_multiplier);
  const words chunks = constant(map.chunks), buckets = constant(map.buckets), one = constant(1);
  const int top = static_cast<int>(64 - bits), dropped = static_cast<int>(map.dropped);
  const int sum_shift = static_cast<int>(32 + map.sum_shift);
  for (std::size_t i = 0; i < cuckoo_block::size; i += hn::Lanes(d)) {
    const words x = hn::LoadU(d, &digests[i].value);
    const words chunk = hn::ShiftRight<32>(product(hn::ShiftRight<32>(x), chunks));
    const words first = hn::ShiftRight<32>(product(x, buckets));
    const words t = or_one(hn::ShiftRightSame(low_product(x, multiplier, multiplier_high), top));
    const words kept = or_one(hn::ShiftRightSame(t, dropped));
    const words hashed = hn::ShiftLeft<32>(product(product(kept, kept), mirror));
    const words second = hn::Sub(hn::Or(hn::ShiftRightSame(hashed, sum_shift), one), first);
    const words wrapped = hn::Add(second, buckets);  // either is below 2^32; the other is larger in both halves
    const words mended = hn::BitCast(d, hn::Min(hn::BitCast(lanes32(), second), hn::BitCast(lanes32(), wrapped)));
    const words base = product(chunk, buckets);
    hn::StoreU(chunk, d, &to.chunk[i]);
    hn::StoreU(hn::Add(base, first), d, &to.first[i]);
    hn::StoreU(hn::Add(base, mended), d, &to.second[i]);
    hn::StoreU(t, d, &to.fingerprint[i]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace seen::inline v1::kernels
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace seen::inline v1::kernels {

void cuckoo_locate(const cuckoo_map& map, std::uint32_t bits, const digest* digests, cuckoo_block& to) noexcept {
  SEEN_RETURN_BEST(locate, (map, bits, digests, to));
  for (std::size_t i = 0; i < cuckoo_block::size; ++i) {
    const std::uint64_t chunk = map.chunk_of(digests[i]), first = map.first_of(digests[i]);
    const std::uint64_t t = cuckoo_map::fingerprint(digests[i], bits);
    to.chunk[i] = chunk;
    to.first[i] = chunk * map.buckets + first;
    to.second[i] = chunk * map.buckets + map.other(first, t);
    to.fingerprint[i] = t;
  }
}

}  // namespace seen::inline v1::kernels
#endif
