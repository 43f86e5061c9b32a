// Tests what only counting filters do: counters that add, take back, saturate and sum. Failure cases 1 and 2.
#include <seen/filters/blocked_counting_bloom.hpp>
#include <seen/filters/counting_bloom.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

using classic_shape = counting_bloom_shape;
using blocked_shape = blocked_counting_bloom_shape;

std::vector<classic_shape> classic_shapes(std::uint64_t counters, std::uint32_t probes) {
  std::vector<classic_shape> shapes;
  for (const std::uint32_t width : {2u, 4u, 8u, 16u}) {
    shapes.push_back({.counters = counters, .probes = probes, .counter_bits = width});
  }
  return shapes;
}

std::vector<blocked_shape> blocked_shapes(std::uint64_t blocks) {
  std::vector<blocked_shape> shapes;
  for (const std::uint32_t probes : {4u, 8u, 16u}) {
    for (const std::uint32_t width : {4u, 8u}) {
      shapes.push_back({.blocks = blocks, .probes = probes, .counter_bits = width});
    }
  }
  return shapes;
}

// Calls check(empty filter) for every width and number of lanes.
template <class Check>
void for_every_shape(Check check) {
  for (const auto& shape : classic_shapes(3000, 7)) check(counting_bloom(shape));
  for (const auto& shape : blocked_shapes(20)) check(blocked_counting_bloom(shape));
}

// --- counters in words

std::uint64_t counter_of(std::uint64_t word, std::uint32_t width, std::uint32_t i) {
  return word >> (i * width) & kernels::counter_maximum(width);
}

TEST(packed_counters, sums_and_marks_are_those_of_single_counters) {
  rng random(5);
  for (const std::uint32_t width : {2u, 4u, 8u, 16u}) {
    const std::uint64_t maximum = kernels::counter_maximum(width);
    for (int round = 0; round < 20'000; ++round) {
      // Every other word is sparse or dense, so that 0 and the maximum are common.
      const std::uint64_t a = round % 2 == 0 ? random() : random() & random() & random();
      const std::uint64_t b = round % 3 == 0 ? random() | random() | random() : random();
      const std::uint64_t sum = kernels::packed_sum(a, b, width), marks = kernels::packed_nonzero(a, width);
      for (std::uint32_t i = 0; i < 64 / width; ++i) {
        const std::uint64_t one = counter_of(a, width, i), other = counter_of(b, width, i);
        ASSERT_EQ(counter_of(sum, width, i), std::min(one + other, maximum)) << width;
        ASSERT_EQ(counter_of(marks, width, i), one != 0 ? 1u : 0u) << width;
        const std::uint32_t shift = i * width;
        ASSERT_EQ(kernels::raised(a, shift, maximum) - a, one == maximum ? 0 : std::uint64_t{1} << shift);
        ASSERT_EQ(a - kernels::lowered(a, shift, maximum), one == maximum || one == 0 ? 0 : std::uint64_t{1} << shift);
      }
    }
  }
}

// --- layout: part of the file format

