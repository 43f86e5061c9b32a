#include "quality/digests.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace seen::quality {
namespace {

// SplitMix64.
class random_words {
 public:
  explicit random_words(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() noexcept {
    std::uint64_t x = state_ += 0x9e37'79b9'7f4a'7c15;
    x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
    return x ^ x >> 31;
  }

 private:
  std::uint64_t state_;
};

constexpr std::size_t trials = 8192;

// The p-value of `hits` among `of` tosses of a coin.
double fair(std::uint64_t hits, std::uint64_t of) {
  const auto n = static_cast<double>(of);
  return std::erfc(std::abs(static_cast<double>(hits) - n / 2) / std::sqrt(n / 2));
}

// For every bit of what is flipped and every bit of the digest, whether it flips half the time.
template <class Flipped>
void tally(p_values& to, int in, int out, Flipped flipped) {
  for (int i = 0; i < in; ++i) {
    std::array<std::uint32_t, 64> counts{};
    for (std::size_t t = 0; t < trials; ++t) {
      for (std::uint64_t rest = flipped(i, t); rest != 0; rest &= rest - 1) {
        ++counts[static_cast<std::size_t>(std::countr_zero(rest))];
      }
    }
    for (int o = 0; o < out; ++o) to.push_back(fair(counts[static_cast<std::size_t>(o)], trials));
  }
}

std::vector<std::size_t> lengths_for(const hash_function& h) {
  return h.integers_only ? std::vector<std::size_t>{8} : std::vector<std::size_t>{4, 8, 11, 16, 24, 40};
}

std::uint64_t random_key(std::vector<std::byte>& key, std::uint64_t seed) {
  random_words random(seed);
  for (std::byte& each : key) each = static_cast<std::byte>(random());
  return random();
}

void flip(std::vector<std::byte>& key, int bit) {
  key[static_cast<std::size_t>(bit / 8)] ^= static_cast<std::byte>(1 << (bit % 8));
}

// P(at most, and at least, `found` events where `mean` are expected), the smaller twice.
double poisson_p(std::uint64_t found, double mean) {
  const auto n = static_cast<double>(found);
  const double at_most = igamc(n + 1, mean), at_least = found == 0 ? 1 : 1 - igamc(n, mean);
  return std::min(1.0, 2 * std::min(at_most, at_least));
}

}  // namespace

p_values avalanche(const hash_function& h) {
  p_values all;
  for (const std::size_t length : lengths_for(h)) {
    std::vector<std::byte> key(length);
    tally(all, static_cast<int>(8 * length), h.bits, [&](int bit, std::size_t trial) {
      random_key(key, trial * 64 + length);
      const std::uint64_t before = h.of(key, 0);
      flip(key, bit);
      return before ^ h.of(key, 0);
    });
  }
  return all;
}

p_values independence(const hash_function& h) {
  p_values all;
  std::vector<std::byte> key(8);
  for (int bit = 0; bit < 64; bit += 3) {
    std::array<std::array<std::uint32_t, 64>, 64> same{};  // trials in which both bits flip, or neither
    for (std::size_t t = 0; t < trials; ++t) {
      random_key(key, t * 64 + 1);
      const std::uint64_t before = h.of(key, 0);
      flip(key, bit);
      const std::uint64_t flipped = before ^ h.of(key, 0);
      for (int shift = 1; shift < h.bits; ++shift) {
        const std::uint64_t alike = ~(flipped ^ flipped >> shift);
        for (int low = 0; low + shift < h.bits; low += 5) {
          same[static_cast<std::size_t>(shift)][static_cast<std::size_t>(low)] += alike >> low & 1;
        }
      }
    }
    for (int shift = 1; shift < h.bits; ++shift) {
      for (int low = 0; low + shift < h.bits; low += 5) {
        all.push_back(fair(same[static_cast<std::size_t>(shift)][static_cast<std::size_t>(low)], trials));
      }
    }
  }
  return all;
}

p_values seeds(const hash_function& h) {
  p_values all;
  if (h.seed_bits == 0) return all;
  for (const std::size_t length : lengths_for(h)) {
    std::vector<std::byte> key(length);
    tally(all, h.seed_bits, h.bits, [&](int bit, std::size_t trial) {
      const std::uint64_t mask = h.seed_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << h.seed_bits) - 1;
      const std::uint64_t seed = random_key(key, trial * 64 + length) & mask;
      return h.of(key, seed) ^ h.of(key, seed ^ std::uint64_t{1} << bit);
    });
  }
  return all;
}

p_values collisions(const std::vector<std::uint64_t>& digests, int bits) {
  p_values all;
  const auto ask = [&](int shift, int width) {
    std::vector<std::uint64_t> part(digests);
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    for (std::uint64_t& each : part) each = each >> shift & mask;
    std::sort(part.begin(), part.end());
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < part.size(); ++i) different += i == 0 || part[i] != part[i - 1];
    const auto n = static_cast<double>(digests.size());
    all.push_back(poisson_p(digests.size() - different, std::ldexp(n * (n - 1) / 2, -width)));
  };
  ask(0, bits);
  if (bits == 64) {
    ask(32, 32);
    ask(0, 32);
  }
  return all;
}

p_values windows(const std::vector<std::uint64_t>& digests, int bits) {
  constexpr int width = 12;
  p_values all;
  if (digests.size() < 5u << width) return all;
  for (int turn = 0; turn < bits; ++turn) {
    std::vector<std::uint32_t> counts(std::size_t{1} << width);
    for (const std::uint64_t each : digests) {
      const std::uint64_t turned = turn == 0 ? each : each >> turn | each << (bits - turn);
      ++counts[static_cast<std::size_t>(turned) & (counts.size() - 1)];
    }
    const double mean = static_cast<double>(digests.size()) / static_cast<double>(counts.size());
    double sum = 0;
    for (const std::uint32_t count : counts) sum += (count - mean) * (count - mean) / mean;
    const double p = chi_square_p(sum, static_cast<double>(counts.size()) - 1);
    all.push_back(2 * std::min(p, 1 - p));  // too even is as suspect as too uneven
  }
  return all;
}

}  // namespace seen::quality
