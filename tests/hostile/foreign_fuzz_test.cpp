// Failure case 22 for the files of other libraries: hardly any has a checksum that would keep a lie from its parser. (Tables
// and dumps of Redis have; `formats/redisbloom_test.cpp` repairs those of dumps.)
//
//   a file of the format ──► 1 to 4 mutations ──► open by name ──► query, add, info, save
//
// Big-endian fields and counts at the end are mutated as often as the others: `mutate` knows neither.
#include <seen/registry.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "hostile/exercise.hpp"
#include "hostile/mutate.hpp"
#include "support/foreign_vectors.hpp"
#include "support/soak.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

class foreign_fuzz : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(all, foreign_fuzz, ::testing::ValuesIn(foreign_formats()), format_in_name);

// Most of what opens is asked a little; one in sixty-four is put through everything.
void use(any_filter f, bool thoroughly, const open_options& options) {
  (void)f.may_contain("alice");
  (void)f.may_contain(std::uint64_t{42});
  if (!thoroughly) return;
  ASSERT_FALSE(f.info().kind.empty());
  std::vector<std::string> keys;
  for (int i = 0; i < 40; ++i) keys.push_back("key " + std::to_string(i));
  std::vector<bytes_view> views;
  for (const auto& key : keys) views.push_back(std::as_bytes(std::span(key)));
  std::array<bool, 40> answers{};
  std::size_t found = 0;
  for (const auto& key : keys) found += f.may_contain(key);
  ASSERT_EQ(f.may_contain_many(views, answers), found);
  if (const auto bytes = f.to_bytes()) {
    auto again = any_filter::from_bytes(*bytes, options);
    ASSERT_TRUE(again) << again.error().detail;
    ASSERT_EQ(again->may_contain_many(views, answers), found);
    ASSERT_EQ(again->to_bytes().value(), *bytes);
    (void)again->merge(f);
    (void)again->clear();
  }
  (void)f.add_many(views);
  (void)f.test_and_add("alice");
  (void)f.remove("alice");
  (void)f.count("alice");
  (void)f.to_bytes();
  (void)f.info();
}

TEST_P(foreign_fuzz, case_22_mutated_files_are_refused_or_work) {
  const auto vectors = foreign_vectors(GetParam());
  ASSERT_FALSE(vectors.empty());
  std::vector<byte_vector> corpus;
  for (const foreign_vector& each : vectors) corpus.push_back(read_bytes(each.path));
  const auto smallest = static_cast<std::size_t>(
      std::min_element(corpus.begin(), corpus.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); }) -
      corpus.begin());
  rng random(26 + std::hash<std::string>()(GetParam()));
  std::uint64_t taken = 0;
  for (std::uint64_t run = 0, runs = repetitions(100'000, 10'000'000); run < runs; ++run) {
    // Large files take their time, and most of their bytes say nothing: they come an eighth as often.
    auto pick = static_cast<std::size_t>(random.below(corpus.size()));
    if (corpus[pick].size() > 4096 && random.below(8) != 0) pick = smallest;
    byte_vector bytes = corpus[pick];
    for (std::uint64_t i = random.below(4) + 1; i != 0; --i) mutate(bytes, random);
    auto options = vectors[pick].options();
    options.max_bytes = std::uint64_t{1} << 20;  // what a packed file may unfold to
    auto opened = any_filter::from_bytes(bytes, options);
    if (opened) use(std::move(*opened), ++taken % 64 == 0, options);
    if (HasFailure()) FAIL() << "run " << run;
  }
  ::testing::Test::RecordProperty("taken", std::to_string(taken));
  EXPECT_GT(taken, 0u) << "the mutations never get through: this tests nothing";
}

TEST(foreign_fuzz, files_of_one_format_opened_as_another_are_refused_or_work) {
  for (const foreign_vector& each : foreign_vectors()) {
    const byte_vector bytes = read_bytes(each.path);
    for (const format_row* const row : formats()) {
      const open_options options{.format = std::string(row->name), .max_bytes = std::uint64_t{1} << 20};
      auto opened = any_filter::from_bytes(bytes, options);
      if (opened) use(std::move(*opened), true, options);
      ASSERT_FALSE(HasFailure()) << each << " as " << row->name;
    }
  }
}

}  // namespace
}  // namespace seen::testing
