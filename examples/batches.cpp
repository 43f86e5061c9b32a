// Many keys at once: added, on one thread or several, and asked for in three forms.
#include <seen/seen.hpp>

#include <cstdio>
#include <memory>
#include <vector>

int main() {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 10'000; ++i) keys.push_back(i);

  seen::blocked_bloom filter({.capacity = 10'000, .fpr = 0.01});
  filter.add_many(keys);                                // any range of keys, or of digests
  filter.add_many(keys, seen::parallel{.threads = 8});  // the same filter, byte for byte

  const auto bools = std::make_unique<bool[]>(keys.size());  // not std::vector<bool>, which has no bools
  std::vector<std::uint64_t> words((keys.size() + 63) / 64);
  std::vector<std::uint32_t> rows(keys.size());
  std::size_t n = filter.may_contain_many(keys, {bools.get(), keys.size()});  // bools[i]: may key i be present?
  n = filter.may_contain_bitmap(keys, words);                                 // bit i % 64 of words[i / 64]
  n = filter.select(keys, rows);  // the indices that may be present, ascending

  std::printf("%zu of %zu keys may be present\n", n, keys.size());
  return n == keys.size() ? 0 : 1;
}
