// Failure case 31 for the kinds that grow: memory runs out at every allocation of a growth, a merge and a copy. The filter
// is as it was, answers as before, and grows when there is memory again.
#include <seen/filters/scalable_bloom.hpp>
#include <seen/filters/scalable_classic_bloom.hpp>
#include <seen/io.hpp>

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <new>
#include <string>

#include "support/allocations.hpp"
#include "support/error_code.hpp"

namespace seen::testing {
namespace {

template <class F>
class growth : public ::testing::Test {
 protected:
  // A chain of two links, both full: the next new key needs a third.
  static F full() {
    F f({.capacity = 50, .fpr = 1e-4});
    for (std::uint64_t key = 0; f.estimated_count() < 150; ++key) f.add(key);
    return f;
  }

  /// Runs `operation` with allocation 0, 1, 2, … failing, once or from there on, until it gets through; after each failure
  /// the filter must be what it was. Returns how many failures it took.
  static std::uint64_t fail_every_allocation(F& f, const std::function<bool(F&)>& operation) {
    using mode = failing_allocations::mode;
    const auto before = still(f);
    std::uint64_t failures = 0;
    for (const mode how : {mode::once, mode::from_then_on}) {
      F each = F(full());
      const auto attempt = [&](std::uint64_t n) {
        const failing_allocations fault(n, how);
        try {
          if (operation(each)) return true;
        } catch (const std::bad_alloc&) {
        }
        EXPECT_TRUE(failing_allocations::happened()) << "fails with all the memory it wants";
        return false;
      };
      for (std::uint64_t n = 0; !attempt(n); ++n) {
        EXPECT_EQ(still(each), before) << "changed at allocation " << n;
        const std::uint64_t heap = heap_bytes();  // the chain's list of links may have grown: once
        if (attempt(n)) break;
        EXPECT_EQ(heap_bytes(), heap) << "leaks at allocation " << n;
        ++failures;
      }
    }
    return failures;
  }
  static auto still(const F& f) {
    if constexpr (shared_engine<typename F::engine_type>) {
      return f.snapshot();
    } else {
      return f;
    }
  }
};

struct names {
  template <class F>
  static std::string GetName(int) {
    return std::string(F::kind.id == 7 ? "blocked" : "classic") +
           (F::engine_type::access_type::is_shared ? "_concurrent" : "");
  }
};
using growing = ::testing::Types<scalable_bloom, concurrent_scalable_bloom, scalable_classic_bloom,
                                 concurrent_scalable_classic_bloom>;
TYPED_TEST_SUITE(growth, growing, names);

TYPED_TEST(growth, case_31_an_add_that_finds_no_memory_changes_nothing_and_succeeds_later) {
  auto f = this->full();
  const auto failures = this->fail_every_allocation(
      f, [](TypeParam& each) { return each.add("one more"), each.may_contain("one more"); });
  EXPECT_GE(failures, 2u);
  EXPECT_FALSE(f.may_contain("one more"));
  f.add("one more");
  EXPECT_TRUE(f.may_contain("one more"));
  EXPECT_EQ(f.engine().links_in_chain(), 3u);
}

TYPED_TEST(growth, case_31_test_and_add_and_batches_likewise) {
  auto f = this->full();
  EXPECT_GE(this->fail_every_allocation(f, [](TypeParam& each) { return !each.test_and_add("one more"); }), 2u);
  const std::vector<std::uint64_t> more{std::uint64_t{1} << 40, std::uint64_t{1} << 41};
  EXPECT_GE(this->fail_every_allocation(f, [&](TypeParam& each) { return each.add_many(more), true; }), 2u);
}

TYPED_TEST(growth, case_31_a_merge_that_finds_no_memory_changes_nothing) {
  auto f = this->full();
  const auto other = this->full();
  const auto failures = this->fail_every_allocation(f, [&](TypeParam& each) {
    const auto merged = each.merge(other);
    EXPECT_TRUE(merged || merged.error().code == errc::no_memory);
    return merged.has_value();
  });
  EXPECT_GE(failures, 4u);
}

TYPED_TEST(growth, case_31_a_copy_or_snapshot_that_finds_no_memory_leaves_the_filter_alone) {
  auto f = this->full();
  EXPECT_GE(this->fail_every_allocation(f, [&](TypeParam& each) { return (void)this->still(each), true; }), 4u);
  EXPECT_GE(this->fail_every_allocation(f, [](TypeParam& each) { return to_bytes(each).has_value(); }), 2u);
}

TYPED_TEST(growth, case_31_a_change_of_access_that_finds_no_memory_keeps_the_filter) {
  using mode = failing_allocations::mode;
  for (std::uint64_t n = 0;; ++n) {
    auto f = this->full();
    try {
      const failing_allocations fault(n, mode::from_then_on);
      if constexpr (shared_engine<typename TypeParam::engine_type>) {
        (void)std::move(f).into_plain();
      } else {
        (void)std::move(f).into_concurrent();
      }
      EXPECT_GE(n, 4u);
      break;
    } catch (const std::bad_alloc&) {
      EXPECT_EQ(this->still(f), this->still(this->full()));  // NOLINT(bugprone-use-after-move): that is the question
    }
  }
}

}  // namespace
}  // namespace seen::testing
