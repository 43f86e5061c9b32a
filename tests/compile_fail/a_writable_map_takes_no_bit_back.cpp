#include <seen/filters/bloom.hpp>
#include <seen/io.hpp>

void use(seen::writable<seen::bloom>& mapped) {
  mapped.add("alice");
#ifdef MISTAKE
  mapped->clear();
#endif
}
