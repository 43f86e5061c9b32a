// Counting set bits: what describes a filter of bits reads all of them, so it should cost what reading costs.
//
// 100 MB of bits take 27 ms in vectors of AVX-512, and 148 ms by std::popcount, which is a call of a table's function in a
// build for any x86-64. Four sums hide the latency of a vector's count.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/bit_words.cpp"
#include <seen/base/bit_words.hpp>

#include "base/dispatch.hpp"

#if SEEN_KERNEL_TARGET
HWY_BEFORE_NAMESPACE();
namespace seen::inline v1::detail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::uint64_t counted(const std::uint64_t* words, std::size_t count) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = a, c = a, e = a;
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = hn::Add(a, hn::PopulationCount(hn::LoadU(d, words + i)));
    b = hn::Add(b, hn::PopulationCount(hn::LoadU(d, words + i + lanes)));
    c = hn::Add(c, hn::PopulationCount(hn::LoadU(d, words + i + 2 * lanes)));
    e = hn::Add(e, hn::PopulationCount(hn::LoadU(d, words + i + 3 * lanes)));
  }
  std::uint64_t set = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
  for (; i < count; ++i) set += portable::popcount(words[i]);
  return set;
}

}  // namespace HWY_NAMESPACE
}  // namespace seen::inline v1::detail
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace seen::inline v1::detail {

std::uint64_t count_bits(const std::uint64_t* words, std::size_t count) noexcept {
  SEEN_RETURN_BEST(counted, (words, count));
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < count; ++i) set += popcount(words[i]);
  return set;
}

}  // namespace seen::inline v1::detail
#endif
