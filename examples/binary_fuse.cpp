// All keys at once: binary fuse and xor filters.
#include <seen/seen.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

void build() {
  const std::vector<std::string> words{"alice", "bob", "carol"};
  const auto known = seen::binary_fuse::build(words, {.fpr = 0.004});
  if (!known) return void(std::puts(known.error().detail.c_str()));
  std::printf("%d %d\n", known->may_contain("alice"), known->may_contain("dave"));  // 1, and 0 but for one name in 256
}

// 16 bits per fingerprint and four slots per key: smaller, and a little slower.
void choose() {
  std::vector<std::uint64_t> ids(100'000);
  for (std::uint64_t i = 0; i < ids.size(); ++i) ids[i] = i * i;
  const auto known = seen::binary_fuse::build(ids, {.fingerprint_bits = 16, .arity = 4}).value();
  std::printf("%.2f bits per key\n", 8.0 * static_cast<double>(known.shape().bytes()) / 1e5);
}

void compare() {
  const std::vector<std::string> words{"alice", "bob", "carol"};
  const auto known = seen::xor_filter::build(words, {.fpr = 0.004}).value();
  std::printf("%d\n", known.may_contain("bob"));
}

}  // namespace

int main() {
  build();
  choose();
  compare();
}
