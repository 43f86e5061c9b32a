// Sets that are known as a whole: filters built at once. docs/building.md quotes all of it.
#include <seen/any_filter.hpp>
#include <seen/seen.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

bool failed(const seen::error& e) {
  return std::fprintf(stderr, "%s\n", e.detail.c_str()), false;
}

// All keys are at hand.
bool from_a_range(const std::vector<std::uint64_t>& ids) {
  auto known = seen::binary_fuse::build(ids, {.fpr = 1.0 / 256});
  if (!known) return failed(known.error());  // memory, at this size; never the keys
  std::printf("%zu keys, %.2f bits each\n", static_cast<std::size_t>(known->size()),
              8.0 * static_cast<double>(known->shape().bytes()) / static_cast<double>(known->size()));

  // The shape instead of the rate: fields that are left out are planned.
  auto small = seen::ribbon::build(
      ids, seen::ribbon_shape{.fingerprint_bits = 8, .setting = seen::ribbon_setting::compact}, {.threads = 2});
  if (!small) return failed(small.error());
  return known->may_contain(ids.front()) && small->may_contain(ids.back());
}

// Keys come one by one, and nobody knows how many.
bool from_a_stream(const std::vector<std::string>& words) {
  seen::builder<seen::ribbon> b({.fpr = 0.001, .memory = 100'000'000, .spill_directory = "."});
  for (const std::string& word : words) {
    if (auto kept = b.add(word); !kept) return failed(kept.error());  // the disk is full, or memory is
  }
  auto made = std::move(b).finish();  // sorts, solves, checks every key
  if (!made) return failed(made.error());
  return made->may_contain(words.front());
}

// A long build that says how far it is, and that a crash does not undo.
bool watched(const std::vector<std::uint64_t>& ids) {
  const auto progress = [](const seen::build_progress& now) {
    if (now.done == now.total) {
      std::puts(now.now == seen::build_progress::stage::sorting ? "sorted" : "solved");
    }
    return true;  // false cancels
  };
  const seen::build_options how{.fpr = 0.01, .threads = 2, .checkpoint = "ids.part", .progress = progress};
  auto made = seen::binary_fuse::build(ids, {.shards = 4}, how);
  if (!made) return failed(made.error());
  if (auto saved = seen::save(*made, "ids.seen", {.overwrite = true}); !saved) return failed(saved.error());
  std::remove("ids.part");  // the filter is safe: its shards need not be kept
  return true;
}

// The kind is known at run time.
bool of_any_kind(const std::string& kind, const std::vector<std::uint64_t>& ids) {
  auto b = seen::any_builder::make({.kind = kind, .target = {.capacity = 0, .fpr = 0.01}});
  if (!b) return failed(b.error());
  for (const std::uint64_t id : ids) {
    if (auto kept = b->add(id); !kept) return failed(kept.error());
  }
  auto made = std::move(*b).finish();
  if (!made) return failed(made.error());
  return made->may_contain(ids.front());
}

}  // namespace

int main() {
  std::vector<std::uint64_t> ids(100'000);
  std::iota(ids.begin(), ids.end(), std::uint64_t{1});
  const std::vector<std::string> words{"alice", "bob", "carol", "alice"};  // equal keys count once
  bool fine = from_a_range(ids) && from_a_stream(words) && watched(ids);
  for (const char* const kind : {"xor", "binary-fuse", "ribbon"}) fine = fine && of_any_kind(kind, ids);
  return fine ? 0 : 1;
}
