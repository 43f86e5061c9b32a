// says: a static filter is built from all its keys: build(keys, {.fpr = 0.01})
#include <seen/filters/binary_fuse.hpp>

void use(seen::binary_fuse& f) {
#ifdef MISTAKE
  f.add("alice");
#else
  (void)f.may_contain("alice");
#endif
}
