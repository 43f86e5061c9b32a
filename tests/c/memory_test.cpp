// Memory that runs out inside the library is SEEN_NO_MEMORY to a program in C, at every allocation of every function: no
// exception, no end of the program, nothing lost. The allocator is the C++ one of this program, which the library uses too.
#include <seen/seen.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/allocations.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

using call = std::function<seen_status(seen_error**)>;
const auto nothing = [] {};

// Runs it with allocation 0, 1, 2, … failing, once or from there on, until it gets through; `undo` puts back what a
// success has made. The error is asked for, and then not.
void fail_every_allocation(const char* name, const call& operation, const std::function<void()>& undo = nothing) {
  using mode = failing_allocations::mode;
  std::uint64_t failures = 0;
  for (const mode how : {mode::once, mode::from_then_on}) {
    for (const bool wants_error : {true, false}) {
      for (std::uint64_t n = 0;; ++n) {
        ASSERT_LT(n, 3000u) << name << " never gets through";
        const std::uint64_t before = heap_bytes();
        seen_error* error = nullptr;
        seen_status status = SEEN_OK;
        bool met = false;
        {
          const failing_allocations fault(n, how);
          status = operation(wants_error ? &error : nullptr);
          met = failing_allocations::happened();
        }
        if (status == SEEN_OK) {
          EXPECT_EQ(error, nullptr) << name;
          undo();
          if (!met) break;
          continue;  // it did without
        }
        ++failures;
        EXPECT_TRUE(met) << name << ": " << seen_status_name(status) << " " << seen_error_message(error);
        EXPECT_EQ(status, static_cast<seen_status>(SEEN_NO_MEMORY)) << name << " at allocation " << n;
        if (wants_error) {
          EXPECT_EQ(seen_error_status(error), static_cast<seen_status>(SEEN_NO_MEMORY)) << name;
          EXPECT_NE(std::string(seen_error_message(error)), "") << name;
        }
        seen_error_free(error);
        seen_error_free(nullptr);
        EXPECT_EQ(heap_bytes(), before) << name << " loses memory at allocation " << n;
      }
    }
  }
  EXPECT_NE(failures, 0u) << name << " allocates nothing: it does not belong here";
}

class c_memory : public ::testing::Test {
 protected:
  c_memory() {
    wanted.size = sizeof wanted;
    wanted.kind = "counting-bloom";
    wanted.capacity = 1000;
    wanted.fpr = 0.01;
    f = made(wanted);
    other = made(wanted);
    EXPECT_EQ(seen_add_text(f, "alice", nullptr), SEEN_OK);
    EXPECT_EQ(seen_add_text(other, "bob", nullptr), SEEN_OK);
    EXPECT_EQ(seen_save(f, path.c_str(), nullptr, nullptr), SEEN_OK);
  }
  ~c_memory() override {
    seen_filter_free(f);
    seen_filter_free(other);
  }
  static seen_filter* made(const seen_make_options& options) {
    seen_filter* out = nullptr;
    EXPECT_EQ(seen_make(&options, &out, nullptr), SEEN_OK);
    return out;
  }
  // A call that makes a filter, which is freed again.
  void fail_making(const char* name, const std::function<seen_status(seen_filter**, seen_error**)>& make) {
    seen_filter* out = nullptr;
    fail_every_allocation(
        name,
        [&](seen_error** error) {
          const seen_status status = make(&out, error);
          if (status != SEEN_OK) {
            EXPECT_EQ(out, nullptr) << name;
          }
          return status;
        },
        [&] { seen_filter_free(out), out = nullptr; });
  }

  temp_dir dir;
  const std::string path = dir / "f";
  seen_make_options wanted{};
  seen_filter* f = nullptr;
  seen_filter* other = nullptr;
};

