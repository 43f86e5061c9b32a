// The portable lab format against vectors made elsewhere: same bytes, same answers, byte for byte back again.
#include <seen/base/bits.hpp>
#include <seen/filters/portable_bloom.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/all_filters.hpp"
#include "support/error_code.hpp"
#include "support/key_shapes.hpp"
#include "support/native_image.hpp"
#include "support/soak.hpp"
#include "support/temp_dir.hpp"
#include "support/vectors.hpp"

namespace seen::testing {
namespace {

struct vector_file {
  std::string path;
  byte_vector bytes;
  json manifest;
  std::vector<std::string> added;
  std::vector<std::string> absent;
};

vector_file read_vector(const std::string& name) {
  const std::string golden = std::string(SEEN_TEST_DATA) + "/golden/";
  const json keys = parse_file(golden + "keys.json");
  vector_file v;
  v.path = golden + "portable/" + name;
  v.bytes = read_bytes(v.path);
  v.manifest = parse_file(v.path + ".json");
  for (int i = 0; i < v.manifest["added_count"].get<int>(); ++i) {
    v.added.push_back(unhex(keys["added_hex"][static_cast<std::size_t>(i)]));
  }
  for (const auto& hex : keys["absent_hex"]) v.absent.push_back(unhex(hex));
  return v;
}

class portable_vectors : public ::testing::TestWithParam<const char*> {};

template <class Filter>
void check_answers(const Filter& f, const vector_file& v) {
  for (const auto& key : v.added) EXPECT_TRUE(f.may_contain(key)) << key;
  ASSERT_EQ(v.absent.size(), v.manifest["absent_answers"].size());
  for (std::size_t i = 0; i < v.absent.size(); ++i) {
    EXPECT_EQ(f.may_contain(v.absent[i]), v.manifest["absent_answers"][i].template get<bool>()) << v.absent[i];
  }
  std::vector<int> positives;
  for (int i = 0; i < 1000; ++i) {
    if (f.may_contain("probe-" + std::to_string(i))) positives.push_back(i);
  }
  EXPECT_EQ(positives, v.manifest["probe_positives"].template get<std::vector<int>>());
}

TEST_P(portable_vectors, V2_bytes_across_languages_golden_files) {
  const vector_file v = read_vector(GetParam());
  const auto f = portable::decode(v.bytes);
  ASSERT_TRUE(f) << f.error().detail;
  EXPECT_EQ(f->bits(), v.manifest["params"]["m"].get<std::uint64_t>());
  EXPECT_EQ(f->probes(), v.manifest["params"]["k"].get<std::uint32_t>());
  check_answers(*f, v);
  EXPECT_EQ(portable::encode(*f), v.bytes);
}

TEST_P(portable_vectors, V2_the_same_keys_make_the_same_bytes) {
  const vector_file v = read_vector(GetParam());
  const target asked{.capacity = v.manifest["params"]["n"], .fpr = v.manifest["params"]["fpr"]};
  const auto shape = plan<portable_bloom>(asked);
  EXPECT_EQ(shape.bits, v.manifest["params"]["m"].get<std::uint64_t>());
  EXPECT_EQ(shape.probes, v.manifest["params"]["k"].get<std::uint32_t>());
  auto f = portable::make(shape).value();
  for (const auto& key : v.added) f.add(key);
  EXPECT_EQ(portable::encode(f), v.bytes);
  auto batch = portable::make(shape).value();
  batch.add_many(v.added);
  EXPECT_EQ(portable::encode(batch), v.bytes);
}

TEST_P(portable_vectors, any_filter_opens_it_answers_adds_and_writes_it_back) {
  const temp_dir dir;
  const vector_file v = read_vector(GetParam());
  EXPECT_EQ(any_filter::load(v.path).value().format(), "portable");  // no magic, but its length agrees
  auto f = any_filter::load(v.path, {.format = "portable"}).value();
  check_answers(f, v);
  EXPECT_EQ(f.format(), "portable");
  EXPECT_FALSE(f.info().origin.verified);
  EXPECT_EQ(f.info().origin.file_bytes, v.bytes.size());
  EXPECT_EQ(any_filter::inspect(v.path, {.format = "portable"}).value().shape, f.info().shape);
  ASSERT_TRUE(f.save(dir / "same"));
  EXPECT_EQ(read_bytes(dir / "same"), v.bytes);
  ASSERT_TRUE(f.add("a key of ours"));
  ASSERT_TRUE(f.save(dir / "more"));
  const auto back = any_filter::load(dir / "more", {.format = "portable"}).value();
  EXPECT_TRUE(back.may_contain("a key of ours"));
  for (const auto& key : v.added) EXPECT_TRUE(back.may_contain(key)) << key;
}

INSTANTIATE_TEST_SUITE_P(db04, portable_vectors, ::testing::Values("n137p0.01.bloom", "n40p0.1.bloom"),
                         [](const auto& info) { return std::string(info.index == 0 ? "n137" : "n40_overfull"); });

TEST(portable, V3_known_answers_of_its_hash) {
  const fnv1a_64_splitmix h;
  EXPECT_EQ(hash_key(h, "").value, 0xc381'7c01'6ba4'ff30u);
  EXPECT_EQ(hash_key(h, "a").value, 0x5f29'c2aa'dd9b'8527u);
  EXPECT_EQ(hash_key(h, "foobar").value, 0x5df2'9541'3403'de4fu);
  EXPECT_EQ(hash_key(h, "key-0").value, 0x7f56'990d'074d'07a4u);
}

TEST(portable, V3_another_hash_fails_its_known_answers_and_ours_passes) {
  const auto fnv1a = [](bytes_view key) { return fnv1a_64_word(key); };
  const auto fnv1 = [](bytes_view key) {
    std::uint64_t h = fnv1a_64_offset_basis;
    for (const std::byte b : key) h = h * 0x0000'0100'0000'01b3 ^ std::to_integer<std::uint64_t>(b);
    return h;
  };
  const auto without_the_addition = [](std::uint64_t x) { return splitmix64(x - 0x9e37'79b9'7f4a'7c15); };
  EXPECT_TRUE(portable::check_hash(fnv1a, splitmix64));
  EXPECT_EQ(code_of(portable::check_hash(fnv1, splitmix64)), errc::wrong_hash);
  EXPECT_EQ(code_of(portable::check_hash(fnv1a, without_the_addition)), errc::wrong_hash);
  EXPECT_TRUE(portable::self_check());
}

TEST(portable, positions_are_h1_plus_i_h2_mod_m_exactly) {
  // Every bit of filters of many shapes against the definition written out with %.
  rng random(11);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t bits = round < 70 ? static_cast<std::uint64_t>(round) + 1 : 1 + random.below(100'000);
    const auto probes = static_cast<std::uint32_t>(1 + random.below(30));
    auto f = portable::make({.bits = bits, .probes = probes}).value();
    byte_vector expected(12 + static_cast<std::size_t>((bits + 7) / 8));
    set(expected, 0, probes);
    set(expected, 4, bits);
    for (std::uint64_t i = 0; i < 20; ++i) {
      const std::string key = make_key(key_shape::random, random.below(1'000'000));
      f.add(key);
      const std::uint64_t x = hash_key(fnv1a_64_splitmix(), key).value;
      for (std::uint64_t probe = 0; probe < probes; ++probe) {
        const std::uint64_t position = ((x & 0xffff'ffff) + probe * (x >> 32)) % bits;
        expected[12 + static_cast<std::size_t>(position / 8)] |= static_cast<std::byte>(1 << (position % 8));
      }
    }
    ASSERT_EQ(portable::encode(f), expected) << bits << " bits, " << probes << " probes";
  }
}

TEST(portable, fastmod_equals_the_remainder) {
  constexpr std::uint64_t max = ~std::uint64_t{0};
  std::vector<std::uint64_t> edges{1, 2, 3, 5, 7, 641, 6'700'417, 1'000'003, max, max - 1, max - 2, max / 2, max / 3};
  for (int bit = 1; bit < 64; ++bit) {
    for (const std::uint64_t off : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1}}) {
      edges.push_back((std::uint64_t{1} << bit) + off);
    }
  }
  edges.erase(std::remove(edges.begin(), edges.end(), 0), edges.end());
  for (const std::uint64_t m : edges) {
    const detail::fastmod mod(m);
    EXPECT_EQ(mod.divisor(), m);
    for (const std::uint64_t x : edges) {
      ASSERT_EQ(mod(x), x % m) << x << " mod " << m;
      // Around a multiple of m is where a magic number that is off by one shows.
      const std::uint64_t multiple = x / m * m;
      ASSERT_EQ(mod(multiple), 0u) << multiple << " mod " << m;
      ASSERT_EQ(mod(multiple - 1), (multiple - 1) % m) << multiple - 1 << " mod " << m;
    }
    ASSERT_EQ(mod(0), 0u);
  }
  rng random(12);
  for (std::uint64_t i = 0, end = repetitions(1'000'000, 100'000'000); i < end; ++i) {
    const std::uint64_t m = (random() >> random.below(64)) | 1, x = random() >> random.below(64);
    ASSERT_EQ(detail::fastmod(m)(x), x % m) << x << " mod " << m;
  }
}

TEST(portable, its_limits_are_refused_when_made_and_when_read) {
  EXPECT_EQ(code_of(portable::make({.bits = (std::uint64_t{1} << 32) + 1, .probes = 1})), errc::too_large);
  EXPECT_EQ(code_of(portable::make({.bits = 0, .probes = 1})), errc::invalid_argument);
  EXPECT_EQ(code_of(portable::make({.bits = 64, .probes = 0})), errc::invalid_argument);
  EXPECT_EQ(code_of(portable::make({.bits = 64, .probes = 31})), errc::invalid_argument);
  EXPECT_EQ(code_of(portable::decode(byte_vector())), errc::corrupt);
  const auto with = [](std::uint32_t probes, std::uint64_t bits, std::size_t body) {
    byte_vector bytes(12 + body);
    set(bytes, 0, probes);
    set(bytes, 4, bits);
    return bytes;
  };
  EXPECT_TRUE(portable::decode(with(30, 9, 2)));
  for (const byte_vector& bytes :
       {with(0, 8, 1), with(31, 8, 1), with(~0u, 8, 1), with(3, 0, 0), with(3, 0, 1), with(3, 8, 0), with(3, 8, 2),
        with(3, 9, 1), with(3, ~std::uint64_t{0}, 0), with(3, ~std::uint64_t{0} - 6, 1),
        with(3, (std::uint64_t{1} << 40) + 1, 8), with(3, std::uint64_t{1} << 40, 8)}) {
    const auto refused = portable::decode(bytes);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::corrupt) << refused.error().detail;
    EXPECT_FALSE(any_filter::from_bytes(bytes, {.format = "portable"}));
    EXPECT_FALSE(portable::could_be(bytes, bytes.size()));
  }
}

TEST(portable, bits_beyond_the_last_are_refused) {
  for (std::uint64_t bits = 1; bits <= 17; ++bits) {
    byte_vector bytes(12 + static_cast<std::size_t>((bits + 7) / 8));
    set(bytes, 0, std::uint32_t{1});
    set(bytes, 4, bits);
    for (std::uint64_t bit = 0; bit < 8 * (bytes.size() - 12); ++bit) {
      auto& byte = bytes[12 + static_cast<std::size_t>(bit / 8)];
      byte = static_cast<std::byte>(1 << (bit % 8));
      EXPECT_EQ(portable::decode(bytes).has_value(), bit < bits) << bit << " of " << bits;
      byte = std::byte{0};
    }
  }
}

TEST(portable, a_file_at_an_odd_address_is_read_all_the_same) {
  const vector_file v = read_vector("n137p0.01.bloom");
  for (std::size_t shift = 0; shift < 9; ++shift) {
    byte_vector shifted(shift);
    append(shifted, bytes_view(v.bytes));
    const auto f = portable::decode(bytes_view(shifted).subspan(shift));
    ASSERT_TRUE(f) << f.error().detail;
    EXPECT_EQ(portable::encode(*f), v.bytes);
  }
}

}  // namespace
}  // namespace seen::testing
