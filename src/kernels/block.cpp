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
#include <seen/hash/xxh3_fold.hpp>
#include <seen/kernels/block.hpp>
#include <seen/storage/access.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

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

// A piece of a batch: digests in memory, or keys and their hash. (By value: nothing that is written can change it.)
struct given_digests {
  static constexpr bool hashes = false;
  const digest* all;
  std::size_t size;
  [[gnu::always_inline]] digest operator()(std::size_t i) const noexcept { return all[i]; }
  [[gnu::always_inline]] void fetch_after(std::size_t i) const noexcept { fetch_page_after(all + i); }
};
template <class Hash>
struct hashed_keys {
  static constexpr bool hashes = true;
  Hash hash;
  const std::uint64_t* all;
  std::size_t size;
  [[gnu::always_inline]] digest operator()(std::size_t i) const noexcept { return hash(integer_key{all[i]}); }
  [[gnu::always_inline]] void fetch_after(std::size_t i) const noexcept { fetch_page_after(all + i); }
};

/// Digests that are made, or answers that are counted, at a time. (32, 128 or 512, so that hashing overlaps with waiting for
/// blocks, are slower: docs/performance.md, "Dead ends".)
constexpr std::size_t piece_size = tile<digest>::size();

// A batch: piece after piece, the last one empty.
template <class Hash>
struct key_batch {
  hashed_keys<Hash> rest;
  [[gnu::always_inline]] hashed_keys<Hash> next() noexcept {
    const std::size_t n = std::min(rest.size, piece_size);
    rest.size -= n;
    return {rest.hash, std::exchange(rest.all, rest.all + n), n};
  }
};
struct digest_batch {
  digest_source source;
  digest* room;
  std::size_t done = 0;
  [[gnu::always_inline]] given_digests next() noexcept {
    const std::size_t first = done, n = std::min(source.size - first, piece_size);
    done += n;
    if (source.make == nullptr) return {static_cast<const digest*>(source.from) + first, n};
    if (n != 0) source.make(source.from, first, {room, n});
    return {room, n};
  }
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
    for (std::size_t i = 0; i < words; i += lanes_of_64) all = hn::And(all, shifted(block, x, i));
    return hn::AllTrue(d, hn::TestBit(all, hn::Set(d, 1)));
  }
  /// Where one vector is a block: a byte with a bit for each word that has its own.
  HWY_INLINE void write_covered(const std::uint64_t* block, std::uint32_t x, std::uint8_t* mask) const {
    const lanes64 d;
    hn::StoreMaskBits(d, hn::TestBit(shifted(block, x, 0), hn::Set(d, 1)), mask);
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
  /// Words `first` and following, each shifted so that its bit of x is the lowest (its two, laid over each other).
  HWY_INLINE words64 shifted(const std::uint64_t* block, std::uint32_t x, std::size_t first) const {
    const auto product = salts_.products(x, first);
    const auto line = hn::LoadU(lanes64(), block + first);
    const auto once = hn::Shr(line, places(product));
    if constexpr (Twice) return hn::And(once, hn::Shr(line, second_places(product)));
    return once;
  }

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
  HWY_INLINE void write_covered(const std::uint64_t* block, std::uint32_t x, std::uint8_t* to) const {
    const lanes64 d;
    hn::StoreMaskBits(d, hn::Eq(hn::AndNot(hn::LoadU(d, block), mask(x, 0)), hn::Zero(d)), to);
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

/// Keys to a turn of a loop, whose own instructions would be a sixth of all. (SSE4 shifts lane by lane, which is long
/// already.)
constexpr std::size_t keys_per_turn = HWY_TARGET == HWY_SSE4 ? 1 : 4;

constexpr std::uint32_t pattern_of(digest d) noexcept {
  return static_cast<std::uint32_t>(d.value);
}

/// Calls use(i, pattern, block) for digest i of a batch, for all of them in order, and after a piece or so used(how many so
/// far). With prefetching, patterns and blocks
/// wait in a ring until 128 later ones have been asked for; the ring stays full from one piece to the next.
template <class Lanes, class Word, class Batch, class Use, class Used>
HWY_INLINE void for_each_block(Word* words, std::uint64_t blocks, Batch batch, Use use, Used used) {
  const auto block_of = [=](digest d) SEEN_INLINE { return words + Lanes::words * Lanes::block_of(d, blocks); };
  std::size_t done = 0;
  if (blocks * Lanes::words * sizeof(Word) <= cached_bytes) {
    for (auto piece = batch.next(); piece.size != 0; piece = batch.next()) {
      std::size_t i = 0;
      for (; i + keys_per_turn <= piece.size; i += keys_per_turn) {
        piece.fetch_after(i);
        if constexpr (decltype(piece)::hashes || !std::is_const_v<Word>) {
          digest some[keys_per_turn];
#pragma GCC unroll 4
          for (std::size_t k = 0; k < keys_per_turn; ++k) some[k] = piece(i + k);
#pragma GCC unroll 4
          for (std::size_t k = 0; k < keys_per_turn; ++k) use(done + i + k, pattern_of(some[k]), block_of(some[k]));
        } else {  // read twice: a broadcast of what is in memory is part of the multiplication; adds gain nothing
#pragma GCC unroll 4
          for (std::size_t k = 0; k < keys_per_turn; ++k) {
            use(done + i + k, pattern_of(piece(i + k)), block_of(piece(i + k)));
          }
        }
      }
      for (; i < piece.size; ++i) {
        const digest d = piece(i);
        use(done + i, pattern_of(d), block_of(d));
      }
      done += piece.size;
      used(done);
    }
    return;
  }
  constexpr std::size_t ahead = rolling::ahead;
  static_assert(ahead % keys_per_turn == 0 && piece_size % keys_per_turn == 0);  // a turn wraps around nowhere
  std::uint32_t patterns[ahead];
  Word* at[ahead];
  std::size_t waiting = 0;
  const auto ask = [&](digest d, std::size_t place) SEEN_INLINE {
    patterns[place] = pattern_of(d);
    at[place] = block_of(d);
    prefetch_near(at[place]);
  };
  for (auto piece = batch.next(); piece.size != 0; piece = batch.next()) {
    std::size_t i = 0;
    for (; waiting < ahead && i < piece.size; ++i) ask(piece(i), waiting++);
    const auto step = [&](std::size_t key, std::size_t place) SEEN_INLINE {
      const std::uint32_t pattern = patterns[place];
      Word* const block = at[place];
      ask(piece(i + key), place);
      use(done + key, pattern, block);
    };
    for (; i + keys_per_turn <= piece.size; i += keys_per_turn, done += keys_per_turn) {
      const std::size_t place = done % ahead;
      piece.fetch_after(i);
#pragma GCC unroll 4
      for (std::size_t k = 0; k < keys_per_turn; ++k) step(k, place + k);
    }
    for (; i < piece.size; ++i, ++done) step(0, done % ahead);
    used(done);
  }
  for (; waiting != 0; --waiting, ++done) use(done, patterns[done % ahead], at[done % ahead]);
  used(done);
}

template <class Lanes, class Batch>
HWY_INLINE void add_all(std::uint64_t* words, std::uint64_t blocks, Batch batch) {
  const Lanes lanes;
  for_each_block<Lanes>(
      words, blocks, batch,
      [&](std::size_t, std::uint32_t x, std::uint64_t* block) SEEN_INLINE { lanes.set(block, x); },
      [](std::size_t) SEEN_INLINE {});
}

/// How many answers are true. (Counting them one by one on the way costs two instructions per key.)
HWY_NOINLINE std::size_t count_true(const bool* answers, std::size_t n) {
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

#if HWY_TARGET <= HWY_AVX3
/// Makes answers of masks: true where all eight bits are set. Returns how many are.
HWY_NOINLINE std::size_t answers_of_masks(std::uint8_t* masks, std::size_t n) {
  const hn::ScalableTag<std::uint8_t> bytes;
  const auto all = hn::Set(bytes, 0xff), one = hn::Set(bytes, 1);
  std::size_t found = 0, i = 0;
  for (; i + hn::Lanes(bytes) <= n; i += hn::Lanes(bytes)) {
    const auto covered = hn::Eq(hn::LoadU(bytes, masks + i), all);
    hn::StoreU(hn::IfThenElseZero(covered, one), bytes, masks + i);
    found += hn::CountTrue(bytes, covered);
  }
  for (; i < n; ++i) found += masks[i] = masks[i] == 0xff;
  return found;
}
#endif

template <class Lanes, class Batch>
HWY_INLINE std::size_t look_up_all(const std::uint64_t* words, std::uint64_t blocks, Batch batch, bool* out) {
  const Lanes lanes;
  std::size_t found = 0, counted = 0;
#if HWY_TARGET <= HWY_AVX3
  // Where a vector is a block, the mask of its words is written and made an answer later: testing it for each key takes a
  // seventh of a lookup (Zen 5).
  if constexpr (requires(std::uint8_t * mask) { lanes.write_covered(words, 0, mask); }) {
    auto* const masks = reinterpret_cast<std::uint8_t*>(out);
    for_each_block<Lanes>(
        words, blocks, batch,
        [&](std::size_t i, std::uint32_t x, const std::uint64_t* block)
            SEEN_INLINE { lanes.write_covered(block, x, masks + i); },
        [&](std::size_t answered) SEEN_INLINE {
          found += answers_of_masks(masks + counted, answered - counted);
          counted = answered;
        });
    return found;
  }
#endif
  for_each_block<Lanes>(
      words, blocks, batch,
      [&](std::size_t i, std::uint32_t x, const std::uint64_t* block) SEEN_INLINE { out[i] = lanes.covers(block, x); },
      [&](std::size_t answered) SEEN_INLINE {
        found += count_true(out + counted, answered - counted);
        counted = answered;
      });
  return found;
}

template <class Batch>
void add(block_layout layout, std::uint64_t* words, std::uint64_t blocks, Batch batch) {
  switch (layout) {
    case block_layout::lanes_4:
      return add_all<two_word_lanes>(words, blocks, batch);
    case block_layout::lanes_8:
      return add_all<one_word_lanes<false>>(words, blocks, batch);
    case block_layout::lanes_16:
      return add_all<one_word_lanes<true>>(words, blocks, batch);
    case block_layout::split:
      return add_all<half_word_lanes>(words, blocks, batch);
  }
}

template <class Batch>
std::size_t look_up(block_layout layout, const std::uint64_t* words, std::uint64_t blocks, Batch batch, bool* out) {
  switch (layout) {
    case block_layout::lanes_4:
      return look_up_all<two_word_lanes>(words, blocks, batch, out);
    case block_layout::lanes_8:
      return look_up_all<one_word_lanes<false>>(words, blocks, batch, out);
    case block_layout::lanes_16:
      return look_up_all<one_word_lanes<true>>(words, blocks, batch, out);
    case block_layout::split:
      return look_up_all<half_word_lanes>(words, blocks, batch, out);
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

/// Calls use(digests, index of the first) for one piece of a batch after the other.
template <class Use>
void for_each_piece(digest_batch batch, Use use) {
  for (std::size_t first = 0;; first = batch.done) {
    const given_digests piece = batch.next();
    if (piece.size == 0) return;
    use(std::span(piece.all, piece.size), first);
  }
}

}  // namespace

void block_add_many(block_layout layout, std::uint64_t* words, std::uint64_t blocks,
                    const digest_source& source) noexcept {
  tile<digest> room;
  const digest_batch batch{source, room.first(piece_size).data()};
  SEEN_RETURN_BEST(add, (layout, words, blocks, batch));
  plainly(layout, blocks, [&]<class Pattern>(Pattern, auto rule) {
    for_each_piece(batch, [&](std::span<const digest> digests, std::size_t) {
      block_add_many<plain_access, Pattern>(words, rule, digests);
    });
  });
}

std::size_t block_lookup_many(block_layout layout, const std::uint64_t* words, std::uint64_t blocks,
                              const digest_source& source, bool* out) noexcept {
  tile<digest> room;
  const digest_batch batch{source, room.first(piece_size).data()};
  SEEN_RETURN_BEST(look_up, (layout, words, blocks, batch, out));
  return plainly(layout, blocks, [&]<class Pattern>(Pattern, auto rule) {
    std::size_t found = 0;
    for_each_piece(batch, [&](std::span<const digest> digests, std::size_t first) {
      found += block_lookup_many<plain_access, Pattern>(words, rule, digests, out + first);
    });
    return found;
  });
}

namespace {

using key_pieces = hashed_pieces<look_ahead::near, default_hash, const std::uint64_t>;

}  // namespace

// Keys are hashed in the loops where vectors do not hash them faster by themselves: with AVX-512 a digest takes 0.16 ns from
// a piece of keys, and a fused loop 0.1 ns more per key than that. SSE4 would be as much code again, for old machines.
#define SEEN_RETURN_FUSED(body, arguments)             \
  SEEN_RETURN_NEON(body, arguments);                   \
  if (best_instructions() < instruction_set::avx512) { \
    SEEN_RETURN_AVX2(body, arguments);                 \
  }                                                    \
  (void)0

void block_add_keys(block_layout layout, std::uint64_t* words, std::uint64_t blocks, const default_hash& hash,
                    std::span<const std::uint64_t> keys) noexcept {
  [[maybe_unused]] const key_batch<default_hash> batch{{hash, keys.data(), keys.size()}};
  SEEN_RETURN_FUSED(add, (layout, words, blocks, batch));
  block_add_many(layout, words, blocks, key_pieces(hash, keys));
}

std::size_t block_lookup_keys(block_layout layout, const std::uint64_t* words, std::uint64_t blocks,
                              const default_hash& hash, std::span<const std::uint64_t> keys, bool* out) noexcept {
  [[maybe_unused]] const key_batch<default_hash> batch{{hash, keys.data(), keys.size()}};
  SEEN_RETURN_FUSED(look_up, (layout, words, blocks, batch, out));
  return block_lookup_many(layout, words, blocks, key_pieces(hash, keys), out);
}

}  // namespace seen::inline v1::kernels
#endif
