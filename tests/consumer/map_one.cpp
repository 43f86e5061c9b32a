// A program that opens filters of one kind: it links that kind, and neither the other kinds nor the formats. run.sh says how large it may be.
#include <seen/filters/bloom.hpp>
#include <seen/io.hpp>

#include <cstdio>

int main(int, char** arguments) {
  const auto mapped = seen::map<seen::bloom>(arguments[1]);
  if (!mapped) return std::puts(mapped.error().detail.c_str()), 1;
  return (*mapped)->may_contain("alice") ? 0 : 1;
}
