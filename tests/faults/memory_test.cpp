// Failure case 31: memory runs out at every allocation of every operation. It fails, leaks nothing, and leaves its
// objects and files as they were.
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "support/all_filters.hpp"
#include "support/allocations.hpp"
#include "support/error_code.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

enum class outcome { succeeded, reported, threw };

template <class T>
outcome outcome_of(const result<T>& r) {
  if (r) return outcome::succeeded;
  EXPECT_EQ(r.error().code, errc::no_memory) << r.error().detail;
  return outcome::reported;
}

// What is run, and what is asked after each failure; `prepare` is undisturbed and puts back what a success changed.
struct trial {
  const char* name;
  bool may_throw;
  std::function<outcome()> operation;
  std::function<bool()> unchanged = [] { return true; };
  std::function<void()> prepare = [] {};
};

// Functions that return a value throw std::bad_alloc; those that return a result report errc::no_memory.
constexpr bool throws = true;
constexpr bool reports = false;

/// Runs a trial with allocation 0, 1, 2, … failing, once or from there on, until it gets through.
void fail_every_allocation(const trial& t) {
  using mode = failing_allocations::mode;
  for (const mode how : {mode::once, mode::from_then_on}) {
    for (std::uint64_t n = 0;; ++n) {
      ASSERT_LT(n, 2000u) << t.name << " never gets through";
      t.prepare();
      const auto descriptors = open_descriptors();
      const std::uint64_t before = heap_bytes();
      auto out = outcome::succeeded;
      bool met = false;
      {
        const failing_allocations fault(n, how);
        try {
          out = t.operation();
        } catch (const std::bad_alloc&) {
          out = outcome::threw;
        }
        met = failing_allocations::happened();
      }
      if (out == outcome::succeeded && !met) break;
      EXPECT_TRUE(met) << t.name << " fails with all the memory it wants";
      EXPECT_TRUE(out != outcome::threw || t.may_throw) << t.name << " throws at allocation " << n;
      if (out == outcome::succeeded) continue;  // it did without
      EXPECT_EQ(heap_bytes(), before) << t.name << " leaks at allocation " << n;
      EXPECT_EQ(open_descriptors(), descriptors) << t.name << " leaves a file open at allocation " << n;
      EXPECT_TRUE(t.unchanged()) << t.name << " changed something at allocation " << n;
    }
  }
}

template <class F>
class memory : public ::testing::Test {
 protected:
  memory() {
    EXPECT_TRUE(save(f, path, options));
    EXPECT_TRUE(save(sample_of<F>(10), other_path));
    other_bytes = read_bytes(other_path);
  }
  bool all_unchanged() {
    return f == twin && bytes == read_bytes(path) && dir.names() == std::vector<std::string>{"f", "g"};
  }
  void fail(const char* name, bool may_throw, const std::function<outcome()>& operation) {
    fail_every_allocation({name, may_throw, operation, [&] { return all_unchanged(); }});
  }

  const save_options options{.metadata = "metadata longer than a short string"};
  temp_dir dir;
  std::string path = dir / "f", other_path = dir / "g";
  F f = sample_of<F>(2000);
  const F twin = sample_of<F>(2000);
  const F more = sampler<F>::holding(sample_keys(100, 5000), f.target());
  const std::vector<std::byte> bytes = to_bytes(f, options).value();
  std::vector<std::byte> other_bytes;
};
TYPED_TEST_SUITE(memory, container_filters, kind_names);

TYPED_TEST(memory, case_31_making_and_copying) {
  const target asked{.capacity = 100, .fpr = 0.01};
  this->fail("make for a target", reports, [&] { return outcome_of(TypeParam::make(asked)); });
  this->fail("make of a shape", reports, [&] { return outcome_of(TypeParam::make(this->f.shape())); });
  this->fail("the constructor", throws, [&] { return TypeParam(asked), outcome::succeeded; });
  this->fail("a copy", throws, [&] {
    const TypeParam copy = this->f;
    return copy == this->f ? outcome::succeeded : outcome::reported;
  });
  const TypeParam before = sample_of<TypeParam>(10);
  TypeParam assigned = before;
  fail_every_allocation({.name = "assignment",
                         .may_throw = throws,
                         .operation = [&] { return assigned = this->f, outcome::succeeded; },
                         .unchanged = [&] { return assigned == before; },
                         .prepare = [&] { assigned = before; }});
  const make_options options{.kind = std::string(TypeParam::kind.name), .target = asked};
  this->fail("any_filter::make", reports, [&] { return outcome_of(any_filter::make(options)); });
}

TYPED_TEST(memory, case_31_adding_and_asking_need_none) {
  const std::uint64_t before = allocations();
  put(this->f, "key-0");
  (void)this->f.may_contain("key-0");
  if constexpr (adds_always<typename TypeParam::engine_type>) {
    (void)this->f.test_and_add("key-0");
    (void)this->f.test_or_add("key-0");
  }
  EXPECT_EQ(allocations(), before);
}