TEST_F(c_memory, is_missed_when_filters_are_made_opened_and_copied) {
  fail_making("seen_make", [&](auto** out, auto** e) { return seen_make(&wanted, out, e); });
  fail_making("seen_load", [&](auto** out, auto** e) { return seen_load(path.c_str(), nullptr, out, e); });
  fail_making("seen_map", [&](auto** out, auto** e) { return seen_map(path.c_str(), nullptr, out, e); });
  fail_making("seen_copy", [&](auto** out, auto** e) { return seen_copy(f, out, e); });
  fail_making("seen_convert", [&](auto** out, auto** e) { return seen_convert(f, "native", nullptr, out, e); });
  void* bytes = nullptr;
  std::size_t length = 0;
  ASSERT_EQ(seen_to_bytes(f, nullptr, &bytes, &length, nullptr), SEEN_OK);
  fail_making("seen_from_bytes", [&](auto** out, auto** e) { return seen_from_bytes(bytes, length, nullptr, out, e); });
  std::vector<std::uint64_t> words((length + 7) / 8);
  std::memcpy(words.data(), bytes, length);
  fail_making("seen_view", [&](auto** out, auto** e) { return seen_view(words.data(), length, nullptr, out, e); });
  seen_free(bytes);
  for (std::size_t i = 0; const seen_format* format = seen_format_at(i); ++i) {
    if (!format->can_make) continue;
    seen_make_options foreign{};
    foreign.size = sizeof foreign, foreign.capacity = 1000, foreign.fpr = 0.01, foreign.format = format->name;
    fail_making(format->name, [&](auto** out, auto** e) { return seen_make(&foreign, out, e); });
  }
}

TEST_F(c_memory, is_missed_when_filters_are_written_described_and_planned) {
  fail_every_allocation("seen_save", [&](auto** e) { return seen_save(f, path.c_str(), nullptr, e); });
  void* bytes = nullptr;
  std::size_t length = 0;
  fail_every_allocation(
      "seen_to_bytes", [&](auto** e) { return seen_to_bytes(f, nullptr, &bytes, &length, e); },
      [&] { seen_free(bytes); });
  std::vector<char> room(1 << 16);
  fail_every_allocation("seen_to_buffer",
                        [&](auto** e) { return seen_to_buffer(f, nullptr, room.data(), room.size(), &length, e); });
  const auto sink = [](void*, const void*, std::size_t) { return true; };
  fail_every_allocation("seen_write", [&](auto** e) { return seen_write(f, nullptr, sink, nullptr, e); });
  const std::string metadata(1000, 'm');
  fail_every_allocation(
      "seen_set_metadata", [&](auto** e) { return seen_set_metadata(f, metadata.data(), metadata.size(), e); },
      [&] { seen_set_metadata(f, nullptr, 0, nullptr); });
  seen_filter* mapped = nullptr;
  ASSERT_EQ(seen_map(path.c_str(), nullptr, &mapped, nullptr), SEEN_OK);
  fail_every_allocation("seen_verify", [&](auto** e) { return seen_verify(mapped, e); });
  seen_filter_free(mapped);
  seen_info* info = nullptr;
  fail_every_allocation(
      "seen_info_of", [&](auto** e) { return seen_info_of(f, &info, e); }, [&] { seen_info_free(info); });
  seen_health* health = nullptr;
  fail_every_allocation(
      "seen_health_of", [&](auto** e) { return seen_health_of(f, &health, e); }, [&] { seen_health_free(health); });
  fail_every_allocation(
      "seen_inspect", [&](auto** e) { return seen_inspect(path.c_str(), nullptr, &info, e); },
      [&] { seen_info_free(info); });
  double number = 0;
  fail_every_allocation("seen_estimated_count", [&](auto** e) { return seen_estimated_count(f, &number, e); });
  fail_every_allocation("seen_estimated_fpr", [&](auto** e) { return seen_estimated_fpr(f, &number, e); });
  fail_every_allocation("seen_fill", [&](auto** e) { return seen_fill(f, &number, e); });
  seen_plan_info* plan = nullptr;
  fail_every_allocation(
      "seen_plan", [&](auto** e) { return seen_plan(&wanted, &plan, e); }, [&] { seen_plan_free(plan); });
}

TEST_F(c_memory, is_missed_when_keys_come_in_batches) {
  const char* texts[] = {"alice", "bob", "carol"};
  const seen_keys keys{sizeof keys, SEEN_KEYS_TEXTS, static_cast<const void*>(texts), 3, nullptr, 0};
  fail_every_allocation("seen_add_many", [&](auto** e) { return seen_add_many(f, &keys, 1, e); });
  seen_make_options small{};
  small.size = sizeof small, small.kind = "scalable-bloom", small.capacity = 1, small.fpr = 0.01;
  seen_filter* growing = made(small);
  fail_every_allocation(
      "seen_add_many, growing", [&](auto** e) { return seen_add_many(growing, &keys, 1, e); },
      [&] { seen_clear(growing, nullptr); });
  fail_every_allocation(
      "seen_add_text, growing",
      [&](auto** e) {
        const seen_status first = seen_add_text(growing, "alice", e);
        return first == SEEN_OK ? seen_add_text(growing, "bob", e) : first;
      },
      [&] { seen_clear(growing, nullptr); });
  seen_filter_free(growing);
}

