// The passes of building/digest_sort.hpp.
#include "building/digest_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace seen::inline v1::building {
namespace {

constexpr std::size_t few = 64;                       // beyond, counting pays
constexpr std::size_t cached = std::size_t{1} << 19;  // digests that stay in a shared cache, with their scratch
constexpr unsigned widest_digit = 11;                 // 2048 streams of writes: what the first-level cache bears
constexpr unsigned dealt_bits = 8;                    // of a hand
constexpr std::size_t short_run = 24;                 // insertion is fastest

unsigned digit_of(std::uint64_t digest, unsigned shift, unsigned bits) noexcept {
  return static_cast<unsigned>(digest >> shift) & ((1u << bits) - 1);
}

// Moves every digest to where its digit belongs, keeping the order of equals; begins[d] is then where digit d ends.
template <std::size_t Size>
void deal(std::span<const std::uint64_t> from, std::uint64_t* to, unsigned shift, unsigned bits,
          std::array<std::size_t, Size>& begins) noexcept {
  begins.fill(0);
  for (const std::uint64_t d : from) ++begins[digit_of(d, shift, bits)];
  std::size_t at = 0;
  for (std::size_t& each : begins) at += std::exchange(each, at);
  for (const std::uint64_t d : from) to[begins[digit_of(d, shift, bits)]++] = d;
}

// Sorts digests that agree in all bits from `shift` up.
void finish_runs(std::span<std::uint64_t> digests, unsigned shift) noexcept {
  for (std::size_t begin = 0; begin < digests.size();) {
    std::size_t end = begin + 1;
    const std::uint64_t prefix = digests[begin] >> shift;
    while (end < digests.size() && digests[end] >> shift == prefix) ++end;
    if (end - begin > short_run) {
      std::sort(digests.begin() + static_cast<std::ptrdiff_t>(begin),
                digests.begin() + static_cast<std::ptrdiff_t>(end));
    } else {
      for (std::size_t i = begin + 1; i < end; ++i) {
        const std::uint64_t d = digests[i];
        std::size_t j = i;
        for (; j > begin && digests[j - 1] > d; --j) digests[j] = digests[j - 1];
        digests[j] = d;
      }
    }
    begin = end;
  }
}

}  // namespace

void sort_digests(std::span<std::uint64_t> digests, std::span<std::uint64_t> scratch, unsigned known) noexcept {
  const std::size_t n = digests.size();
  // With two bits more than it takes to count to n, few digests share their high bits.
  const unsigned bits = static_cast<unsigned>(std::bit_width(n)) + 2;
  if (n <= few || known + bits > 60) {
    std::sort(digests.begin(), digests.end());
    return;
  }
  if (n > cached) {
    std::array<std::size_t, std::size_t{1} << dealt_bits> ends;
    deal(digests, scratch.data(), 64 - known - dealt_bits, dealt_bits, ends);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      const auto hand = digests.subspan(begin, end - begin);
      if (!hand.empty()) std::memcpy(hand.data(), scratch.data() + begin, hand.size_bytes());
      sort_digests(hand, scratch.subspan(begin, end - begin), known + dealt_bits);
      begin = end;
    }
    return;
  }
  const unsigned high = std::min(bits - bits / 2, widest_digit), low = std::min(bits / 2, widest_digit);
  const unsigned high_shift = 64 - known - high, low_shift = high_shift - low;
  std::array<std::size_t, std::size_t{1} << widest_digit> ends;
  deal(digests, scratch.data(), low_shift, low, ends);
  deal(std::span<const std::uint64_t>(scratch.first(n)), digests.data(), high_shift, high, ends);
  finish_runs(digests, low_shift);
}

std::size_t drop_equal(std::span<std::uint64_t> sorted) noexcept {
  return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

}  // namespace seen::inline v1::building
