#include <seen/filters/bloom.hpp>

void use(seen::bloom& f, bool yes) {
#ifdef MISTAKE
  f.add(yes);
#else
  f.add(yes ? 1 : 0);
#endif
}
