// A program without exceptions: what would be thrown comes as a result.
#include <seen/seen.hpp>

int main(int, char** arguments) {
  if (seen::bloom::make({.capacity = 0, .fpr = 2})) return 1;
  auto made = seen::bloom::make({.capacity = 100, .fpr = 0.01});
  if (!made) return 1;
  made->add("alice");
  auto chain = seen::concurrent_scalable_bloom::make({.capacity = 100, .fpr = 0.01});
  if (!chain) return 1;
  for (int i = 0; i < 1000; ++i) chain->add(i);
  const auto bytes = seen::to_bytes(*made);
  if (!bytes || !seen::any_filter::from_bytes(*bytes)) return 1;
  if (!seen::save(*made, arguments[1])) return 1;
  const auto mapped = seen::map<seen::bloom>(arguments[1]);
  return mapped && (*mapped)->may_contain("alice") && !(*mapped)->may_contain("bob") && chain->may_contain(7) ? 0 : 1;
}
