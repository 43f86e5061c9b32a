#include <seen/filters/bloom.hpp>

#pragma GCC diagnostic error "-Wunused-result"

void use(seen::bloom& f, const seen::bloom& other) {
#ifdef MISTAKE
  f.merge(other);
#else
  (void)f.merge(other);
#endif
}
