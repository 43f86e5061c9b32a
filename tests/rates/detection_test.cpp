// Files with few keys, by the hundred thousand: what detection makes of them. Zeros and small numbers are what headers are
// made of, so a filter that is nearly empty is the one that looks like another library's.
//
// No file may be opened as what it is not, for its keys would be denied and the next save would destroy it. What is not
// opened is answered with a list of formats, the right one among them. Files that do not say with which hash they were filled,
// or of what keys, are made with each: opened without a name they are at most a guess. Beside the formats that can be made there are files of
// nobody's: a few numbers and the words of a filter, as many a program writes them.
#include <seen/hash/identity.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/foreign_vectors.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

using bytes_vector = std::vector<std::byte>;

// A file and what is known of it.
struct sample {
  std::string format;  // empty: nobody's
  std::string variant;
  bytes_vector bytes;
  std::vector<std::string> keys;
  bool forgets = false;
  std::string hash = {}, key_type = {};  // empty: the usual ones
};

std::string told(const sample& s) {
  std::string text =
      (s.format.empty() ? "nobody's" : s.format) + " " + s.variant + " " + s.hash + " " + s.key_type + ":";
  for (const auto& key : s.keys) text += " " + key;
  text += "; " + std::to_string(s.bytes.size()) + " bytes:";
  for (std::size_t i = 0; i < std::min<std::size_t>(s.bytes.size(), 400); ++i) {
    constexpr const char* digits = "0123456789abcdef";
    text += i % 8 == 0 ? " " : "";
    text += digits[std::to_integer<unsigned>(s.bytes[i]) >> 4];
    text += digits[std::to_integer<unsigned>(s.bytes[i]) & 15];
  }
  return text;
}

// willf's files are those of bits-and-blooms, which answers for them.
bool answers_for(std::string_view claimed, std::string_view made) {
  return claimed == made || (claimed == "bits-and-blooms" && made == "willf");
}

// Where JSON has none of the letters in which its alphabets differ, it is the usual one's.
bool is_variant(const sample& s, std::string_view found) {
  if (found == s.variant) return true;
  std::string usual = s.variant;
  if (const auto at = usual.find("-std"); at != usual.npos) usual.erase(at, 4);
  return usual == found && s.variant.starts_with("json");
}

bool holds_all(const any_filter& filter, const std::vector<std::string>& keys) {
  return std::all_of(keys.begin(), keys.end(), [&](const std::string& key) { return filter.may_contain(key); });
}

// LevelDB's detection does not take a possible list of keys for a filter: it has little else to go by.
bool is_text(const bytes_vector& bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) {
    const auto letter = std::to_integer<unsigned>(b);
    return (letter >= 0x20 && letter < 0x7f) || (letter >= '\t' && letter <= '\r');
  });
}

// `opens` says whether it was opened.
void check(const sample& s, bool& opens) {
  const source from = source::of(s.bytes);
  detection own = detection::no;
  for (const format_row* const row : formats()) {
    const detection said = row->detect(from);
    if (row->name == s.format) own = said;
    // Go and Rust know few formats, and have to be right without asking the others.
    ASSERT_TRUE(said < detection::likely || answers_for(row->name, s.format)) << row->name << " claims " << told(s);
  }
  const bool is_known = !s.format.empty() && !(s.format == "leveldb" && is_text(s.bytes));
  ASSERT_TRUE(!is_known || own != detection::no) << told(s);
  const auto opened = any_filter::from_bytes(s.bytes);
  opens = opened.has_value();
  if (!opened) {
    ASSERT_EQ(opened.error().code, errc::not_recognised) << opened.error().detail << "\n" << told(s);
    ASSERT_TRUE(!is_known || opened.error().detail.find(s.format) != std::string::npos) << opened.error().detail << "\n"
                                                                                        << told(s);
    return;
  }
  ASSERT_TRUE(answers_for(opened->format(), s.format)) << "opened as " << opened->format() << ": " << told(s);
  ASSERT_TRUE(is_variant(s, opened->origin().variant)) << "opened as " << opened->origin().variant << ": " << told(s);
  ASSERT_NE(opened->origin().recognised, recognition::named);
  if (s.forgets || holds_all(*opened, s.keys)) return;
  ASSERT_FALSE(s.hash.empty() && s.key_type.empty()) << "a key is lost: " << told(s);
  ASSERT_EQ(opened->origin().recognised, recognition::guessed) << "a key is lost: " << told(s);
  const auto named = any_filter::from_bytes(s.bytes, {.format = s.format, .hash = s.hash, .key_type = s.key_type});
  ASSERT_TRUE(named) << named.error().detail << "\n" << told(s);
  ASSERT_TRUE(holds_all(*named, s.keys)) << told(s);
}