TEST_F(c_memory, is_missed_when_a_filter_is_built) {
  seen_make_options fixed{};
  fixed.size = sizeof fixed, fixed.kind = "xor", fixed.fpr = 0.01;
  seen_build_options how{};
  how.size = sizeof how, how.threads = 1;
  seen_builder* builder = nullptr;
  fail_every_allocation(
      "seen_builder_make", [&](auto** e) { return seen_builder_make(&fixed, &how, &builder, e); },
      [&] { seen_builder_free(builder), builder = nullptr; });
  fail_making("seen_builder_add and seen_builder_finish", [&](auto** out, auto** e) {
    seen_builder* b = nullptr;
    seen_status status = seen_builder_make(&fixed, &how, &b, e);
    for (std::uint64_t i = 0; status == SEEN_OK && i < 50; ++i) status = seen_builder_add_integer(b, i, e);
    if (status == SEEN_OK) status = seen_builder_finish(b, out, e);
    seen_builder_free(b);
    return status;
  });
}

// A refusal needs memory to say why; without memory, that itself is the reason given.
TEST_F(c_memory, is_missed_even_by_a_refusal) {
  const auto refused = [](const char* name, const call& operation) {
    for (std::uint64_t n = 0;; ++n) {
      seen_error* error = nullptr;
      const failing_allocations fault(n, failing_allocations::mode::from_then_on);
      const seen_status status = operation(&error);
      EXPECT_TRUE(status != SEEN_OK && status != SEEN_UNEXPECTED) << name << " " << n;
      EXPECT_EQ(seen_error_status(error), status) << name;
      const bool met = failing_allocations::happened();
      if (met) {
        EXPECT_EQ(status, static_cast<seen_status>(SEEN_NO_MEMORY)) << name << " " << n;
      }
      seen_error_free(error);
      if (!met) return;
    }
  };
  seen_filter* out = nullptr;
  seen_make_options odd = wanted;
  odd.kind = "a kind that there is not, with a long name";
  refused("seen_make", [&](auto** e) { return seen_make(&odd, &out, e); });
  odd = wanted, odd.seed = 7;
  seen_filter* seeded = made(odd);
  refused("seen_merge", [&](auto** e) { return seen_merge(f, seeded, e); });
  refused("seen_load", [&](auto** e) { return seen_load("no such file in this directory", nullptr, &out, e); });
  refused("seen_remove", [&](auto** e) { return seen_advance(f, 7, e); });
  seen_filter_free(seeded);
}

// Whatever the format makes of a key, and however long it is.
TEST_F(c_memory, is_not_needed_to_ask_for_a_key_of_any_length) {
  const std::string longest(1 << 20, 'k');
  for (std::size_t i = 0; const seen_format* format = seen_format_at(i); ++i) {
    if (!format->can_make) continue;
    seen_make_options foreign{};
    foreign.size = sizeof foreign, foreign.capacity = 1000, foreign.fpr = 0.01, foreign.format = format->name;
    seen_filter* made_filter = made(foreign);
    const failing_allocations fault(0, failing_allocations::mode::from_then_on);
    for (const std::size_t size : {std::size_t{300}, std::size_t{5000}, longest.size()}) {
      (void)seen_may_contain(made_filter, longest.data(), size);
      seen_error* error = nullptr;
      const seen_status status = seen_add(made_filter, longest.data(), size, &error);
      EXPECT_TRUE(status != SEEN_UNEXPECTED) << format->name;
      if (failing_allocations::happened()) {
        EXPECT_EQ(status, static_cast<seen_status>(SEEN_NO_MEMORY)) << format->name;
      }
      seen_error_free(error);
    }
    seen_filter_free(made_filter);
  }
}

}  // namespace
}  // namespace seen::testing
