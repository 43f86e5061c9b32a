// The keys that contenders are given, and that a contender which loses one does not get through.
#include <algorithm>
#include <array>
#include <core/harness.hpp>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <unordered_set>

namespace seen::bench {
namespace {

constexpr std::size_t n = 500, queries = 2000;

class TextKeys : public testing::TestWithParam<std::size_t> {};

TEST_P(TextKeys, have_the_length_that_was_asked_for_and_differ) {
  const workload work(n, queries);
  const text_sets& text = work.as_text(GetParam());
  std::unordered_set<std::string_view> added;
  for (const std::string_view key : text.added) {
    EXPECT_EQ(key.size(), 8 * GetParam());
    added.insert(key);
  }
  EXPECT_EQ(added.size(), n);
}

TEST_P(TextKeys, ask_for_what_the_integers_ask_for) {
  const workload work(n, queries);
  const text_sets& text = work.as_text(GetParam());
  const auto in_integers = [&](std::uint64_t key) {
    return std::find(work.added.begin(), work.added.end(), key) != work.added.end();
  };
  const std::unordered_set<std::string_view> added(text.added.begin(), text.added.end());
  ASSERT_EQ(text.half.size(), queries);
  for (std::size_t i = 0; i < queries; ++i) {
    EXPECT_FALSE(added.contains(text.absent[i]));
    EXPECT_EQ(added.contains(text.half[i]), in_integers(work.half[i]));
    EXPECT_TRUE(added.contains(text.present[i]));
  }
}

INSTANTIATE_TEST_SUITE_P(, TextKeys, testing::Values(2, 8));

/// A bit for each value that the first two bytes of a key can have: fast where nothing is optimised. `lost` keys are not
/// added; ten are enough that not all share their bytes with keys that are.
template <std::size_t lost>
struct first_bytes {
  static constexpr std::size_t key_words = 2;
  explicit first_bytes(std::size_t) {}
  static std::size_t place(std::string_view key) {
    return static_cast<unsigned char>(key[0]) + 256 * std::size_t{static_cast<unsigned char>(key[1])};
  }
  void add_batch(std::span<const std::string_view> added) {
    for (const std::string_view key : added.subspan(lost)) table[place(key)] = true;
  }
  [[nodiscard]] bool contains(std::string_view key) const { return table[place(key)]; }
  [[nodiscard]] std::size_t bytes() const { return sizeof table; }
  std::array<bool, 65536> table{};
};

std::vector<record> run(contender c, std::function<bool(const row_key&)> rows = {}) {
  return run_families({{"text 16", 12, {std::move(c)}}},
                      {.sizes = {n}, .rounds = 1, .queries = queries, .rows = std::move(rows)});
}

TEST(Harness, measures_contenders_whose_keys_are_text_and_only_the_rows_that_are_wanted) {
  const std::vector<record> records =
      run(contends<first_bytes<0>>("filter"), [](const row_key& row) { return row.call == "single"; });
  const record* single = find(records, {"", "text 16", n}, "filter", {"single", "half", "streamed", 1});
  ASSERT_NE(single, nullptr);
  EXPECT_EQ(single->ns.size(), 1u);
  EXPECT_NEAR(single->fpr, n / 65536.0,
              0.001);  // 4 million keys: 7 sigma are 0.0003, and fewer places than keys are taken
  for (const record& r : records) EXPECT_EQ(r.row.call, "single");
}

TEST(Harness, throws_if_a_contender_lost_a_key) {
  EXPECT_THROW(run(contends<first_bytes<10>>("filter")), std::runtime_error);
}

}  // namespace
}  // namespace seen::bench