constexpr digest example(0x9e37'79b9'7f4a'7c15);

template <class F>
std::vector<std::uint64_t> counters_of(const F& f, digest d) {
  std::vector<std::uint64_t> found;
  f.engine().rule().visit(d, [&](std::uint64_t at) { found.push_back(at); });
  return found;
}

TEST(counting_layout, counters_are_those_of_blooms_bits) {
  const counting_bloom f(classic_shape{.counters = 9'585'059, .probes = 7});
  EXPECT_EQ(counters_of(f, example),
            (std::vector<std::uint64_t>{5923892, 5859421, 212564, 6047423, 9332032, 5459049, 5643984}));
}

// y = 0x9e3779b97f4a7c15 · 0xf1357aea2e62a9c5 mod 2^64; block = floor(digest · 1000 / 2^64) = 618.
TEST(counting_layout, blocked_counters_are_pinned) {
  ASSERT_EQ(counter_block_rule::pattern(example), 0x9c7e'aac8'6645'5929u);
  const auto within = [](std::uint32_t probes, std::uint32_t width) {
    const blocked_counting_bloom f(blocked_shape{.blocks = 1000, .probes = probes, .counter_bits = width});
    std::vector<std::uint64_t> found = counters_of(f, example);
    for (std::uint64_t& at : found) at -= 618 * (512 / width);
    return found;
  };
  // Hexadecimal digits 9 c 7 e a a c 8, one per lane of sixteen.
  EXPECT_EQ(within(8, 4),
            (std::vector<std::uint64_t>{9, 16 + 12, 32 + 7, 48 + 14, 64 + 10, 80 + 10, 96 + 12, 112 + 8}));
  // Five bits each of 1001 1100 0111 1110 1010: 19, 17, 31, 10.
  EXPECT_EQ(within(4, 4), (std::vector<std::uint64_t>{19, 32 + 17, 64 + 31, 96 + 10}));
  // Four bits each: 9, c, 7, e.
  EXPECT_EQ(within(4, 8), (std::vector<std::uint64_t>{9, 16 + 12, 32 + 7, 48 + 14}));
  // Three bits each of 100 111 000 111 111 010 101 010: 4 7 0 7 7 2 5 2.
  EXPECT_EQ(within(8, 8), (std::vector<std::uint64_t>{4, 8 + 7, 16 + 0, 24 + 7, 32 + 7, 40 + 2, 48 + 5, 56 + 2}));
  EXPECT_EQ(within(16, 4)[0], 4u);
  EXPECT_EQ(within(16, 4)[7], 7u * 8 + 2);
  EXPECT_EQ(within(16, 8)[0], 2u);  // two bits each
  EXPECT_EQ(within(16, 8)[1], 4u + 1);
}

// Counter j is bits w·j … w·j + w - 1 of the bytes, lowest first.
TEST(counting_layout, bytes_are_little_endian_on_every_machine) {
  for (const auto& shape : classic_shapes(1000, 1)) {
    counting_bloom f(shape);
    for (int i = 0; i < 3; ++i) f.add(example);  // counter floor(0.618 · 1000) = 618
    const std::uint64_t bit = 618 * shape.counter_bits;
    for (std::size_t i = 0; i < f.engine().bytes().size(); ++i) {
      ASSERT_EQ(std::to_integer<unsigned>(f.engine().bytes()[i]), i == bit / 8 ? 3u << (bit % 8) : 0u) << i;
    }
  }
}

TEST(counting_layout, lanes_of_a_block_never_share_a_counter) {
  rng random(9);
  for (const auto& shape : blocked_shapes(77)) {
    const blocked_counting_bloom f(shape);
    for (int i = 0; i < 1000; ++i) {
      auto found = counters_of(f, digest(random()));
      ASSERT_EQ(found.size(), shape.probes);
      ASSERT_EQ(found.front() / (512 / shape.counter_bits), found.back() / (512 / shape.counter_bits));
      ASSERT_LT(found.back(), shape.counters());
      ASSERT_TRUE(std::adjacent_find(found.begin(), found.end(), std::greater_equal<>()) == found.end());
    }
  }
}

// The portable bodies are the specification. Shared access has no others, so these are what to hold the vector kernels
// against.
template <class Shape>
void expect_kernels_agree() {
  rng random(Shape::width);
  const blocked_shape shape{.blocks = 3, .probes = Shape::probes, .counter_bits = Shape::width};
  const auto rule = counter_block_rule::make(shape).value();
  std::vector<digest> digests(100, digest(0));
  std::size_t found = 0;
  for (int round = 0; round < 2000; ++round) {
    std::array<std::uint64_t, 24> words{};
    // Of random bytes hardly one is 0: half of the time fewer bits.
    const bool sparse = Shape::width == 8 && round % 2 != 0;
    for (std::uint64_t& word : words) word = sparse ? random() & random() : random();
    for (digest& d : digests) d = digest(random());
    bool out[100];
    const std::size_t many = rule.lookup_many<plain_access>(words.data(), digests, out);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < digests.size(); ++i) {
      const bool is = kernels::counter_block_lookup<atomic_access, Shape>(words.data() + rule.word(digests[i]),
                                                                          rule.pattern(digests[i]));
      ASSERT_EQ(out[i], is);
      ASSERT_EQ(rule.lookup<plain_access>(words.data(), digests[i]), is);
      expected += is;
    }
    ASSERT_EQ(many, expected);
    found += many;
    auto one_by_one = words, at_once = words;
    for (const digest d : digests) {
      kernels::counter_block_add<atomic_access, Shape>(words.data() + rule.word(d), rule.pattern(d));
      rule.add<plain_access>(one_by_one.data(), d);
    }
    rule.add_many<plain_access>(at_once.data(), digests);
    ASSERT_EQ(one_by_one, words);
    ASSERT_EQ(at_once, words);
  }
  EXPECT_GT(found, 20'000u) << "both answers must occur";
  EXPECT_LT(found, 190'000u);
}

TEST(counting_layout, vector_kernels_answer_as_the_portable_one) {
  expect_kernels_agree<kernels::counter_block_shape<4, 4>>();
  expect_kernels_agree<kernels::counter_block_shape<8, 4>>();
  expect_kernels_agree<kernels::counter_block_shape<16, 4>>();
  expect_kernels_agree<kernels::counter_block_shape<8, 8>>();
}

// --- add, remove, count

TEST(counting, removing_everything_that_was_added_leaves_an_empty_filter) {
  for_every_shape([](auto f) {
    const auto empty = f;
    for (std::uint64_t key = 0; key < 30; ++key) f.add(key);
    f.add_many(std::vector<std::uint64_t>{1000, 1001, 1002});
    ASSERT_EQ(f.engine().stuck_counters(), 0u);
    EXPECT_NE(f, empty);
    for (std::uint64_t key = 1000; key < 1003; ++key) EXPECT_TRUE(f.remove(key));
    for (std::uint64_t key = 0; key < 30; ++key) EXPECT_TRUE(f.remove(key));
    EXPECT_EQ(f, empty);
  });
}

TEST(counting, count_is_how_often_a_lone_key_was_added_until_its_counters_stop) {
  for_every_shape([](auto f) {
    const std::uint64_t maximum = kernels::counter_maximum(f.engine().counter_bits());
    EXPECT_EQ(f.count("alice"), 0u);
    for (std::uint64_t times = 1; times <= std::min<std::uint64_t>(maximum, 300) + 2; ++times) {
      EXPECT_EQ(f.test_and_add("alice"), times != 1);
      ASSERT_EQ(f.count("alice"), std::min(times, maximum));
    }
  });
}

// A key adds once for each probe, and takes back as much: with one counter all seven probes fall on it.
TEST(counting, probes_that_coincide_count_each) {
  counting_bloom f(classic_shape{.counters = 1, .probes = 7, .counter_bits = 8});
  f.add("alice");
  EXPECT_EQ(f.count("alice"), 7u) << "an upper bound";
  f.add("bob");
  EXPECT_EQ(f.count("alice"), 14u);
  EXPECT_TRUE(f.remove("alice"));
  EXPECT_TRUE(f.may_contain("bob"));
  EXPECT_TRUE(f.remove("bob"));
  EXPECT_EQ(f.count("bob"), 0u);
  EXPECT_FALSE(f.remove("bob"));
}

// Failure case 1. One key is added far past the maximum of its counters, then all adds are taken back.
TEST(counting, case_1_a_counter_past_its_maximum_sticks_and_no_other_key_is_lost) {
  for_every_shape([](auto f) {
    const std::uint64_t maximum = kernels::counter_maximum(f.engine().counter_bits());
    for (std::uint64_t key = 0; key < 200; ++key) f.add(key);
    for (std::uint64_t i = 0; i < maximum + 5; ++i) f.add("often");
    const std::uint64_t stuck = f.engine().stuck_counters();
    EXPECT_GE(stuck, 1u);
    EXPECT_EQ(f.count("often"), maximum);
    for (std::uint64_t i = 0; i < maximum + 5; ++i) EXPECT_TRUE(f.remove("often"));
    EXPECT_EQ(f.count("often"), maximum) << "a stuck counter stays put";
    EXPECT_EQ(f.engine().stuck_counters(), stuck);
    for (std::uint64_t key = 0; key < 200; ++key) ASSERT_TRUE(f.may_contain(key)) << key;
    for (std::uint64_t key = 0; key < 200; ++key) ASSERT_TRUE(f.remove(key)) << key;
    EXPECT_EQ(f.engine().nonzero_counters(), f.engine().stuck_counters()) << "all but the stuck ones are 0 again";
  });
}

// Failure case 2. A key that tests absent is left alone. A key that was never added but tests present is taken for one
// that was: removing it lowers the counters of others, and may lose them. Documented, and shown here.
TEST(counting, case_2_removing_an_absent_key_changes_nothing) {
  for_every_shape([](auto f) {
    for (std::uint64_t key = 0; key < 100; ++key) f.add(key);
    const auto before = f;
    std::uint64_t absent = 0;
    for (std::uint64_t key = 1000; key < 3000; ++key) {
      if (f.may_contain(key)) continue;
      ++absent;
      ASSERT_FALSE(f.remove(key));
    }
    EXPECT_GT(absent, 500u);
    EXPECT_EQ(f, before);
  });
  counting_bloom small(classic_shape{.counters = 8, .probes = 1});
  small.add(digest(0));
  EXPECT_TRUE(small.remove(digest(1))) << "never added, but its counter is the other's";
  EXPECT_FALSE(small.may_contain(digest(0))) << "remove only what you added";
}

template <class F>
void run_against_a_multiset(F f, std::uint64_t operations) {
  constexpr std::uint64_t universe = 2048;
  std::vector<std::uint32_t> times(universe, 0);
  rng random(20'261'115);
  for (std::uint64_t done = 0; done < operations; ++done) {
    const std::uint64_t r = random(), key = (r >> 32) % universe;
    switch (r % 4) {
      case 0:
        if (times[key] == 4) break;
        f.add(key);
        ++times[key];
        break;
      case 1:
        if (times[key] == 0) break;
        ASSERT_TRUE(f.remove(key)) << key;
        --times[key];
        break;
      default:
        ASSERT_TRUE(times[key] == 0 || f.may_contain(key)) << "false negative: " << key;
        if (f.engine().counter_bits() >= 8) {
          ASSERT_GE(f.count(key), times[key]);
        }
    }
  }
  for (std::uint64_t key = 0; key < universe; ++key) {
    for (; times[key] != 0; --times[key]) ASSERT_TRUE(f.remove(key));
  }
  EXPECT_EQ(f.engine().nonzero_counters(), f.engine().stuck_counters());
}

TEST(counting, a_million_adds_and_removes_against_an_exact_multiset) {
  const std::uint64_t operations = scaled(1'000'000, 100'000'000) / 10;
  for (const auto& shape : classic_shapes(10'000, 7)) run_against_a_multiset(counting_bloom(shape), operations);
  for (const auto& shape : blocked_shapes(100)) run_against_a_multiset(blocked_counting_bloom(shape), operations);
}

// --- the whole filter

TEST(counting, a_merge_is_all_adds_of_both_and_each_can_be_taken_back) {
  for_every_shape([](auto a) {
    const std::uint64_t maximum = kernels::counter_maximum(a.engine().counter_bits());
    auto b = a, all = a;
    for (std::uint64_t key = 0; key < 100; ++key) a.add(key), all.add(key);
    for (std::uint64_t key = 50; key < 150; ++key) b.add(key), all.add(key);
    const auto only_b = b;
    ASSERT_TRUE(a.merge(b));
    EXPECT_EQ(a, all);
    EXPECT_EQ(b, only_b);
    ASSERT_TRUE(a.merge(a)) << "every add twice";
    for (std::uint64_t key = 0; key < 150; ++key) ASSERT_GE(a.count(key), 2u) << key;
    for (std::uint64_t key = 50; key < 100; ++key) ASSERT_GE(a.count(key), std::min<std::uint64_t>(4, maximum)) << key;
  });
}

TEST(counting, a_merge_of_other_shapes_is_refused_and_says_which) {
  const auto message = [](auto a, const auto& b) {
    a.add("alice");
    const auto before = a;
    const auto merged = a.merge(b);
    EXPECT_EQ(a, before);
    return merged ? std::string() : merged.error().detail;
  };
  const counting_bloom classic(classic_shape{.counters = 1000, .probes = 7});
  EXPECT_EQ(message(classic, counting_bloom(classic_shape{.counters = 1001, .probes = 7})),
            "merge: counters differ: 1000 here, 1001 there");
  EXPECT_EQ(message(classic, counting_bloom(classic_shape{.counters = 1000, .probes = 6})),
            "merge: probes differ: 7 here, 6 there");
  EXPECT_EQ(message(classic, counting_bloom(classic_shape{.counters = 1000, .probes = 7, .counter_bits = 8})),
            "merge: counter-bits differ: 4 here, 8 there");
  const blocked_counting_bloom blocked(blocked_shape{.blocks = 10, .probes = 8});
  EXPECT_EQ(message(blocked, blocked_counting_bloom(blocked_shape{.blocks = 11, .probes = 8})),
            "merge: blocks differ: 10 here, 11 there");
}

TEST(counting, plain_and_concurrent_filters_have_the_same_bytes) {
  counting_bloom plain({.capacity = 1000, .fpr = 0.01});
  concurrent_counting_bloom shared({.capacity = 1000, .fpr = 0.01});
  blocked_counting_bloom plain_blocks({.capacity = 1000, .fpr = 0.01});
  concurrent_blocked_counting_bloom shared_blocks({.capacity = 1000, .fpr = 0.01});
  for (std::uint64_t i = 0; i < 3000; ++i) {
    plain.add(i % 1000), shared.add(i % 1000), plain_blocks.add(i % 1000), shared_blocks.add(i % 1000);
    if (i % 2 == 0) plain.remove(i / 3), shared.remove(i / 3), plain_blocks.remove(i / 3), shared_blocks.remove(i / 3);
  }
  EXPECT_EQ(*to_bytes(plain), *to_bytes(shared));
  EXPECT_EQ(*to_bytes(plain_blocks), *to_bytes(shared_blocks));
  EXPECT_EQ(std::move(shared).into_plain(), plain);
  EXPECT_EQ(shared_blocks.snapshot(), plain_blocks);
}

// --- bad input

TEST(counting_shape, wrong_shapes_are_refused_with_the_value) {
  const auto classic = [](std::uint64_t counters, std::uint64_t probes, std::uint64_t width) {
    const std::array<std::uint64_t, 3> fields{counters, probes, width};
    const auto made = classic_shape::from_fields(fields);
    return made ? std::string() : made.error().detail;
  };
  EXPECT_EQ(classic(1000, 7, 4), "");
  for (const std::uint64_t width : {0u, 1u, 3u, 5u, 6u, 32u, 64u, 255u}) {
    EXPECT_EQ(classic(1000, 7, width), "counter-bits is " + std::to_string(width) + "; it must be 2, 4, 8 or 16");
  }
  EXPECT_EQ(classic(1000, 7, (std::uint64_t{1} << 32) + 4), "counter-bits is 4294967300; it must be 2, 4, 8 or 16");
  EXPECT_EQ(classic(0, 7, 4), "counters is 0; of 4 bits there may be from 1 to 274877906944 (2^40 bits)");
  EXPECT_EQ(classic((std::uint64_t{1} << 38) + 1, 7, 4),
            "counters is 274877906945; of 4 bits there may be from 1 to 274877906944 (2^40 bits)");
  EXPECT_NE(classic(~std::uint64_t{0}, 7, 16), "") << "the product would wrap";
  EXPECT_EQ(classic(1000, 0, 4), "probes is 0; it must be from 1 to 30");
  EXPECT_EQ(classic(1000, 31, 4), "probes is 31; it must be from 1 to 30");
  EXPECT_EQ(classic(1000, (std::uint64_t{1} << 32) + 7, 4), "probes is 4294967303; it must be from 1 to 30");

  const auto blocked = [](std::uint64_t blocks, std::uint64_t probes, std::uint64_t width) {
    const std::array<std::uint64_t, 3> fields{blocks, probes, width};
    const auto made = blocked_shape::from_fields(fields);
    return made ? std::string() : made.error().detail;
  };
  EXPECT_EQ(blocked(10, 8, 4), "");
  EXPECT_EQ(blocked(0, 8, 4), "blocks is 0; it must be from 1 to 2^31 (2^40 bits)");
  EXPECT_EQ(blocked((std::uint64_t{1} << 31) + 1, 8, 4), "blocks is 2147483649; it must be from 1 to 2^31 (2^40 bits)");
  EXPECT_EQ(blocked(10, 7, 4), "probes is 7; it must be 4, 8 or 16");
  EXPECT_EQ(blocked(10, (std::uint64_t{1} << 32) + 8, 4), "probes is 4294967304; it must be 4, 8 or 16");
  for (const std::uint64_t width : {0u, 1u, 2u, 3u, 16u, 64u}) {
    EXPECT_EQ(blocked(10, 8, width), "counter-bits is " + std::to_string(width) + "; it must be 4 or 8");
  }
  EXPECT_EQ(counting_bloom::make(classic_shape{.counters = 10, .probes = 3, .counter_bits = 5}).error().code,
            errc::invalid_argument);
  EXPECT_EQ(counting_bloom::make(classic_shape{.counters = std::uint64_t{1} << 40, .probes = 3}).error().code,
            errc::too_large);
}

TEST(counting_shape, a_file_whose_padding_is_not_zero_is_refused) {
  std::vector<std::uint64_t> words(8);
  const classic_shape shape{.counters = 100, .probes = 3};  // 400 bits: six words and a quarter
  ASSERT_TRUE(counting_bloom::over(words, shape));
  words[6] = std::uint64_t{1} << 16;
  EXPECT_EQ(counting_bloom::over(words, shape).error().code, errc::corrupt);
  words[6] = 0xffff;
  EXPECT_TRUE(counting_bloom::over(words, shape));
  words[7] = std::uint64_t{1} << 63;
  EXPECT_EQ(counting_bloom::over(words, shape).error().detail,
            "bits beyond the last of 100 counters of 4 bits are set");
  EXPECT_EQ(counting_bloom::over(std::span(words).first(6), shape).error().detail,
            "100 counters of 4 bits take 56 to 64 bytes; 48 were given");
}

TEST(counting_shape, plan_keeps_to_what_is_wished) {
  const target asked{.capacity = 1'000'000, .fpr = 0.01};
  EXPECT_EQ(classic_shape::plan(asked).value(), (classic_shape{.counters = 9'585'059, .probes = 7}));
  for (const std::uint32_t width : {2u, 8u, 16u}) {
    EXPECT_EQ(classic_shape::plan(asked, {.counter_bits = width}).value(),
              (classic_shape{.counters = 9'585'059, .probes = 7, .counter_bits = width}));
  }
  const auto four = classic_shape::plan(asked, {.probes = 4, .counter_bits = 0}).value();
  EXPECT_EQ(four.probes, 4u);
  EXPECT_LE(four.expected_fpr(1'000'000), 0.01);
  EXPECT_EQ(classic_shape::plan(asked, {.counters = 20'000'000}).value(),
            (classic_shape{.counters = 20'000'000, .probes = 14}));
  EXPECT_EQ(classic_shape::plan(asked, {.counter_bits = 3}).error().code, errc::invalid_argument);
  EXPECT_EQ(classic_shape::plan({.capacity = 100'000'000'000, .fpr = 0.01}).error().detail,
            "1e11 keys at fpr 0.01 need 446 GiB; the limit is 128 GiB (2^40 bits)");
  EXPECT_EQ(classic_shape::plan({.capacity = 1'000'000'000'000, .fpr = 0.01}).error().detail,
            "1e12 keys at fpr 0.01 need 4.36 TiB; the limit is 128 GiB (2^40 bits)");

  EXPECT_EQ(blocked_shape::plan(asked).value(), (blocked_shape{.blocks = 89'300, .probes = 8}));
  EXPECT_EQ(blocked_shape::plan(asked, {.probes = 4}).value().probes, 4u);
  EXPECT_EQ(blocked_shape::plan(asked, {.blocks = 5, .probes = 16, .counter_bits = 8}).value(),
            (blocked_shape{.blocks = 5, .probes = 16, .counter_bits = 8}));
  EXPECT_EQ(blocked_shape::plan(asked, {.probes = 5}).error().code, errc::invalid_argument);
  EXPECT_EQ(blocked_shape::plan(asked, {.counter_bits = 2}).error().code, errc::invalid_argument);
  EXPECT_EQ(blocked_shape::plan({.capacity = 10, .fpr = 1e-30}).error().code, errc::too_large);
}

// The promise of the blocked kind: one line per key for at most a fifth more space.
TEST(counting_shape, blocks_take_at_most_a_fifth_more_space_at_one_percent) {
  for (const std::uint64_t n : {100'000u, 4'000'000u, 100'000'000u}) {
    const target asked{.capacity = n, .fpr = 0.01};
    const auto classic = classic_shape::plan(asked).value();
    const auto blocked = blocked_shape::plan(asked).value();
    EXPECT_LE(static_cast<double>(blocked.bytes()), 1.2 * static_cast<double>(classic.bytes())) << n;
    EXPECT_LE(blocked.expected_fpr(n), 0.01) << n;
    EXPECT_EQ(blocked.lines(), 1u);
  }
}

// --- rates

template <class F>
void expect_model_rate(F f, std::uint64_t keys, std::uint64_t queries) {
  rng random(keys);
  for (std::uint64_t i = 0; i < keys; ++i) f.add(digest(random()));
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < queries; ++i) hits += f.may_contain(digest(random()));
  const double model = f.shape().expected_fpr(keys);
  // Filters differ among themselves by less than the queries do: 100,000 keys settle the rate to a part in a thousand.
  EXPECT_TRUE(within_six_sigma(hits, queries, model)) << six_sigma_message(hits, queries, model);
  EXPECT_NEAR(f.estimated_fpr() / model, 1, 0.1);
  EXPECT_NEAR(f.estimated_count() / static_cast<double>(keys), 1, 0.03);
}

TEST(counting_rate, meets_the_model_at_8_to_24_counters_a_key) {
  constexpr std::uint64_t keys = 100'000;
  const std::uint64_t queries = scaled(300'000, 10'000'000);
  for (const std::uint64_t per_key : {8u, 10u, 12u, 16u, 20u, 24u}) {
    const auto k = static_cast<std::uint32_t>(math::probes_for(per_key * keys, keys));
    expect_model_rate(counting_bloom(classic_shape{.counters = per_key * keys, .probes = k}), keys, queries);
    for (const std::uint32_t probes : {4u, 8u, 16u}) {
      for (const std::uint32_t width : {4u, 8u}) {
        const std::uint64_t blocks = per_key * keys * width / 512;
        expect_model_rate(
            blocked_counting_bloom(blocked_shape{.blocks = blocks, .probes = probes, .counter_bits = width}), keys,
            queries);
      }
    }
  }
}

}  // namespace
}  // namespace seen::testing