// --- what can be made

struct recipe {
  const format_row* row;
  std::string variant;
};

std::vector<recipe> recipes() {
  std::vector<recipe> all;
  for (const format_row* const row : formats()) {
    if (row->make == nullptr && row->build == nullptr) continue;
    if (row->variants.empty()) all.push_back({row, {}});
    for (const std::string_view variant : row->variants) all.push_back({row, std::string(variant)});
  }
  return all;
}

using randoms = std::mt19937_64;
std::uint64_t below(randoms& random, std::uint64_t n) {
  return random() % n;
}

constexpr double rates[] = {0.6, 0.5, 0.3, 0.1, 0.05, 0.03, 0.01, 0.003, 0.001, 0.0001, 1e-6};

std::vector<std::string> keys_of(randoms& random, std::uint64_t count, bool integers) {
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t number = below(random, 100'000);
    keys.push_back(integers ? as_bytes_of(number) : std::to_string(number));
  }
  return keys;
}

// One in four times one that is not the usual, which is the first.
std::string one_of(randoms& random, std::span<const std::string_view> names) {
  return names.size() < 2 || below(random, 4) != 0 ? "" : std::string(names[1 + below(random, names.size() - 1)]);
}

// Nothing where the format has no such filter. Every eighth is filled to 0 to 200 %, the others hold 1 to 6 keys.
std::optional<sample> make(const recipe& r, randoms& random) {
  const bool is_large = r.row->name == "libbloom";  // from a thousand keys on
  make_options options{.target = {.capacity = 1 + below(random, 60) + (is_large ? 1000 : 0),
                                  .fpr = rates[below(random, std::size(rates))]},
                       .format = std::string(r.row->name),
                       .variant = r.variant};
  const std::uint64_t count =
      below(random, 8) == 0 ? below(random, 2 * options.target.capacity + 1) : 1 + below(random, 6);
  sample s{.format = std::string(r.row->name), .variant = r.variant, .bytes = {}, .keys = {}};
  s.hash = one_of(random, r.row->hashes);
  s.key_type = one_of(random, r.row->key_types);
  const bool hashed =
      !s.hash.empty() && !r.row->key_types.empty() && r.row->key_types.front() == "u64";  // text, to integers
  const bool integers =
      !hashed && !(s.key_type.empty() ? r.row->key_types.empty() || r.row->key_types.front() != "u64"
                                      : s.key_type == "bytes" || s.key_type.starts_with("utf") || s.key_type == "str");
  s.keys = keys_of(random, count, integers);
  options.key_type = s.key_type;
  if (!s.hash.empty()) {
    const auto id = hash_id_from(s.hash);
    if (!id) return {};  // files of it are read, and not made
    options.hash = *id;
  }
  s.forgets = r.variant.starts_with("stable") || r.variant.starts_with("inverse");
  std::optional<any_filter> filter;
  if (r.row->build != nullptr && r.row->make == nullptr) {
    auto b = any_builder::make(options);
    if (!b) return {};
    for (const auto& key : s.keys) {
      if (!b->add(key)) return {};
    }
    auto built = std::move(*b).finish();
    if (!built) return {};
    filter = std::move(*built);
  } else {
    auto made = any_filter::make(options);
    if (!made) return {};
    for (const auto& key : s.keys) {
      if (!made->add(key)) return {};  // full
    }
    filter = std::move(*made);
  }
  s.variant = filter->origin().variant;
  auto bytes = filter->to_bytes();
  if (!bytes) return {};
  s.bytes = std::move(*bytes);
  return s;
}

// --- nobody's

struct words {
  std::uint64_t m, k, keys;
  std::vector<std::uint64_t> bits;
};

