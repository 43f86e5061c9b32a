// Tests what only the quotient filter does: its layout, full tables, counting and removing, merging, doubling, order.
#include <seen/filters/quotient.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/moved_from.hpp"
#include "support/quotient_model.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

using engine = quotient::engine_type;

engine make(const quotient_shape& p) {
  return engine::make(p).value();
}

// --- layout

// The layout is part of the file format: pinned, and worked out by hand. r = 8; a block of 18 + 64 bytes, and its tail.
//   quotient 1: 10 20 30 in slots 1 2 3;  3: 40, pushed to slot 4;  6: 50 at home;  63: 01 at home, 02 in the tail
TEST(quotient_layout, a_small_table_worked_out_by_hand) {
  const quotient_shape p{.blocks = 1, .remainder_bits = 8};
  engine e = make(p);
  for (const auto& [quotient, remainder] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {1, 0x20}, {63, 0x02}, {3, 0x40}, {1, 0x10}, {6, 0x50}, {63, 0x01}, {1, 0x30}}) {
    ASSERT_TRUE(e.add(digest_with(p, quotient, remainder, ~std::uint64_t{0})));
  }
  std::vector<std::byte> expected(192);
  const auto at = [&](std::size_t place, std::initializer_list<int> values) {
    for (const int value : values) expected[place++] = static_cast<std::byte>(value);
  };
  at(0, {0x4a, 0, 0, 0, 0, 0, 0, 0x80});         // occupieds: 1, 3, 6, 63
  at(8, {0x58, 0, 0, 0, 0, 0, 0, 0});            // runends: slots 3, 4, 6; the run of 63 ends in the tail
  at(18, {0, 0x10, 0x20, 0x30, 0x40, 0, 0x50});  // offset 0, and the remainders from slot 0 on
  at(18 + 63, {0x01});
  at(82 + 8, {0x01});                 // the tail block: runend in slot 64,
  at(82 + 16, {0x01, 0x00});          // one slot taken by a quotient before it,
  at(82 + 18, {0x02});                // its remainder
  at(164, {7, 0, 0, 0, 0, 0, 0, 0});  // seven keys
  EXPECT_EQ(bytes_of(e), expected);
  EXPECT_EQ(bytes_of(e), modelled_bytes(p, fingerprints_of(e))) << "the model agrees";
  EXPECT_TRUE(e.check());
}

TEST(quotient_layout, a_fingerprint_is_where_a_digest_lies_among_all) {
  const digest d(0x9e3779b97f4a7c15);  // 0.61803… of 2^64
  const engines::quotient_layout a_power_of_two(16384, 9);
  EXPECT_EQ(a_power_of_two.fingerprint(d), 0x9e3779b9u >> 3) << "its high bits";
  EXPECT_EQ(a_power_of_two.parts(d).quotient, 0x9e377u);
  EXPECT_EQ(a_power_of_two.parts(d).remainder, 0x137u);
  const engines::quotient_layout any(3, 8);
  EXPECT_EQ(any.fingerprint(d), 30377u) << "0.61803 of 3·64·256";
  EXPECT_EQ(any.parts(d).quotient, 118u);
  EXPECT_EQ(any.parts(d).remainder, 169u);
  EXPECT_EQ(any.fingerprint(digest(0)), 0u);
  EXPECT_EQ(any.fingerprint(digest(~std::uint64_t{0})), 3u * 64 * 256 - 1);
  const engines::quotient_layout widest(3, 56);
  EXPECT_EQ(widest.fingerprint(d), mulhi(d.value, std::uint64_t{3} << 62));
}

// Every number of blocks up to 40: the first and the last digest of every quotient.
TEST(quotient_layout, every_quotient_of_every_small_table_has_its_digests) {
  for (std::uint64_t blocks = 1; blocks <= 40; ++blocks) {
    for (const std::uint32_t r : {1u, 8u, 52u}) {
      const quotient_shape p{.blocks = blocks, .remainder_bits = r};
      const engines::quotient_layout layout(blocks, r);
      for (std::uint64_t quotient = 0; quotient < 64 * blocks; ++quotient) {
        const std::uint64_t largest = detail::low_bits(r);
        const auto first = layout.parts(digest_with(p, quotient, 0));
        const auto last = layout.parts(digest_with(p, quotient, largest, ~std::uint64_t{0}));
        ASSERT_EQ(first.quotient, quotient) << blocks << " blocks, r " << r;
        ASSERT_EQ(first.remainder, 0u);
        ASSERT_EQ(last.quotient, quotient) << blocks << " blocks, r " << r;
        ASSERT_EQ(last.remainder, largest);
      }
    }
  }
}

