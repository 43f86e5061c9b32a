// says: a key is text, bytes or an integer; of an enum, a path or your own type say what identifies it: seen_key
#include <seen/filters/bloom.hpp>

struct reading {
  int sensor;
  double value;
};
#ifdef MISTAKE
double seen_key(const reading& r) noexcept {
  return r.value;
}
#else
int seen_key(const reading& r) noexcept {
  return r.sensor;
}
#endif

void use(seen::bloom& f, const reading& r) {
  f.add(r);
}
