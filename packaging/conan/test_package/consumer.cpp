// A program of a stranger: public headers only.
#include <seen/seen.hpp>

#include <cstdio>

int main() {
  seen::bloom f({.capacity = 100, .fpr = 0.01});
  f.add("alice");
  const auto bytes = seen::to_bytes(f);
  const auto copy = seen::any_filter::from_bytes(*bytes);
  std::printf("seen %s: %s\n", seen::version, copy && copy->may_contain("alice") ? "works" : "does not work");
  return copy && copy->may_contain("alice") && !copy->may_contain("bob") ? 0 : 1;
}
