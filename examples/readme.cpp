#include <seen/filters/bloom.hpp>
#include <seen/io.hpp>

#include <cstdio>

int main() {
  seen::bloom visited({.capacity = 1'000'000, .fpr = 0.01});  // 1.14 MiB
  visited.add("https://example.org/");
  visited.add(42);  // keys are text, bytes or integers

  if (!visited.may_contain("https://example.com/")) std::puts("certainly new");

  seen::save(visited, "visited.seen").value();  // value() throws if there is an error; result<T> can be tested, too

  const auto mapped = seen::map<seen::bloom>("visited.seen").value();  // no copy: ready in microseconds at any size
  if (mapped->may_contain(42)) std::puts("probably seen before");
}
