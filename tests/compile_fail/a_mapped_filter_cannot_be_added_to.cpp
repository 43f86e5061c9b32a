#include <seen/filters/bloom.hpp>
#include <seen/io.hpp>

bool use(seen::frozen<seen::bloom>& mapped) {
#ifdef MISTAKE
  mapped->add("alice");
#endif
  return mapped->may_contain("alice");
}
