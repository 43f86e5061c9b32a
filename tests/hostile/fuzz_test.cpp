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
#include "hostile/mutate.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

// The census is not a checksum, but it is the last thing that stands between a changed body and an open filter: what
// the decoder counted is put into the header.
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
  const make_options keyed{.hash = hash_id::siphash_1_3, .secret = secret{}};
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
  const std::uint64_t runs = repetitions(10'000, 100'000'000);  // of each kind
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

TEST(fuzz, random_bytes_are_no_filter_of_any_format_or_a_harmless_one) {
  rng random(24);
  for (std::uint64_t run = 0, runs = repetitions(4'000, 10'000'000); run < runs; ++run) {
    byte_vector bytes(static_cast<std::size_t>(random.below(random.below(4) == 0 ? 2000 : 40)));
    for (auto& b : bytes) b = static_cast<std::byte>(random());
    const auto detected = any_filter::from_bytes(bytes);
    ASSERT_EQ(code_of(detected), errc::not_recognised);
    for (const format_row* const format : formats()) {
      auto opened = any_filter::from_bytes(bytes, {.format = std::string(format->name)});
      if (opened) exercise(std::move(*opened));
    }
    if (HasFailure()) FAIL() << "run " << run;
  }
}

TEST(fuzz, a_format_nobody_knows_is_refused_with_the_names_there_are) {
  const auto opened = any_filter::from_bytes({}, {.format = "no such format"});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, errc::invalid_argument);
  for (const format_row* const format : formats()) {
    EXPECT_NE(opened.error().detail.find(format->name), std::string::npos) << opened.error().detail;
    EXPECT_FALSE(any_filter::from_bytes({}, {.format = std::string(format->name)}));
  }
}

}  // namespace
}  // namespace seen::testing
