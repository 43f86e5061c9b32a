// Failure case 31 for filters of other libraries: keys on their way need no memory.
#include <seen/registry.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

#include "support/allocations.hpp"
#include "support/foreign_choices.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

// Whatever a format makes of a key before it is hashed, it is made of pieces: keys may be of any length.
TEST(memory, case_31_asking_another_librarys_filter_needs_none_however_long_the_key) {
  std::string text(1 << 20, 'k');
  for (std::size_t i = 0; i + 4 <= text.size(); i += 8) text.replace(i, 4, "\xf0\x9f\x94\x91");  // two units of UTF-16
  std::size_t filters = 0;
  for (const format_row* format : formats()) {
    if (format->make == nullptr) continue;
    for (const foreign_choice& each : choices_of(*format)) {
      auto made = any_filter::make(each.making(format->name, {.capacity = 1000, .fpr = 0.01}));
      if (!made) continue;
      ++filters;
      for (const std::size_t size : {std::size_t{7}, std::size_t{300}, std::size_t{5000}, text.size()}) {
        if (size == text.size() && each.seed != 0) continue;  // of the same function
        const bytes_view key = as_key(std::string_view(text).substr(0, size));
        const std::vector<bytes_view> keys(size == text.size() ? 1 : 3, key);
        std::array<bool, 3> answers{};
        const std::string which = std::string(format->name) + " " + each.name() + " " + std::to_string(size);
        {
          const failing_allocations none(0, failing_allocations::mode::from_then_on);
          const bool found = made->may_contain(key);
          EXPECT_EQ(made->may_contain_many(keys, std::span(answers).first(keys.size())), found ? keys.size() : 0u)
              << which;
          EXPECT_FALSE(failing_allocations::happened()) << which;
          // Some add to what they have; none may end the program.
          const auto added = made->add(key);
          if (!added && failing_allocations::happened()) {
            EXPECT_EQ(added.error().code, errc::no_memory) << which << added.error().detail;
          }
        }
      }
    }
  }
  EXPECT_GT(filters, 100u);
}

// All formats are asked whose it is, and none of them may end the program.
TEST(memory, case_31_opening_another_librarys_file_by_its_content) {
  const auto golden = std::filesystem::path(SEEN_TEST_DATA) / "golden";
  std::size_t opened = 0;
  for (const format_row* format : formats()) {
    if (!std::filesystem::is_directory(golden / format->name)) continue;
    std::size_t files = 0;
    for (const auto& each : std::filesystem::directory_iterator(golden / format->name)) {
      if (each.path().extension() == ".json" || each.file_size() > 4096 || ++files > 1) continue;
      const std::vector<std::byte> bytes = read_bytes(each.path());
      for (std::uint64_t n = 0;; ++n) {
        ASSERT_LT(n, 2000u) << each.path();
        const failing_allocations one(n, failing_allocations::mode::once);
        const auto filter = any_filter::from_bytes(bytes);
        if (failing_allocations::happened()) {
          EXPECT_TRUE(filter || filter.error().code == errc::no_memory) << each.path() << " " << filter.error().detail;
        } else {
          opened += filter.has_value();
          break;
        }
      }
    }
  }
  EXPECT_GT(opened, 10u);
}

}  // namespace
}  // namespace seen::testing
