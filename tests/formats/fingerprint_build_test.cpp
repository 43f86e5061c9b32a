// FastFilter's filters from keys: of any number of them, equal ones or not, every one is found in the file; sizes and seeds
// are the libraries'. (That files are the same, byte for byte, foreign_test.cpp asserts of those the libraries wrote.)
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "support/binomial.hpp"
#include "support/error_code.hpp"
#include "support/foreign_vectors.hpp"
#include "support/native_image.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

using integers = std::vector<std::uint64_t>;

const std::string go = "xorfilter-go", c = "xor-singleheader";

make_options options_of(const std::string& format, const std::string& kind, std::uint64_t bits = 8,
                        const std::string& variant = "") {
  return {.kind = kind, .shape = {{"fingerprint-bits", bits}}, .format = format, .variant = variant};
}

result<any_filter> build(const make_options& options, const integers& keys, const build_options& how = {}) {
  auto b = any_builder::make(options, how);
  if (!b) return b.error();
  for (const std::uint64_t key : keys) {
    if (auto added = b->add(key); !added) return added.error();
  }
  return std::move(*b).finish();
}

// Numbers in a row, as counters are, or all over the place.
integers some_keys(std::uint64_t count, bool in_a_row, std::uint64_t first = 0) {
  integers keys;
  for (std::uint64_t i = first; i < first + count; ++i) keys.push_back(in_a_row ? i : i * 0x9e37'79b9'7f4a'7c15 + 7);
  return keys;
}

// What the file of a filter says of keys.
std::size_t found_in_file(const any_filter& f, const integers& keys) {
  const auto bytes = f.to_bytes().value();
  const auto back = any_filter::from_bytes(bytes, {.format = std::string(f.format())});
  if (!back) throw std::runtime_error(back.error().detail);
  EXPECT_EQ(back->to_bytes().value(), bytes);
  EXPECT_EQ(back->origin().variant, f.origin().variant);
  EXPECT_EQ(back->info().shape, f.info().shape);
  const auto out = std::make_unique<bool[]>(keys.size());
  return back->may_contain_many(keys, {out.get(), keys.size()});
}

std::uint64_t field(const any_filter& f, const std::string& name) {
  for (const named_field& each : f.info().shape) {
    if (each.name == name) return each.value;
  }
  throw std::runtime_error("no " + name);
}

// A format, a kind and a width that its library has.
struct choice {
  std::string format, kind;
  std::uint64_t bits;
};
std::vector<choice> all_choices() {
  return {{go, "binary-fuse", 8}, {go, "binary-fuse", 16}, {go, "binary-fuse", 32}, {go, "xor", 8},
          {c, "binary-fuse", 8},  {c, "binary-fuse", 16},  {c, "xor", 8},           {c, "xor", 16}};
}

class fingerprint_build : public ::testing::TestWithParam<choice> {
 protected:
  [[nodiscard]] static make_options options() {
    return options_of(GetParam().format, GetParam().kind, GetParam().bits);
  }
};
INSTANTIATE_TEST_SUITE_P(all, fingerprint_build, ::testing::ValuesIn(all_choices()), [](const auto& each) {
  std::string name = each.param.format + "_" + each.param.kind + "_" + std::to_string(each.param.bits);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(fingerprint_build, any_number_of_keys_is_built_and_found) {
  const std::uint64_t step = scaled(37, 1);
  for (std::uint64_t n = 0; n <= 3000; n += n < 256 ? 1 : step) {
    const integers keys = some_keys(n, n % 2 == 0);
    const auto f = build(options(), keys);
    ASSERT_TRUE(f) << n << ": " << f.error().detail;
    ASSERT_EQ(field(*f, "fingerprint-bits"), GetParam().bits);
    ASSERT_EQ(found_in_file(*f, keys), n) << n;
  }
}

// Where one seed in a hundred does with the segments that the libraries once gave so many.
TEST_P(fingerprint_build, the_numbers_of_keys_that_were_hardest_are_built) {
  for (std::uint64_t n = 11'480; n <= 11'521; n += scaled(4, 1)) {
    const integers keys = some_keys(n, n % 2 == 0, n << 32);
    const auto f = build(options(), keys);
    ASSERT_TRUE(f) << n << ": " << f.error().detail;
    ASSERT_EQ(found_in_file(*f, keys), n) << n;
  }
}

TEST_P(fingerprint_build, equal_keys_and_their_order_leave_no_trace) {
  const integers keys = some_keys(777, false);
  integers thrice;
  for (int i = 0; i < 3; ++i) thrice.insert(thrice.end(), keys.rbegin(), keys.rend());
  EXPECT_EQ(build(options(), thrice)->to_bytes().value(), build(options(), keys)->to_bytes().value());
  const auto one = build(options(), integers(5000, 42)).value();
  EXPECT_EQ(one.to_bytes().value(), build(options(), {42})->to_bytes().value());
  EXPECT_EQ(found_in_file(one, {42}), 1u);
}

TEST_P(fingerprint_build, many_keys_are_found_and_others_at_the_rate_of_the_width) {
  const std::uint64_t n = scaled(100'000, 1'000'000);
  const integers keys = some_keys(n, false), others = some_keys(n, false, n);
  const auto f = build(options(), keys).value();
  EXPECT_EQ(found_in_file(f, keys), n);
  const double rate = 1 / static_cast<double>(std::uint64_t{1} << GetParam().bits);
  const std::size_t hits = found_in_file(f, others);
  // Wrongly red once in 10^9 runs on either side, were the keys drawn again.
  EXPECT_LE(hits, binomial_upper(n, rate, 1e-9));
  EXPECT_GE(hits, binomial_lower(n, rate, 1e-9));
  const double slots_per_key = 8.0 * static_cast<double>(f.info().bytes) / static_cast<double>(n * GetParam().bits);
  EXPECT_NEAR(slots_per_key, GetParam().kind == "xor" ? 1.23 : soak() ? 1.13 : 1.19, 0.01);
}

// The inverse of MurmurHash3's finaliser: the key that has this hash under a seed.
std::uint64_t key_of_hash(std::uint64_t h, std::uint64_t seed) {
  const auto divided = [](std::uint64_t x, std::uint64_t by) {
    std::uint64_t inverse = by;  // right in 3 bits, and in twice as many every time
    for (int i = 0; i < 5; ++i) inverse *= 2 - by * inverse;
    return x * inverse;
  };
  const auto shifted = [](std::uint64_t x) { return x ^ x >> 33; };
  h = divided(shifted(h), 0xc4ce'b9fe'1a85'ec53);
  return shifted(divided(shifted(h), 0xff51'afd7'ed55'8ccd)) - seed;
}

TEST(fingerprint_builder, keys_that_were_chosen_to_meet_under_the_first_seed_get_another) {
  for (const std::string& format : {go, c}) {
    const auto options = options_of(format, "binary-fuse");
    const std::uint64_t first = field(build(options, {}).value(), "seed");
    for (const std::uint64_t n : {2u, 63u, 64u, 65u, 129u, 1000u}) {
      // Hashes that differ only where no slot looks: all keys have the same three.
      integers keys;
      for (std::uint64_t i = 0; i < n; ++i) keys.push_back(key_of_hash(i << 28, first));
      const auto f = build(options, keys).value();
      EXPECT_NE(field(f, "seed"), first) << n;
      EXPECT_EQ(found_in_file(f, keys), n);
    }
  }
}

TEST(fingerprint_builder, the_rate_chooses_the_width_unless_it_is_named) {
  const auto bits_for = [](const std::string& format, const std::string& kind, double fpr) -> std::uint64_t {
    auto b = any_builder::make({.kind = kind, .target = {.fpr = fpr}, .format = format});
    if (!b) return 0;
    return field(std::move(*b).finish().value(), "fingerprint-bits");
  };
  for (const std::string& format : {go, c}) {
    EXPECT_EQ(bits_for(format, "", 0.01), 8u);
    EXPECT_EQ(bits_for(format, "", 1.0 / 256), 8u);
    EXPECT_EQ(bits_for(format, "", 0.0039), 16u);
    EXPECT_EQ(bits_for(format, "", 1.0 / 65536), 16u);
  }
  EXPECT_EQ(bits_for(go, "", 1e-6), 32u);
  EXPECT_EQ(bits_for(c, "", 1e-6), 0u);
  EXPECT_EQ(bits_for(c, "xor", 0.001), 16u);
  EXPECT_EQ(bits_for(go, "xor", 0.001), 0u);
}

TEST(fingerprint_builder, the_variant_chooses_the_kind_unless_it_is_named) {
  const auto kind_of = [](const std::string& format, const std::string& variant) {
    return build({.target = {.fpr = 0.01}, .format = format, .variant = variant}, {1, 2, 3})->info().kind;
  };
  EXPECT_EQ(kind_of(go, ""), "binary-fuse");
  EXPECT_EQ(kind_of(go, "save"), "binary-fuse");
  EXPECT_EQ(kind_of(go, "json"), "xor");
  for (const std::string variant : {"", "serialize", "pack", "serialize-v1"})
    EXPECT_EQ(kind_of(c, variant), "binary-fuse");
}

TEST(fingerprint_builder, every_layout_of_the_c_library_holds_all_keys) {
  for (const auto& [kind, variant] : std::vector<std::pair<std::string, std::string>>{
           {"binary-fuse", "pack"}, {"binary-fuse", "serialize-v1"}, {"xor", "serialize"}, {"xor", "pack"}}) {
    for (const std::uint64_t bits : {8u, 16u}) {
      for (const std::uint64_t n : {1u, 2u, 100u, 3000u}) {
        const integers keys = some_keys(n, false);
        const auto f = build(options_of(c, kind, bits, variant), keys).value();
        EXPECT_EQ(f.origin().variant, variant);
        EXPECT_EQ(found_in_file(f, keys), n) << kind << " " << variant << " " << bits << " " << n;
      }
    }
  }
}

// Of 5000 keys releases until September 2026 make segments of 512 slots, and later ones of 256.
TEST(fingerprint_builder, a_pack_that_releases_read_differently_is_refused) {
  const integers keys = some_keys(5000, false);
  const auto packed = build(options_of(c, "binary-fuse", 8, "pack"), keys);
  ASSERT_EQ(code_of(packed), errc::unsupported);
  EXPECT_NE(packed.error().detail.find("use serialize"), std::string::npos) << packed.error().detail;
  const auto serialized = build(options_of(c, "binary-fuse"), keys).value();
  EXPECT_EQ(field(serialized, "segment-length"), 256u);
  EXPECT_EQ(field(build(options_of(go, "binary-fuse"), keys).value(), "segment-length"), 512u);
  const integers more = some_keys(100'000, false);
  EXPECT_EQ(found_in_file(build(options_of(c, "binary-fuse", 8, "pack"), more).value(), more), more.size());
}

// The rest differs: the library takes a xor filter's memory as it finds it, and what is in slots that no key has gets into
// all the others.
TEST(fingerprint_builder, a_xor_filter_has_the_seed_and_size_of_the_c_library) {
  for (const std::string name : {"xor8_serialize.bin", "xor16_pack.bin"}) {
    const std::string path = std::string(SEEN_TEST_DATA) + "/golden/xor-singleheader/" + name;
    const auto theirs = any_filter::load(path, {.format = c}).value();
    auto b = any_builder::make(options_of(c, "xor", name.starts_with("xor16") ? 16 : 8)).value();
    for (const auto& key : read_answers(path).present) ASSERT_TRUE(b.add(key));
    EXPECT_EQ(std::move(b).finish()->info().shape, theirs.info().shape) << name;
  }
}

TEST(fingerprint_builder, keys_of_other_bytes_need_the_hash_that_reading_needs) {
  for (const std::string hash : {"xxh3-64", "xxh64", "murmur3-x64-128", "fnv1a-64"}) {
    for (const std::string& format : {go, c}) {
      make_options options = options_of(format, "binary-fuse", 16);
      options.hash = hash_id_from(hash).value();
      auto b = any_builder::make(options).value();
      for (int i = 0; i < 500; ++i) ASSERT_TRUE(b.add("key " + std::to_string(i)));
      const auto f = std::move(b).finish().value();
      EXPECT_EQ(f.origin().accepts, key_form::bytes);
      const auto back = any_filter::from_bytes(f.to_bytes().value(), {.format = format, .hash = hash}).value();
      for (int i = 0; i < 500; ++i) {
        ASSERT_TRUE(f.may_contain("key " + std::to_string(i)));
        ASSERT_TRUE(back.may_contain("key " + std::to_string(i)));
      }
      EXPECT_FALSE(back.may_contain("another"));
    }
  }
  auto b = any_builder::make(options_of(go, "binary-fuse")).value();
  EXPECT_TRUE(b.add("8 bytes."));
  const auto added = b.add("alice");
  ASSERT_EQ(code_of(added), errc::invalid_argument);
  EXPECT_EQ(
      added.error().detail,
      "build: the format's keys are integers of 8 bytes, and this one has 5; or name a hash that makes integers of "
      "them");
  EXPECT_EQ(std::move(b).finish()->origin().accepts, key_form::integer);
}

TEST(fingerprint_builder, of_a_batch_with_a_key_that_is_none_nothing_is_kept) {
  auto b = any_builder::make(options_of(go, "binary-fuse", 32)).value();
  std::vector<std::string> keys;
  for (int i = 0; i < 1000; ++i) keys.push_back("8 bytes" + std::string(1, static_cast<char>('a' + i % 26)));
  keys[700] = "alice";
  std::vector<bytes_view> views;
  for (const auto& key : keys) views.push_back(std::as_bytes(std::span(key)));
  const auto added = b.add_many(views);
  ASSERT_EQ(code_of(added), errc::invalid_argument);
  EXPECT_NE(added.error().detail.find("key 700 of these has 5"), std::string::npos) << added.error().detail;
  ASSERT_TRUE(b.add(std::uint64_t{42}));
  const auto f = std::move(b).finish().value();
  EXPECT_TRUE(f.may_contain(std::uint64_t{42}));
  EXPECT_FALSE(f.may_contain("8 bytesa"));
  EXPECT_EQ(code_of(b.add(std::uint64_t{43})), errc::invalid_argument);  // it has finished
  EXPECT_EQ(code_of(std::move(b).finish()), errc::invalid_argument);
}

TEST(fingerprint_builder, what_a_library_has_not_is_refused_before_there_are_keys) {
  const auto refused = [](const make_options& options, errc code, const std::string& why) {
    const auto b = any_builder::make(options);
    ASSERT_EQ(code_of(b), code) << why;
    EXPECT_EQ(b.error().detail, why);
  };
  const auto with = [](make_options options, auto change) {
    change(options);
    return options;
  };
  refused(options_of(go, "xor", 16), errc::unsupported,
          "xorfilter-go: xor filters have fingerprints of 8 bits, not 16");
  refused(options_of(go, "binary-fuse", 12), errc::unsupported,
          "xorfilter-go: binary-fuse filters have fingerprints of 8, 16 or 32 bits, not 12");
  refused(options_of(c, "binary-fuse", 32), errc::unsupported,
          "xor-singleheader: binary-fuse filters have fingerprints of 8 or 16 bits, not 32");
  refused(options_of(c, "xor", 32), errc::unsupported,
          "xor-singleheader: xor filters have fingerprints of 8 or 16 bits, not 32");
  refused({.kind = "xor", .target = {.fpr = 0.001}, .format = go}, errc::unsupported,
          "xorfilter-go: xor filters have fingerprints of 8 bits: the lowest rate is 2^-8, and 0.001 is asked for");
  refused({.target = {.fpr = 1.5}, .format = go}, errc::invalid_argument,
          "fpr 1.5 is not a probability strictly between 0 and 1");
  refused(options_of(go, "xor", 8, "save"), errc::unsupported,
          "xorfilter-go: save is of another kind; a xor filter is written as json");
  refused(options_of(go, "binary-fuse", 8, "json"), errc::unsupported,
          "xorfilter-go: json is of another kind; a binary-fuse filter is written as save");
  refused(options_of(c, "xor", 8, "serialize-v1"), errc::unsupported,
          "xor-singleheader: serialize-v1 is of another kind; a xor filter is written as serialize or pack");
  refused(options_of(c, "bloom"), errc::unsupported,
          "xor-singleheader: the format holds binary-fuse or xor filters, not bloom");
  refused(options_of(c, "", 8, "gob"), errc::invalid_argument,
          "xor-singleheader: no variant gob; there are serialize, pack, serialize-v1");
  refused({.shape = {{"segments", 5}}, .format = c}, errc::invalid_argument,
          "xor-singleheader: binary-fuse filters take no field segments but fingerprint-bits");
  refused({.shape = {{"fingerprint-bits", 8}, {"segments", 5}}, .format = c}, errc::invalid_argument,
          "xor-singleheader: binary-fuse filters take no field segments but fingerprint-bits");
  refused(with(options_of(go, ""), [](make_options& o) { o.seed = 1; }), errc::unsupported,
          "xorfilter-go: the format's hash takes no seed");
  refused(with(options_of(go, ""), [](make_options& o) { o.hash = hash_id::siphash_1_3; }), errc::invalid_argument,
          "xorfilter-go: no hash siphash-1-3; there are fmix64, xxh3-64, xxh64, murmur3-x64-128, fnv1a-64");
  refused(with(options_of(go, ""), [](make_options& o) { o.key_type = "int"; }), errc::invalid_argument,
          "xorfilter-go: no key type int; there are u64");
  const auto empty = any_filter::make(options_of(go, ""));
  ASSERT_EQ(code_of(empty), errc::unsupported);
  EXPECT_EQ(empty.error().detail,
            "xorfilter-go: filters of this format are built from all their keys at once, not made empty");
}

TEST(fingerprint_builder, a_budget_is_kept_or_refused_and_a_build_can_be_cancelled) {
  const integers keys = some_keys(10'000, true);
  const auto options = options_of(go, "xor");
  EXPECT_TRUE(build(options, keys, {.memory = 260'000}));
  const auto small = build(options, keys, {.memory = 200'000});
  ASSERT_EQ(code_of(small), errc::no_memory);
  EXPECT_NE(small.error().detail.find("10000 keys need 236 KiB"), std::string::npos) << small.error().detail;
  EXPECT_EQ(code_of(build(options, keys, {.memory = 50'000})), errc::no_memory);  // while they come
  EXPECT_EQ(code_of(any_builder::make(options, {.spill_directory = "/tmp"})), errc::invalid_argument);
  EXPECT_EQ(code_of(any_builder::make(options, {.checkpoint = "/tmp/parts"})), errc::invalid_argument);
  std::vector<build_progress::stage> stages;
  const auto told = [&](const build_progress& now) {
    EXPECT_LE(now.done, now.total);
    stages.push_back(now.now);
    return true;
  };
  EXPECT_TRUE(build(options, keys, {.progress = told}));
  EXPECT_EQ(stages.front(), build_progress::stage::sorting);
  EXPECT_EQ(stages.back(), build_progress::stage::solving);
  EXPECT_EQ(code_of(build(options, keys, {.progress = [](const build_progress&) { return false; }})), errc::cancelled);
}

}  // namespace
}  // namespace seen::testing
