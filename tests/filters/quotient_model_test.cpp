// Random operations against a multiset of fingerprints, which this kind must match exactly; and bytes that are not a
// filter.
#include "support/quotient_model.hpp"

#include <seen/filters/quotient.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

using engine = quotient::engine_type;

struct setting {
  quotient_shape p;
  std::uint64_t quotients;  // how many of them the keys use, so that clusters grow
};

// Adds, removals and questions; the load wanders between empty and full.
void compare_with_multiset(const setting& s, std::uint64_t operations, std::uint64_t seed) {
  engine e = engine::make(s.p).value();
  std::multiset<std::uint64_t> model;
  rng random(seed);
  std::uint64_t refusals = 0;
  bool filling = true;
  const std::uint32_t r = s.p.remainder_bits;
  const std::uint64_t first = 64 * s.p.blocks - s.quotients;
  const auto all = [&] { return std::vector<std::uint64_t>(model.begin(), model.end()); };
  for (std::uint64_t i = 0; i < operations; ++i) {
    // Half of the remainders from a small set: repeated keys are the interesting ones.
    const std::uint64_t x = first + random.below(s.quotients), wide = random() >> (64 - r);
    std::uint64_t fingerprint = x << r | (random.below(2) != 0 ? wide : wide & 1);
    if (random.below(3) == 0 && !model.empty()) {
      const auto near = model.lower_bound(fingerprint);
      if (near != model.end()) fingerprint = *near;
    }
    const digest d = digest_with(s.p, fingerprint >> r, fingerprint & detail::low_bits(r), random());
    const std::uint64_t dice = random.below(10);
    if (dice < (filling ? 6u : 2u)) {
      if (e.add(d)) {
        model.insert(fingerprint);
      } else {
        ++refusals;
        filling = false;
        if (refusals % 64 == 1) {
          auto one_more = all();
          one_more.insert(std::upper_bound(one_more.begin(), one_more.end(), fingerprint), fingerprint);
          ASSERT_FALSE(modelled_bytes(s.p, one_more)) << "there was room";
        }
      }
    } else if (dice < 8) {
      const auto found = model.find(fingerprint);
      ASSERT_EQ(e.remove(d), found != model.end());
      if (found != model.end()) model.erase(found);
      if (model.empty()) filling = true;
    } else {
      ASSERT_EQ(e.count(d), model.count(fingerprint));
      ASSERT_EQ(e.may_contain(d), model.count(fingerprint) != 0);
    }
    if (random.below(40'000) == 0) filling = !filling;
    ASSERT_EQ(e.size(), model.size());
    if (i % 5000 == 0) {
      ASSERT_TRUE(e.check());
      ASSERT_EQ(bytes_of(e), modelled_bytes(s.p, all()));
    }
  }
  ASSERT_TRUE(e.check());
  ASSERT_EQ(bytes_of(e), modelled_bytes(s.p, all()));
}

TEST(quotient_model, a_million_operations_agree_with_a_multiset) {
  const setting settings[] = {
      {{.blocks = 1, .remainder_bits = 1}, 64},    {{.blocks = 2, .remainder_bits = 8}, 128},
      {{.blocks = 3, .remainder_bits = 3}, 192},   {{.blocks = 7, .remainder_bits = 5}, 448},
      {{.blocks = 8, .remainder_bits = 7}, 40},    {{.blocks = 15, .remainder_bits = 12}, 300},
      {{.blocks = 15, .remainder_bits = 53}, 960}, {{.blocks = 61, .remainder_bits = 17}, 900},
      {{.blocks = 3, .remainder_bits = 56}, 192},
  };
  std::uint64_t seed = 1;
  for (const setting& s : settings) {
    SCOPED_TRACE(::testing::Message() << s.p.blocks << " blocks, r " << s.p.remainder_bits);
    compare_with_multiset(s, scaled(125'000, 12'500'000), ++seed);
    if (HasFatalFailure()) return;
  }
}

// --- bytes that are not a filter

// Everything a holder can call, on a table that nobody checked: the sanitizers watch.
void use_everything(engine e, rng& random) {
  for (int i = 0; i < 20; ++i) {
    const digest d(random());
    (void)e.may_contain(d);
    (void)e.count(d);
    (void)e.add(d);
    (void)e.remove(d);
    (void)e.remove(digest(random()));
  }
  std::array<bool, 8> out;
  std::array<digest, 8> some;
  for (digest& d : some) d = digest(random());
  (void)e.may_contain_many(some, out.data());
  (void)e.add_many(some);
  std::uint64_t listed = 0;
  for (const std::uint64_t fingerprint : e.fingerprints()) {
    EXPECT_LT(fingerprint, math::quotient_fingerprints(e.shape().blocks, e.shape().remainder_bits));
    ++listed;
  }
  EXPECT_LE(listed, math::quotient_blocks(e.shape().blocks) * 64);
  engine copy = e;
  (void)copy.merge(e);
  (void)e.expand();
  (void)e.may_contain(some[0]);
  (void)e.estimated_fpr();
}

// A table passes check() exactly when it is, bit for bit, what its own fingerprints make.
void expect_check_is_right(const quotient_shape& p, const std::vector<std::byte>& bytes) {
  const engine e = engine_over(p, bytes);
  const auto listed = fingerprints_of(e);
  const bool sound = std::is_sorted(listed.begin(), listed.end()) && modelled_bytes(p, listed) == bytes;
  const auto checked = e.check();
  EXPECT_EQ(checked.has_value(), sound);
  if (!checked) {
    EXPECT_EQ(checked.error().code, errc::corrupt);
  }
}

TEST(quotient_hostile, random_bytes_are_refused_and_never_read_beyond) {
  rng random(17);
  for (std::uint64_t round = 0; round < scaled(1500, 300'000); ++round) {
    const quotient_shape p{.blocks = 1 + random.below(16),
                           .remainder_bits = static_cast<std::uint32_t>(1 + random.below(53))};
    std::vector<std::byte> bytes(p.bytes());
    const engines::quotient_layout layout(p.blocks, p.remainder_bits);
    const std::uint64_t thin = random.below(4);  // dense and sparse metadata fail in different places
    for (std::size_t i = 0; i < layout.count_at; ++i) {
      std::uint64_t byte = random();
      for (std::uint64_t j = 0; j < thin; ++j) byte &= random();
      bytes[i] = static_cast<std::byte>(thin == 3 && byte % 5 != 0 ? 0 : byte);
    }
    store_le<std::uint64_t>(bytes.data() + layout.count_at, random.below(layout.capacity + 1));
    expect_check_is_right(p, bytes);
    use_everything(engine_over(p, bytes), random);
  }
}

TEST(quotient_hostile, every_flipped_bit_of_a_table_is_noticed_or_makes_another_sound_table) {
  const quotient_shape p{.blocks = 2, .remainder_bits = 5};
  rng random(19);
  engine e = engine::make(p).value();
  for (int i = 0; i < 115; ++i) ASSERT_TRUE(e.add(digest(random() | (i % 4 == 0 ? std::uint64_t{31} << 59 : 0))));
  const auto bytes = bytes_of(e);
  expect_check_is_right(p, bytes);
  ASSERT_TRUE(e.check());
  int accepted = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto flipped = bytes;
    flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    auto copy = storage::allocate(flipped.size()).value();
    std::copy(flipped.begin(), flipped.end(), copy.data());
    auto opened = engine::over(p, std::move(copy));
    if (!opened) {
      EXPECT_EQ(opened.error().code, errc::corrupt);
      continue;
    }
    expect_check_is_right(p, flipped);
    accepted += opened->check().has_value();
    use_everything(std::move(*opened), random);
  }
  EXPECT_LE(accepted, 115 * 5) << "only the bits of remainders can make another filter";
}

TEST(quotient_hostile, each_lie_is_named) {
  const quotient_shape p{.blocks = 2, .remainder_bits = 8};  // blocks of 82 bytes
  engine e = engine::make(p).value();
  for (const std::uint64_t quotient : {3u, 3u, 3u, 62u, 62u, 62u, 127u}) {
    ASSERT_TRUE(e.add(digest_with(p, quotient, 9)));
  }
  const auto sound = bytes_of(e);
  const auto says = [&](std::size_t at, int value) {
    auto bytes = sound;
    bytes[at] = static_cast<std::byte>(value);
    const auto checked = engine_over(p, bytes).check();
    return checked ? std::string("nothing") : checked.error().detail;
  };
  EXPECT_EQ(says(0, 0x08), "nothing");
  EXPECT_EQ(says(8, 0x00), "remainders out of order in slot 6") << "the run of 3 without its end goes on";
  EXPECT_EQ(says(16, 1), "the offset is wrong in block 0");
  EXPECT_EQ(says(82 + 16, 0), "the offset is wrong in block 1");
  EXPECT_EQ(says(0, 0x18), "the offset is wrong in block 1");
  EXPECT_EQ(says(2 * 82, 1), "a quotient is beyond the last, in block 2");
  EXPECT_EQ(says(18 + 2, 1), "no run owns slot 2");
  EXPECT_EQ(says(9, 1), "no run owns slot 8");
  EXPECT_EQ(says(3 * 82 + 18 + 63, 1), "no run owns slot 255");
  EXPECT_EQ(says(18 + 4, 1), "remainders out of order in slot 4");
  EXPECT_EQ(says(82 + 15, 0), "remainders out of order in slot 128") << "the run of 127 without its end";
  EXPECT_EQ(says(4 * 82, 6), "it counts 6 keys and holds 7");
}

TEST(quotient_hostile, over_refuses_sizes_counts_and_padding_that_cannot_be) {
  const quotient_shape p{.blocks = 1, .remainder_bits = 8};
  const auto refusal = [&](std::size_t size, std::size_t at, int value) {
    auto bytes = storage::allocate(size).value();
    if (at < size) bytes.data()[at] = static_cast<std::byte>(value);
    const auto made = engine::over(p, std::move(bytes));
    return made ? std::string() : made.error().detail;
  };
  EXPECT_EQ(refusal(192, 192, 0), "");
  EXPECT_EQ(refusal(172, 172, 0), "") << "the caller's words need no padding";
  EXPECT_EQ(refusal(164, 164, 0), "blocks 1 and remainder-bits 8 take 172 to 192 bytes; 164 were given");
  EXPECT_EQ(refusal(256, 256, 0), "blocks 1 and remainder-bits 8 take 172 to 192 bytes; 256 were given");
  EXPECT_EQ(refusal(192, 172, 1), "bytes after the count of keys are not zero");
  EXPECT_EQ(refusal(192, 191, 1), "bytes after the count of keys are not zero");
  EXPECT_EQ(refusal(192, 164, 62), "it counts 62 keys and has room for 61");
}

}  // namespace
}  // namespace seen::testing