TEST(quotient_layout, clusters_across_block_borders_stand_as_the_model_says) {
  for (const std::uint32_t r : {1u, 2u, 3u, 7u, 8u, 13u, 16u, 28u, 29u, 31u, 32u, 33u, 47u, 54u, 55u}) {
    const quotient_shape p{.blocks = r < 55 ? 8u : 7u, .remainder_bits = r};
    engine e = make(p);
    rng random(r);
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 200; ++i) {  // most of them near two borders, and the end
      const std::uint64_t around = std::vector<std::uint64_t>{40, 100, 220}[random.below(3)];
      const std::uint64_t quotient = around + random.below(36), remainder = random() >> (64 - r);
      all.push_back(quotient << r | remainder);
      ASSERT_TRUE(e.add(digest_with(p, quotient, remainder, random())));
      std::sort(all.begin(), all.end());
      ASSERT_EQ(bytes_of(e), modelled_bytes(p, all)) << "r " << r << ", key " << i;
    }
    ASSERT_TRUE(e.check());
    while (!all.empty()) {
      const auto victim = all.begin() + static_cast<std::ptrdiff_t>(random.below(all.size()));
      ASSERT_TRUE(e.remove(digest_with(p, *victim >> r, *victim & detail::low_bits(r))));
      all.erase(victim);
      ASSERT_EQ(bytes_of(e), modelled_bytes(p, all)) << "r " << r << ", left " << all.size();
    }
    EXPECT_EQ(e, make(p)) << "nothing is left of what was removed";
  }
}

TEST(quotient_layout, the_same_keys_give_the_same_bytes_in_any_order) {
  const quotient_shape p{.blocks = 16, .remainder_bits = 6};
  rng random(7);
  std::vector<digest> keys, passing;
  for (int i = 0; i < 900; ++i) keys.push_back(digest(random()));
  for (int i = 0; i < 60; ++i) passing.push_back(digest(random()));
  engine forward = make(p), backward = make(p), detour = make(p);
  for (const digest d : keys) ASSERT_TRUE(forward.add(d));
  std::for_each(keys.rbegin(), keys.rend(), [&](digest d) { ASSERT_TRUE(backward.add(d)); });
  for (const digest d : passing) ASSERT_TRUE(detour.add(d));
  ASSERT_EQ(detour.add_many(keys), keys.size());
  for (const digest d : passing) ASSERT_TRUE(detour.remove(d));
  EXPECT_EQ(bytes_of(forward), bytes_of(backward));
  EXPECT_EQ(bytes_of(forward), bytes_of(detour));
}

// --- full

TEST(quotient_full, every_table_takes_21_22nds_of_random_keys_and_then_says_full) {
  for (const std::uint64_t blocks :
       {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 11u, 13u, 16u, 23u, 100u, 256u, 333u, 16384u}) {
    const quotient_shape p{.blocks = blocks, .remainder_bits = 9};
    engine e = make(p);
    rng random(blocks);
    std::vector<digest> keys;
    for (digest d(random()); e.add(d); d = digest(random())) keys.push_back(d);
    EXPECT_EQ(keys.size(), 64 * blocks * 21 / 22) << blocks << " blocks";
    EXPECT_EQ(e.size(), keys.size());
    EXPECT_TRUE(e.saturated());
    ASSERT_TRUE(e.check());
    const auto before = bytes_of(e);
    EXPECT_FALSE(e.add(keys[0]));
    EXPECT_EQ(e.add_many(std::span(keys).first(5)), 0u);
    EXPECT_EQ(bytes_of(e), before) << "bit for bit";
    EXPECT_TRUE(std::all_of(keys.begin(), keys.end(), [&](digest d) { return e.may_contain(d); }));
  }
}

