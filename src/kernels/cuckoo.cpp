// The bodies of cuckoo_locate: the arithmetic of kernels/cuckoo_map.hpp, a digest to a lane of 64 bits.
//
// All numbers but the digest are below 2^32, so every product is one of the lower halves of lanes (MulEven), and a
// difference that may be negative is mended by the smaller of two unsigned halves. Tables of 2^32 buckets or more, 16 GiB
// at least, have the plain body.
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
HWY_INLINE words lesser(words a, words b) {  // half by half
  return hn::BitCast(lanes64(), hn::Min(hn::BitCast(lanes32(), a), hn::BitCast(lanes32(), b)));
}
HWY_INLINE words or_one(words x) {  // 0 is taken for 1
  return hn::Sub(x, hn::VecFromMask(lanes64(), hn::Eq(x, hn::Zero(lanes64()))));
}

/// The other buckets in chunks that begin at `start`.
HWY_INLINE words other(words bucket, words start, words size, words sum) {
  const words second = hn::Sub(sum, hn::Sub(bucket, start));
  return hn::Add(start, lesser(second, hn::Add(second, size)));  // one is below 2^32, the other larger in both halves
}

// Of the product x·N, N below 2^32, only the bits from 2^32 up are needed: the bucket, and the first 32 of the fraction.
// What a table of one chunk, or one that does not nest, has no need of is left out.
template <bool OneChunk, bool Nested>
HWY_INLINE void locate_in(const cuckoo_map& map, std::uint32_t bits, const digest* digests, cuckoo_block& to) {
  const lanes64 d;
  const words buckets = constant(map.buckets), last = constant(map.last), one = constant(1);
  const words aligned = constant(0 - map.sizes[0]), size = constant(map.sizes[0]), last_size = constant(map.sizes[1]);
  const words multiplier = constant(cuckoo_map::mirror_multiplier);
  const words copies = constant(map.copies - 1);
  const int top = static_cast<int>(64 - bits), dropped = static_cast<int>(map.dropped);
  const int sum_shift = static_cast<int>(32 + map.sum_shift);
  for (std::size_t i = 0; i < cuckoo_block::size; i += hn::Lanes(d)) {
    const words digest_words = hn::LoadU(d, &digests[i].value);
    const words x = hn::Add(digest_words, hn::ShiftLeft<32>(digest_words));
    const words fixed = hn::Add(product(hn::ShiftRight<32>(x), buckets), hn::ShiftRight<32>(product(x, buckets)));
    const words bucket = hn::ShiftRight<32>(fixed);
    const words t = or_one(hn::ShiftRightSame(hn::ShiftLeft<32>(fixed), top));
    const words kept = Nested ? or_one(hn::ShiftRightSame(t, dropped)) : t;
    const auto hashed = hn::BitCast(lanes32(), product(kept, multiplier));
    const auto mixed = hn::Xor(hashed, hn::RotateRight<cuckoo_map::mirror_rotation>(hashed));
    const words sum = hn::Or(hn::ShiftRightSame(hn::ShiftLeft<32>(hn::BitCast(d, mixed)), sum_shift), one);
    words first = bucket, second;
    if constexpr (OneChunk) {
      second = other(bucket, hn::Zero(d), last_size, sum);
    } else {
      const words start = lesser(hn::And(bucket, aligned), last);
      second = other(bucket, start, hn::IfThenElse(hn::Eq(start, last), last_size, size), sum);
    }
    if constexpr (Nested) {
      const words copy = product(hn::And(hn::Xor(x, hn::ShiftRight<cuckoo_map::copy_shift>(x)), copies), buckets);
      first = hn::Add(first, copy);
      second = hn::Add(second, copy);
    }
    hn::StoreU(first, d, &to.first[i]);
    hn::StoreU(second, d, &to.second[i]);
    hn::StoreU(t, d, &to.fingerprint[i]);
  }
}

void locate(const cuckoo_map& map, std::uint32_t bits, const digest* digests, cuckoo_block& to) {
  if (map.copies != 1 || map.dropped != 0) {
    locate_in<false, true>(map, bits, digests, to);
  } else if (map.last == 0) {
    locate_in<true, false>(map, bits, digests, to);
  } else {
    locate_in<false, false>(map, bits, digests, to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace seen::inline v1::kernels
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace seen::inline v1::kernels {

void cuckoo_locate(const cuckoo_map& map, std::uint32_t bits, const digest* digests, cuckoo_block& to) noexcept {
  if (map.buckets >> 32 == 0) {
    SEEN_RETURN_BEST(locate, (map, bits, digests, to));
  }
  for (std::size_t i = 0; i < cuckoo_block::size; ++i) {
    const auto [bucket, fraction] = map.spot_of(digests[i]);
    const std::uint64_t copy = map.copy_of(digests[i]), t = cuckoo_map::fingerprint(fraction, bits);
    to.first[i] = copy + bucket;
    to.second[i] = copy + map.other(bucket, map.nested_sum_of(t));
    to.fingerprint[i] = t;
  }
}

}  // namespace seen::inline v1::kernels
#endif
