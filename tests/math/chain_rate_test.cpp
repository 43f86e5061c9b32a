// The rate of chains: the model against chains of nothing but fractions, the same ones in every link.
#include "math/chain_rate.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

#include "close.hpp"
#include "simulation.hpp"

namespace {

using namespace seen::math;
using seen::testing::close;
using seen::testing::random_source;
using seen::testing::sample_mean;

using classic = chain_link<bloom_shape>;
using blocked = chain_link<blocked_shape>;

template <class Shape>
double model(const std::vector<chain_link<Shape>>& links, std::uint64_t keys) {
  return chain_fpr<Shape>(keys, [&](std::uint32_t i) {
    return i < links.size() ? std::optional(links[i]) : std::optional<chain_link<Shape>>();
  });
}

// A chain whose keys are lists of fractions in units of 2^-64; bit b of m is that of the fraction f where f·m = b.
class simulated_chain {
 public:
  explicit simulated_chain(const std::vector<classic>& links) : links_(links) {
    for (const classic& each : links) bits_.emplace_back(each.shape.bits);
  }
  using key = std::vector<std::uint64_t>;
  key draw(random_source& random) const {
    key fractions(links_.back().shape.probes);
    for (std::uint64_t& each : fractions) each = random.next();
    return fractions;
  }
  [[nodiscard]] bool claims(const key& k, std::size_t link) const {
    for (std::uint32_t i = 0; i < links_[link].shape.probes; ++i) {
      if (!bits_[link][seen::mulhi(k[i], links_[link].shape.bits)]) return false;
    }
    return true;
  }
  [[nodiscard]] bool claims(const key& k) const {
    for (std::size_t i = 0; i <= newest_; ++i) {
      if (claims(k, i)) return true;
    }
    return false;
  }
  void offer(const key& k) {
    if (claims(k)) return;
    if (taken_ == links_[newest_].capacity) ++newest_, taken_ = 0;
    for (std::uint32_t i = 0; i < links_[newest_].shape.probes; ++i) {
      bits_[newest_][seen::mulhi(k[i], links_[newest_].shape.bits)] = true;
    }
    ++taken_;
  }

 private:
  std::vector<classic> links_;
  std::vector<std::vector<bool>> bits_;
  std::size_t newest_ = 0;
  std::uint64_t taken_ = 0;
};

TEST(chain_rate, is_that_of_simulated_chains_while_they_grow) {
  // Three links of rates 0.45, 0.22, 0.11, and three of 0.05, 0.025, 0.0125.
  const std::vector<std::vector<classic>> chains{
      {{200, {333, 1}}, {400, {1245, 2}}, {800, {3700, 3}}},
      {{200, {1247, 4}}, {400, {3071, 5}}, {800, {7300, 6}}},
  };
  for (const auto& links : chains) {
    std::vector<std::uint64_t> when{150, 200, 230, 320, 500, 900, 1400};
    std::vector<sample_mean> measured(when.size());
    random_source random(1);
    for (int run = 0; run < 400; ++run) {
      simulated_chain chain(links);
      std::uint64_t offered = 0;
      for (std::size_t i = 0; i < when.size(); ++i) {
        for (; offered < when[i]; ++offered) chain.offer(chain.draw(random));
        int claimed = 0;
        for (int query = 0; query < 300; ++query) claimed += chain.claims(chain.draw(random));
        measured[i].add(claimed / 300.0);
      }
    }
    for (std::size_t i = 0; i < when.size(); ++i) {
      const double expected = model(links, when[i]);
      EXPECT_NEAR(measured[i].mean() / expected, 1, 0.01 + 6 * measured[i].standard_error() / expected) << when[i];
    }
  }
}

TEST(chain_rate, is_the_links_own_until_the_first_is_full) {
  const std::vector<classic> links{{1000, {9586, 7}}, {2000, {22'000, 8}}};
  for (const std::uint64_t keys : {1u, 20u, 999u, 1000u}) {
    EXPECT_TRUE(close(model(links, keys), bloom_fpr(9586, 7, keys), 1e-12)) << keys;
  }
  const std::vector<blocked> blocks{{1000, {20, 8}}, {2000, {45, 8}}};
  EXPECT_TRUE(close(model(blocks, 700), blocked_fpr(20, 8, 700), 1e-12));
  EXPECT_EQ(model(links, 0), 0);
}

// One probe a key: every key that is taken sets one new bit, and the second link's keys all lie where the first has none,
// so the rates of the two simply add up. (A sixteenth of its bits reaches over two of the first, as far as the model knows.)
TEST(chain_rate, counts_one_bit_for_every_key_taken_where_keys_have_one_probe) {
  const std::vector<classic> links{{300'000, {1'000'000, 1}}, {4'000'000, {16'000'001, 1}}};
  double rate = 0;
  std::uint64_t keys = 0;
  for (; rate < 0.3; ++keys) rate += (1 - rate) / 1e6;
  for (; rate < 0.5; ++keys) rate += (1 - rate) / 16e6;
  EXPECT_NEAR(model(links, keys), 0.5, 0.0025);
}

TEST(chain_rate, is_one_where_the_chain_cannot_grow_so_far) {
  const std::vector<classic> links{{1000, {9586, 7}}};
  EXPECT_LT(model(links, 1000), 0.011);
  EXPECT_EQ(model(links, 1100), 1);
  // A link that is never full, because it claims everything before: the chain stays where it is.
  EXPECT_EQ(model(std::vector<classic>{{1000, {10, 1}}, {2000, {100'000, 7}}}, 1'000'000), 1);
}

TEST(crowding, is_none_after_an_empty_or_a_large_link_and_much_after_a_full_one) {
  EXPECT_TRUE(close(crowding(bloom_shape{1000, 1}, 0, {4000, 2}, 500), 1, 1e-12));
  EXPECT_TRUE(close(crowding(bloom_shape{1'000'000, 7}, 1000, {4000, 7}, 500), 1, 1e-9));
  EXPECT_GT(crowding(bloom_shape{1000, 1}, 1000, {1'000'000, 1}, 100), 2.5);  // only e^-1 of the bits take keys
  EXPECT_TRUE(close(crowding(blocked_shape{10, 4}, 0, {40, 4}, 500), 1, 1e-6));
  EXPECT_GT(crowding(blocked_shape{10, 4}, 1500, {40, 4}, 3000), 1.05);
}

}  // namespace
