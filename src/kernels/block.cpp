// The bodies of kernels/block.hpp.
//
//   vectors of 64-bit lanes    lanes_4, lanes_8, lanes_16: the words of a block are shifted right by the places of
//                              their bits, and the lowest bits are tested together
//   vectors of 32-bit lanes    split: a mask of eight bits is made, and the block must cover it
//
// One of the four places that know the patterns; kernels/block.hpp lists them. Salts lie in the lower halves of 64-bit
// lanes whose upper halves are 0, so that a multiplication of 32-bit lanes leaves each product alone in its 64-bit
// lane, ready to be a shift count.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/block.cpp"
#include <seen/base/bits.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/hash/xxh64.hpp>
#include <seen/kernels/block.hpp>
#include <seen/storage/access.hpp>

#include <algorithm>

#include "base/dispatch.hpp"

#ifndef SEEN_BLOCK_BATCHES
#define SEEN_BLOCK_BATCHES
namespace seen::inline v1::kernels {
namespace {

/// Asks for what comes a page later: the processor's own prefetching ends with the page. (As a number: the address may be
/// one of nothing.)
[[gnu::always_inline]] inline void fetch_page_after(const void* at) noexcept {
  prefetch_near(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + 4096));
}

// What batches are made of: digests, or keys and their hash. (By value: nothing that is written can change it.)
struct given_digests {
  const digest* all;
  [[gnu::always_inline]] digest operator()(std::size_t i) const noexcept { return all[i]; }
  [[gnu::always_inline]] void fetch_after(std::size_t i) const noexcept { fetch_page_after(all + i); }
};
template <class Hash>
struct hashed_keys {
  Hash hash;
  const std::uint64_t* all;
  [[gnu::always_inline]] digest operator()(std::size_t i) const noexcept { return hash(integer_key{all[i]}); }
  [[gnu::always_inline]] void fetch_after(std::size_t i) const noexcept { fetch_page_after(all + i); }
};

}  // namespace
}  // namespace seen::inline v1::kernels
#endif

#if SEEN_KERNEL_TARGET
HWY_BEFORE_NAMESPACE();
namespace seen::inline v1::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using lanes64 = hn::CappedTag<std::uint64_t, 8>;
using lanes32 = hn::CappedTag<std::uint32_t, 8>;
using words64 = hn::Vec<lanes64>;
using words32 = hn::Vec<lanes32>;
constexpr std::size_t lanes_of_64 = std::min<std::size_t>(8, HWY_MAX_BYTES / 8);
constexpr std::size_t lanes_of_32 = std::min<std::size_t>(8, HWY_MAX_BYTES / 4);

/// Salts of a block of eight words, one in the lower half of each lane, `Words` words to a salt.
template <std::size_t Words>
class spread_salts {
 public:
  HWY_INLINE spread_salts() {
    HWY_ALIGN std::uint64_t lanes[8];
    for (std::size_t i = 0; i < 8; ++i) lanes[i] = block_salts[i / Words];
    for (std::size_t i = 0; i < 8; i += lanes_of_64) {
      salts_[i / lanes_of_64] = hn::BitCast(lanes_as_32(), hn::Load(lanes64(), lanes + i));
    }
  }
  /// x times the salts of the words from `first` on, each product in a lane of its own.
  HWY_INLINE words64 products(std::uint32_t x, std::size_t first) const {
    return hn::BitCast(lanes64(), hn::Mul(hn::Set(lanes_as_32(), x), salts_[first / lanes_of_64]));
  }

 private:
  using lanes_as_32 = hn::Repartition<std::uint32_t, lanes64>;
  hn::Vec<lanes_as_32> salts_[8 / lanes_of_64];
};

// The top six bits of a product and the next six; the top seven; the top five.
HWY_INLINE words64 places(words64 product) {
  return hn::ShiftRight<26>(product);
}
HWY_INLINE words64 second_places(words64 product) {
  return hn::And(hn::ShiftRight<20>(product), hn::Set(lanes64(), 63));
}
HWY_INLINE words64 pair_places(words64 product) {
  return hn::ShiftRight<25>(product);
}
HWY_INLINE words32 half_places(words32 product) {
  return hn::ShiftRight<27>(product);
}

struct by_high_product {  // any number of blocks
  static constexpr std::size_t words = 8;
  static HWY_INLINE std::size_t block_of(digest d, std::uint64_t blocks) {
    return static_cast<std::size_t>(block_by_product(d, blocks));
  }
};