TYPED_TEST(memory, case_31_combining) {
  if constexpr (mergeable_engine<typename TypeParam::engine_type>) {
    TypeParam into = this->f;
    fail_every_allocation({.name = "merge",
                           .may_throw = reports,
                           .operation = [&] { return outcome_of(into.merge(this->more)); },
                           .unchanged = [&] { return into == this->f; },
                           .prepare = [&] { into = this->f; }});
    this->fail("united", reports, [&] { return outcome_of(this->f.united(this->more)); });
    // A refusal allocates its message; without memory for that it is still no success.
    const TypeParam other = sample_of<TypeParam>(10, 0.01, typename TypeParam::hash_type(9));
    this->fail("a refused merge", throws, [&] {
      const auto refused = this->f.merge(other);
      EXPECT_FALSE(refused);
      return outcome::succeeded;
    });
  }
}

TYPED_TEST(memory, case_31_shrinking) {
  if constexpr (requires { this->f.shrink_to_fpr(0.5); }) {
    TypeParam large(typename TypeParam::shape_type{.bits = 5040 * 64, .probes = 4});
    for (const auto& key : sample_keys(100)) large.add(key);
    TypeParam shrinking = large;
    fail_every_allocation({.name = "shrink",
                           .may_throw = reports,
                           .operation = [&] { return outcome_of(shrinking.shrink_to_fpr(0.01)); },
                           .unchanged = [&] { return shrinking == large; },
                           .prepare = [&] { shrinking = large; }});
  }
}

TYPED_TEST(memory, case_31_writing) {
  this->fail("to_bytes", reports, [&] { return outcome_of(to_bytes(this->f, this->options)); });
  this->fail("serialized_size", reports, [&] { return outcome_of(serialized_size(this->f, this->options)); });
  this->fail("save", reports, [&] { return outcome_of(save(this->f, this->path, this->options)); });
  const any_filter any(this->f);
  this->fail("any_filter::to_bytes", reports, [&] { return outcome_of(any.to_bytes(this->options)); });
  // The filter that is saved is the one that was there.
  const auto opened = any_filter::load(this->path).value();
  this->fail("any_filter::save", reports, [&] { return outcome_of(opened.save(this->path)); });
}

TYPED_TEST(memory, case_31_a_save_that_fails_leaves_the_old_file) {
  fail_every_allocation({.name = "save over another",
                         .may_throw = reports,
                         .operation = [&] { return outcome_of(save(this->f, this->other_path, this->options)); },
                         .unchanged =
                             [&] {
                               return read_bytes(this->other_path) == this->other_bytes &&
                                      this->dir.names() == std::vector<std::string>{"f", "g"};
                             },
                         .prepare = [&] { write_bytes(this->other_path, this->other_bytes); }});
}

TYPED_TEST(memory, case_31_opening) {
  this->fail("load", reports, [&] { return outcome_of(load<TypeParam>(this->path)); });
  this->fail("from_bytes", reports, [&] { return outcome_of(from_bytes<TypeParam>(this->bytes)); });
  this->fail("map", reports, [&] { return outcome_of(map<TypeParam>(this->path)); });
  this->fail("view", reports, [&] { return outcome_of(view<TypeParam>(this->bytes)); });
  const auto mapped = map<TypeParam>(this->path).value();
  this->fail("verify", reports, [&] { return outcome_of(mapped.verify()); });
  this->fail("any_filter::load", reports, [&] { return outcome_of(any_filter::load(this->path)); });
  this->fail("any_filter::from_bytes", reports, [&] { return outcome_of(any_filter::from_bytes(this->bytes)); });
  this->fail("any_filter::inspect", reports, [&] { return outcome_of(any_filter::inspect(this->path)); });
  const any_filter any(this->f);
  this->fail("any_filter::info", throws, [&] { return (void)any.info(), outcome::succeeded; });
}

TYPED_TEST(memory, case_31_writing_through_a_map) {
  if constexpr (monotone_engine<typename TypeParam::engine_type>) {
    const open_options recover{.recover = true};
    fail_every_allocation({.name = "map_writable, sync and seal",
                           .may_throw = reports,
                           .operation =
                               [&] {
                                 auto w = map_writable<TypeParam>(this->path, recover);
                                 if (!w) return outcome_of(w);
                                 if (auto synced = w->sync(); !synced) return outcome_of(synced);
                                 return outcome_of(std::move(*w).seal());
                               },
                           .unchanged = [&] { return load<TypeParam>(this->path, recover).value() == this->twin; }});
    EXPECT_EQ(read_bytes(this->path), this->bytes);
  }
}

TEST(memory, case_31_the_portable_format) {
  auto f = portable::make({.bits = 1001, .probes = 5}).value();
  f.add("alice");
  const auto bytes = portable::encode(f);
  fail_every_allocation({"decode", reports, [&] { return outcome_of(portable::decode(bytes)); }});
  fail_every_allocation({"make", reports, [&] { return outcome_of(portable::make({.bits = 99, .probes = 3})); }});
  fail_every_allocation({"encode", throws, [&] { return (void)portable::encode(f), outcome::succeeded; }});
}

}  // namespace
}  // namespace seen::testing