TEST(quotient_full, what_is_planned_for_n_keys_takes_n_keys) {
  for (const std::uint64_t n : {1u, 57u, 58u, 115u, 116u, 977u, 978u, 100'000u}) {
    quotient f({.capacity = n, .fpr = 0.01});
    EXPECT_LE(static_cast<double>(n), 0.9 * 64 * static_cast<double>(f.shape().blocks));
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(f.add(i)) << i << " of " << n;
    EXPECT_EQ(f.engine().size(), n);
  }
}

TEST(quotient_full, add_many_stops_at_the_first_that_finds_no_room) {
  engine e = make({.blocks = 1, .remainder_bits = 8});
  rng random(3);
  std::vector<digest> keys;
  for (int i = 0; i < 100; ++i) keys.push_back(digest(random()));
  EXPECT_EQ(e.add_many(keys), 61u);
  engine one_by_one = make(e.shape());
  for (int i = 0; i < 61; ++i) ASSERT_TRUE(one_by_one.add(keys[static_cast<std::size_t>(i)]));
  EXPECT_EQ(e, one_by_one);
}

// Keys of the last quotient find room up to the end of the tail, and then no more, though the table is nearly empty.
TEST(quotient_full, the_tail_ends_and_nothing_is_changed) {
  const quotient_shape p{.blocks = 16, .remainder_bits = 4};
  engine e = make(p);
  std::uint64_t added = 0;
  while (e.add(digest_with(p, 1023, 5))) ++added;
  EXPECT_EQ(added, 1u + 256u);
  EXPECT_TRUE(e.check());
  const auto before = bytes_of(e);
  EXPECT_FALSE(e.add(digest_with(p, 1023, 0)));
  EXPECT_FALSE(e.add(digest_with(p, 1023, 15)));
  EXPECT_EQ(bytes_of(e), before);
  EXPECT_TRUE(e.add(digest_with(p, 1000, 7))) << "there is room elsewhere";
  EXPECT_FALSE(e.add(digest_with(p, 1022, 0)) && e.add(digest_with(p, 1022, 0))) << "one slot is free before 1023";
  EXPECT_EQ(e.count(digest_with(p, 1023, 5)), 257u);
  EXPECT_TRUE(e.check());
}

TEST(quotient_full, up_to_256_slots_the_tail_holds_whatever_is_counted) {
  for (const std::uint64_t blocks : {1u, 2u, 3u, 4u}) {
    const quotient_shape p{.blocks = blocks, .remainder_bits = 4};
    engine e = make(p);
    while (e.add(digest_with(p, 64 * blocks - 1, 5))) continue;
    EXPECT_EQ(e.size(), e.capacity()) << blocks;
    EXPECT_TRUE(e.check());
  }
}

// An offset counts to 65,535. A run that long is made through the model: one by one it takes a minute.
TEST(quotient_full, a_key_is_refused_where_it_would_stand_too_far_from_its_place) {
  const quotient_shape p{.blocks = 4096, .remainder_bits = 3};
  const std::uint64_t quotient = 64 * 10 + 5, most = 65535 + 64 - 5;
  engine e = engine_over(p, *modelled_bytes(p, std::vector<std::uint64_t>(most - 1, quotient << 3 | 2)));
  ASSERT_TRUE(e.check());
  ASSERT_TRUE(e.add(digest_with(p, quotient, 2)));
  EXPECT_EQ(e.count(digest_with(p, quotient, 2)), most);
  ASSERT_TRUE(e.check());
  const auto before = bytes_of(e);
  for (const std::uint64_t remainder : {0u, 2u, 7u}) EXPECT_FALSE(e.add(digest_with(p, quotient, remainder)));
  EXPECT_FALSE(e.add(digest_with(p, quotient - 1, 0)) && e.add(digest_with(p, quotient - 1, 0)));
  EXPECT_TRUE(e.remove(digest_with(p, quotient - 1, 0)));
  EXPECT_EQ(bytes_of(e), before);
  EXPECT_TRUE(e.add(digest_with(p, quotient + 100, 1))) << "not so far from its place";
  EXPECT_TRUE(e.check());
  EXPECT_FALSE(modelled_bytes(p, std::vector<std::uint64_t>(most + 1, quotient << 3 | 2))) << "the model agrees";
}

// --- lookups

// Every fingerprint there is, asked of tables of all small sizes from nearly empty to full: those that are in, and no
// others. Runs begin and end everywhere, at borders of blocks and in the tail, and beside them stand others.
TEST(quotient_lookup, finds_the_fingerprints_that_are_in_and_no_others) {
  for (std::uint64_t blocks = 1; blocks <= 9; ++blocks) {
    for (const std::uint32_t r : {1u, 3u, 8u, 19u}) {
      const quotient_shape p{.blocks = blocks, .remainder_bits = r};
      engine e = make(p);
      rng random(blocks * 100 + r);
      const std::uint64_t kinds = std::min<std::uint64_t>(std::uint64_t{1} << r, 8);  // of remainders
      std::vector<bool> is_in(64 * blocks * kinds);
      for (const std::uint64_t until : {e.capacity() / 2, e.capacity() * 9 / 10, e.capacity()}) {
        while (e.size() < until) {
          const std::uint64_t quotient = random.below(64 * blocks), remainder = random.below(kinds);
          if (e.add(digest_with(p, quotient, remainder))) is_in[quotient * kinds + remainder] = true;
        }
        for (std::size_t i = 0; i < is_in.size(); ++i) {
          ASSERT_EQ(e.may_contain(digest_with(p, i / kinds, i % kinds)), is_in[i])
              << blocks << " blocks, r " << r << ", " << e.size() << " keys, quotient " << i / kinds;
        }
      }
    }
  }
}

// --- batches

// The same digests one by one and sorted first, to what is there already.
void expect_a_batch_is_one_by_one(const engine& before, const std::vector<digest>& keys) {
  engine batch = before, single = before;
  std::size_t added = 0;
  while (added < keys.size() && single.add(keys[added])) ++added;
  const auto read = [&](std::uint64_t first, std::span<digest> to) {
    std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
  };
  ASSERT_EQ(batch.add_read(keys.size(), read), added);
  ASSERT_EQ(bytes_of(batch), bytes_of(single))
      << before.shape().blocks << " blocks, " << before.size() << " keys and " << keys.size();
}

TEST(quotient_batch, gives_the_bytes_of_adding_one_by_one) {
  for (std::uint64_t blocks = 1; blocks <= 40; blocks += blocks < 10 ? 1 : 5) {
    for (const std::uint32_t r : {1u, 7u, 8u, 33u, 52u}) {
      const quotient_shape p{.blocks = blocks, .remainder_bits = r};
      rng random(blocks + r);
      for (const std::uint64_t tenths : {0u, 1u, 4u, 8u}) {  // of the slots that are taken before
        engine e = make(p);
        while (e.size() < e.capacity() * tenths / 10) ASSERT_TRUE(e.add(digest(random())));
        std::vector<digest> keys;
        for (std::uint64_t i = 0; i < std::max<std::uint64_t>(300, 40 * blocks); ++i) {
          keys.push_back(i % 7 == 6 ? keys[random.below(i)] : digest(random()));
        }
        expect_a_batch_is_one_by_one(e, keys);
      }
    }
  }
}

TEST(quotient_batch, that_crowds_stops_where_adding_one_by_one_stops) {
  const quotient_shape p{.blocks = 16, .remainder_bits = 4};
  rng random(23);
  for (const std::uint64_t there : {0u, 40u, 500u}) {  // the batch is written in one pass, merged, put in
    engine e = make(p);
    while (e.size() < there) ASSERT_TRUE(e.add(digest(random() >> 1)));
    std::vector<digest> keys;
    for (int i = 0; i < 400; ++i) keys.push_back(digest_with(p, i % 8 == 0 ? random.below(900) : 1023, 5));
    expect_a_batch_is_one_by_one(e, keys);
    keys.assign(300, digest(~std::uint64_t{0}));
    expect_a_batch_is_one_by_one(e, keys);
  }
}

TEST(quotient_batch, is_sorted_where_that_pays) {
  engine e = make({.blocks = 2000, .remainder_bits = 8});
  EXPECT_FALSE(e.is_bulk(1999)) << "not one for each block";
  EXPECT_TRUE(e.is_bulk(2000));
  EXPECT_FALSE(make({.blocks = 2, .remainder_bits = 8}).is_bulk(1023));
  rng random(29);
  while (e.size() < 3000) ASSERT_TRUE(e.add(digest(random())));
  EXPECT_FALSE(e.is_bulk(2999)) << "fewer than what is there, in a table within the cache";
  EXPECT_TRUE(e.is_bulk(3000));
}

TEST(quotient_batch, of_more_than_a_window) {
  const std::uint64_t n = building::digest_window::most + 100'000;
  quotient batch(quotient_shape{.blocks = n / 58, .remainder_bits = 2});
  quotient single = batch;
  std::vector<std::uint64_t> keys(n);
  std::iota(keys.begin(), keys.end(), 1);
  ASSERT_EQ(batch.add_many(keys), n);
  for (const std::uint64_t key : keys) ASSERT_TRUE(single.add(key));
  EXPECT_EQ(batch, single);
}

TEST(quotient_batch, on_threads_gives_the_same_bytes) {
  std::vector<std::uint64_t> keys(50'000);
  std::iota(keys.begin(), keys.end(), 1);
  quotient one({.capacity = 50'000, .fpr = 0.01}), three = one;
  ASSERT_EQ(one.add_many(keys), keys.size());
  ASSERT_EQ(three.add_many(keys, parallel{.threads = 3}), keys.size());
  EXPECT_EQ(one, three);
}

// --- counting and removing

TEST(quotient_count, counts_every_add_and_remove_takes_one_out) {
  quotient f({.capacity = 1000, .fpr = 0.001});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(f.add("alice"));
  ASSERT_TRUE(f.add("bob"));
  EXPECT_EQ(f.count("alice"), 5u);
  EXPECT_EQ(f.count("bob"), 1u);
  EXPECT_EQ(f.count("carol"), 0u);
  EXPECT_EQ(f.engine().size(), 6u);
  for (int left = 4; left >= 0; --left) {
    EXPECT_TRUE(f.remove("alice"));
    EXPECT_EQ(f.count("alice"), static_cast<std::uint64_t>(left));
    EXPECT_EQ(f.may_contain("alice"), left != 0);
  }
  EXPECT_TRUE(f.may_contain("bob"));
}

TEST(quotient_remove, case_2_a_key_that_tests_absent_changes_nothing) {
  quotient f({.capacity = 1000, .fpr = 0.01});
  for (int i = 0; i < 900; ++i) ASSERT_TRUE(f.add(i));
  const quotient before = f;
  int refused = 0;
  for (int i = 1000; i < 3000; ++i) {
    if (f.may_contain(i)) continue;  // it would take out the fingerprint of another key: documented
    EXPECT_FALSE(f.remove(i));
    ++refused;
  }
  EXPECT_GT(refused, 1900);
  EXPECT_EQ(f, before);
}

// --- order

TEST(quotient_order, fingerprints_come_ascending_as_the_digests_sort) {
  const quotient_shape p{.blocks = 61, .remainder_bits = 11};
  rng random(5);
  std::vector<digest> keys;
  for (int i = 0; i < 3300; ++i) keys.push_back(digest(random()));
  keys.insert(keys.end(), keys.begin(), keys.begin() + 100);
  engine e = make(p);
  ASSERT_EQ(e.add_many(keys), keys.size());
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint64_t> expected;
  for (const digest d : keys) expected.push_back(mulhi(d.value, 61 * 64 * 2048));
  EXPECT_EQ(fingerprints_of(e), expected);
}

TEST(quotient_order, an_empty_filter_has_no_fingerprints_and_iterators_are_forward_ones) {
  static_assert(std::forward_iterator<engines::quotient_cursor>);
  engine e = make({.blocks = 8, .remainder_bits = 3});
  EXPECT_TRUE(fingerprints_of(e).empty());
  EXPECT_TRUE(fingerprints_of(engine()).empty()) << "nor one that was moved from";
  ASSERT_TRUE(e.add(digest(~std::uint64_t{0})));
  auto first = e.fingerprints().begin();
  EXPECT_EQ(*first, 8u * 64 * 8 - 1);
  EXPECT_TRUE(first++ == e.fingerprints().begin());
  EXPECT_TRUE(first == e.fingerprints().end());
}

// --- merging

TEST(quotient_merge, gives_what_adding_all_keys_gives) {
  const quotient_shape p{.blocks = 16, .remainder_bits = 8};
  rng random(11);
  engine a = make(p), b = make(p), all = make(p);
  for (int i = 0; i < 970; ++i) {
    const digest d(random() >> (i % 3 == 0 ? 2 : 0));
    ASSERT_TRUE((i % 2 == 0 ? a : b).add(d));
    ASSERT_TRUE(all.add(d));
  }
  const engine b_before = b;
  ASSERT_TRUE(a.merge(b));
  EXPECT_EQ(bytes_of(a), bytes_of(all));
  EXPECT_EQ(b, b_before);
  ASSERT_TRUE(a.merge(make(p)));
  EXPECT_EQ(a, all);
  engine empty = make(p);
  ASSERT_TRUE(empty.merge(b));
  EXPECT_EQ(empty, b);
}

TEST(quotient_merge, with_itself_counts_everything_twice) {
  quotient f({.capacity = 100, .fpr = 0.001});
  ASSERT_TRUE(f.add("alice"));
  ASSERT_TRUE(f.merge(f));
  EXPECT_EQ(f.count("alice"), 2u);
  EXPECT_EQ(f.engine().size(), 2u);
}

TEST(quotient_merge, case_34_another_shape_is_refused) {
  engine a = make({.blocks = 16, .remainder_bits = 8});
  ASSERT_TRUE(a.add(digest(1)));
  const engine before = a;
  EXPECT_EQ(a.merge(make({.blocks = 17, .remainder_bits = 8})).error().detail,
            "merge: blocks differ: 16 here, 17 there");
  const auto refused = a.merge(make({.blocks = 16, .remainder_bits = 7}));
  EXPECT_EQ(refused.error().detail, "merge: remainder-bits differ: 8 here, 7 there");
  EXPECT_EQ(refused.error().code, errc::incompatible);
  EXPECT_EQ(a, before);
}

TEST(quotient_merge, refuses_more_keys_than_fit_and_changes_nothing) {
  const quotient_shape p{.blocks = 1, .remainder_bits = 8};
  engine a = make(p), b = make(p);
  rng random(2);
  for (int i = 0; i < 31; ++i) ASSERT_TRUE(a.add(digest(random())) && b.add(digest(random())));
  const engine before = a;
  const auto refused = a.merge(b);
  EXPECT_EQ(refused.error().code, errc::full);
  EXPECT_EQ(refused.error().detail, "merge: 31 keys here and 31 there, room for 61");
  EXPECT_EQ(a, before);
}

TEST(quotient_merge, refuses_keys_that_crowd_and_changes_nothing) {
  const quotient_shape narrow{.blocks = 16, .remainder_bits = 4};
  engine a = make(narrow), b = make(narrow);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(a.add(digest_with(narrow, 1023, 5)) && b.add(digest_with(narrow, 1023, 6)));
  const engine before = a;
  EXPECT_EQ(a.merge(b).error().detail, "merge: 200 keys here and 200 there crowd too closely around one place");
  EXPECT_EQ(a, before);

  const quotient_shape wide{.blocks = 4096, .remainder_bits = 3};
  engine c = engine_over(wide, *modelled_bytes(wide, std::vector<std::uint64_t>(40'000, 640 << 3 | 2)));
  const engine c_before = c;
  EXPECT_EQ(c.merge(c_before).error().code, errc::full);
  EXPECT_EQ(c, c_before);
}

// --- doubling

TEST(quotient_expand, keeps_every_key_and_every_fingerprint_and_gives_the_bytes_of_a_fresh_filter) {
  for (const std::uint64_t blocks : {1u, 3u, 5u, 7u, 13u, 16u, 21u}) {
    rng random(13);
    std::vector<digest> keys;
    for (std::uint64_t i = 0; i < 60 * blocks; ++i) keys.push_back(digest(random() >> (i % 5 == 0 ? 3 : 0)));
    engine e = make({.blocks = blocks, .remainder_bits = 7});
    ASSERT_EQ(e.add_many(keys), keys.size());
    const auto fingerprints = fingerprints_of(e);
    for (std::uint32_t step = 1; step < 7; ++step) {
      ASSERT_TRUE(e.expand());
      const quotient_shape p{.blocks = blocks << step, .remainder_bits = 7 - step};
      EXPECT_EQ(e.shape(), p);
      EXPECT_EQ(e.size(), keys.size());
      EXPECT_EQ(fingerprints_of(e), fingerprints) << "there are as many different ones as before";
      engine fresh = make(p);
      ASSERT_EQ(fresh.add_many(keys), keys.size());
      EXPECT_EQ(bytes_of(e), bytes_of(fresh));
      ASSERT_TRUE(e.check());
    }
    const engine before = e;
    const auto refused = e.expand();
    EXPECT_EQ(refused.error().code, errc::unsupported);
    EXPECT_EQ(refused.error().detail, "expand: remainder-bits is 1; doubling the slots would leave no remainder");
    EXPECT_EQ(e, before);
  }
}

TEST(quotient_expand, makes_room) {
  quotient f(quotient_shape{.blocks = 4, .remainder_bits = 20});
  for (int i = 0; i < 20'000; ++i) {
    if (!f.add(i)) {
      ASSERT_TRUE(f.engine().expand());
      ASSERT_TRUE(f.add(i));
    }
  }
  EXPECT_EQ(f.shape(), (quotient_shape{.blocks = 512, .remainder_bits = 13}));
  for (int i = 0; i < 20'000; ++i) ASSERT_TRUE(f.may_contain(i));
}

TEST(quotient_expand, a_run_at_its_longest_and_a_full_tail_still_fit) {
  const quotient_shape p{.blocks = 4096, .remainder_bits = 3};
  engine far = engine_over(p, *modelled_bytes(p, std::vector<std::uint64_t>(65535 + 64, 640 << 3 | 2)));
  const auto all = fingerprints_of(far);
  ASSERT_TRUE(far.expand());
  EXPECT_TRUE(far.check());
  EXPECT_EQ(fingerprints_of(far), all);
  const quotient_shape small{.blocks = 16, .remainder_bits = 4};
  engine tail = make(small);
  while (tail.add(digest_with(small, 1023, 15))) continue;
  ASSERT_TRUE(tail.expand());
  EXPECT_TRUE(tail.check());
  EXPECT_EQ(tail.size(), 257u);
}

TEST(quotient_expand, a_moved_from_filter_says_no) {
  engine e = make({.blocks = 4, .remainder_bits = 4});
  const engine taken = std::move(e);
  EXPECT_EQ(e.expand().error().code, errc::unsupported);
  EXPECT_FALSE(e.add(digest(1)));
  EXPECT_FALSE(e.remove(digest(1)));
  EXPECT_TRUE(e.may_contain(digest(1)));
  EXPECT_EQ(e.size(), 0u);
  EXPECT_TRUE(e.check());
}

// --- rates

// The exact rate, below and near the largest load; queries are uniform digests, so six sigma is the binomial's.
TEST(quotient_rate, is_the_model_s) {
  const std::uint64_t queries = scaled(1'000'000, 100'000'000);
  for (const std::uint64_t n : {600u, 858u, 100'000u}) {
    for (const std::uint32_t r : {1u, 4u, 7u, 10u}) {
      const std::uint64_t blocks = n < 1000 ? 15 : 1737;
      const std::uint64_t cells = blocks << (6 + r);
      engine e = make({.blocks = blocks, .remainder_bits = r});
      rng random(n + r);
      for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(e.add(digest(random())));
      // Given the table, a query is a hit with the share of different fingerprints, exactly.
      auto stored = fingerprints_of(e);
      const auto taken = static_cast<std::uint64_t>(std::unique(stored.begin(), stored.end()) - stored.begin());
      const double different = static_cast<double>(taken) / static_cast<double>(cells);
      std::uint64_t hits = 0;
      for (std::uint64_t i = 0; i < queries; ++i) hits += e.may_contain(digest(random()));
      EXPECT_TRUE(within_six_sigma(hits, queries, different)) << six_sigma_message(hits, queries, different);
      // And that share is the model's: n throws into F cells leave (1-1/F)^n empty, with less than binomial spread.
      EXPECT_TRUE(within_six_sigma(taken, cells, e.shape().expected_fpr(n)));
      EXPECT_EQ(e.estimated_fpr(), e.shape().expected_fpr(n));
    }
  }
}

TEST(quotient_merge, words_of_the_caller_take_the_union) {
  const quotient_shape p{.blocks = 4, .remainder_bits = 8};
  std::vector<std::uint64_t> words(p.bytes() / 8);
  auto here = quotient::over(words, p).value();
  quotient there(p);
  ASSERT_TRUE(there.add("alice"));
  ASSERT_TRUE(here.merge(there));
  const auto again = quotient::over(words, p).value();
  EXPECT_TRUE(again.may_contain("alice"));
  EXPECT_EQ(again.size(), 1u);
}

TEST(quotient_shape, of_nothing_can_be_asked) {
  expect_a_shape_of_nothing<quotient_shape>();
}

}  // namespace
}  // namespace seen::testing