/// One bit in each of the eight words, or, with `Twice`, two.
template <bool Twice>
class one_word_lanes : public by_high_product {
 public:
  HWY_INLINE one_word_lanes() {}  // one that the compiler made would not be compiled for the target
  HWY_INLINE bool covers(const std::uint64_t* block, std::uint32_t x) const {
    const lanes64 d;
    auto all = hn::Set(d, ~std::uint64_t{0});
    for (std::size_t i = 0; i < words; i += lanes_of_64) {
      const auto product = salts_.products(x, i);
      const auto line = hn::LoadU(d, block + i);
      all = hn::And(all, hn::Shr(line, places(product)));
      if constexpr (Twice) all = hn::And(all, hn::Shr(line, second_places(product)));
    }
    return hn::AllTrue(d, hn::TestBit(all, hn::Set(d, 1)));
  }
  HWY_INLINE void set(std::uint64_t* block, std::uint32_t x) const {
    const lanes64 d;
    const auto one = hn::Set(d, 1);
    for (std::size_t i = 0; i < words; i += lanes_of_64) {
      const auto product = salts_.products(x, i);
      auto mask = hn::Shl(one, places(product));
      if constexpr (Twice) mask = hn::Or(mask, hn::Shl(one, second_places(product)));
      hn::StoreU(hn::Or(hn::LoadU(d, block + i), mask), d, block + i);
    }
  }

 private:
  spread_salts<1> salts_;
};

/// One bit in each pair of words.
class two_word_lanes : public by_high_product {
 public:
  HWY_INLINE two_word_lanes() {}
  HWY_INLINE bool covers(const std::uint64_t* block, std::uint32_t x) const {
    const lanes64 d;
    auto missing = hn::Zero(d);
    for (std::size_t i = 0; i < words; i += lanes_of_64) {
      missing = hn::Or(missing, hn::AndNot(hn::LoadU(d, block + i), mask(x, i)));
    }
    return hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
  }
  HWY_INLINE void set(std::uint64_t* block, std::uint32_t x) const {
    const lanes64 d;
    for (std::size_t i = 0; i < words; i += lanes_of_64) {
      hn::StoreU(hn::Or(hn::LoadU(d, block + i), mask(x, i)), d, block + i);
    }
  }

 private:
  /// The bits of x in words `first` and following: the seventh bit of a place says which word of its pair.
  HWY_INLINE words64 mask(std::uint32_t x, std::size_t first) const {
    const lanes64 d;
    const auto place = pair_places(salts_.products(x, first));
    const auto word = hn::And(hn::Iota(d, 0), hn::Set(d, 1));  // 0 1 0 1 …: vectors begin at even words
    const auto bit = hn::Shl(hn::Set(d, 1), hn::And(place, hn::Set(d, 63)));
    return hn::IfThenElseZero(hn::Eq(hn::ShiftRight<6>(place), word), bit);
  }

  spread_salts<2> salts_;
};

/// One bit in each half of the four words.
class half_word_lanes {
 public:
  static constexpr std::size_t words = 4;
  static HWY_INLINE std::size_t block_of(digest d, std::uint64_t blocks) {
    return static_cast<std::size_t>(block_by_high_half(d, blocks));
  }

  HWY_INLINE half_word_lanes() {
    for (std::size_t i = 0; i < 8; i += lanes_of_32) {
      salts_[i / lanes_of_32] = hn::LoadU(lanes32(), block_salts.data() + i);
    }
  }
  HWY_INLINE bool covers(const std::uint64_t* block, std::uint32_t x) const {
    const lanes32 d;
    auto missing = hn::Zero(d);
    for (std::size_t i = 0; i < 8; i += lanes_of_32)
      missing = hn::Or(missing, hn::AndNot(halves(block, i), mask(x, i)));
    return hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
  }
  HWY_INLINE void set(std::uint64_t* block, std::uint32_t x) const {
    for (std::size_t i = 0; i < 8; i += lanes_of_32) {
      hn::StoreU(hn::BitCast(as_words(), hn::Or(halves(block, i), mask(x, i))), as_words(), block + i / 2);
    }
  }

 private:
  using as_words = hn::Repartition<std::uint64_t, lanes32>;

  static HWY_INLINE words32 halves(const std::uint64_t* block, std::size_t first) {
    return hn::BitCast(lanes32(), hn::LoadU(as_words(), block + first / 2));
  }
  HWY_INLINE words32 mask(std::uint32_t x, std::size_t first) const {
    const lanes32 d;
    const auto half_products = hn::Mul(hn::Set(d, x), salts_[first / lanes_of_32]);
    return hn::Shl(hn::Set(d, 1), half_places(half_products));
  }

  words32 salts_[8 / lanes_of_32];
};

// Of a lambda: compiled for the target, and inlined wherever it is called.
#undef SEEN_INLINE
#define SEEN_INLINE HWY_ATTR __attribute__((always_inline))

constexpr std::uint32_t pattern_of(digest d) noexcept {
  return static_cast<std::uint32_t>(d.value);
}

