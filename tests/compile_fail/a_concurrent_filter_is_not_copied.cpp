#include <seen/filters/bloom.hpp>

void use(const seen::concurrent_bloom& f) {
#ifdef MISTAKE
  seen::concurrent_bloom copy = f;
#else
  seen::bloom copy = f.snapshot();
#endif
  (void)copy;
}
