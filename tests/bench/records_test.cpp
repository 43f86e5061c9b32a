// What ratios are made of: which peer a row is compared with, and what several processes come to.
#include <core/records.hpp>
#include <gtest/gtest.h>
#include <stdexcept>

namespace seen::bench {
namespace {

record row_of(std::string filter, std::string call, std::vector<double> ns) {
  return {.run = "native",
          .family = "block",
          .filter = std::move(filter),
          .keys = 1000,
          .row = {call, "half", "streamed", 1},
          .ns = std::move(ns)};
}

TEST(Records, a_row_is_compared_with_the_fastest_of_its_peers) {
  const std::vector<record> all{row_of("ours", "single", {2}), row_of("slow", "single", {5, 6, 7}),
                                row_of("fast", "single", {3, 4, 9})};
  EXPECT_EQ(counterpart(all, all[0], "slow,fast")->filter, "fast");
  EXPECT_EQ(counterpart(all, all[0], "slow")->filter, "slow");
}

TEST(Records, a_batch_is_compared_with_the_faster_of_a_peers_calls) {
  const std::vector<record> all{row_of("ours", "batch", {2}), row_of("bulk", "single", {5}),
                                row_of("bulk", "batch", {4}), row_of("direct", "single", {3}),
                                row_of("direct", "batch", {6})};
  EXPECT_EQ(counterpart(all, all[0], "bulk")->row.call, "batch");
  EXPECT_EQ(counterpart(all, all[0], "direct")->row.call, "single");
  EXPECT_EQ(counterpart(all, all[0], "bulk,direct")->filter, "direct");
}

TEST(Records, a_single_call_is_not_compared_with_a_batch) {
  const std::vector<record> all{row_of("ours", "single", {2}), row_of("bulk", "single", {5}),
                                row_of("bulk", "batch", {1})};
  EXPECT_EQ(counterpart(all, all[0], "bulk")->row.call, "single");
}

TEST(Records, a_peer_that_took_no_part_is_passed_over) {
  const std::vector<record> all{row_of("ours", "single", {2}), row_of("there", "single", {5})};
  EXPECT_EQ(counterpart(all, all[0], "missing,there")->filter, "there");
  EXPECT_EQ(counterpart(all, all[0], "missing"), nullptr);
  EXPECT_EQ(counterpart(all, all[0], ""), nullptr);
}

TEST(Records, a_row_of_several_processes_has_the_median_of_each) {
  const std::vector<record> rows = merged({{row_of("ours", "single", {2, 9, 3}), row_of("peer", "single", {6, 5, 4})},
                                           {row_of("ours", "single", {8, 7, 1}), row_of("peer", "single", {10})}});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].ns, (std::vector<double>{3, 7}));
  EXPECT_EQ(rows[1].ns, (std::vector<double>{5, 10}));
  EXPECT_EQ(rows[1].filter, "peer");
}

TEST(Records, processes_with_different_rows_are_not_merged) {
  EXPECT_THROW(merged({{row_of("ours", "single", {1})}, {}}), std::runtime_error);
  EXPECT_THROW(merged({{row_of("ours", "single", {1})}, {row_of("ours", "batch", {1})}}), std::runtime_error);
}

}  // namespace
}  // namespace seen::bench