/// Calls use(i, pattern, block) of digest_of(i) for i from 0 to n - 1, four to a turn of the loop, whose own instructions
/// would be a sixth of all. With prefetching, patterns and blocks wait in a ring until 128 later ones have been asked for;
/// the last of them are hashed again, since that is less code.
template <class Lanes, class Word, class DigestOf, class Use>
HWY_INLINE void for_each_block(Word* words, std::uint64_t blocks, std::size_t n, DigestOf digest_of, Use use) {
  const auto block_of = [=](digest d) SEEN_INLINE { return words + Lanes::words * Lanes::block_of(d, blocks); };
  std::size_t i = 0;
  if (blocks * Lanes::words * sizeof(Word) <= cached_bytes) {
    for (; i + 3 < n; i += 4) {
      digest_of.fetch_after(i);
      const digest a = digest_of(i), b = digest_of(i + 1), c = digest_of(i + 2), d = digest_of(i + 3);
      use(i, pattern_of(a), block_of(a)), use(i + 1, pattern_of(b), block_of(b));
      use(i + 2, pattern_of(c), block_of(c)), use(i + 3, pattern_of(d), block_of(d));
    }
  } else {
    constexpr std::size_t ahead = rolling::ahead;
    std::uint32_t patterns[ahead];
    Word* at[ahead];
    const auto ask = [&](std::size_t key) SEEN_INLINE {
      const digest d = digest_of(key);
      patterns[key % ahead] = pattern_of(d);
      at[key % ahead] = block_of(d);
      prefetch_near(at[key % ahead]);
    };
    for (std::size_t key = 0; key < std::min(ahead, n); ++key) ask(key);
    const auto step = [&](std::size_t key) SEEN_INLINE {
      const std::uint32_t pattern = patterns[key % ahead];
      Word* const block = at[key % ahead];
      ask(key + ahead);
      use(key, pattern, block);
    };
    for (; i + ahead + 3 < n; i += 4) {
      digest_of.fetch_after(i);
      step(i), step(i + 1), step(i + 2), step(i + 3);
    }
  }
  for (; i < n; ++i) {
    const digest d = digest_of(i);
    use(i, pattern_of(d), block_of(d));
  }
}

template <class Lanes, class DigestOf>
HWY_INLINE void add_all(std::uint64_t* words, std::uint64_t blocks, std::size_t n, DigestOf digest_of) {
  const Lanes lanes;
  for_each_block<Lanes>(words, blocks, n, digest_of,
                        [&](std::size_t, std::uint32_t x, std::uint64_t* block) SEEN_INLINE { lanes.set(block, x); });
}

/// How many answers are true. (Counting them one by one on the way costs two instructions per key.)
HWY_INLINE std::size_t count_true(const bool* answers, std::size_t n) {
  const hn::ScalableTag<std::uint8_t> bytes;
  const hn::Repartition<std::uint64_t, decltype(bytes)> sums;
  auto sum = hn::Zero(sums);
  std::size_t i = 0;
  for (; i + hn::Lanes(bytes) <= n; i += hn::Lanes(bytes)) {
    sum = hn::Add(sum, hn::SumsOf8(hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(answers) + i)));
  }
  std::size_t found = static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(sums, sum)));
  for (; i < n; ++i) found += answers[i];
  return found;
}

template <class Lanes, class DigestOf>
HWY_INLINE std::size_t look_up_all(const std::uint64_t* words, std::uint64_t blocks, std::size_t n, DigestOf digest_of,
                                   bool* out) {
  const Lanes lanes;
  for_each_block<Lanes>(words, blocks, n, digest_of,
                        [&](std::size_t i, std::uint32_t x, const std::uint64_t* block)
                            SEEN_INLINE { out[i] = lanes.covers(block, x); });
  return count_true(out, n);
}

template <class DigestOf>
void add(block_layout layout, std::uint64_t* words, std::uint64_t blocks, std::size_t n, DigestOf digest_of) {
  switch (layout) {
    case block_layout::lanes_4:
      return add_all<two_word_lanes>(words, blocks, n, digest_of);
    case block_layout::lanes_8:
      return add_all<one_word_lanes<false>>(words, blocks, n, digest_of);
    case block_layout::lanes_16:
      return add_all<one_word_lanes<true>>(words, blocks, n, digest_of);
    case block_layout::split:
      return add_all<half_word_lanes>(words, blocks, n, digest_of);
  }
}

