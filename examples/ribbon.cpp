// A ribbon filter: built once from all keys, in hardly more bits than they need.
#include <seen/filters/ribbon.hpp>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  std::vector<std::string> list{"alice", "bob"};
  for (int i = 0; i < 100'000; ++i) list.push_back("user" + std::to_string(i));

  const seen::ribbon words = seen::ribbon::build(list, {.fpr = 1.0 / 256}).value();
  if (words.may_contain("alice")) std::puts("perhaps");
  const seen::ribbon small =
      seen::ribbon::build(list, {.setting = seen::ribbon_setting::compact}, {.fpr = 0.001}).value();

  std::printf("%.2f and %.2f bits per key\n", 8.0 * static_cast<double>(words.shape().bytes()) / 100'002,
              8.0 * static_cast<double>(small.shape().bytes()) / 100'002);
  return words.may_contain("bob") && small.may_contain("user99999") ? 0 : 1;
}
