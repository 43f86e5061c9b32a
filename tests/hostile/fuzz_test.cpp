// Failure case 22: a deterministic fuzzer that repairs the checksums it breaks, so that its lies reach the parser.
// After any input that is taken: query, add, info, save, destroy.
//
//   corpus ──pick──► 1 to 4 mutations ──► file length told right (often) ──► checksums repaired (mostly) ──► open
#include <seen/registry.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hostile/exercise.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

// Values that have broken decoders: edges of every width, and what is near a size that is there.
std::uint64_t nasty(rng& random, std::size_t size) {
  switch (random.below(8)) {
    case 0:
      return random.below(4);
    case 1:
      return ~std::uint64_t{0} - random.below(70);
    case 2:
      return (std::uint64_t{1} << random.below(64)) - random.below(3);
    case 3:
      return size + random.below(130) - 65;
    case 4:
      return 64 * random.below(64);
    case 5:
      return std::uint64_t{1} << random.below(64);
    case 6:
      return random.below(256);
    default:
      return random();
  }
}

void mutate(byte_vector& bytes, rng& random) {
  if (bytes.empty()) bytes.resize(1);
  // Most of what there is to break is in the header.
  const std::size_t reach = random.below(3) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 220);
  const auto where = static_cast<std::size_t>(random.below(reach));
  const auto begin = [&](std::size_t i) { return bytes.begin() + static_cast<std::ptrdiff_t>(i); };
  switch (random.below(9)) {
    case 0:
    case 1:
      bytes[where] ^= static_cast<std::byte>(1 << random.below(8));
      break;
    case 2:
      bytes[where] = static_cast<std::byte>(random());
      break;
    case 3:
    case 4:
    case 5: {  // a field, at its natural alignment
      const std::size_t width = std::size_t{2} << random.below(3);
      const std::size_t at = where / width * width;
      if (at + width > bytes.size()) break;
      const std::uint64_t value = nasty(random, bytes.size());
      for (std::size_t i = 0; i < width; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
      break;
    }
    case 6: {  // some bytes more, zero or from elsewhere
      const auto count = static_cast<std::size_t>(8 << random.below(5));
      byte_vector more(count);
      if (random.below(2) == 0) {
        const auto from = static_cast<std::size_t>(random.below(bytes.size()));
        std::copy_n(begin(from), std::min(count, bytes.size() - from), more.begin());
      }
      bytes.insert(begin(where / 8 * 8), more.begin(), more.end());
      break;
    }
    case 7: {  // some bytes fewer
      const std::size_t count = std::min<std::size_t>(std::size_t{8} << random.below(5), bytes.size() - where);
      bytes.erase(begin(where), begin(where + count));
      break;
    }
    default: {  // a piece over another
      const auto from = static_cast<std::size_t>(random.below(bytes.size()));
      const std::size_t count =
          std::min<std::size_t>(std::size_t{1} << random.below(7), bytes.size() - std::max(from, where));
      std::copy_n(byte_vector(begin(from), begin(from + count)).begin(), count, begin(where));
      break;
    }
  }
}

// The census is no checksum, but it is the last thing that stands between a changed body and an open filter: what the
// decoder counted is put into the header.
void repair_census(byte_vector& bytes, const open_options& options) {
  const auto opened = any_filter::from_bytes(bytes, options);
  if (opened) return;
  const std::string_view before_number = ", the body ";
  const auto found = opened.error().detail.rfind(before_number);
  if (opened.error().code != errc::corrupt || found == std::string::npos) return;
  const std::string number = opened.error().detail.substr(found + before_number.size());
  if (number.find_first_not_of("0123456789") != std::string::npos) return;
  set(bytes, get<std::uint32_t>(bytes, at::header_bytes) - at::census, std::uint64_t{std::stoull(number)});
  (void)repair(bytes);
}

std::vector<byte_vector> native_corpus(std::string_view kind) {
  std::vector<byte_vector> corpus;
  corpus.push_back(sample_of(kind, 0).to_bytes().value());
  corpus.push_back(sample_of(kind, 30).to_bytes().value());
  corpus.push_back(sample_of(kind, 30, 1e-6).to_bytes({.metadata = "some metadata"}).value());
  const make_options keyed{.hash = hash_id::siphash_1_3, .key = secret{}};
  corpus.push_back(sample_of(kind, 30, 0.01, keyed).to_bytes({.store_secret = true}).value());
  native_image two = native_image::of(corpus[1]);  // what chains will look like
  two.entries.push_back(native_image::segment(two.body.size(), 64, {1, 1}));
  two.body.resize(two.body.size() + 64);
  corpus.push_back(two.encode());
  auto unsealed = corpus[1];
  const std::string word = "unsealed";
  std::copy_n(std::as_bytes(std::span(word)).begin(), 8,
              unsealed.begin() + static_cast<std::ptrdiff_t>(get<std::uint32_t>(unsealed, at::header_bytes) - 32));
  corpus.push_back(unsealed);
  return corpus;
}