template <class DigestOf>
std::size_t look_up(block_layout layout, const std::uint64_t* words, std::uint64_t blocks, std::size_t n,
                    DigestOf digest_of, bool* out) {
  switch (layout) {
    case block_layout::lanes_4:
      return look_up_all<two_word_lanes>(words, blocks, n, digest_of, out);
    case block_layout::lanes_8:
      return look_up_all<one_word_lanes<false>>(words, blocks, n, digest_of, out);
    case block_layout::lanes_16:
      return look_up_all<one_word_lanes<true>>(words, blocks, n, digest_of, out);
    case block_layout::split:
      return look_up_all<half_word_lanes>(words, blocks, n, digest_of, out);
  }
  return 0;
}

}  // namespace HWY_NAMESPACE
}  // namespace seen::inline v1::kernels
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace seen::inline v1::kernels {
namespace {

// The way to a block, for the templates of kernels/block.hpp.
struct product_rule {
  using digest_type = digest;
  std::uint64_t count;
  [[nodiscard]] std::uint64_t blocks() const noexcept { return count; }
  [[nodiscard]] std::size_t block_of(digest d) const noexcept {
    return static_cast<std::size_t>(block_by_product(d, count));
  }
  [[nodiscard]] static std::uint32_t pattern_of(digest d) noexcept { return static_cast<std::uint32_t>(d.value); }
};
struct split_rule : product_rule {
  [[nodiscard]] std::size_t block_of(digest d) const noexcept {
    return static_cast<std::size_t>(block_by_high_half(d, count));
  }
};

template <class Use>
auto plainly(block_layout layout, std::uint64_t blocks, Use use) {
  switch (layout) {
    case block_layout::lanes_4:
      return use(block_pattern_4(), product_rule{blocks});
    case block_layout::lanes_8:
      return use(block_pattern_8(), product_rule{blocks});
    case block_layout::lanes_16:
      return use(block_pattern_16(), product_rule{blocks});
    case block_layout::split:
      break;
  }
  return use(split_block_pattern(), split_rule{{blocks}});
}

template <class DigestOf>
void add_batch(block_layout layout, std::uint64_t* words, std::uint64_t blocks, std::size_t n, DigestOf digest_of) {
  SEEN_RETURN_BEST(add, (layout, words, blocks, n, digest_of));
  plainly(layout, blocks,
          [&]<class Pattern>(Pattern, auto rule) { block_add_each<plain_access, Pattern>(words, rule, n, digest_of); });
}

template <class DigestOf>
std::size_t look_up_batch(block_layout layout, const std::uint64_t* words, std::uint64_t blocks, std::size_t n,
                          DigestOf digest_of, bool* out) {
  SEEN_RETURN_BEST(look_up, (layout, words, blocks, n, digest_of, out));
  return plainly(layout, blocks, [&]<class Pattern>(Pattern, auto rule) {
    return block_lookup_each<plain_access, Pattern>(words, rule, n, digest_of, out);
  });
}

}  // namespace

void block_add_many(block_layout layout, std::uint64_t* words, std::uint64_t blocks,
                    std::span<const digest> digests) noexcept {
  add_batch(layout, words, blocks, digests.size(), given_digests{digests.data()});
}
template <compiled_with_blocks Hash>
void block_add_keys(block_layout layout, std::uint64_t* words, std::uint64_t blocks, const Hash& hash,
                    std::span<const std::uint64_t> keys) noexcept {
  add_batch(layout, words, blocks, keys.size(), hashed_keys<Hash>{hash, keys.data()});
}

std::size_t block_lookup_many(block_layout layout, const std::uint64_t* words, std::uint64_t blocks,
                              std::span<const digest> digests, bool* out) noexcept {
  return look_up_batch(layout, words, blocks, digests.size(), given_digests{digests.data()}, out);
}
template <compiled_with_blocks Hash>
std::size_t block_lookup_keys(block_layout layout, const std::uint64_t* words, std::uint64_t blocks, const Hash& hash,
                              std::span<const std::uint64_t> keys, bool* out) noexcept {
  return look_up_batch(layout, words, blocks, keys.size(), hashed_keys<Hash>{hash, keys.data()}, out);
}

#define SEEN_COMPILE_WITH_BLOCKS(Hash)                                                                   \
  template void block_add_keys(block_layout, std::uint64_t*, std::uint64_t, const Hash&,                 \
                               std::span<const std::uint64_t>) noexcept;                                 \
  template std::size_t block_lookup_keys(block_layout, const std::uint64_t*, std::uint64_t, const Hash&, \
                                         std::span<const std::uint64_t>, bool*) noexcept;
SEEN_COMPILE_WITH_BLOCKS(xxh3_fold)
SEEN_COMPILE_WITH_BLOCKS(xxh3_64)
SEEN_COMPILE_WITH_BLOCKS(xxh64)
#undef SEEN_COMPILE_WITH_BLOCKS

}  // namespace seen::inline v1::kernels
#endif