words words_of(randoms& random) {
  words w{};
  w.m = 1 + below(random, 700);
  w.k = 1 + below(random, 10);
  w.keys = below(random, 8) == 0 ? below(random, 120) : 1 + below(random, 6);
  if (w.keys == w.m) ++w.keys;  // m, k and m again would be the header of bits-and-blooms to the letter
  w.bits.resize((w.m + 63) / 64);
  for (std::uint64_t i = 0; i < w.keys * w.k; ++i) {
    const std::uint64_t at = below(random, w.m);
    w.bits[at / 64] |= std::uint64_t{1} << (at % 64);
  }
  return w;
}

void put(bytes_vector& to, std::uint64_t number, std::size_t bytes, bool big) {
  for (std::size_t i = 0; i < bytes; ++i) {
    to.push_back(static_cast<std::byte>(number >> (8 * (big ? bytes - 1 - i : i))));
  }
}

// One to three of the numbers that a header may have, in any order, of 32 or 64 bits, in either order of bytes.
sample nobodys(randoms& random) {
  const words w = words_of(random);
  std::array<std::pair<const char*, std::uint64_t>, 6> numbers{
      {{"m", w.m}, {"k", w.k}, {"keys", w.keys}, {"words", w.bits.size()}, {"bytes", 8 * w.bits.size()}, {"1", 1}}};
  std::shuffle(numbers.begin(), numbers.end(), random);
  const bool big = below(random, 2) == 0;
  const std::size_t width = below(random, 3) == 0 ? 4 : 8;
  sample s{.format = {}, .variant = (big ? "big " : "little ") + std::to_string(width), .bytes = {}, .keys = {}};
  for (std::uint64_t i = 0, count = 1 + below(random, 3); i < count; ++i) {
    s.variant += std::string(" ") + numbers[i].first;
    put(s.bytes, numbers[i].second, width, big);
  }
  for (const std::uint64_t word : w.bits) put(s.bytes, word, 8, big);
  return s;
}

// --- the tests

TEST(detection_torture, no_file_of_few_keys_is_opened_as_what_it_is_not) {
  const auto all = recipes();
  const std::uint64_t files = scaled(100'000, 3'000'000);
  randoms random(20'261'116);
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> seen_of;  // made, opened
  std::uint64_t made = 0;
  for (std::uint64_t i = 0; made < files && !HasFatalFailure(); ++i) {
    const recipe& r = all[i % all.size()];
    if (r.row->name == "libbloom" && i / all.size() % 20 != 0) continue;  // large, and a magic
    const auto s = make(r, random);
    if (!s) continue;
    ++made;
    bool opens = false;
    check(*s, opens);
    auto& [count, opened] = seen_of[s->format + " " + s->variant];
    ++count;
    opened += opens;
  }
  if (soak()) {
    for (const auto& [name, counts] : seen_of) {
      std::printf("%-40s %8llu made, %8llu opened without a name\n", name.c_str(),
                  static_cast<unsigned long long>(counts.first), static_cast<unsigned long long>(counts.second));
    }
  }
}

// Spark's header to the letter: a version 1, a k that a sizing gives, and the number of words. It may be taken for it.
bool has_sparks_header(const bytes_vector& bytes) {
  const auto number = [&](std::size_t at) {
    std::uint64_t n = 0;
    for (std::size_t i = at; i < at + 4; ++i) n = n << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return n;
  };
  return bytes.size() > 12 && number(0) == 1 && number(4) >= 1 && number(4) <= 64 && bytes.size() == 12 + 8 * number(8);
}

TEST(detection_torture, no_file_of_nobodys_is_opened) {
  const std::uint64_t files = scaled(20'000, 500'000);
  randoms random(20'261'117);
  for (std::uint64_t i = 0; i < files && !HasFatalFailure(); ++i) {
    sample s = nobodys(random);
    const bool is_sparks = has_sparks_header(s.bytes);
    if (is_sparks) s.format = "spark", s.variant = "V1";
    bool opens = false;
    check(s, opens);
    ASSERT_TRUE(is_sparks || !opens) << told(s);
    ASSERT_TRUE(!opens || any_filter::from_bytes(s.bytes)->origin().recognised == recognition::guessed) << told(s);
  }
}

}  // namespace
}  // namespace seen::testing
