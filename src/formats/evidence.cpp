#include "formats/evidence.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string_view>

namespace seen::inline v1::foreign {
namespace {

// Of a large file this many pieces are looked at, the first and the last among them.
constexpr std::uint64_t piece_bytes = 4096, pieces = 16;
// The rest of a file tells how full it is if it has so many bytes.
constexpr std::uint64_t enough_bytes = 64;
// Zeros that are counted beside those of the rest: of few bytes nothing can be concluded.
constexpr double prior = 4;

unsigned bits_in(std::byte b) {
  return static_cast<unsigned>(std::popcount(std::to_integer<std::uint8_t>(b)));
}

double bits_of_share(double share) {
  return share > 0 ? std::min(8.0, -std::log2(share)) : 8;
}

// Of a byte with b bits set where a share f of all bits is.
double bits_of_byte(unsigned b, double f) {
  return std::min(8.0, -(b * std::log2(f) + (8 - b) * std::log2(1 - f)));
}

}  // namespace

void evidence::take(std::uint64_t offset, std::uint64_t count, std::vector<std::byte>& to) {
  const auto bytes = byte_reader(*from_, offset).bytes(count);
  to.insert(to.end(), bytes.begin(), bytes.end());
  weighed_.push_back({offset, offset + bytes.size()});
}

evidence& evidence::fixed(std::uint64_t offset, std::uint64_t count) {
  take(offset, count, fixed_);
  return *this;
}

evidence& evidence::random(std::uint64_t offset, std::uint64_t count) {
  take(offset, count, random_);
  return *this;
}

template <class Real>
evidence& evidence::rate_of(std::uint64_t offset, Real value) {
  constexpr double least = 1e-15;
  if (!(value >= least && value < 1)) {
    doubtful_ = true;
    return *this;
  }
  std::array<char, 32> text;
  const char* const end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
  const std::string_view shortest(text.data(), static_cast<std::size_t>(end - text.data()));
  const auto digits = shortest.find('e') - (shortest.find('.') != shortest.npos ? 1 : 0);
  if (digits <= 2) {
    // One of 1350: two digits, fifteen powers of ten.
    fixed(offset, sizeof(Real));
    odds_ -= 10.4;
  } else {
    // Either order of bytes: the exponent is what is common to all rates, and one of a few.
    const auto bytes = byte_reader(*from_, offset).bytes(sizeof(Real));
    const bool is_first = !bytes.empty() && bits_in(bytes.front()) > bits_in(bytes.back());
    fixed(offset + (is_first ? 0 : sizeof(Real) - 1), 1);
    odds_ -= 2;
  }
  return *this;
}

evidence& evidence::rate(std::uint64_t offset, double value) {
  return rate_of(offset, value);
}
evidence& evidence::rate(std::uint64_t offset, float value) {
  return rate_of(offset, value);
}

bool evidence::is_weighed(std::uint64_t offset) const {
  return std::any_of(weighed_.begin(), weighed_.end(),
                     [&](const range& each) { return offset >= each.begin && offset < each.end; });
}

// What of the file speaks neither for nor against: of the bytes that are looked at all but those that are weighed.
evidence::shares evidence::rest() const {
  shares found;
  const auto count = [&](std::uint64_t offset, std::uint64_t length) {
    for (const std::byte b : byte_reader(*from_, offset).bytes(length)) {
      if (is_weighed(offset++)) continue;
      ++found.bytes;
      found.zeros += b == std::byte{0};
      found.ones += b == std::byte{0xff};
      found.set_bits += bits_in(b);
    }
  };
  if (from_->size <= piece_bytes * pieces) {
    count(0, from_->size);
  } else {
    const std::uint64_t last = from_->size - piece_bytes;
    for (std::uint64_t i = 0; i < pieces; ++i) count(i + 1 == pieces ? last : last / (pieces - 1) * i, piece_bytes);
  }
  return found;
}

double evidence::bits() const {
  const shares r = rest();
  const auto n = static_cast<double>(r.bytes);
  const double zeros = (static_cast<double>(r.zeros) + prior) / (n + prior);
  const double fill = (static_cast<double>(r.set_bits) + 1) / (8 * n + 2);
  double all = odds_;
  for (const std::byte b : fixed_) {
    const unsigned set = bits_in(b);
    if (set == 0) {
      all += std::min(bits_of_share(zeros), bits_of_byte(0, fill));
    } else if (r.bytes >= enough_bytes) {
      all += bits_of_byte(set, fill);
    } else {
      all += set == 8 ? (r.ones == 0 ? 8 : 0) : bits_of_byte(set, set / 8.0);
    }
  }
  const auto drawn =
      static_cast<double>(std::count_if(random_.begin(), random_.end(), [](std::byte b) { return b != std::byte{0}; }));
  // At random one in 256 is 0. With more than a few of them these are not such bytes.
  if (drawn + 4 >= static_cast<double>(random_.size())) all += drawn * bits_of_share(1 - std::min(zeros, 0.99));
  return all;
}

bool is_sized(std::uint64_t bits, std::uint64_t probes) {
  return probes <= 64 && static_cast<double>(probes) <= std::ceil(std::log(2.0) * static_cast<double>(bits));
}

detection evidence::weigh(detection best) const {
  if (doubtful_) return detection::fitting;
  const double all = bits();
  return std::min(best, all >= certain_bits  ? detection::certain
                        : all >= likely_bits ? detection::likely
                                             : detection::fitting);
}

}  // namespace seen::inline v1::foreign
