#include <seen/filters/bloom.hpp>

void use(seen::bloom& f) {
#ifdef MISTAKE
  seen::digest d = 42;
#else
  seen::digest d{42};
#endif
  f.add(d);
}