class fuzz : public kind_test {};
INSTANTIATE_TEST_SUITE_P(all, fuzz, ::testing::ValuesIn(kind_list()), kind_in_name);

TEST_P(fuzz, case_22_mutated_native_files_are_refused_or_work) {
  const auto corpus = native_corpus(GetParam());
  rng random(22 + row().kind.id);
  std::uint64_t taken = 0;
  const std::uint64_t runs = scaled(10'000, 100'000'000);  // of each kind
  for (std::uint64_t run = 0; run < runs; ++run) {
    byte_vector bytes = corpus[static_cast<std::size_t>(random.below(corpus.size()))];
    for (std::uint64_t i = random.below(4) + 1; i != 0; --i) mutate(bytes, random);
    if (bytes.size() >= 24 && random.below(4) != 0)
      set(bytes, at::file_bytes, static_cast<std::uint64_t>(bytes.size()));
    if (random.below(16) != 0) (void)repair(bytes);
    const open_options options{.recover = random.below(8) == 0};
    if (random.below(4) != 0) repair_census(bytes, options);
    bool by_type = false;
    if (auto any = open_every_way(GetParam(), bytes, by_type, options)) {
      ++taken;
      exercise(std::move(*any));
    }
    if (HasFailure()) FAIL() << "run " << run;
  }
  ::testing::Test::RecordProperty("taken", std::to_string(taken));
  EXPECT_GT(taken, runs / 50) << "the mutations no longer get through: this tests nothing";
}

TEST(fuzz, case_22_mutated_portable_files_are_refused_or_work) {
  std::vector<byte_vector> corpus;
  for (const std::uint64_t bits : {1u, 8u, 63u, 64u, 65u, 1001u}) {
    for (const std::uint32_t probes : {1u, 7u, 30u}) {
      auto f = portable::make({.bits = bits, .probes = probes}).value();
      f.add("alice");
      corpus.push_back(portable::encode(f));
    }
  }
  rng random(23);
  std::uint64_t taken = 0;
  const std::uint64_t runs = scaled(30'000, 100'000'000);
  for (std::uint64_t run = 0; run < runs; ++run) {
    byte_vector bytes = corpus[static_cast<std::size_t>(random.below(corpus.size()))];
    for (std::uint64_t i = random.below(3) + 1; i != 0; --i) mutate(bytes, random);
    if (bytes.size() >= 12 && random.below(2) == 0) {  // the one length that m allows
      const auto bits = get<std::uint64_t>(bytes, 4);
      if (bits < 100'000) bytes.resize(12 + static_cast<std::size_t>((bits + 7) / 8));
    }
    if (auto any = any_filter::from_bytes(bytes, {.format = "portable"})) {
      ++taken;
      exercise(std::move(*any));
    }
    if (HasFailure()) FAIL() << "run " << run;
  }
  ::testing::Test::RecordProperty("taken", std::to_string(taken));
  EXPECT_GT(taken, runs / 20) << "the mutations no longer get through: this tests nothing";
}

TEST(fuzz, random_bytes_are_no_filter_of_any_format_or_a_harmless_one) {
  rng random(24);
  for (std::uint64_t run = 0, runs = scaled(20'000, 10'000'000); run < runs; ++run) {
    byte_vector bytes(static_cast<std::size_t>(random.below(random.below(4) == 0 ? 2000 : 40)));
    for (auto& b : bytes) b = static_cast<std::byte>(random());
    const auto detected = any_filter::from_bytes(bytes);
    ASSERT_EQ(code_of(detected), errc::not_recognised);
    for (const format_row& format : formats()) {
      auto opened = any_filter::from_bytes(bytes, {.format = std::string(format.name)});
      if (opened) exercise(std::move(*opened));
    }
    if (HasFailure()) FAIL() << "run " << run;
  }
}

TEST(fuzz, a_format_nobody_knows_is_refused_with_the_names_there_are) {
  const auto opened = any_filter::from_bytes({}, {.format = "no such format"});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, errc::invalid_argument);
  for (const format_row& format : formats()) {
    EXPECT_NE(opened.error().detail.find(format.name), std::string::npos) << opened.error().detail;
    EXPECT_FALSE(any_filter::from_bytes({}, {.format = std::string(format.name)}));
  }
}

}  // namespace
}  // namespace seen::testing
