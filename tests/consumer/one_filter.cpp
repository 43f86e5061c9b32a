// The least that a user includes: one kind, added to and asked. HACKING.md says how long it takes to compile.
#include <seen/filters/bloom.hpp>

int main() {
  seen::bloom visited({.capacity = 1000, .fpr = 0.01});
  visited.add("alice");
  return visited.may_contain("alice") && !visited.may_contain("bob") ? 0 : 1;
}
