#include <seen/seen.hpp>

#include <cstdio>

int main() {
  seen::bloom visited({.capacity = 1'000'000, .fpr = 0.01});  // 1.14 MiB, 7 probes
  visited.add("https://example.org/");
  visited.add(42);  // keys are text, bytes or integers

  if (!visited.may_contain("https://example.com/")) std::puts("certainly new");

  if (auto saved = seen::save(visited, "visited.seen"); !saved) {
    return std::fprintf(stderr, "%s\n", saved.error().detail.c_str()), 1;
  }
  auto mapped = seen::map<seen::bloom>("visited.seen");  // no copy: ready in microseconds at any size
  return mapped && (*mapped)->may_contain(42) ? 0 : 1;
}
